//! A row of the table of rounds, with a way to replay the round.

use judge_core::{RoundRow, Seat};

/// A round, and a way to replay it.
#[derive(Debug, Clone)]
pub struct RoundLine {
    /// The round.
    pub row: RoundRow,
    /// The seat that the row is seen from.
    pub seat: Seat,
    /// Address of its page relative to this one, if there is one.
    pub page: Option<String>,
    /// The command that shows it, ready for a shell in the folder of the page.
    pub command: Option<String>,
}
