//! Counts an instance's memory and refuses growth beyond its cap.

use judge_core::FaultDetail;
use wasmtime::ResourceLimiter;

use crate::allowed::{MAX_TABLE_ELEMENTS, TABLE_ELEMENT_BYTES};

/// The system refuses memory that the bot may have.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("{}", FaultDetail::NoMemory)]
pub(crate) struct NoMemory;

/// Linear memory and tables of one instance against one cap.
#[derive(Debug)]
pub(crate) struct Limiter {
    cap: u64,
    memory: u64,
    tables: u64,
    /// True if a growth was refused: a later failure is then put down to memory.
    pub(crate) refused: bool,
}

impl Limiter {
    pub(crate) fn new(cap_bytes: u64) -> Limiter {
        Limiter { cap: cap_bytes, memory: 0, tables: 0, refused: false }
    }

    /// Memory and tables together, in bytes. They never shrink, so this is also the peak.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.memory + self.tables
    }

    /// Notes a refusal; false.
    fn refuse(&mut self) -> bool {
        self.refused = true;
        false
    }

    fn admit(&mut self, memory: u64, tables: u64) -> bool {
        if memory.saturating_add(tables) > self.cap {
            return self.refuse();
        }
        (self.memory, self.tables) = (memory, tables);
        true
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // A module's own declared maximum is a limit like the testcase's: failing at it is the
        // same mistake, and gets the same verdict.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(self.refuse());
        }
        Ok(self.admit(desired as u64, self.tables))
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        // More than any memory can have: refused before it was asked for here. The engine tells it
        // by these words alone.
        if error.to_string().contains("memory type's limits") {
            self.refuse();
            return Ok(());
        }
        // Admitted, but the machine has no memory left: never the bot's fault.
        Err(error.context(NoMemory))
    }

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.refuse();
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) || desired as u64 > MAX_TABLE_ELEMENTS {
            return Ok(self.refuse());
        }
        let added = (desired.saturating_sub(current) as u64).saturating_mul(TABLE_ELEMENT_BYTES);
        Ok(self.admit(self.memory, self.tables.saturating_add(added)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1024;

    #[test]
    fn memory_and_tables_share_one_cap() {
        let mut limiter = Limiter::new(128 * KIB as u64);
        assert!(limiter.memory_growing(0, 64 * KIB, None).unwrap());
        assert!(limiter.table_growing(0, 8 * KIB, None).unwrap());
        assert_eq!(limiter.used_bytes(), 128 * KIB as u64);
        assert!(!limiter.refused);
        assert!(!limiter.table_growing(8 * KIB, 8 * KIB + 1, None).unwrap());
        assert!(!limiter.memory_growing(64 * KIB, 128 * KIB, None).unwrap());
        assert!(limiter.refused);
        assert_eq!(limiter.used_bytes(), 128 * KIB as u64, "a refused growth takes nothing");
    }

    #[test]
    fn a_declared_maximum_counts_as_a_refusal() {
        let mut limiter = Limiter::new(1 << 20);
        assert!(!limiter.memory_growing(0, 128 * KIB, Some(64 * KIB)).unwrap());
        assert!(limiter.refused);
    }
}
