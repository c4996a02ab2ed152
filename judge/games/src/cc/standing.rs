//! The score of a game at any moment, and its decisive terms.

use judge_core::Seat;

use super::contest::outcome;
use super::{Contest, Position, Square};
use crate::{Standing, Term};

/// The score as if the game ended here: a draw, unless it is over.
pub(super) fn current(contest: &Contest) -> Standing {
    let position = contest.position();
    let outcome_now = contest.outcome();
    let scores = outcome_now.as_ref().map_or(outcome(None, "").scores, |outcome| outcome.scores);
    Standing {
        outcome: outcome_now,
        scores,
        terms: vec![
            Term { name: "men", values: Seat::BOTH.map(|seat| position.men(seat).len().into()) },
            Term {
                name: "steps to the corner",
                values: Seat::BOTH.map(|seat| steps(position, seat)),
            },
        ],
    }
}

/// Steps of a side's nearest man to its corner on an otherwise empty board.
pub(super) fn steps(position: &Position, seat: Seat) -> i64 {
    let target = position.target(seat);
    let steps = |man: Square| man.distance(target);
    position.men(seat).iter().map(steps).min().unwrap_or_default().into()
}
