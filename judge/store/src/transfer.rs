//! Export of a suite's results to the folder format of `judge grade --out`, and import of such a
//! folder.

mod export;
mod import;

pub use export::Exported;
pub use import::Imported;
