//! The score of a round at any moment, and the distance of both hands.

use judge_core::Seat;

use super::round::Phase;
use super::{Round, distance};
use crate::{Standing, Term};

/// The score as if the round ended here: nothing, unless it is over.
pub(super) fn current(round: &Round) -> Standing {
    let outcome = match round.phase() {
        Phase::Over(ending) => Some(round.outcome(ending)),
        _ => None,
    };
    let faan =
        |seat| round.winner().map_or(0, |(winner, faan)| if winner == seat { faan } else { 0 });
    let term = |name, value: &dyn Fn(Seat) -> i64| Term { name, values: Seat::BOTH.map(value) };
    Standing {
        scores: outcome.as_ref().map_or([0; 2], |outcome| outcome.scores),
        outcome,
        terms: vec![
            term("faan", &|seat| faan(seat).into()),
            term("tiles left in the wall", &|_| round.wall().left() as i64),
            term("distance to ready", &|seat| distance(round.hand(seat)).into()),
        ],
    }
}
