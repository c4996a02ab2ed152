//! The score of a game at any moment, by type of edge.

use judge_core::RoundResult;

use super::scoring::score_by_type;
use super::{EdgeType, Round};
use crate::{Standing, Term};

/// The score as if the game ended here.
pub(super) fn current(round: &Round) -> Standing {
    let by_type = score_by_type(round.board(), round.position());
    let term = |name, kind: EdgeType| Term { name, values: by_type[kind.index()].map(i64::from) };
    let RoundResult { scores, .. } = round.outcome();
    Standing {
        outcome: round.position().is_over().then(|| round.outcome()),
        scores,
        terms: vec![
            term("strength edges", EdgeType::Strength),
            term("leadership edges", EdgeType::Leadership),
            term("force edges", EdgeType::Force),
        ],
    }
}
