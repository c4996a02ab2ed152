//! The score of a game at any moment, and facts about a position.

use super::position::Side;
use super::{Round, Territory, reached_first};
use crate::{Standing, Term};

/// The score as if the game ended here, and the sides' shares of the squares.
pub(super) fn current(round: &Round) -> Standing {
    let outcome = round.outcome();
    let scores = outcome.as_ref().map_or([0; 2], |outcome| outcome.scores);
    let Territory { white, black, contested } = Territory::from_position(round.position());
    let term = |name, values: [u32; 2]| Term { name, values: values.map(i64::from) };
    let terms = vec![
        term("own territory", [white, black]),
        term("open to both", [contested; 2]),
        term("reached first", reached_first(round.position())),
        term("squares in one move", Side::BOTH.map(|side| round.position().mobility(side))),
    ];
    Standing { outcome, scores, terms }
}
