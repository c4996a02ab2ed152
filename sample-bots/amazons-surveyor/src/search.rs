//! Looks ahead: the best moves of each position by their value, deeper and deeper until a fixed
//! number of positions has been valued.

use judge_bot::amazons::{Move, Position, Square};

use crate::value::{glance, value};

/// A move and its value for the side that makes it.
type Scored = (i32, Move);

/// More than any value.
const INFINITE: i32 = i32::MAX;

/// The side on turn has lost; less bad the later.
const LOST: i32 = -100_000_000;

/// The bounds of the search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Positions valued for one move, not counting the last batch.
    pub(crate) positions: u32,
    /// Ways of an amazon whose arrows are examined, in the first position and later.
    pub(crate) ways: [usize; 2],
    /// Moves examined, in the first position and later.
    pub(crate) moves: [usize; 2],
}

/// The best move of a position; `None` when there is none.
pub(crate) fn best(position: &Position, effort: Effort) -> Option<Move> {
    let mut search = Search { position: position.clone(), effort, valued: 0 };
    let mut moves = search.candidates(effort.ways[0], effort.moves[0]);
    for depth in 1..u32::from(position.size()).pow(2) {
        if moves.len() < 2 || !search.deepen(&mut moves, depth) {
            break;
        }
    }
    moves.first().map(|(_, best)| *best)
}

struct Search {
    position: Position,
    effort: Effort,
    valued: u32,
}

impl Search {
    /// The best moves by their values, best first: the arrows of the best ways only.
    fn candidates(&mut self, ways: usize, width: usize) -> Vec<Scored> {
        let position = &mut self.position;
        let side = position.to_move();
        let mut landings: Vec<(i32, (Square, Square))> = Vec::new();
        for from in position.amazons(side) {
            for to in position.reach(from).squares() {
                // The arrow back to the amazon's old square is valued instead of all arrows.
                let back = Move { from, to, arrow: from };
                position.play_unchecked(back);
                landings.push((glance(position, side), (from, to)));
                position.undo(back);
            }
        }
        self.valued += landings.len() as u32 / 2;
        best_first(&mut landings, ways);
        let mut moves = Vec::new();
        for (_, (from, to)) in landings {
            for arrow in position.shots(from, to).squares() {
                let candidate = Move { from, to, arrow };
                position.play_unchecked(candidate);
                moves.push((value(position, side), candidate));
                position.undo(candidate);
            }
        }
        self.valued += moves.len() as u32;
        best_first(&mut moves, width);
        moves
    }

    /// Searches the moves to `depth` more plies and sorts them again; `false` when the search is
    /// over: the effort is spent, or a win or loss is certain.
    fn deepen(&mut self, moves: &mut [Scored], depth: u32) -> bool {
        let mut alpha = -INFINITE;
        for at in 0..moves.len() {
            let Some(value) = self.after(moves[at].1, depth, alpha, INFINITE) else {
                // Only moves searched to the same depth can be compared.
                moves[..at].sort_by_key(|(value, _)| std::cmp::Reverse(*value));
                return false;
            };
            moves[at].0 = value;
            alpha = alpha.max(value);
        }
        moves.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        alpha.abs() < -LOST / 2
    }

    /// The value of a move for the side that makes it; `None` when the effort is spent.
    fn after(&mut self, chosen: Move, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.position.play_unchecked(chosen);
        let value = self.value(depth, -beta, -alpha);
        self.position.undo(chosen);
        value.map(|value| -value)
    }

    /// The value of the position for the side on turn, `depth` at least 1.
    fn value(&mut self, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.valued >= self.effort.positions {
            return None;
        }
        let moves = self.candidates(self.effort.ways[1], self.effort.moves[1]);
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

/// Keeps the best, best first; of equals the earlier ones.
fn best_first<T>(scored: &mut Vec<(i32, T)>, width: usize) {
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.truncate(width);
}
