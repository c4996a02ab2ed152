//! Pointing at the board: the amazon, then its destination, then the square of its arrow.

use super::{Layout, Round};
use crate::amazons::position::Position;
use crate::{Choice, Choices, Target};

/// Every square.
pub(in crate::amazons) fn targets(round: &Round) -> Vec<Target> {
    let layout = Layout::from_position(round.position());
    let target = |square| {
        let (part, at) = (format!("{square}"), layout.corner(square));
        Target { part, at, size: [layout.cell; 2] }
    };
    layout.squares().map(target).collect()
}

/// The squares that may follow the chosen ones.
pub(in crate::amazons) fn choices(position: &Position, chosen: &[String]) -> Choices {
    let mut moves = Vec::new();
    position.each_move(|candidate| moves.push(candidate));
    let parts = moves.into_iter().map(|candidate| {
        let [from, to, arrow] =
            [candidate.from, candidate.to, candidate.arrow].map(|square| square.to_string());
        let words =
            [format!("amazon on {from}"), format!("move to {to}"), format!("arrow to {arrow}")];
        let [one, two, three] = words;
        (candidate, [Choice::new(from, one), Choice::new(to, two), Choice::new(arrow, three)])
    });
    Choices::among(parts, chosen)
}
