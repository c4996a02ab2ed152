//! A cache of the first lines of scoreboards: when a scoreboard changes, every open page asks for it
//! at once, and a single query serves them all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use judge_store::{
    Audience, BoardPart, BoardQuery, Error, PersonId, Store, Suite, SuiteId, Timestamp,
};
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::Hub;

/// Longest time for which lines are shown without reading them again. New results and settings are
/// shown at once, and new names and members once [`Boards::forget`] is called; only what changes with
/// the time of day can be this much out of date.
const MAX_AGE: Duration = Duration::from_secs(1);

/// A suite, the moment up to which results count, and the number of lines. A person stands for their
/// own line and those directly ahead; none for the first lines.
type BoardKey = (SuiteId, Option<Timestamp>, u32, Option<PersonId>);

/// An entry of the cache. Its lock is held while the database is read, so that others wait for the
/// result.
type Slot = Arc<AsyncMutex<Option<Cached>>>;

/// The cache of the first lines of scoreboards.
#[derive(Debug, Default)]
pub struct Boards(Mutex<BTreeMap<BoardKey, Slot>>);

/// The first lines of a scoreboard, and the state in which they were read.
#[derive(Debug)]
struct Cached {
    part: Arc<BoardPart>,
    suite: Suite,
    at: Instant,
    moves: watch::Receiver<u64>,
}

impl Cached {
    fn is_young(&self) -> bool {
        self.at.elapsed() < MAX_AGE
    }

    /// Returns true if nothing is known to have changed since the lines were read.
    fn is_fresh(&self, suite: &Suite) -> bool {
        let is_unchanged = self.moves.has_changed().is_ok_and(|moved| !moved);
        is_unchanged && self.is_young() && self.suite == *suite
    }
}

/// The entry for a query; none where lines are not kept. All members share the first lines. A badge
/// shows its owner's line, and may be on a page that many people open.
fn key(suite: &SuiteId, asked: &BoardQuery<'_>) -> Option<BoardKey> {
    let is_whole = asked.name.is_empty() && asked.standing.is_none() && asked.worst.is_none();
    let person = match asked.audience {
        Audience::Members(_) => None,
        Audience::Ahead(person, _) => Some(person.clone()),
        Audience::Staff => return None,
    };
    (is_whole && asked.skip == 0).then(|| (suite.clone(), asked.until, asked.most, person))
}

impl Boards {
    /// Reads a part of a suite's scoreboard. The first lines, as members see them, and a person's line
    /// with those directly ahead come from the cache: one request at a time reads them, and those that wait for it share its result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn part(
        &self,
        store: &Store,
        hub: &Hub,
        suite: &Suite,
        asked: &BoardQuery<'_>,
    ) -> Result<Arc<BoardPart>, Error> {
        let Some(key) = key(&suite.id, asked) else {
            return store.board(&suite.id, asked).await.map(Arc::new);
        };
        let slot = self.slot(key);
        let mut last = slot.lock().await;
        if let Some(read) = last.as_ref().filter(|read| read.is_fresh(suite)) {
            return Ok(Arc::clone(&read.part));
        }
        // Before reading, so that nothing that happens meanwhile is missed.
        let moves = hub.follow_board(&suite.id);
        let part = Arc::new(store.board(&suite.id, asked).await?);
        let (read, suite, at) = (Arc::clone(&part), suite.clone(), Instant::now());
        *last = Some(Cached { part: read, suite, at, moves });
        Ok(part)
    }

    /// Empties the cache; to be called after names or members have changed.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Finds or makes the entry for `key`, and drops those that nobody uses, so that the cache does
    /// not grow. An entry that a request holds stays, even before it is filled: all requests for
    /// the same lines wait at the same lock.
    fn slot(&self, key: BoardKey) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_young = |last: &Option<Cached>| last.as_ref().is_some_and(Cached::is_young);
        slots.retain(|_, slot| {
            let is_held = Arc::strong_count(slot) > 1;
            is_held || slot.try_lock().map_or(true, |last| is_young(&last))
        });
        Arc::clone(slots.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_is_held_stays_and_others_go() {
        let boards = Boards::default();
        let suite: SuiteId = "aaaaaaaaaaaaaaaa".parse().expect("an id");
        let key = |most| (suite.clone(), None, most, None);
        let held = boards.slot(key(1));
        drop(boards.slot(key(2)));
        // Makes room for a third one.
        boards.slot(key(3));
        assert!(Arc::ptr_eq(&held, &boards.slot(key(1))), "both wait at one lock");
        assert!(!boards.0.lock().expect("no panic").contains_key(&key(2)));
    }
}
