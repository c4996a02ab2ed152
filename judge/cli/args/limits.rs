//! The limits of bots that play rounds outside of a suite.

use judge_core::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS};

/// Limits of each bot in each round.
#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// Set each bot's time per round, in judge-milliseconds (1,000,000 instructions).
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Set each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        let (fuel, memory_bytes) = (self.time_ms * FUEL_PER_MS, self.memory_kib * 1024);
        Limits { fuel, memory_bytes, ..Limits::COURSE }
    }
}
