//! Every effect that a turn can have, once: actions that differ only in the order of placing or in
//! the spelling of a Warp are left out.

use super::{Action, Draw, State};
use crate::agamemnon::board::bits;
use crate::agamemnon::{Board, Kind, Placement, Position};

/// Calls `visit` with an action for every effect and with the position after it.
pub(super) fn for_each_effect(
    state: &State,
    draw: &Draw,
    mut visit: impl FnMut(&Action, &Position),
) {
    let State { board, position } = state;
    let (seat, empty) = (position.to_move(), position.empty(board));
    let Some(first) = draw.get(0) else { return };
    for_each_placement(board, position, first, empty, &mut |one| {
        let alone = Action::new(seat, one, None);
        let after = played(board, position, &alone);
        let Some(second) = draw.get(1) else { return visit(&alone, &after) };
        // Of two equal tiles the one on the lower node comes first, but two Warps may meet at an
        // edge: then their order matters.
        let twins = first == second && first != Kind::Warp;
        let nodes = empty & !(1 << one.node) & if twins { u64::MAX << one.node } else { u64::MAX };
        for_each_placement(board, &after, second, nodes, &mut |two| {
            let both = Action::new(seat, one, Some(two));
            visit(&both, &played(board, &after, &Action::new(seat, two, None)));
        });
    });
}

fn played(board: &Board, position: &Position, action: &Action) -> Position {
    let mut next = *position;
    next.play_unchecked(board, action);
    next
}

/// Every effect of placing one tile on one of these nodes.
fn for_each_placement(
    board: &Board,
    position: &Position,
    kind: Kind,
    nodes: u64,
    visit: &mut impl FnMut(Placement),
) {
    for node in bits(nodes) {
        if kind == Kind::Warp {
            for_each_warp(board, position, node, visit);
        } else {
            visit(Placement { kind, node, warp: None });
        }
    }
}

/// A Warp that changes nothing, if the node has edges, and one for every two edges of two types.
fn for_each_warp(board: &Board, position: &Position, node: u8, visit: &mut impl FnMut(Placement)) {
    let ends = board.neighbours(node);
    let kind_to = |end| board.edge(node, end).map(|edge| position.types().get(edge));
    let mut warp = |ends| visit(Placement { kind: Kind::Warp, node, warp: Some(ends) });
    bits(ends).take(1).for_each(|end| warp([end, end]));
    for one in bits(ends) {
        let later = bits(ends).filter(|other| *other > one && kind_to(*other) != kind_to(one));
        later.for_each(|other| warp([one, other]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::STANDARD_EDGES;
    use std::collections::BTreeSet;

    /// The content of a position, independent of its history.
    fn told(position: &Position) -> (Vec<(u8, Kind)>, crate::agamemnon::EdgeTypes) {
        let mut tiles: Vec<_> = position.placed().map(|tile| (tile.node, tile.kind)).collect();
        tiles.sort_unstable();
        (tiles, *position.types())
    }

    #[test]
    fn every_effect_occurs() {
        let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07";
        let state = State::parse(tiles, STANDARD_EDGES).expect("a state");
        for text in ["f", "j", "ff", "fg", "fj", "jf", "jj"] {
            let draw: Draw = text.parse().expect("a draw");
            let (mut all, mut found, mut visits) = (BTreeSet::new(), BTreeSet::new(), 0);
            state.position.for_each_action(&state.board, &draw, |action| {
                all.insert(told(&played(&state.board, &state.position, action)));
            });
            for_each_effect(&state, &draw, |action, after| {
                assert_eq!(played(&state.board, &state.position, action), *after);
                found.insert(told(after));
                visits += 1;
            });
            assert_eq!(all, found, "{text}");
            assert!(text == "jj" || visits == found.len(), "{text}: {visits}");
        }
    }
}
