//! Test vectors of this game; the kinds and fields are those of `golden/vectors.json`.

mod fields;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::{Move, Position, Territory, perft};
use crate::vectors::VectorError;
use crate::vectors::fields::Fields;
use fields::{territory, winner};

/// Runs one vector.
pub(super) fn check(vector: &Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    match fields.text("kind")? {
        "perft" => check_perft(fields),
        "game" => check_game(fields),
        "legality" => check_legality(fields),
        "position" => {
            let position = fields.parsed("fen")?;
            check_position(fields, &position, "count")
        }
        other => Err(VectorError::Malformed(format!("unknown kind `{other}`"))),
    }
}

/// Compares a field with the value by the rules.
fn expect<T: PartialEq + std::fmt::Debug>(
    name: &str,
    expected: &T,
    found: &T,
) -> Result<(), VectorError> {
    VectorError::expect(name, expected, found)
}

/// `counts`: leaves at depth 1, 2, ….
fn check_perft(fields: Fields<'_>) -> Result<(), VectorError> {
    let position: Position = fields.parsed("fen")?;
    let counts = fields.numbers("counts")?;
    let found: Vec<u64> = (1..).zip(&counts).map(|(depth, _)| perft(&position, depth)).collect();
    expect("counts", &counts, &found)
}

/// `moves` lead from `start` to `final`.
fn check_game(fields: Fields<'_>) -> Result<(), VectorError> {
    let mut position: Position = fields.parsed("start")?;
    let mut counts = Vec::new();
    for chosen in fields.all_parsed::<Move>("moves")? {
        counts.push(u64::from(position.count_moves()));
        position.play(chosen).map_err(|error| VectorError::Mismatch {
            what: format!("move number {}", counts.len()),
            expected: chosen.to_string(),
            found: error.to_string(),
        })?;
    }
    expect("legal_counts_before", &fields.numbers("legal_counts_before")?, &counts)?;
    expect("final", &fields.text("final")?, &position.to_string().as_str())?;
    check_position(fields, &position, "final_count")
}

/// The number of moves, the winner and the territory of a position.
fn check_position(fields: Fields<'_>, position: &Position, count: &str) -> Result<(), VectorError> {
    expect(count, &fields.number(count)?, &u64::from(position.count_moves()))?;
    expect("winner", &winner(fields, "winner")?, &position.winner())?;
    expect("territory", &territory(fields, "territory")?, &Territory::from_position(position))
}

/// Checks that a move is allowed, by the check and by the list of moves.
fn check_legality(fields: Fields<'_>) -> Result<(), VectorError> {
    let position: Position = fields.parsed("fen")?;
    let asked: Move = fields.parsed("move")?;
    let legal = fields.flag("legal")?;
    expect("legal", &legal, &position.check(asked).is_ok())?;
    let listed = position.find_move(|listed| (listed == asked).then_some(())).is_some();
    expect("legal (listed)", &legal, &listed)
}
