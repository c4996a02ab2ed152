//! Permits for uploads, which bound their number.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_store::PersonId;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Most uploads that arrive at a time; others wait.
const ARRIVING: usize = 64;

/// Most modules in memory at a time; others wait in their files.
const READ: usize = 4;

/// Most uploads of a person at a time.
const OF_ONE: usize = 4;

/// The permits for all uploads, and the uploads of each person.
#[derive(Debug)]
pub(super) struct UploadPermits {
    arriving: Semaphore,
    read: Semaphore,
    of: Mutex<BTreeMap<PersonId, usize>>,
}

impl Default for UploadPermits {
    fn default() -> UploadPermits {
        let (arriving, read) = (Semaphore::new(ARRIVING), Semaphore::new(READ));
        UploadPermits { arriving, read, of: Mutex::default() }
    }
}

impl UploadPermits {
    /// Waits for a permit for that person's upload; none if the person has too many under way.
    pub(super) async fn take(&self, person: &PersonId) -> Option<UploadPermit<'_>> {
        let own = Own::new(self, person)?;
        Some(UploadPermit { _permit: permit(&self.arriving).await, own })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PersonId, usize>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn permit(semaphore: &Semaphore) -> SemaphorePermit<'_> {
    semaphore.acquire().await.expect("these semaphores are never closed")
}

/// The permit of an upload; dropping it releases the permit.
#[derive(Debug)]
pub(super) struct UploadPermit<'a> {
    _permit: SemaphorePermit<'a>,
    own: Own<'a>,
}

impl<'a> UploadPermit<'a> {
    /// Exchanges the permit to arrive for a permit to be read.
    pub(super) async fn begin_to_read(self) -> UploadPermit<'a> {
        let UploadPermit { own, .. } = self;
        UploadPermit { _permit: permit(&own.permits.read).await, own }
    }
}

/// An upload in its person's count.
#[derive(Debug)]
struct Own<'a> {
    permits: &'a UploadPermits,
    person: PersonId,
}

impl<'a> Own<'a> {
    fn new(permits: &'a UploadPermits, person: &PersonId) -> Option<Own<'a>> {
        let mut of = permits.lock();
        let count = of.entry(person.clone()).or_default();
        if *count >= OF_ONE {
            return None;
        }
        *count += 1;
        Some(Own { permits, person: person.clone() })
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        let mut of = self.permits.lock();
        if let Some(count) = of.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                of.remove(&self.person);
            }
        }
    }
}
