//! A cache of the first lines of scoreboards. When a scoreboard changes, all open pages request it
//! at once, and a single query serves them all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use judge_store::{
    Audience, Error, PersonId, ScoreboardPart, ScoreboardQuery, Store, Suite, SuiteId, Timestamp,
};
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::Hub;

/// Longest time for which lines are shown without reading them again. New results and settings are
/// shown at once, and new names and members once [`Scoreboards::forget`] is called. Only changes
/// that depend on the time of day can be this late.
const MAX_AGE: Duration = Duration::from_secs(1);

/// A suite, the moment up to which results count, the number of lines, and the person for their own
/// line and those directly ahead; without a person, the first lines.
type ScoreboardKey = (SuiteId, Option<Timestamp>, u32, Option<PersonId>);

/// An entry of the cache. Its lock is held while the database is read, so that others wait for the
/// result.
type Slot = Arc<AsyncMutex<Option<Cached>>>;

/// The cache of the first lines of scoreboards.
#[derive(Debug, Default)]
pub struct Scoreboards(Mutex<BTreeMap<ScoreboardKey, Slot>>);

/// The first lines of a scoreboard, and the state in which they were read.
#[derive(Debug)]
struct Cached {
    part: Arc<ScoreboardPart>,
    suite: Suite,
    at: Instant,
    moves: watch::Receiver<u64>,
}

impl Cached {
    fn is_young(&self) -> bool {
        self.at.elapsed() < MAX_AGE
    }

    /// True if no change is known since the lines were read.
    fn is_fresh(&self, suite: &Suite) -> bool {
        let is_unchanged = self.moves.has_changed().is_ok_and(|moved| !moved);
        is_unchanged && self.is_young() && self.suite == *suite
    }
}

/// The cache key of a query; none if its lines are not cached. All members share the first lines. A
/// person's line is cached because a badge shows it, perhaps on a page that many people open.
fn key(suite: &SuiteId, asked: &ScoreboardQuery<'_>) -> Option<ScoreboardKey> {
    let is_whole = asked.name.is_empty() && asked.standing.is_none() && asked.worst.is_none();
    let person = match asked.audience {
        Audience::Members(_) => None,
        Audience::Ahead(person, _) => Some(person.clone()),
        Audience::Staff => return None,
    };
    (is_whole && asked.skip == 0).then(|| (suite.clone(), asked.until, asked.most, person))
}

impl Scoreboards {
    /// Reads a part of a suite's scoreboard. The first lines, as members see them, and a person's
    /// line with those directly ahead come from the cache: one request at a time reads them, and
    /// waiting requests share its result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn part(
        &self,
        store: &Store,
        hub: &Hub,
        suite: &Suite,
        asked: &ScoreboardQuery<'_>,
    ) -> Result<Arc<ScoreboardPart>, Error> {
        let Some(key) = key(&suite.id, asked) else {
            return store.scoreboard_part(&suite.id, asked).await.map(Arc::new);
        };
        let slot = self.slot(key);
        let mut last = slot.lock().await;
        if let Some(read) = last.as_ref().filter(|read| read.is_fresh(suite)) {
            return Ok(Arc::clone(&read.part));
        }
        // Before reading, so that no change in the meantime is missed.
        let moves = hub.follow_scoreboard(&suite.id);
        let part = Arc::new(store.scoreboard_part(&suite.id, asked).await?);
        let (read, suite, at) = (Arc::clone(&part), suite.clone(), Instant::now());
        *last = Some(Cached { part: read, suite, at, moves });
        Ok(part)
    }

    /// Empties the cache. Must be called after names or members have changed.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Finds or creates the entry for `key`, and drops unused ones, so that the cache does not
    /// grow. An entry that a request holds stays, even before it is filled: all requests for the
    /// same lines wait at the same lock.
    fn slot(&self, key: ScoreboardKey) -> Slot {
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
    fn only_unused_scoreboards_leave_the_cache() {
        let scoreboards = Scoreboards::default();
        let suite: SuiteId = "aaaaaaaaaaaaaaaa".parse().expect("an id");
        let key = |most| (suite.clone(), None, most, None);
        let held = scoreboards.slot(key(1));
        drop(scoreboards.slot(key(2)));
        // Makes room for a third entry.
        scoreboards.slot(key(3));
        assert!(Arc::ptr_eq(&held, &scoreboards.slot(key(1))), "both wait at one lock");
        assert!(!scoreboards.0.lock().expect("no panic").contains_key(&key(2)));
    }
}
