//! Reads a file of `judge train`, of any game.

use crate::learning::file;
use crate::{BodyError, Learned, Learner, MAX_PLAYOUTS, Plan, TableError};

/// Reads a file of `judge train`. Any bytes are taken without a panic, in time proportional to
/// their number.
///
/// # Errors
/// With the first fault and its place.
pub fn read_table(bytes: &[u8]) -> Result<Box<dyn Learned>, TableError> {
    let (header, body) = file::open(bytes)?;
    let learner = crate::find(&header.game).and_then(crate::Game::learner);
    let learner = learner.ok_or_else(|| TableError::Game { name: header.game.clone() })?;
    check_plan(&header.plan, learner).map_err(|what| TableError::Header { what })?;
    let first = bytes.len() - body.len() - file::CHECKSUM;
    learner.read(&header, body).map_err(|BodyError { state, at, what }| TableError::Body {
        state,
        at: first + at,
        what,
    })
}

fn check_plan(plan: &Plan, learner: &dyn Learner) -> Result<(), String> {
    let boards = learner.boards();
    if !boards.contains(&plan.board) {
        let (board, boards) = (crate::text::excerpt(&plan.board), boards.join(", "));
        return Err(format!("`board` is `{board}`: there are {boards}"));
    }
    if !(1..=MAX_PLAYOUTS).contains(&plan.playouts) {
        return Err(format!("`playouts` is `{}`: expected 1 to {MAX_PLAYOUTS}", plan.playouts));
    }
    Ok(())
}
