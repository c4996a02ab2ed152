//! The fingerprint of rounds played in the browser.

use judge_core::Fingerprint;

/// The engine of this version of the judge. A round between a person and a reference opponent does
/// not use it, but the command line records it, so both write the same file. It is stored as text
/// because the engine itself does not run here; `tests/web` compares it with the
/// real one.
pub const ENGINE: &str = include_str!("engine.txt").trim_ascii_end();

/// The fingerprint of rounds in the page: the same as on the command line.
pub fn fingerprint() -> Fingerprint {
    Fingerprint { judge: env!("CARGO_PKG_VERSION").to_owned(), engine: ENGINE.to_owned() }
}
