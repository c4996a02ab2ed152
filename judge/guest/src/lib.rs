//! Rules for a bot's module that hold in any engine: its content, its output and the texts of its
//! faults. The sandbox and the page share them, so their verdicts have the same words.

mod allowed;
pub mod answer;
pub mod faults;
mod image;
pub mod intake;
mod lines;
mod log;
mod mangled;
pub mod remedies;
pub mod wasi;

use judge_core::{Seat, Seed, digest};

pub use allowed::{FEATURES, MAX_TABLE_ELEMENTS, MAX_TABLES, TABLE_ELEMENT_BYTES};
pub use image::joined_data;
pub use lines::{RESERVE, excerpt, line_of};
pub use log::Log;
pub use mangled::shown_name;

/// Export `() -> ()`: the entry point of a program on standard input and output.
pub const EXPORT_START: &str = "_start";

/// Bytes of a page of linear memory.
pub(crate) const PAGE: u64 = 64 << 10;

/// The part of a limit that a memory can use, in bytes: it has whole pages.
pub(crate) fn whole_pages(bytes: u64) -> u64 {
    bytes / PAGE * PAGE
}

/// Fuel for one call of `judge.log`, in addition to one per byte.
pub const LOG_CALL_FUEL: u64 = 100;

/// The seed of a bot's random source: a hash of the round's seed and the seat. The hash keeps a bot
/// that reconstructs its generator's state from learning the round's seed. The seat keeps it from
/// predicting the other bot's numbers.
pub fn random_seed(seed: Seed, seat: Seat) -> Seed {
    let hash = digest(format!("random source of a bot, seed {seed}, seat {seat}").as_bytes());
    let (first, _) = hash.bytes().split_first_chunk().expect("a hash has 32 bytes");
    Seed(u64::from_le_bytes(*first))
}
