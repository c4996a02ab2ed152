//! The beginnings of scoreboards, read once for all who look at the same time: when a scoreboard moves,
//! every open page asks for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use judge_store::{Audience, BoardPart, BoardQuery, Error, Store, Suite, SuiteId, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::Hub;

/// How long what was read is shown at most. Results and settings are seen at once, names and members
/// once [`Boards::forget`] is called; what depends on the time of day may be seen this much later.
const FRESH: Duration = Duration::from_secs(1);

/// What tells requests of one suite apart: the moment up to which results count, and the number of lines.
type Which = (SuiteId, Option<Timestamp>, u32);

type Place = Arc<AsyncMutex<Option<Read>>>;

/// What was read last of each scoreboard.
#[derive(Debug, Default)]
pub struct Boards(Mutex<BTreeMap<Which, Place>>);

/// What was read.
#[derive(Debug)]
struct Read {
    part: Arc<BoardPart>,
    suite: Suite,
    at: Instant,
    moves: watch::Receiver<u64>,
}

impl Read {
    fn is_young(&self) -> bool {
        self.at.elapsed() < FRESH
    }

    /// True if nothing is known to have changed since.
    fn is_fresh(&self, suite: &Suite) -> bool {
        let is_still = self.moves.has_changed().is_ok_and(|moved| !moved);
        is_still && self.is_young() && self.suite == *suite
    }
}

/// True if all members who ask so at a time are shown the same.
fn is_shared(asked: &BoardQuery<'_>) -> bool {
    let is_whole = asked.name.is_empty() && asked.standing.is_none() && asked.worst.is_none();
    matches!(asked.audience, Audience::Members(_)) && is_whole && asked.skip == 0
}

impl Boards {
    /// The part of a suite's scoreboard that is asked for. The first lines as members see them are read
    /// by one request at a time, and those that wait for it take what it read.
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
        if !is_shared(asked) {
            return store.board(&suite.id, asked).await.map(Arc::new);
        }
        let place = self.place((suite.id.clone(), asked.until, asked.most));
        let mut last = place.lock().await;
        if let Some(read) = last.as_ref().filter(|read| read.is_fresh(suite)) {
            return Ok(Arc::clone(&read.part));
        }
        // Before reading, so that nothing that happens meanwhile is missed.
        let moves = hub.follow_board(&suite.id);
        let part = Arc::new(store.board(&suite.id, asked).await?);
        let (read, suite, at) = (Arc::clone(&part), suite.clone(), Instant::now());
        *last = Some(Read { part: read, suite, at, moves });
        Ok(part)
    }

    /// Forgets what was read, as names or members have changed.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn place(&self, which: Which) -> Place {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // What nobody looks at leaves nothing behind.
        let is_in_use = |last: &Option<Read>| last.as_ref().is_some_and(Read::is_young);
        places.retain(|_, place| place.try_lock().map_or(true, |last| is_in_use(&last)));
        Arc::clone(places.entry(which).or_default())
    }
}
