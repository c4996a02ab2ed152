//! Looks ahead: alpha-beta over the best few moves of each position, deeper and deeper until a
//! fixed number of positions has been estimated.

use super::super::{Move, Position};
use super::Strategy;
use super::candidates::{Scored, best_first, candidates};

/// Positions estimated for one move, not counting the last batch of candidates.
const NODES: u32 = 4000;

/// Moves examined in each position.
const WIDTH: usize = 12;

/// Deeper than any game is long.
const MAX_DEPTH: u32 = 256;

/// Below any estimate: the side on turn has lost. Less bad the later it is.
const LOST: i32 = -1_000_000;

/// Has no state: equal positions get equal moves.
pub(super) struct AlphaBeta;

impl Strategy for AlphaBeta {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let mut search = Search { position: position.clone(), nodes: 0 };
        let mut moves = candidates(&mut search.position, WIDTH, &mut search.nodes);
        for depth in 1..MAX_DEPTH {
            if moves.len() < 2 || !search.deepen(&mut moves, depth) {
                break;
            }
        }
        moves.first().map(|(_, best)| *best)
    }
}

struct Search {
    position: Position,
    nodes: u32,
}

impl Search {
    /// Searches every move to `depth` more plies and sorts them again; `false` at the end of the
    /// search: the nodes are spent, or a win or loss is certain.
    fn deepen(&mut self, moves: &mut Vec<Scored>, depth: u32) -> bool {
        let mut alpha = -i32::MAX;
        for at in 0..moves.len() {
            let Some(value) = self.after(moves[at].1, depth, alpha, i32::MAX) else {
                // Only moves searched to the same depth can be compared.
                moves[..at].sort_by_key(|(value, _)| std::cmp::Reverse(*value));
                return false;
            };
            moves[at].0 = value;
            alpha = alpha.max(value);
        }
        best_first(moves, WIDTH);
        alpha.abs() < -LOST / 2
    }

    /// The value of a move for the side that makes it; `None` when the nodes ran out.
    fn after(&mut self, chosen: Move, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.position.play_unchecked(chosen);
        let value = self.value(depth, -beta, -alpha);
        self.position.undo(chosen);
        value.map(|value| -value)
    }

    /// The value of the position for the side on turn, `depth` at least 1.
    fn value(&mut self, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.nodes >= NODES {
            return None;
        }
        let moves = candidates(&mut self.position, WIDTH, &mut self.nodes);
        let Some((first, _)) = moves.first() else {
            return Some(LOST - depth as i32);
        };
        if depth == 1 {
            return Some(*first);
        }
        for (_, candidate) in moves {
            alpha = alpha.max(self.after(candidate, depth - 1, alpha, beta)?);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }
}
