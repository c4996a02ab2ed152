//! The table of a run's rounds: filter, worst rounds, and output as CSV, JSON Lines or text
//! (`judge/docs/rounds.md`).

mod filter;
mod line;
mod worst;
mod writer;

pub use filter::RoundFilter;
pub use line::RoundLine;
pub use worst::Worst;
pub(crate) use writer::how;
pub use writer::{RoundFormat, RoundWriter};
