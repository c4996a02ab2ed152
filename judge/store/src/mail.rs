//! Mail to send. Only its subject matter is stored: the text, and the secret of a link, are made when
//! it is sent.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{InvitationId, PersonId, ReviewId, SubmissionId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, words};
use crate::store::Store;

/// Waits after failed attempts. After the last one, the message is given up.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(60),
    Duration::from_secs(10 * 60),
    Duration::from_secs(60 * 60),
    Duration::from_secs(6 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];

/// Time after which a message is too old to send, for example because mail was switched off.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

words! {
    /// Subject of a message.
    MailKind {
        /// A person was invited to a course.
        Invited = "invited",
        /// A submission has its first result.
        Graded = "graded",
        /// A review of a submission was answered.
        Answered = "answered",
    }
}

/// A message to send, taken for one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueMail {
    id: String,
    /// The subject.
    pub kind: MailKind,
    /// The recipient's name in the course.
    pub name: String,
    /// Their address.
    pub address: String,
    /// Code of their language, if they chose one.
    pub language: Option<String>,
    /// Title of the course.
    pub course: String,
    /// Title of the suite, for a submission.
    pub suite: Option<String>,
    /// The invitation, for one.
    pub invitation: Option<InvitationId>,
    /// The submission, for one.
    pub submission: Option<SubmissionId>,
    /// Attempts, with this one.
    pub attempts: i64,
}

impl DueMail {
    /// True if it is given up after this attempt.
    pub fn is_last_attempt(&self) -> bool {
        usize::try_from(self.attempts).is_ok_and(|attempts| attempts > PAUSES.len())
    }
}

const SUBSCRIBE: &str = "INSERT INTO mail_subscription (person, subscribed_at) VALUES ($1, $2) \
    ON CONFLICT (person) DO NOTHING";
const UNSUBSCRIBE: &str = "DELETE FROM mail_subscription WHERE person = $1";
const SUBSCRIBED: &str = "SELECT 1 FROM mail_subscription WHERE person = $1";
const INVITED: &str = "INSERT INTO mail (id, kind, person, invitation, made_at, due_at, attempts) \
    VALUES ($1, 'invited', $2, $1, $3, $3, 0)";
/// Adds a message to each subscriber who has a submission; one that is there already is not repeated.
macro_rules! to_subscribers {
    ($id:literal, $kind:literal, $condition:literal) => {
        concat!(
            "INSERT INTO mail (id, kind, person, submission, made_at, due_at, attempts) SELECT ",
            $id,
            " || ' ' || m.person, '",
            $kind,
            "', m.person, s.id, $2, $2, 0 FROM submission s JOIN suite u ON u.id = s.suite \
             JOIN membership m ON m.course = u.course \
             JOIN mail_subscription w ON w.person = m.person WHERE s.id = $1 \
             AND (m.person = s.person OR EXISTS (SELECT 1 FROM group_member g \
             WHERE g.group_id = s.owner AND g.person = m.person AND g.left_at IS NULL))",
            $condition,
            " ON CONFLICT (id) DO NOTHING"
        )
    };
}

// Students get no message about failures of the judge.
const GRADED: &str = to_subscribers!(
    "s.id",
    "graded",
    " AND (SELECT COUNT(*) FROM result r WHERE r.submission = s.id \
     AND r.state <> 'judge_error') = 1"
);
const ANSWERED: &str = to_subscribers!("$3", "answered", "");
const DUE: &str = "SELECT id, attempts FROM mail WHERE due_at <= $1 ORDER BY due_at, id LIMIT 20";
const TAKE: &str = "UPDATE mail SET attempts = attempts + 1, due_at = $3 \
    WHERE id = $1 AND attempts = $2";
const REMOVE: &str = "DELETE FROM mail WHERE id = $1";
// People who left, were erased or have unsubscribed, and links that cannot be used, are left out.
const MESSAGE: &str = "SELECT o.id, o.kind, o.attempts, o.invitation, o.submission, p.address, \
    p.language, COALESCE(i.name, m.name, p.name) AS name, c.title, \
    COALESCE(u.called, u.title) AS suite_title FROM mail o JOIN person p ON p.id = o.person \
    LEFT JOIN invitation i ON i.id = o.invitation LEFT JOIN submission s ON s.id = o.submission \
    LEFT JOIN suite u ON u.id = s.suite JOIN course c ON c.id = COALESCE(i.course, u.course) \
    LEFT JOIN membership m ON m.course = c.id AND m.person = p.id \
    WHERE o.id = $1 AND p.address IS NOT NULL \
    AND o.made_at > $3 AND ((i.id IS NOT NULL \
    AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2 \
    AND c.archived_at IS NULL) \
    OR (s.id IS NOT NULL AND m.person IS NOT NULL \
    AND EXISTS (SELECT 1 FROM mail_subscription w WHERE w.person = p.id)))";

/// Adds the message about an invitation, in the caller's transaction.
pub(crate) async fn invited(
    connection: &mut AnyConnection,
    (person, invitation): (&PersonId, &InvitationId),
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(INVITED).bind(invitation.as_str()).bind(person.as_str());
    query.bind(now.millis()).execute(connection).await?;
    Ok(())
}

/// Adds the messages about the first result of a submission, in the caller's transaction.
pub(crate) async fn graded(
    connection: &mut AnyConnection,
    submission: &SubmissionId,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(GRADED).bind(submission.as_str()).bind(now.millis());
    query.execute(connection).await?;
    Ok(())
}

/// Adds the messages about the answer to a review, in the caller's transaction.
pub(crate) async fn answered(
    connection: &mut AnyConnection,
    (submission, review): (&SubmissionId, &ReviewId),
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(ANSWERED).bind(submission.as_str()).bind(now.millis());
    query.bind(review.as_str()).execute(connection).await?;
    Ok(())
}

impl Store {
    /// Subscribes a person to mail about results of their submissions and answers, or ends it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn subscribe(
        &self,
        person: &PersonId,
        wants: bool,
        now: Timestamp,
    ) -> Result<(), Error> {
        let query = match wants {
            true => sqlx::query(SUBSCRIBE).bind(person.as_str()).bind(now.millis()),
            false => sqlx::query(UNSUBSCRIBE).bind(person.as_str()),
        };
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// True if a person gets mail about results.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_subscribed(&self, person: &PersonId) -> Result<bool, Error> {
        let query = sqlx::query(SUBSCRIBED).bind(person.as_str());
        Ok(query.fetch_optional(&self.pool).await?.is_some())
    }

    /// Takes due messages, at most 20, for one attempt each. Until the attempt is recorded, another
    /// one follows after a wait, so nothing is lost with the caller. Messages without a permitted
    /// recipient are removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_mail(&self, now: Timestamp) -> Result<Vec<DueMail>, Error> {
        let mut taken = Vec::new();
        for row in sqlx::query(DUE).bind(now.millis()).fetch_all(&self.pool).await? {
            let (id, attempts) = (row.text("id")?, row.number("attempts")?);
            let pause = usize::try_from(attempts).ok().and_then(|at| PAUSES.get(at));
            let next = now.after(*pause.unwrap_or(&PAUSES[PAUSES.len() - 1]));
            let query = sqlx::query(TAKE).bind(&id).bind(attempts).bind(next.millis());
            // Another server may have taken it.
            if query.execute(&self.pool).await?.rows_affected() == 0 {
                continue;
            }
            let query = sqlx::query(MESSAGE).bind(&id).bind(now.millis());
            let query = query.bind(now.before(LIFETIME).millis());
            match query.fetch_optional(&self.pool).await? {
                Some(row) => taken.push(due(&row)?),
                None => self.remove_mail(&id).await?,
            }
        }
        Ok(taken)
    }

    /// Ends a message: it was sent, or is given up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_mail(&self, mail: &DueMail) -> Result<(), Error> {
        self.remove_mail(&mail.id).await
    }

    async fn remove_mail(&self, id: &str) -> Result<(), Error> {
        sqlx::query(REMOVE).bind(id).execute(&self.pool).await?;
        Ok(())
    }
}

fn due(row: &AnyRow) -> Result<DueMail, sqlx::Error> {
    Ok(DueMail {
        id: row.text("id")?,
        kind: row.parsed("kind")?,
        name: row.text("name")?,
        address: row.text("address")?,
        language: row.maybe_text("language")?,
        course: row.text("title")?,
        suite: row.maybe_text("suite_title")?,
        invitation: row.maybe_parsed("invitation")?,
        submission: row.maybe_parsed("submission")?,
        attempts: row.number("attempts")?,
    })
}
