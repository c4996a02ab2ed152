//! The data of a round that grading needs, so that a testcase with ten thousand rounds does not
//! keep all its lines in memory.

use judge_core::{Digest, Fault, RoundRecord, RoundResult, Seat, Seed};

/// A played round for the bot in one seat, without lines and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundSummary {
    /// Source of its luck.
    pub seed: Seed,
    /// Fuel that it was played with.
    pub budget: u64,
    /// Fuel that the bot spent in calls that returned.
    pub fuel: u64,
    /// Fuel of the bot's most expensive call.
    pub max_call_fuel: u64,
    /// Lines sent to the bot.
    pub calls: u32,
    /// The bot's peak memory, in bytes.
    pub peak_memory_bytes: u64,
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: RoundResult,
    /// The failure that ended it, if one did.
    pub fault: Option<Fault>,
    /// Digest of the whole record.
    pub digest: Digest,
}

impl RoundSummary {
    /// Sums up a record for the bot in that seat.
    pub fn new(seat: Seat, record: &RoundRecord) -> RoundSummary {
        let own = || record.calls.iter().filter(|call| call.seat == seat);
        RoundSummary {
            seed: record.header.spec.seed,
            budget: record.header.spec.limits.fuel,
            fuel: record.fuel(seat),
            max_call_fuel: own().filter_map(|call| call.fuel).max().unwrap_or(0),
            calls: own().count() as u32,
            peak_memory_bytes: record.trailer.peak_memory_bytes[seat],
            outcome: record.trailer.outcome.clone(),
            fault: record.trailer.fault.clone(),
            digest: record.digest(),
        }
    }
}
