//! The results of the current seasons of all arenas, read on first use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use judge_store::{Arena, ArenaId, Error, Store};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{LadderTable, SeasonResults};

/// The results of the current seasons of all arenas, read on first use.
#[derive(Debug, Default)]
pub struct SeasonCache(Mutex<BTreeMap<ArenaId, Arc<AsyncMutex<SeasonResults>>>>);

impl SeasonCache {
    /// The results of an arena's current season, up to date and locked for the caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open(
        &self,
        store: &Store,
        arena: &Arena,
    ) -> Result<OwnedMutexGuard<SeasonResults>, Error> {
        let results = {
            let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(AsyncMutex::new(SeasonResults::new(arena, arena.season)));
            Arc::clone(cached.entry(arena.id.clone()).or_insert_with(new))
        };
        let mut results = results.lock_owned().await;
        if results.season() != arena.season || results.scoring() != arena.scoring {
            *results = SeasonResults::new(arena, arena.season);
        }
        results.refresh(store).await?;
        Ok(results)
    }

    /// The table of an arena's current season.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn table(&self, store: &Store, arena: &Arena) -> Result<LadderTable, Error> {
        // Read before the results, so that the results have the faults of every benched bot.
        let bots = store.ladder_bots(&arena.id).await?;
        let mut results = self.open(store, arena).await?;
        LadderTable::compute(bots, &mut results).await
    }
}
