//! The data about a person, for an export.

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Column as _, Row as _, TypeInfo as _, ValueRef as _};

use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::PersonId;
use crate::basics::time::Timestamp;
use crate::store::Store;

/// Parts of an export, each with its rows.
pub type OwnData = Map<String, Value>;

/// The parts of an export, and the statements that read them. `$1` is the person. Results and
/// adjusted points are not among them: their author may see them only as the suite's settings allow.
const PARTS: [(&str, &str); 22] = [
    (
        "account",
        "SELECT id, name, address, number, language, administrator, created_at FROM person \
         WHERE id = $1",
    ),
    (
        "memberships",
        "SELECT c.slug AS course, c.title, m.role, m.name, m.number, m.pseudonym, \
         m.shows_real_name, m.joined_at FROM membership m JOIN course c ON c.id = m.course \
         WHERE m.person = $1 ORDER BY m.joined_at, c.slug",
    ),
    (
        "former_memberships",
        "SELECT c.slug AS course, c.title, f.name, f.number FROM former_member f \
         JOIN course c ON c.id = f.course WHERE f.person = $1 ORDER BY c.slug",
    ),
    (
        "groups",
        "SELECT c.slug AS course, g.name, m.joined_at, m.left_at FROM group_member m \
         JOIN student_group g ON g.id = m.group_id JOIN course c ON c.id = m.course \
         WHERE m.person = $1 ORDER BY m.joined_at, g.id",
    ),
    (
        "identities",
        "SELECT issuer, subject, linked_at FROM identity WHERE person = $1 ORDER BY issuer",
    ),
    (
        "campus_memberships",
        "SELECT c.slug AS course, l.platform, l.subject FROM lti_member l \
         JOIN course c ON c.id = l.course WHERE l.person = $1 ORDER BY c.slug, l.platform",
    ),
    (
        "marks_sent",
        "SELECT c.slug AS course, u.slug AS suite, l.platform, l.sent_at FROM lti_mark l JOIN suite u ON u.id = l.suite JOIN course c ON c.id = u.course \
         WHERE l.person = $1 ORDER BY l.sent_at, u.slug",
    ),
    (
        "sessions_and_tokens",
        "SELECT kind, label, created_at, expires_at, last_used_at, revoked_at FROM token \
         WHERE person = $1 ORDER BY created_at, id",
    ),
    (
        "invitations",
        "SELECT c.slug AS course, i.role, i.name, i.number, i.created_at, i.expires_at, \
         i.used_at, i.revoked_at FROM invitation i LEFT JOIN course c ON c.id = i.course \
         WHERE i.person = $1 OR i.used_by = $1 ORDER BY i.created_at, i.id",
    ),
    ("mail_subscription", "SELECT subscribed_at FROM mail_subscription WHERE person = $1"),
    (
        "mail_to_send",
        "SELECT kind, made_at, due_at, attempts FROM mail WHERE person = $1 ORDER BY made_at, id",
    ),
    (
        "submissions",
        "SELECT s.id, c.slug AS course, u.slug AS suite, s.name, s.file_name, s.module, \
         s.source, s.received_at, s.late_days, s.late_percent FROM submission s \
         JOIN suite u ON u.id = s.suite JOIN course c ON c.id = u.course \
         WHERE s.person = $1 ORDER BY s.received_at, s.id",
    ),
    (
        "reviews",
        "SELECT r.submission, r.asked_at, r.request, r.answered_at, r.answer FROM review r \
         WHERE r.asked_by = $1 ORDER BY r.asked_at, r.id",
    ),
    (
        "answers",
        "SELECT r.submission, r.answered_at, r.answer FROM review r \
         WHERE r.answered_by = $1 ORDER BY r.answered_at, r.id",
    ),
    (
        "comments_made",
        "SELECT k.submission, k.line, k.text, k.made_at FROM source_comment k \
         WHERE k.made_by = $1 ORDER BY k.made_at, k.submission, k.id",
    ),
    (
        "adjustments_made",
        "SELECT a.submission, a.points AS thousandths, a.reason, a.made_at FROM adjustment a \
         WHERE a.made_by = $1 ORDER BY a.made_at, a.submission, a.number",
    ),
    (
        "extensions",
        "SELECT c.slug AS course, u.slug AS suite, e.due_at, e.made_at FROM extension e \
         JOIN suite u ON u.id = e.suite JOIN course c ON c.id = u.course \
         WHERE e.person = $1 ORDER BY e.made_at, u.id",
    ),
    (
        "badges",
        "SELECT b.id, c.slug AS course, u.slug AS suite, b.shows_name, b.shows_points, \
         b.shows_rank, b.created_at FROM badge b JOIN suite u ON u.id = b.suite \
         JOIN course c ON c.id = u.course WHERE b.person = $1 ORDER BY b.created_at, b.id",
    ),
    (
        "bots",
        "SELECT b.id, c.slug AS course, a.slug AS arena, b.name, v.number AS version, v.module, \
         v.entered_at, b.withdrawn_at, b.benched_at FROM ladder_bot b \
         JOIN arena a ON a.id = b.arena JOIN course c ON c.id = a.course \
         JOIN ladder_version v ON v.bot = b.id WHERE b.person = $1 ORDER BY b.id, v.number",
    ),
    (
        "challenges",
        "SELECT c.slug AS course, a.slug AS arena, p.id, p.asked_at, p.state FROM ladder_pair p \
         JOIN arena a ON a.id = p.arena JOIN course c ON c.id = a.course \
         WHERE p.asked_by = $1 ORDER BY p.asked_at, p.id",
    ),
    (
        "events",
        "SELECT e.kind, e.at AS happened_at, c.slug AS course, e.role FROM account_event e \
         LEFT JOIN course c ON c.id = e.course WHERE e.person = $1 ORDER BY e.at, e.id",
    ),
    (
        "log",
        "SELECT at AS happened_at, act, course_slug AS course, part, detail, \
         CASE WHEN made_by = $1 THEN 'by' ELSE 'about' END AS role FROM audit \
         WHERE made_by = $1 OR (person = $1 \
         AND act NOT IN ('points_adjusted', 'commented', 'comment_removed')) ORDER BY at, id",
    ),
];

impl Store {
    /// The data about a person, without results, modules and rounds. The log gets an entry, unless
    /// it is the person who acts.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn own_data(&self, person: &PersonId) -> Result<OwnData, Error> {
        let mut transaction = self.begin().await?;
        let mut parts = OwnData::new();
        for (name, sql) in PARTS {
            let query = sqlx::query(sql).bind(person.as_str());
            let rows = query.fetch_all(&mut *transaction).await?;
            let rows = rows.iter().map(object).collect::<Result<_, sqlx::Error>>()?;
            parts.insert(name.to_owned(), Value::Array(rows));
        }
        // Otherwise every person could fill the log.
        if self.actor.as_ref().and_then(|actor| actor.by.as_ref()) != Some(person) {
            let about = About::Account;
            self.log(&mut transaction, Act::PersonExported, about, (Some(person), "")).await?;
        }
        transaction.commit().await?;
        Ok(parts)
    }
}

/// A row as an object. Columns that end in `_at` are moments.
fn object(row: &AnyRow) -> Result<Value, sqlx::Error> {
    let mut object = Map::new();
    for column in row.columns() {
        let name = column.name();
        object.insert(name.to_owned(), value(row, name)?);
    }
    Ok(Value::Object(object))
}

fn value(row: &AnyRow, name: &str) -> Result<Value, sqlx::Error> {
    let raw = row.try_get_raw(name)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    if raw.type_info().name() == "TEXT" {
        return Ok(Value::from(row.try_get::<String, _>(name)?));
    }
    let number = row.try_get::<i64, _>(name)?;
    Ok(match name.ends_with("_at") {
        true => Value::from(Timestamp::from_millis(number).to_string()),
        false => Value::from(number),
    })
}
