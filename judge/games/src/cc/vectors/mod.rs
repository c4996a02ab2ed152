//! Test vectors of this game; the kinds and fields are those of `golden/vectors.json`.

mod fields;

use std::ops::ControlFlow;

use serde_json::Value;

use super::{Change, Path, Position, changes, perft, perft_changes, visit_paths};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, parse};
use fields::BoardFields as _;

/// Runs one vector.
pub(super) fn check(vector: &Value) -> Result<(), VectorError> {
    let fields = Fields(vector);
    match fields.text("kind")? {
        "moves" => check_moves(fields),
        "game" => check_game(fields),
        "perft" => check_perft(fields),
        "legality" => check_legality(fields),
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

/// All paths of a position with their effects, in the order of the rules.
fn listed(position: &Position) -> Vec<(Path, Change)> {
    let mut paths = Vec::new();
    // The visitor never breaks.
    let _ = visit_paths(position, |path, change| {
        paths.push((*path, change));
        ControlFlow::Continue(())
    });
    paths
}

/// A path in the words of the vectors.
fn words((path, change): &(Path, Change)) -> String {
    match change.captured {
        None => path.to_string(),
        Some(captured) => format!("{path} x{captured}"),
    }
}

/// The result in the words of the vectors; `None` while the game continues.
fn result(position: &Position) -> Option<String> {
    let ending = position.ending()?;
    Some(ending.winner().map_or("draw".to_owned(), |winner| winner.to_string()))
}

fn check_moves(fields: Fields<'_>) -> Result<(), VectorError> {
    let position = fields.position()?;
    let paths = listed(&position);
    expect("result", &fields.result_or_null()?, &result(&position).as_deref())?;
    expect("path_count", &fields.number("path_count")?, &(paths.len() as u64))?;
    let outcomes = changes(&position).len() as u64;
    expect("outcome_count", &fields.number("outcome_count")?, &outcomes)?;
    if let Some(mut expected) = fields.optional_texts("moves")? {
        let mut found: Vec<String> = paths.iter().map(words).collect();
        expected.sort_unstable();
        found.sort_unstable();
        expect("moves", &expected, &found.iter().map(String::as_str).collect())?;
    }
    check_answers(&position, &paths)
}

/// Each listed path must be accepted as an answer, and none once the game is over.
fn check_answers(position: &Position, paths: &[(Path, Change)]) -> Result<(), VectorError> {
    let over = position.ending().is_some();
    paths.iter().try_for_each(|(path, change)| {
        let expected = if over { None } else { Some(*change) };
        expect(&format!("answer `{path}`"), &expected, &position.check(path).ok())
    })
}

fn check_game(fields: Fields<'_>) -> Result<(), VectorError> {
    let start = Position::start(fields.size()?);
    let mut position = start.map_err(|error| VectorError::Malformed(error.to_string()))?;
    for text in fields.texts("moves")? {
        let path: Path = parse("moves", text)?;
        let checked = position.check(&path).map_err(|error| error.to_string());
        let change = checked.map_err(|found| VectorError::Mismatch {
            what: "moves".to_owned(),
            expected: text.to_owned(),
            found,
        })?;
        position = position.after(change);
    }
    expect("final", &fields.object("final")?.position()?, &position)?;
    expect("result", &fields.result_or_null()?, &result(&position).as_deref())
}

fn check_perft(fields: Fields<'_>) -> Result<(), VectorError> {
    let position = fields.position()?;
    let count = |count: fn(&Position, u32) -> u64, expected: &[u64]| -> Vec<u64> {
        (1..).zip(expected).map(|(depth, _)| count(&position, depth)).collect()
    };
    for (name, by) in [("paths", perft as fn(&Position, u32) -> u64), ("outcomes", perft_changes)] {
        let expected = fields.numbers(name)?;
        expect(name, &expected, &count(by, &expected))?;
    }
    Ok(())
}

fn check_legality(fields: Fields<'_>) -> Result<(), VectorError> {
    let position = fields.position()?;
    let what = fields.text("what")?;
    let path: Path = fields.parsed("path")?;
    let found = position.check(&path);
    expect(&format!("legal ({what})"), &fields.flag("legal")?, &found.is_ok())?;
    let captured = found.ok().and_then(|change| change.captured);
    expect(&format!("captured ({what})"), &fields.square_or_null("captured")?, &captured)
}

#[cfg(test)]
mod tests;
