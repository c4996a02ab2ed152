//! The table of the rounds of a run: which rows are wanted, the worst of them, and the table as
//! CSV, as JSON Lines and as text (`judge/docs/rounds.md`).

mod filter;
mod line;
mod worst;
mod writer;

pub use filter::RoundFilter;
pub use line::RoundLine;
pub use worst::Worst;
pub(crate) use writer::how;
pub use writer::{RoundFormat, RoundWriter};
