//! A row with the way to see its round again.

use judge_core::{RoundRow, Seat};

/// A round with the way to see it again.
#[derive(Debug, Clone)]
pub struct RoundLine {
    /// The round.
    pub row: RoundRow,
    /// The seat that it is seen from.
    pub seat: Seat,
    /// Address of its page, as seen from this one, if there is one.
    pub page: Option<String>,
    /// The command that shows it, ready for a shell in the folder of the page.
    pub command: Option<String>,
}
