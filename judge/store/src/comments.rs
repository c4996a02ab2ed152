//! Comments of staff on lines of submitted sources:
//! `judge/docs/decisions/0023-reviews-and-adjusted-points.md`.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CommentId, PersonId, SubmissionId};
use crate::basics::review_refusal::ReviewRefusal;
use crate::basics::time::Timestamp;
use crate::reviews::{LOCK_SUBMISSION, need_seen, written};
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;
use crate::submissions::Submission;
use crate::suites;

/// Most comments on a source.
const MOST_COMMENTS: i64 = 200;

/// A comment on a line of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Id.
    pub id: CommentId,
    /// Number of the line, from 1.
    pub line: u32,
    /// Id of the author.
    pub by: PersonId,
    /// Name of the author by the list of the course.
    pub by_name: String,
    /// When it was made.
    pub at: Timestamp,
    /// Its text.
    pub text: String,
}

const COMMENTS: &str = "SELECT k.*, COALESCE(m.name, f.name, p.name) AS author \
    FROM source_comment k JOIN submission s ON s.id = k.submission JOIN suite u ON u.id = s.suite \
    JOIN person p ON p.id = k.made_by \
    LEFT JOIN membership m ON m.person = p.id AND m.course = u.course \
    LEFT JOIN former_member f ON f.person = p.id AND f.course = u.course \
    WHERE k.submission = $1 ORDER BY k.line, k.made_at, k.id";
const COUNT: &str = "SELECT COUNT(*) AS many FROM source_comment WHERE submission = $1";
const INSERT: &str = "INSERT INTO source_comment (id, submission, line, text, made_by, made_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const AUTHOR: &str = "SELECT made_by FROM source_comment WHERE id = $1 AND submission = $2";
const DELETE: &str = "DELETE FROM source_comment WHERE id = $1";

impl Store {
    /// Comments on a line of a source in the name of a member of staff.
    ///
    /// # Errors
    /// [`Error::Review`] when the person is not staff, the submission has no source, the text cannot
    /// be used or there are too many comments; [`Error::Missing`] when the person may not see the
    /// submission; [`Error::Archived`] when the course is archived; when the database fails.
    pub async fn add_comment(
        &self,
        id: &SubmissionId,
        (line, text): (u32, &str),
        by: &PersonId,
        now: Timestamp,
    ) -> Result<CommentId, Error> {
        let text = written(text)?;
        let mut transaction = self.change_together(ChangedPart::Submission(id)).await?;
        let (submission, _) = need_staff(&mut transaction, id, by).await?;
        if submission.source.is_none() {
            return Err(ReviewRefusal::NoSource.into());
        }
        sqlx::query(LOCK_SUBMISSION).bind(id.as_str()).execute(&mut *transaction).await?;
        let query = sqlx::query(COUNT).bind(id.as_str());
        if query.fetch_one(&mut *transaction).await?.number("many")? >= MOST_COMMENTS {
            return Err(ReviewRefusal::TooManyComments { allowed: MOST_COMMENTS }.into());
        }
        let comment = CommentId::random()?;
        let query = sqlx::query(INSERT).bind(comment.as_str()).bind(id.as_str());
        let query = query.bind(i64::from(line)).bind(text).bind(by.as_str()).bind(now.millis());
        query.execute(&mut *transaction).await?;
        let about = (Some(&submission.person), id.as_str());
        self.log(&mut transaction, Act::Commented, About::Suite(&submission.suite), about).await?;
        transaction.commit().await?;
        Ok(comment)
    }

    /// Removes a comment in the name of its author or of an instructor.
    ///
    /// # Errors
    /// [`Error::Review`] when the person may not, [`Error::Missing`] when there is no such comment,
    /// [`Error::Archived`] when the course is archived; when the database fails.
    pub async fn remove_comment(
        &self,
        (id, comment): (&SubmissionId, &CommentId),
        by: &PersonId,
    ) -> Result<(), Error> {
        let mut transaction = self.change_together(ChangedPart::Submission(id)).await?;
        let (submission, role) = need_staff(&mut transaction, id, by).await?;
        let query = sqlx::query(AUTHOR).bind(comment.as_str()).bind(id.as_str());
        let author: PersonId = match query.fetch_optional(&mut *transaction).await? {
            Some(row) => row.parsed("made_by")?,
            None => return Err(Error::Missing { what: "comment", value: comment.to_string() }),
        };
        if author != *by && role != Role::Instructor {
            return Err(ReviewRefusal::NotAllowed.into());
        }
        sqlx::query(DELETE).bind(comment.as_str()).execute(&mut *transaction).await?;
        let about = (Some(&submission.person), id.as_str());
        let act = Act::CommentRemoved;
        self.log(&mut transaction, act, About::Suite(&submission.suite), about).await?;
        Ok(transaction.commit().await?)
    }

    /// The comments on a source, by line.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn comments_on(&self, id: &SubmissionId) -> Result<Vec<Comment>, Error> {
        let rows = sqlx::query(COMMENTS).bind(id.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(comment).collect::<Result<_, _>>()?)
    }
}

/// A submission and the role of a member of staff who sees it.
async fn need_staff(
    connection: &mut AnyConnection,
    id: &SubmissionId,
    by: &PersonId,
) -> Result<(Submission, Role), Error> {
    let submission = need_seen(connection, id, by).await?;
    let suite = suites::need_suite_in(connection, &submission.suite).await?;
    match rights::role(connection, &suite.course, by).await? {
        Some(role) if role.is_staff() => Ok((submission, role)),
        _ => Err(ReviewRefusal::NotAllowed.into()),
    }
}

fn comment(row: &AnyRow) -> Result<Comment, sqlx::Error> {
    Ok(Comment {
        id: row.parsed("id")?,
        line: u32::try_from(row.number("line")?).unwrap_or(u32::MAX),
        by: row.parsed("made_by")?,
        by_name: row.text("author")?,
        at: row.time("made_at")?,
        text: row.text("text")?,
    })
}
