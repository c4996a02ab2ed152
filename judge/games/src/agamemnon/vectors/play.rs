//! Vectors that play actions: one on any state, or a whole game.

use super::super::board::bits;
use super::super::{Action, EdgeTypes, Kind, Position, State, score};
use super::fields::GameFields as _;
use super::{Fields, expect};
use crate::vectors::VectorError;

/// The parts that distinguish two positions after a turn: the tiles on their nodes, and the types.
pub(super) fn successor(position: &Position) -> (Vec<(u8, Kind)>, EdgeTypes) {
    let mut tiles: Vec<_> = position.placed().map(|placed| (placed.node, placed.kind)).collect();
    tiles.sort_unstable();
    (tiles, *position.types())
}

/// Plays an action that the rules must allow.
fn play(state: &mut State, action: &Action) -> Result<(), VectorError> {
    let State { board, position } = state;
    position.check_any_draw(board, action).map_err(|error| VectorError::Mismatch {
        what: format!("action `{action}`"),
        expected: "legal".to_owned(),
        found: error.to_string(),
    })?;
    position.play_unchecked(board, action);
    Ok(())
}

pub(super) fn check_apply(fields: Fields<'_>) -> Result<(), VectorError> {
    let mut state = fields.state()?;
    play(&mut state, &fields.parsed("action")?)?;
    expect("tiles_after", &fields.text("tiles_after")?, &state.tiles_text().as_str())?;
    expect("edges_after", &fields.text("edges_after")?, &state.edges_text().as_str())
}

pub(super) fn check_game(fields: Fields<'_>) -> Result<(), VectorError> {
    let mut state = State::parse("", fields.text("edges")?)
        .map_err(|error| VectorError::Malformed(error.to_string()))?;
    fields
        .all_parsed::<Action>("actions")?
        .iter()
        .try_for_each(|action| play(&mut state, action))?;
    expect("over", &true, &state.position.is_over())?;
    expect("final_tiles", &fields.text("final_tiles")?, &state.tiles_text().as_str())?;
    expect("final_edges", &fields.text("final_edges")?, &state.edges_text().as_str())?;
    let empty = bits(state.position.empty(&state.board)).map(u64::from).collect();
    expect("empty_nodes", &fields.numbers("empty_nodes")?, &empty)?;
    let scores = score(&state.board, &state.position).map(u64::from).to_vec();
    expect("scores", &fields.numbers("scores")?, &scores)
}
