//! Agamemnon crossroads: the first tile goes to the empty node with the most edges, the second to
//! the next one. A Warp changes nothing. It computes nothing else: the bot to begin with.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

use std::cmp::Reverse;

use judge_bot::agamemnon::{Action, Board, Brain, Kind, Placement, Position, Question, State};

/// The player.
#[derive(Default)]
pub struct Crossroads;

impl Brain for Crossroads {
    fn put_back(&mut self, _weaver: Kind) -> bool {
        true
    }

    fn action(&mut self, question: &Question) -> Action {
        let State { board, position } = &question.state;
        let mut placements = question
            .drawn
            .kinds()
            .zip(crossroads(board, position))
            .map(|(kind, node)| place(board, kind, node));
        let first = placements.next().expect("a tile is drawn, and a node is empty");
        Action::new(position.to_move(), first, placements.next())
    }
}

/// The empty nodes, those with the most edges first.
fn crossroads(board: &Board, position: &Position) -> Vec<u8> {
    let empty = position.empty(board);
    let mut nodes: Vec<u8> = (0..64).filter(|node| empty >> node & 1 == 1).collect();
    nodes.sort_by_key(|node| Reverse(board.degree(*node)));
    nodes
}

/// A tile on a node; a Warp exchanges an edge with itself.
fn place(board: &Board, kind: Kind, node: u8) -> Placement {
    let neighbour = board.neighbours(node).trailing_zeros() as u8;
    Placement { kind, node, warp: (kind == Kind::Warp).then_some([neighbour; 2]) }
}

judge_bot::agamemnon_bot!(Crossroads, name: "crossroads", author: "judge");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_go_where_most_edges_meet() {
        let mut state = State::standard();
        for (drawn, expected) in [("c", "Oc04"), ("jf", "Bj080404Bf11"), ("ij", "Oi12Oj141111")] {
            let drawn = drawn.parse().expect("a draw");
            let action = Crossroads.action(&Question { drawn, state: state.clone() });
            assert_eq!(action.to_string(), expected);
            assert_eq!(state.position.check(&state.board, &drawn, &action), Ok(()));
            state.position.play_unchecked(&state.board, &action);
        }
    }
}
