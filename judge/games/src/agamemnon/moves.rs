//! Every legal action of a turn, their number, and counting by playing them out.
//! Counts follow the convention of the vectors: distinct action strings.

use judge_core::Seat;

use super::board::bits;
use super::position::side_of;
use super::{Action, Board, Draw, Kind, Placement, Position};

impl Position {
    /// Calls `visit` with every legal action for the drawn tiles, each once: both orders, and all
    /// pairs of edges for a Warp, an edge with itself included. The number of tiles is that of
    /// the draw, even if the turn has another.
    pub fn for_each_action(&self, board: &Board, draw: &Draw, mut visit: impl FnMut(&Action)) {
        self.in_order(board, draw, &mut visit);
        if draw.reversed() != *draw {
            self.in_order(board, &draw.reversed(), &mut visit);
        }
    }

    /// The actions that place the drawn tiles in the order of the draw.
    fn in_order(&self, board: &Board, draw: &Draw, visit: &mut impl FnMut(&Action)) {
        let seat = self.to_move();
        let empty = self.empty(board);
        let Some(first) = draw.get(0) else { return };
        for_each_placement(board, first, empty, &mut |one| {
            let Some(second) = draw.get(1) else {
                return visit(&Action::new(seat, one, None));
            };
            for_each_placement(board, second, empty & !(1 << one.node), &mut |two| {
                visit(&Action::new(seat, one, Some(two)));
            });
        });
    }

    /// The side that places the next tile.
    pub fn to_move(&self) -> Seat {
        side_of(self.len())
    }

    /// The number of legal actions for the drawn tiles, without making them.
    pub fn count_actions(&self, board: &Board, draw: &Draw) -> u64 {
        let empty = self.empty(board);
        let ways = |kind: Kind| bits(empty).map(|node| placements(board, kind, node)).sum::<u64>();
        let (Some(first), second) = (draw.get(0), draw.get(1)) else { return 0 };
        let Some(second) = second else { return ways(first) };
        let both = |node| placements(board, first, node) * placements(board, second, node);
        let on_one_node: u64 = bits(empty).map(both).sum();
        let orders = if first == second { 1 } else { 2 };
        orders * (ways(first) * ways(second) - on_one_node)
    }
}

/// Number of ways to place a tile of a kind on an empty node.
pub(super) fn placements(board: &Board, kind: Kind, node: u8) -> u64 {
    if kind == Kind::Warp { u64::from(board.degree(node)).pow(2) } else { 1 }
}

/// Every way to place a tile of a kind on one of these nodes.
fn for_each_placement(board: &Board, kind: Kind, nodes: u64, visit: &mut impl FnMut(Placement)) {
    for node in bits(nodes) {
        if kind != Kind::Warp {
            visit(Placement { kind, node, warp: None });
            continue;
        }
        let ends = board.neighbours(node);
        for one in bits(ends) {
            bits(ends).for_each(|other| visit(Placement { kind, node, warp: Some([one, other]) }));
        }
    }
}

/// Plays every action for every draw in turn and counts the final positions, one by one.
///
/// The draws need not be in the bags, and they decide the number of tiles; the sides alternate as
/// in the game.
pub fn perft(board: &Board, position: &Position, draws: &[Draw]) -> u64 {
    let Some((draw, rest)) = draws.split_first() else { return 1 };
    let mut count = 0;
    position.for_each_action(board, draw, |action| {
        let mut next = *position;
        next.play_unchecked(board, action);
        // Without the box the compiler may skip playing to the last position, which is never read.
        count += perft(board, std::hint::black_box(&next), rest);
    });
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::{Edge2428, Mapping, STANDARD_EDGES, State, loom_edges};

    fn count(tiles: &str, edges: &str, draw: &str) -> u64 {
        let state = State::parse(tiles, edges).expect("a state");
        let draw = draw.parse().expect("a draw");
        let counted = state.position.count_actions(&state.board, &draw);
        assert_eq!(perft(&state.board, &state.position, &[draw]), counted, "{draw}");
        counted
    }

    #[test]
    fn the_number_of_actions_matches_the_rules() {
        let loom = loom_edges(Mapping::DEFAULT, Edge2428::A);
        assert_eq!(count("", STANDARD_EDGES, "j"), 314);
        assert_eq!(count("", &loom, "j"), 554);
        assert_eq!(count("Oa14", STANDARD_EDGES, "ff"), 930);
        assert_eq!(count("Oa14", STANDARD_EDGES, "fg"), 1860);
        assert_eq!(count("Oa14", STANDARD_EDGES, "jf"), 17880);
        assert_eq!(count("Oa14", STANDARD_EDGES, "jj"), 85458);
        assert_eq!(count("Oa14", &loom, "fj"), 33356);
    }

    #[test]
    fn listed_actions_are_legal_and_distinct() {
        let state = State::parse("Oa14", STANDARD_EDGES).expect("a state");
        for text in ["ff", "fj"] {
            let draw = text.parse().expect("a draw");
            let mut seen = std::collections::BTreeSet::new();
            state.position.for_each_action(&state.board, &draw, |action| {
                assert_eq!(state.position.check(&state.board, &draw, action), Ok(()));
                assert!(seen.insert(action.to_string()), "{action}");
            });
        }
    }
}
