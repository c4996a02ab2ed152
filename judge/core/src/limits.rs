//! The limits of a bot. Time is counted in fuel: executed WebAssembly instructions.

use serde::{Deserialize, Serialize};

/// Fuel that makes one judge-millisecond.
pub const FUEL_PER_MS: u64 = 1_000_000;

/// Fuel for a module's own start-up in each round (`start` function, `_initialize`,
/// `judge_buffer`). It does not count against the testcase's budget.
pub const START_FUEL: u64 = 100 * FUEL_PER_MS;

/// Largest memory cap of a testcase, in bytes: the sandbox's reservation.
pub const MAX_MEMORY_BYTES: u64 = 256 << 20;

/// Largest time limit of a testcase, in judge-milliseconds.
pub const MAX_TIME_MS: u64 = 10_000_000;

/// Bounds on one bot for one testcase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Fuel for all calls of all rounds of the testcase together.
    pub fuel: u64,
    /// Linear memory plus tables of one instance, in bytes.
    pub memory_bytes: u64,
    /// Bytes of log kept per round; further bytes are counted and dropped.
    pub log_bytes: u64,
}

impl Limits {
    /// The course's limits: 4000 judge-milliseconds and 2 MiB.
    pub const COURSE: Limits =
        Limits { fuel: 4000 * FUEL_PER_MS, memory_bytes: 2 << 20, log_bytes: 64 << 10 };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::COURSE
    }
}
