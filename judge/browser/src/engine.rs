//! The fingerprint of the rounds that are played here.

use judge_core::Fingerprint;

/// The engine of the judge of this version, in which no round with a person and a reference
/// opponent has anything to run. The judge on the command line writes it all the same, and so the
/// same round is the same file. It is kept as text because the engine itself does not run here;
/// `tests/web` holds it against the real one.
pub const ENGINE: &str = include_str!("engine.txt").trim_ascii_end();

/// The fingerprint of rounds in the page: the same as on the command line.
pub fn fingerprint() -> Fingerprint {
    Fingerprint { judge: env!("CARGO_PKG_VERSION").to_owned(), engine: ENGINE.to_owned() }
}
