//! Points that instructors give by hand. They replace the points that count in all results of a
//! submission; the report stays as it is.

use judge_core::Points;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SubmissionId, SuiteId};
use crate::basics::review_refusal::ReviewRefusal;
use crate::basics::time::Timestamp;
use crate::late;
use crate::results::{self, ResultRow};
use crate::reviews::{need_seen, written};
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;
use crate::suites;

/// Most adjustments of a submission.
pub const MOST_ADJUSTMENTS: i64 = 50;

/// Points by hand, with their reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    /// The points; none if it took the earlier ones back.
    pub points: Option<Points>,
    /// The points that counted without adjustments.
    pub graded: Points,
    /// The generation of that result.
    pub generation: i64,
    /// The reason.
    pub reason: String,
    /// Name of the instructor by the list of the course.
    pub by: String,
    /// When it was made.
    pub at: Timestamp,
}

/// An adjustment to add.
struct NewAdjustment<'a> {
    points: Option<Points>,
    graded: Points,
    generation: i64,
    reason: &'a str,
    by: &'a PersonId,
    at: Timestamp,
}

/// A submission with adjusted points, in the list of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdjustedSubmission {
    /// The submission.
    pub submission: SubmissionId,
    /// Title of the suite.
    pub suite: String,
    /// Name of the submitted file.
    pub file_name: String,
    /// Name of its author by the list of the course.
    pub author: String,
    /// The latest adjustment.
    pub adjustment: Adjustment,
    /// True if the submission was graded again after it.
    pub is_older: bool,
}

/// Adjustments with the names of people in the course.
macro_rules! adjustments {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT a.*, COALESCE(m.name, f.name, p.name) AS adjuster",
            $columns,
            " FROM adjustment a JOIN submission s ON s.id = a.submission \
             JOIN suite u ON u.id = s.suite JOIN person p ON p.id = a.made_by \
             LEFT JOIN membership m ON m.person = p.id AND m.course = u.course \
             LEFT JOIN former_member f ON f.person = p.id AND f.course = u.course ",
            $rest
        )
    };
}

const OF_SUBMISSION: &str = adjustments!("", "WHERE a.submission = $1 ORDER BY a.number DESC");
// Those that were made before the latest grading first.
const OF_COURSE: &str = adjustments!(
    ", COALESCE(u.called, u.title) AS suite_title, \
     CASE WHEN s.file_name = '' THEN s.name ELSE s.file_name END AS file, \
     COALESCE(n.name, g.name, q.name) AS author, \
     CASE WHEN EXISTS (SELECT 1 FROM result r WHERE r.submission = s.id \
     AND r.generation = u.shown AND r.generation > a.generation) THEN 1 ELSE 0 END AS is_older",
    "JOIN person q ON q.id = s.person \
     LEFT JOIN membership n ON n.person = q.id AND n.course = u.course \
     LEFT JOIN former_member g ON g.person = q.id AND g.course = u.course \
     WHERE u.course = $1 AND s.adjusted IS NOT NULL \
     AND a.number = (SELECT MAX(b.number) FROM adjustment b WHERE b.submission = s.id) \
     ORDER BY is_older DESC, a.made_at DESC, s.id LIMIT $2"
);
const LAST: &str = "SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) AS last FROM adjustment \
    WHERE submission = $1";
const INSERT: &str = "INSERT INTO adjustment \
    (submission, number, points, graded, generation, reason, made_by, made_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const SET: [&str; 2] = [
    "UPDATE submission SET adjusted = $2 WHERE id = $1",
    "UPDATE result SET adjusted = $2 WHERE submission = $1",
];
const ADJUSTED: &str = "SELECT COUNT(*) AS many FROM submission s JOIN suite u ON u.id = s.suite \
    WHERE u.id = $1 AND s.adjusted IS NOT NULL";

impl Store {
    /// Gives a submission other points in the name of an instructor, or takes the adjustment back.
    ///
    /// # Errors
    /// [`Error::Review`] when the rules forbid it, [`Error::Missing`] when the person may not see
    /// the submission, [`Error::Archived`] when the course is archived; when the database fails.
    pub async fn adjust_points(
        &self,
        id: &SubmissionId,
        (points, reason): (Option<Points>, &str),
        by: &PersonId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let reason = written(reason)?;
        let mut transaction = self.change(ChangedPart::Submission(id)).await?;
        let submission = need_seen(&mut transaction, id, by).await?;
        let suite = suites::need_suite_in(&mut transaction, &submission.suite).await?;
        if rights::role(&mut transaction, &suite.course, by).await? != Some(Role::Instructor) {
            return Err(ReviewRefusal::NotAllowed.into());
        }
        let shown = results::shown(&mut transaction, id).await?;
        let (row, graded) = shown.ok_or(ReviewRefusal::NoResult)?;
        check(&row, points)?;
        let generation = row.generation;
        let new = NewAdjustment { points, graded, generation, reason: &reason, by, at: now };
        insert(&mut transaction, id, &new).await?;
        for sql in SET {
            let query = sqlx::query(sql).bind(id.as_str()).bind(points.map(number));
            query.execute(&mut *transaction).await?;
        }
        late::recompute(&mut transaction, id).await?;
        let text =
            |points: Option<Points>| points.map_or("graded".to_owned(), |one| one.to_string());
        let detail = format!("{id}: {} -> {}", text(row.adjusted), text(points));
        let about = (Some(&submission.person), detail.as_str());
        self.log(&mut transaction, Act::PointsAdjusted, About::Suite(&suite.id), about).await?;
        Ok(transaction.commit().await?)
    }

    /// The adjustments of a submission, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adjustments_of(&self, id: &SubmissionId) -> Result<Vec<Adjustment>, Error> {
        let rows = sqlx::query(OF_SUBMISSION).bind(id.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(adjustment).collect::<Result<_, _>>()?)
    }

    /// The submissions of a course with adjusted points, at most `most`: those that were graded
    /// again since first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adjusted_in(
        &self,
        course: &CourseId,
        most: u32,
    ) -> Result<Vec<AdjustedSubmission>, Error> {
        let query = sqlx::query(OF_COURSE).bind(course.as_str()).bind(i64::from(most));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(adjusted).collect::<Result<_, _>>()?)
    }

    /// The number of submissions to a suite with adjusted points.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adjusted_count(&self, suite: &SuiteId) -> Result<u64, Error> {
        let row = sqlx::query(ADJUSTED).bind(suite.as_str()).fetch_one(&self.pool).await?;
        Ok(row.count("many")?)
    }
}

/// Checks new points, or taking them back, against a result.
fn check(row: &ResultRow, points: Option<Points>) -> Result<(), ReviewRefusal> {
    // Suites can have extra credit. The limit is for typing errors.
    let allowed = row.max_points.saturating_add(row.max_points);
    match points {
        None if row.adjusted.is_none() => Err(ReviewRefusal::NotAdjusted),
        Some(points) if points > allowed => Err(ReviewRefusal::TooManyPoints { allowed }),
        _ => Ok(()),
    }
}

/// Adds an adjustment to the history of a submission.
async fn insert(
    connection: &mut AnyConnection,
    id: &SubmissionId,
    new: &NewAdjustment<'_>,
) -> Result<(), Error> {
    let last = sqlx::query(LAST).bind(id.as_str()).fetch_one(&mut *connection).await?;
    let last = last.number("last")?;
    if last >= MOST_ADJUSTMENTS {
        return Err(ReviewRefusal::TooManyAdjustments { allowed: MOST_ADJUSTMENTS }.into());
    }
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(last + 1);
    let query = query.bind(new.points.map(number)).bind(number(new.graded));
    let query = query.bind(new.generation).bind(new.reason).bind(new.by.as_str());
    query.bind(new.at.millis()).execute(connection).await?;
    Ok(())
}

fn number(points: Points) -> i64 {
    i64::try_from(points.thousandths()).unwrap_or(i64::MAX)
}

fn adjustment(row: &AnyRow) -> Result<Adjustment, sqlx::Error> {
    let points = row.maybe_number("points")?.map(|many| u64::try_from(many).unwrap_or_default());
    Ok(Adjustment {
        points: points.map(Points::from_thousandths),
        graded: Points::from_thousandths(row.count("graded")?),
        generation: row.number("generation")?,
        reason: row.text("reason")?,
        by: row.text("adjuster")?,
        at: row.time("made_at")?,
    })
}

fn adjusted(row: &AnyRow) -> Result<AdjustedSubmission, sqlx::Error> {
    Ok(AdjustedSubmission {
        submission: row.parsed("submission")?,
        suite: row.text("suite_title")?,
        file_name: row.text("file")?,
        author: row.text("author")?,
        adjustment: adjustment(row)?,
        is_older: row.flag("is_older")?,
    })
}
