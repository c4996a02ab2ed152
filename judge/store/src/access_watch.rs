//! Access that has ended, for open pages that were let in before.

use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

/// Time that is read again by the next look. A change has the time at which its transaction began,
/// and is visible only once it is committed.
const READ_AGAIN: Duration = Duration::from_secs(60);

const TOKENS: &str = "SELECT id FROM token \
    WHERE revoked_at >= $1 OR (expires_at >= $1 AND expires_at <= $2)";
const LOST: &str = "SELECT id, person FROM account_event \
    WHERE at >= $1 AND kind IN ('removed', 'role_changed')";

/// A view of the changes since the last look.
#[derive(Debug)]
pub struct AccessWatch {
    since: Timestamp,
    /// Changes that the last look has returned.
    seen: BTreeSet<String>,
}

/// Access that ended since the last look.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LostAccess {
    /// Sessions and tokens. They can be returned several times.
    pub tokens: BTreeSet<TokenId>,
    /// People with another role in a course, or none. Each change is returned once.
    pub people: BTreeSet<PersonId>,
}

impl AccessWatch {
    /// A view of the changes from now on.
    pub fn new(now: Timestamp) -> AccessWatch {
        AccessWatch { since: now, seen: BTreeSet::new() }
    }

    /// Reads the access that ended since the last look.
    ///
    /// # Errors
    /// When the database fails. The next look then covers this one.
    pub async fn look(&mut self, store: &Store, now: Timestamp) -> Result<LostAccess, Error> {
        let since = self.since.before(READ_AGAIN).millis();
        let query = sqlx::query(TOKENS).bind(since).bind(now.millis());
        let tokens = query.fetch_all(&store.pool).await?;
        let changes = sqlx::query(LOST).bind(since).fetch_all(&store.pool).await?;
        let tokens = tokens.iter().map(|row| row.parsed("id")).collect::<Result<_, _>>()?;
        let changes: Vec<(String, PersonId)> =
            changes.iter().map(change).collect::<Result<_, _>>()?;
        let new = changes.iter().filter(|(id, _)| !self.seen.contains(id));
        let people = new.map(|(_, person)| person.clone()).collect();
        self.seen = changes.into_iter().map(|(id, _)| id).collect();
        self.since = now;
        Ok(LostAccess { tokens, people })
    }
}

fn change(row: &AnyRow) -> Result<(String, PersonId), sqlx::Error> {
    Ok((row.text("id")?, row.parsed("person")?))
}
