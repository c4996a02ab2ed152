//! The rule switches that edges fit: the board, and the types that Warps can have made out of the
//! types at the start.

use super::board::bits;
use super::resume::StateTextError;
use super::{Board, BoardChoice, EdgeTypes, Kind, Mapping, Position, Rules};

/// Checks that the edges are those of the board, with types that are possible in a game.
///
/// # Errors
/// The first fault, with the rule switches under which the edges would be right.
pub(super) fn check_edges(
    rules: &Rules,
    board: &Board,
    position: &Position,
) -> Result<(), StateTextError> {
    let fits = |rules: &Rules| {
        check_board(rules, board).and_then(|()| check_types(rules, board, position))
    };
    let Err(fault) = fits(rules) else { return Ok(()) };
    let fitting = rules.on_every_board().into_iter().find(|other| fits(other).is_ok());
    Err(match fitting {
        Some(other) => StateTextError::OtherRules {
            fault: Box::new(fault),
            switches: rules.differences(&other).join(" "),
        },
        None => fault,
    })
}

/// Checks that the edges are where the board of the options has them.
///
/// # Errors
/// The first edge that is elsewhere, or their number.
pub(super) fn check_board(rules: &Rules, board: &Board) -> Result<(), StateTextError> {
    let of_rules = rules.start(Mapping::DEFAULT).board;
    let pairs = board.ends().iter().zip(of_rules.ends());
    if let Some((at, (found, expected))) = pairs.enumerate().find(|(_, (one, two))| one != two) {
        let (found, expected) = (*found, *expected);
        return Err(StateTextError::Ends { number: at + 1, found, expected, board: rules.board });
    }
    let (found, expected) = (board.edges(), of_rules.edges());
    if found != expected {
        return Err(StateTextError::Edges { found, expected, board: rules.board });
    }
    Ok(())
}

/// The Warps on the board can have made the types of the edges out of those at the start.
fn check_types(rules: &Rules, board: &Board, position: &Position) -> Result<(), StateTextError> {
    let warps: Vec<u8> = position
        .placed()
        .filter_map(|placed| (placed.kind == Kind::Warp).then_some(placed.node))
        .collect();
    let reached = |mapping| {
        let start = *rules.start(mapping).position.types();
        (start, warps_make(board, start, position.types(), &warps))
    };
    match (rules.board, rules.mapping) {
        (BoardChoice::Loom, None) => {
            let any = Mapping::all().any(|mapping| reached(mapping).1);
            if any { Ok(()) } else { Err(StateTextError::Mapping) }
        }
        (_, mapping) => match reached(mapping.unwrap_or(Mapping::DEFAULT)) {
            (_, true) => Ok(()),
            (start, false) => {
                let first = start.differences(position.types()).trailing_zeros() as usize;
                let ends = board.ends().get(first).copied().unwrap_or_default();
                Err(StateTextError::Types { number: first + 1, ends })
            }
        },
    }
}

/// True if Warps on these nodes, in this order, can make `goal` out of `types`.
fn warps_make(board: &Board, types: EdgeTypes, goal: &EdgeTypes, warps: &[u8]) -> bool {
    let different = types.differences(goal).count_ones() as usize;
    let Some((node, later)) = warps.split_first() else { return different == 0 };
    if different > 2 * warps.len() {
        return false;
    }
    let edges = || bits(board.neighbours(*node)).filter_map(|end| board.edge(*node, end));
    warps_make(board, types, goal, later)
        || edges().any(|one| {
            edges().any(|other| {
                let mut next = types;
                next.exchange(one, other);
                one < other && next != types && warps_make(board, next, goal, later)
            })
        })
}
