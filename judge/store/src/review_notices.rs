//! Notices of answers to requests, of comments and of adjusted points, for the people who have the submission.

use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SubmissionId};
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;
use crate::submissions::submission;

/// A submission with a recent answer, comment or adjustment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewNotice {
    /// The submission.
    pub submission: SubmissionId,
    /// Short name of the course.
    pub course: String,
    /// Title of the suite.
    pub suite: String,
    /// Name of the submitted file.
    pub file_name: String,
    /// When a request was last answered, if that is recent.
    pub answered_at: Option<Timestamp>,
    /// When a line of its source was last commented on, if that is recent.
    pub commented_at: Option<Timestamp>,
    /// When its points were last adjusted, if that is recent.
    pub adjusted_at: Option<Timestamp>,
}

const NOTICES: &str = "WITH own AS (SELECT id FROM submission WHERE owner = $1 \
    UNION ALL SELECT s.id FROM group_member g CROSS JOIN submission s \
    WHERE g.person = $1 AND s.owner = g.group_id \
    AND (g.left_at IS NULL OR s.received_at < g.left_at)), \
    news AS (SELECT o.id, (SELECT MAX(r.answered_at) FROM review r WHERE r.submission = o.id \
    AND r.answered_at > $2) AS review_at, (SELECT MAX(k.made_at) FROM source_comment k \
    WHERE k.submission = o.id AND k.made_at > $2 \
    AND EXISTS (SELECT 1 FROM result x WHERE x.submission = o.id)) AS comment_at, (SELECT MAX(a.made_at) FROM adjustment a \
    WHERE a.submission = o.id AND a.made_at > $2) AS points_at FROM own o) \
    SELECT s.*, n.review_at, n.comment_at, n.points_at, c.slug AS course_slug, \
    COALESCE(u.called, u.title) AS suite_title \
    FROM news n JOIN submission s ON s.id = n.id JOIN suite u ON u.id = s.suite \
    JOIN course c ON c.id = u.course JOIN membership m ON m.course = c.id AND m.person = $1 \
    WHERE c.archived_at IS NULL AND COALESCE(n.points_at, n.review_at, n.comment_at) IS NOT NULL \
    ORDER BY COALESCE(n.points_at, n.review_at, n.comment_at) DESC, s.id LIMIT 20";

impl Store {
    /// The submissions of a person and of their groups with an answer, a comment or an adjustment
    /// after `since`, in courses that are not archived. Comments and adjusted points of a result that
    /// becomes visible later are left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn review_notices(
        &self,
        person: &PersonId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<ReviewNotice>, Error> {
        let query = sqlx::query(NOTICES).bind(person.as_str()).bind(since.millis());
        let mut notices = Vec::new();
        for row in query.fetch_all(&self.pool).await? {
            let submission = submission(&row)?;
            let suite = self.need_suite(&submission.suite).await?;
            let mut notice = notice(&row)?;
            if suite.visible_from(&submission, now).is_some() {
                (notice.commented_at, notice.adjusted_at) = (None, None);
            }
            if notice.answered_at.or(notice.commented_at).or(notice.adjusted_at).is_some() {
                notices.push(notice);
            }
        }
        Ok(notices)
    }
}

fn notice(row: &AnyRow) -> Result<ReviewNotice, sqlx::Error> {
    let file = row.text("file_name")?;
    Ok(ReviewNotice {
        submission: row.parsed("id")?,
        course: row.text("course_slug")?,
        suite: row.text("suite_title")?,
        file_name: if file.is_empty() { row.text("name")? } else { file },
        answered_at: row.maybe_time("review_at")?,
        commented_at: row.maybe_time("comment_at")?,
        adjusted_at: row.maybe_time("points_at")?,
    })
}
