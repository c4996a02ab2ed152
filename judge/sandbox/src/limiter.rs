//! Counts an instance's memory and refuses growth beyond its cap.

use judge_core::FaultDetail;
use judge_guest::faults::MemoryRefusal;
use judge_guest::{MAX_TABLE_ELEMENTS, TABLE_ELEMENT_BYTES};
use wasmtime::ResourceLimiter;

/// Most fuel that a straight piece of code uses between two checks: at most 40 for each byte of the
/// largest body.
const STRAIGHT: u64 = 1 << 23;

/// The system refused memory that the bot may have.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("{}", FaultDetail::NoMemory)]
pub(crate) struct NoMemory;

/// Linear memory of one instance against its cap. Tables have fixed limits on their number and
/// size, the same in every round.
#[derive(Debug)]
pub(crate) struct Limiter {
    cap: u64,
    memory: u64,
    tables: u64,
    /// Fuel after that of a call; see `fuel.rs`. An operator inside the memory never uses more at
    /// once.
    pub(crate) grace: u64,
    /// Fuel for the elements by which tables have grown since fuel was last put into the store.
    pub(crate) owed: u64,
    /// The maximum in the module, in bytes.
    own_maximum: Option<u64>,
    is_refused: bool,
}

impl Limiter {
    pub(crate) fn new(cap_bytes: u64) -> Limiter {
        let grace = cap_bytes.saturating_add(STRAIGHT);
        Limiter {
            cap: cap_bytes,
            memory: 0,
            tables: 0,
            grace,
            owed: 0,
            own_maximum: None,
            is_refused: false,
        }
    }

    /// Memory and tables together, in bytes, at most the cap. They never shrink, so this is also
    /// the peak.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.memory.saturating_add(self.tables).min(self.cap)
    }

    /// The reason why a growth of the memory was refused, if one was. A later failure is then
    /// reported as exceeding the memory limit. Tables do not count.
    pub(crate) fn refusal(&self) -> Option<MemoryRefusal> {
        self.is_refused.then(|| MemoryRefusal::new(self.own_maximum, self.cap))
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // A module's declared maximum is a limit like the testcase's: exceeding it is the same
        // mistake, with the same verdict.
        self.own_maximum = maximum.map(|maximum| maximum as u64);
        if maximum.is_some_and(|maximum| desired > maximum) || desired as u64 > self.cap {
            self.is_refused = true;
            return Ok(false);
        }
        self.memory = desired as u64;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        // More than any memory can have: the engine refused it before asking here. Only its message
        // shows that.
        if error.to_string().contains("memory type's limits") {
            self.is_refused = true;
            return Ok(());
        }
        // We allowed the growth, but the machine has no memory left: never the bot's fault.
        Err(error.context(NoMemory))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let added = desired.saturating_sub(current) as u64;
        // No table has room for more, so the engine does no work for more.
        self.owed = self.owed.saturating_add(added.min(MAX_TABLE_ELEMENTS));
        if maximum.is_some_and(|maximum| desired > maximum) || desired as u64 > MAX_TABLE_ELEMENTS {
            return Ok(false);
        }
        self.tables = self.tables.saturating_add(added.saturating_mul(TABLE_ELEMENT_BYTES));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1024;

    #[test]
    fn memory_and_tables_have_separate_limits() {
        let mut limiter = Limiter::new(128 * KIB as u64);
        assert!(limiter.table_growing(0, KIB, None).unwrap());
        assert!(limiter.memory_growing(0, 64 * KIB, None).unwrap());
        assert_eq!(limiter.used_bytes(), 72 * KIB as u64);
        assert!(limiter.memory_growing(64 * KIB, 128 * KIB, None).unwrap());
        assert!(limiter.table_growing(KIB, 20_000, None).unwrap());
        assert!(!limiter.table_growing(20_000, 20_001, None).unwrap());
        assert!(!limiter.table_growing(5, 6, Some(5)).unwrap());
        assert_eq!(limiter.refusal(), None);
        assert!(!limiter.memory_growing(128 * KIB, 192 * KIB, None).unwrap());
        assert_eq!(limiter.refusal(), Some(MemoryRefusal::Limit));
        assert_eq!(limiter.used_bytes(), 128 * KIB as u64);
    }

    #[test]
    fn table_elements_are_charged_up_to_the_size_of_the_table() {
        let mut limiter = Limiter::new(1 << 20);
        assert!(limiter.table_growing(10, 15, None).unwrap());
        assert_eq!(limiter.owed, 5);
        assert!(!limiter.table_growing(15, 15 + u32::MAX as usize, Some(100)).unwrap());
        assert_eq!(limiter.owed, 5 + MAX_TABLE_ELEMENTS);
    }

    #[test]
    fn a_declared_maximum_counts_as_a_refusal() {
        let mut limiter = Limiter::new(1 << 20);
        assert!(!limiter.memory_growing(0, 128 * KIB, Some(64 * KIB)).unwrap());
        assert_eq!(limiter.refusal(), Some(MemoryRefusal::OwnMaximum(64 << 10)));
        let mut limiter = Limiter::new(64 << 10);
        assert!(!limiter.memory_growing(0, 128 * KIB, Some(64 * KIB)).unwrap());
        assert_eq!(limiter.refusal(), Some(MemoryRefusal::Limit));
    }
}
