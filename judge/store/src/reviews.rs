//! Requests of students to look at a result again, and the answers of staff:
//! `judge/docs/decisions/0023-reviews-and-adjusted-points.md`.

use std::fmt::Write as _;

use judge_core::printable;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, ReviewId, SubmissionId};
use crate::basics::review_refusal::ReviewRefusal;
use crate::basics::time::Timestamp;
use crate::mail;
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::{Store, is_taken};
use crate::submissions::{self, Submission};
use crate::suites;

/// Most characters of a request, an answer or a reason.
pub const MOST_TEXT: usize = 2000;

/// Most requests about a submission.
pub const MOST_REVIEWS: i64 = 5;

/// Most open requests of a student in a course.
pub const MOST_OPEN_REVIEWS: i64 = 5;

/// A request to look at a result again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Id.
    pub id: ReviewId,
    /// The submission.
    pub submission: SubmissionId,
    /// Name of the student by the list of the course.
    pub asked_by: String,
    /// When it was made.
    pub asked_at: Timestamp,
    /// Its text; empty once the student is erased.
    pub request: String,
    /// The answer, which closes it.
    pub answer: Option<ReviewAnswer>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewAnswer {
    /// Name of the member of staff by the list of the course.
    pub by: String,
    /// When it was given.
    pub at: Timestamp,
    /// Its text.
    pub text: String,
}

/// An open request in the list of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenReview {
    /// The request.
    pub review: Review,
    /// Title of the suite.
    pub suite: String,
    /// Name of the submitted file.
    pub file_name: String,
}

/// Requests with the names of people in the course.
macro_rules! reviews {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT r.*, COALESCE(m.name, f.name, p.name) AS asker, \
             COALESCE(n.name, g.name, q.name) AS answerer",
            $columns,
            " FROM review r JOIN submission s ON s.id = r.submission \
             JOIN suite u ON u.id = s.suite JOIN person p ON p.id = r.asked_by \
             LEFT JOIN membership m ON m.person = p.id AND m.course = u.course \
             LEFT JOIN former_member f ON f.person = p.id AND f.course = u.course \
             LEFT JOIN person q ON q.id = r.answered_by \
             LEFT JOIN membership n ON n.person = q.id AND n.course = u.course \
             LEFT JOIN former_member g ON g.person = q.id AND g.course = u.course ",
            $rest
        )
    };
}

const OF_SUBMISSION: &str = reviews!("", "WHERE r.submission = $1 ORDER BY r.asked_at, r.id");
const OPEN: &str = reviews!(
    ", COALESCE(u.called, u.title) AS suite_title, \
     CASE WHEN s.file_name = '' THEN s.name ELSE s.file_name END AS file",
    "WHERE u.course = $1 AND r.answered_at IS NULL ORDER BY r.asked_at, r.id LIMIT $2"
);
const OPEN_IN_COURSE: &str = "SELECT COUNT(*) AS many FROM review r \
    JOIN submission s ON s.id = r.submission JOIN suite u ON u.id = s.suite \
    WHERE u.course = $1 AND r.answered_at IS NULL";
// The second of two requests at once sees the first.
const LOCK_MEMBER: &str = "UPDATE membership SET role = role WHERE course = $1 AND person = $2";
pub(crate) const LOCK_SUBMISSION: &str = "UPDATE submission SET name = name WHERE id = $1";
const COUNT: &str = "SELECT COUNT(*) AS many, \
    CAST(COALESCE(SUM(CASE WHEN answered_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS open \
    FROM review WHERE submission = $1";
const OPEN_OF_PERSON: &str = "SELECT COUNT(*) AS many FROM review r \
    JOIN submission s ON s.id = r.submission JOIN suite u ON u.id = s.suite \
    WHERE r.asked_by = $1 AND r.answered_at IS NULL AND u.course = $2";
const HAS_RESULT: &str = "SELECT 1 FROM result WHERE submission = $1 LIMIT 1";
const INSERT: &str = "INSERT INTO review (id, submission, asked_by, asked_at, request) \
    VALUES ($1, $2, $3, $4, $5)";
const ANSWER: &str = "UPDATE review SET answered_by = $3, answered_at = $4, answer = $5 \
    WHERE id = $1 AND submission = $2 AND answered_at IS NULL RETURNING asked_by";
const KNOWN: &str = "SELECT 1 FROM review WHERE id = $1 AND submission = $2";

impl Store {
    /// Requests a review of a result for a student who has the submission and sees the result.
    ///
    /// # Errors
    /// [`Error::Review`] when the rules forbid it, [`Error::Missing`] when the person may not see
    /// the submission, [`Error::Archived`] when the course is archived; when the database fails.
    pub async fn request_review(
        &self,
        (id, person): (&SubmissionId, &PersonId),
        text: &str,
        now: Timestamp,
    ) -> Result<ReviewId, Error> {
        let text = written(text)?;
        let mut transaction = self.change_together(ChangedPart::Submission(id)).await?;
        let submission = need_seen(&mut transaction, id, person).await?;
        let suite = suites::need_suite_in(&mut transaction, &submission.suite).await?;
        let query = sqlx::query(LOCK_MEMBER).bind(suite.course.as_str()).bind(person.as_str());
        query.execute(&mut *transaction).await?;
        sqlx::query(LOCK_SUBMISSION).bind(id.as_str()).execute(&mut *transaction).await?;
        if rights::role(&mut transaction, &suite.course, person).await? != Some(Role::Student) {
            return Err(ReviewRefusal::NotAStudent.into());
        }
        let query = sqlx::query(HAS_RESULT).bind(id.as_str());
        let has_result = query.fetch_optional(&mut *transaction).await?.is_some();
        if !has_result || suite.visible_from(&submission, now).is_some() {
            return Err(ReviewRefusal::NoResult.into());
        }
        check_numbers(&mut transaction, id, (person, &suite.course)).await?;
        let review = ReviewId::random()?;
        let query = sqlx::query(INSERT).bind(review.as_str()).bind(id.as_str());
        let query = query.bind(person.as_str()).bind(now.millis()).bind(text);
        query.execute(&mut *transaction).await.map_err(|error| match is_taken(&error) {
            true => ReviewRefusal::AlreadyOpen.into(),
            false => Error::from(error),
        })?;
        transaction.commit().await?;
        Ok(review)
    }

    /// Answers an open request in the name of a member of staff, which closes it.
    ///
    /// # Errors
    /// [`Error::Review`] when the person is not staff, the text cannot be used or the request has
    /// an answer; [`Error::Missing`] when there is no such request; [`Error::Archived`] when the
    /// course is archived; when the database fails.
    pub async fn answer_review(
        &self,
        (id, review): (&SubmissionId, &ReviewId),
        by: &PersonId,
        text: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let text = written(text)?;
        let mut transaction = self.change_together(ChangedPart::Submission(id)).await?;
        let submission = need_seen(&mut transaction, id, by).await?;
        let suite = suites::need_suite_in(&mut transaction, &submission.suite).await?;
        let role = rights::role(&mut transaction, &suite.course, by).await?;
        if !role.is_some_and(Role::is_staff) {
            return Err(ReviewRefusal::NotAllowed.into());
        }
        let query = sqlx::query(ANSWER).bind(review.as_str()).bind(id.as_str()).bind(by.as_str());
        let query = query.bind(now.millis()).bind(text);
        let Some(row) = query.fetch_optional(&mut *transaction).await? else {
            let query = sqlx::query(KNOWN).bind(review.as_str()).bind(id.as_str());
            return Err(match query.fetch_optional(&mut *transaction).await? {
                Some(_) => ReviewRefusal::Answered.into(),
                None => Error::Missing { what: "review", value: review.to_string() },
            });
        };
        let student: PersonId = row.parsed("asked_by")?;
        let about = (Some(&student), id.as_str());
        self.log(&mut transaction, Act::ReviewAnswered, About::Suite(&suite.id), about).await?;
        mail::answered(&mut transaction, (id, review), now).await?;
        Ok(transaction.commit().await?)
    }

    /// The requests about a submission with their answers, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reviews_of(&self, id: &SubmissionId) -> Result<Vec<Review>, Error> {
        let rows = sqlx::query(OF_SUBMISSION).bind(id.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(review).collect::<Result<_, _>>()?)
    }

    /// The open requests of a course, the oldest first, at most `most`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_reviews(
        &self,
        course: &CourseId,
        most: u32,
    ) -> Result<Vec<OpenReview>, Error> {
        let query = sqlx::query(OPEN).bind(course.as_str()).bind(i64::from(most));
        let rows = query.fetch_all(&self.pool).await?;
        let open = |row: &AnyRow| {
            let (suite, file_name) = (row.text("suite_title")?, row.text("file")?);
            Ok::<_, sqlx::Error>(OpenReview { review: review(row)?, suite, file_name })
        };
        Ok(rows.iter().map(open).collect::<Result<_, _>>()?)
    }

    /// The number of open requests of a course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_review_count(&self, course: &CourseId) -> Result<u64, Error> {
        let query = sqlx::query(OPEN_IN_COURSE).bind(course.as_str());
        Ok(query.fetch_one(&self.pool).await?.count("many")?)
    }
}

/// A submission that a person may see, read by that connection.
///
/// # Errors
/// [`Error::Missing`] when the person may not see it; when the database fails.
pub(crate) async fn need_seen(
    connection: &mut AnyConnection,
    id: &SubmissionId,
    person: &PersonId,
) -> Result<Submission, Error> {
    let missing = || Error::Missing { what: "submission", value: id.to_string() };
    submissions::seen(connection, id, person).await?.ok_or_else(missing)
}

/// Checks that the submission has no open request, and the student not too many.
async fn check_numbers(
    connection: &mut AnyConnection,
    id: &SubmissionId,
    (person, course): (&PersonId, &CourseId),
) -> Result<(), Error> {
    let row = sqlx::query(COUNT).bind(id.as_str()).fetch_one(&mut *connection).await?;
    if row.number("open")? > 0 {
        return Err(ReviewRefusal::AlreadyOpen.into());
    }
    if row.number("many")? >= MOST_REVIEWS {
        return Err(ReviewRefusal::TooMany { allowed: MOST_REVIEWS }.into());
    }
    let query = sqlx::query(OPEN_OF_PERSON).bind(person.as_str()).bind(course.as_str());
    match query.fetch_one(connection).await?.number("many")? >= MOST_OPEN_REVIEWS {
        true => Err(ReviewRefusal::TooManyOpen { allowed: MOST_OPEN_REVIEWS }.into()),
        false => Ok(()),
    }
}

/// A text of several lines to store, with escapes for control characters. A text that is too long
/// is refused and not cut.
pub(crate) fn written(text: &str) -> Result<String, ReviewRefusal> {
    let text = text.trim();
    let mut tame = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = printable(&line.replace('\t', "    "), usize::MAX);
        let _ = write!(tame, "{}{line}", if number == 0 { "" } else { "\n" });
    }
    match tame.chars().count() {
        0 => Err(ReviewRefusal::NoText),
        length if length > MOST_TEXT => Err(ReviewRefusal::TooLong { allowed: MOST_TEXT }),
        _ => Ok(tame),
    }
}

fn review(row: &AnyRow) -> Result<Review, sqlx::Error> {
    let answer = match (row.maybe_time("answered_at")?, row.maybe_text("answer")?) {
        (Some(at), Some(text)) => {
            let by = row.maybe_text("answerer")?.unwrap_or_default();
            Some(ReviewAnswer { by, at, text })
        }
        _ => None,
    };
    Ok(Review {
        id: row.parsed("id")?,
        submission: row.parsed("submission")?,
        asked_by: row.text("asker")?,
        asked_at: row.time("asked_at")?,
        request: row.text("request")?,
        answer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_lines_and_lose_control_characters() {
        let text = " a\r\n\r\n\tb \0\u{202e}c\n";
        assert_eq!(written(text).as_deref(), Ok("a\n\n    b \\u{0}\\u{202e}c"));
        assert_eq!(written(" \n\t"), Err(ReviewRefusal::NoText));
        assert!(written(&"é".repeat(MOST_TEXT)).is_ok());
        let long = Err(ReviewRefusal::TooLong { allowed: MOST_TEXT });
        assert_eq!(written(&"é".repeat(MOST_TEXT + 1)), long);
        assert_eq!(written(&"\0".repeat(MOST_TEXT)), long, "escapes count");
    }
}
