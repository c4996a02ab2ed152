//! Test vectors of this game: positions with their legal moves and counts.

use super::round::{Heaps, perft};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong};

/// Runs one vector.
pub(super) fn check(vector: &serde_json::Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    let heaps = Heaps::parse(fields.text("heaps")?).ok_or_else(|| wrong("heaps", "three sizes"))?;
    match fields.choice("kind", &["moves", "perft"])? {
        "moves" => {
            let found: Vec<String> = heaps.moves().map(|take| take.to_string()).collect();
            VectorError::expect(
                "moves",
                &fields.texts("moves")?,
                &found.iter().map(String::as_str).collect(),
            )
        }
        _ => {
            let expected = fields.numbers("counts")?;
            let found = (1..).zip(&expected).map(|(depth, _)| perft(heaps, depth)).collect();
            VectorError::expect("counts", &expected, &found)
        }
    }
}
