//! The results of a suite as the folder that `judge grade --out` writes, and such a folder as a suite.

mod export;
mod import;

pub use export::Exported;
pub use import::Imported;
