//! The players' part of one round, without anything that the referee can compute again. The worker
//! process sends it; the parent replays the rules over it and trusts nothing else.

use serde::{Deserialize, Serialize};

use crate::{BySeat, Fault, LogPart, Seat};

/// One seat's part: its answers in the order of the questions, and the cost of its calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatTranscript {
    /// One line per question that was answered.
    pub answers: Vec<String>,
    /// Fuel of each call that returned (notices and questions); empty where fuel is not counted.
    pub fuel: Vec<u64>,
    /// Most memory held at once, in bytes.
    pub peak_memory_bytes: u64,
    /// The player's log.
    pub log: Vec<u8>,
    /// Bytes of log beyond the limit.
    pub log_dropped: u64,
    /// The parts of the log that this seat's calls wrote, counted over its calls only; none where
    /// they are unknown, or nothing was logged.
    pub log_parts: Option<Vec<LogPart>>,
}

/// A played round, as reported by the process that ran the players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// Seat 1, then seat 2.
    pub seats: BySeat<SeatTranscript>,
    /// The failure of a player that ended the match. An illegal move is not among them: the
    /// rules find it again.
    pub fault: Option<Fault>,
}

impl Transcript {
    /// The part of `seat`.
    pub fn seat(&self, seat: Seat) -> &SeatTranscript {
        &self.seats[seat]
    }

    /// The part of `seat`, to be written.
    pub fn seat_mut(&mut self, seat: Seat) -> &mut SeatTranscript {
        &mut self.seats[seat]
    }
}
