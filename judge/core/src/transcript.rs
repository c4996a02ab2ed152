//! The players' part of a round, without data that the referee can compute again. The worker
//! process sends it; the parent replays the rules over it and trusts no other data.

use serde::{Deserialize, Serialize};

use crate::{BySeat, Fault, LogPart, Seat, Usage};

/// One seat's part: its answers in the order of the questions, and the cost of its calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatTranscript {
    /// One line per answered question.
    pub answers: Vec<String>,
    /// Fuel of each call that returned (notices and questions); empty if fuel is not counted.
    pub fuel: Vec<u64>,
    /// Peak memory, in bytes.
    pub peak_memory_bytes: u64,
    /// The player's log.
    pub log: Vec<u8>,
    /// Bytes of log beyond the limit.
    pub log_dropped: u64,
    /// The parts of the log by call, counted over this seat's calls; none if they are unknown, or
    /// the log is empty.
    pub log_parts: Option<Vec<LogPart>>,
}

impl SeatTranscript {
    /// Sets the resources that the player used in the round.
    pub fn set_usage(&mut self, usage: Usage) {
        self.peak_memory_bytes = usage.peak_memory_bytes;
        self.log = usage.log;
        self.log_dropped = usage.log_dropped;
        self.log_parts = usage.log_parts;
    }
}

/// A played round, as reported by the process that ran the players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// Seat 1, then seat 2.
    pub seats: BySeat<SeatTranscript>,
    /// The failure of a player that ended the round. It is never an illegal move, which the rules
    /// find again.
    pub fault: Option<Fault>,
}

impl Transcript {
    /// The part of `seat`.
    pub fn seat(&self, seat: Seat) -> &SeatTranscript {
        &self.seats[seat]
    }

    /// The part of `seat`, mutable.
    pub fn seat_mut(&mut self, seat: Seat) -> &mut SeatTranscript {
        &mut self.seats[seat]
    }
}
