//! The data of a round that grading needs, so that a testcase with ten thousand rounds does not
//! keep all its lines in memory.

use judge_core::{Digest, FailureTrace, Fault, RoundResult, Seat, Seed};
use judge_referee::RoundOutline;

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
    /// The last words of the bot, if it failed.
    pub trace: Option<FailureTrace>,
    /// Digest of the whole record.
    pub digest: Digest,
}

impl RoundSummary {
    /// The summary of a round for the bot in that seat.
    pub fn new(seat: Seat, seed: Seed, budget: u64, outline: &RoundOutline) -> RoundSummary {
        let at = seat.index();
        RoundSummary {
            seed,
            budget,
            fuel: outline.fuel[at].unwrap_or(0),
            max_call_fuel: outline.max_call_fuel[at].unwrap_or(0),
            calls: outline.lines[at],
            peak_memory_bytes: outline.memory[at].unwrap_or(0),
            outcome: outline.outcome.clone(),
            fault: outline.fault.clone(),
            trace: is_own(seat, outline).then(|| outline.trace.clone()).flatten(),
            digest: outline.digest,
        }
    }
}

/// True if the player in that seat failed.
fn is_own(seat: Seat, outline: &RoundOutline) -> bool {
    outline.fault.as_ref().is_some_and(|fault| fault.seat == Some(seat))
}
