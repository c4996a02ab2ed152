//! The books of all arenas, read on first use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use judge_store::{Arena, ArenaId, Error, Store};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Book, LadderTable};

/// The books of the current seasons of all arenas, read on first use.
#[derive(Debug, Default)]
pub struct Books(Mutex<BTreeMap<ArenaId, Arc<AsyncMutex<Book>>>>);

impl Books {
    /// The book of an arena's current season, up to date and locked for the caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open(&self, store: &Store, arena: &Arena) -> Result<OwnedMutexGuard<Book>, Error> {
        let book = {
            let mut books = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(AsyncMutex::new(Book::new(arena, arena.season)));
            Arc::clone(books.entry(arena.id.clone()).or_insert_with(new))
        };
        let mut book = book.lock_owned().await;
        if book.season() != arena.season || book.scoring() != arena.scoring {
            *book = Book::new(arena, arena.season);
        }
        book.refresh(store).await?;
        Ok(book)
    }

    /// The table of an arena's current season.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn table(&self, store: &Store, arena: &Arena) -> Result<LadderTable, Error> {
        // Read before the results, so that the book has the faults of every benched bot.
        let bots = store.ladder_bots(&arena.id).await?;
        let mut book = self.open(store, arena).await?;
        LadderTable::compute(bots, &mut book).await
    }
}
