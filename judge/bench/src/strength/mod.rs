//! Strength of the reference opponents: they play each other natively, and results are printed with
//! their uncertainty. `cargo run --release -p judge-bench --bin strength -- --help`

mod arguments;
mod document;
mod fidelity;
mod figures;
mod play;
mod report;
mod round_robin;
mod run;
mod summary;
mod tally;

pub use arguments::Arguments;
pub use document::DocumentError;
pub use play::PlayError;
pub use run::{StrengthError, run};
