//! Alpha-beta with a table, deeper and deeper while the work allows.

use judge_bot::cc::{Change, Position, changes};

use crate::board::{Board, Move, cell};
use crate::evaluate::evaluate;
use crate::flood::{Flood, arrives, moves};
use crate::table::{Bound, Entry, Table};

/// A win at once; a ply later it is worth one less.
const WIN: i32 = 1_000_000;

/// Values beyond this are wins and losses.
const DECIDED: i32 = WIN - 1_000;

/// Deepest search.
const MAX_DEPTH: u8 = 30;

/// Work for each man of a position whose moves are listed; a position that is only valued costs 1.
const LISTED: u32 = 5;

/// The search for the moves of one game.
pub(crate) struct Search {
    table: Table,
    flood: Flood,
    /// The remaining work for this move.
    left: u32,
}

/// A move of the root as both sides know it.
type Candidate = (Change, Move, i32);

impl Search {
    pub(crate) fn new() -> Search {
        Search { table: Table::new(), flood: Flood::new(), left: 0 }
    }

    /// The best change found with that much work; `None` without a move.
    pub(crate) fn best(&mut self, position: &Position, work: u32) -> Option<Change> {
        self.left = work;
        let board = Board::new(position);
        let mut candidates: Vec<Candidate> = changes(position)
            .into_iter()
            .map(|change| {
                let captured = change.captured.map(cell);
                let made = Move { from: cell(change.from), to: cell(change.to), captured };
                (change, made, evaluate(&board.after(made)))
            })
            .collect();
        candidates.sort_by_key(|(_, _, value)| *value);
        for depth in 1..=MAX_DEPTH {
            match self.root(&board, depth, &mut candidates) {
                Some(value) if value.abs() < DECIDED => {}
                _ => break,
            }
        }
        candidates.first().map(|(change, ..)| *change)
    }

    /// Puts the candidates in order, best first, and returns the value of the best. When the work
    /// runs out, a candidate that was found to be better than the first still comes to the front.
    fn root(&mut self, board: &Board, depth: u8, candidates: &mut [Candidate]) -> Option<i32> {
        let mut alpha = -WIN;
        for index in 0..candidates.len() {
            let next = board.after(candidates[index].1);
            let value = self.child(&next, depth, 0, alpha, WIN, index == 0)?;
            if value > alpha {
                alpha = value;
                candidates[..=index].rotate_right(1);
            }
        }
        Some(alpha)
    }

    /// Value of a child for its parent: the first with the full window, the others only if they
    /// promise to be better.
    fn child(
        &mut self,
        next: &Board,
        depth: u8,
        ply: i32,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> Option<i32> {
        if !first {
            let value = -self.value(next, depth - 1, ply + 1, -alpha - 1, -alpha)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        Some(-self.value(next, depth - 1, ply + 1, -beta, -alpha)?)
    }

    /// Value for the side on turn; `None` when the work was not enough.
    fn value(
        &mut self,
        board: &Board,
        depth: u8,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if board.lost() {
            return Some(ply - WIN);
        }
        if arrives(board, &mut self.flood) {
            return Some(WIN - ply - 1);
        }
        self.left = self.left.checked_sub(board.all())?;
        if depth == 0 {
            return Some(evaluate(board));
        }
        let known = self.table.get(key(board));
        if let Some(value) = known.and_then(|entry| usable(&entry, depth, alpha, beta)) {
            return Some(value);
        }
        self.left = self.left.checked_sub(LISTED * board.all())?;
        let mut moves = moves(board, &mut self.flood);
        order(board, &mut moves, known);
        let lowest = alpha;
        let (mut best, mut best_move) = (if moves.is_empty() { 0 } else { -WIN }, (0, 0));
        for (index, change) in moves.iter().enumerate() {
            let value = self.child(&board.after(*change), depth, ply, alpha, beta, index == 0)?;
            if value > best {
                (best, best_move) = (value, (change.from, change.to));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > lowest => Bound::Exact,
            _ => Bound::AtMost,
        };
        // The value of a win depends on the ply, so it is not kept.
        if best.abs() < DECIDED {
            self.table.put(Entry { key: key(board), value: best, depth, bound, best: best_move });
        }
        Some(best)
    }
}

/// The key with the side on turn.
fn key(board: &Board) -> u64 {
    board.key.rotate_left(board.turn.index() as u32)
}

/// The value of an entry, if it settles the question.
fn usable(entry: &Entry, depth: u8, alpha: i32, beta: i32) -> Option<i32> {
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => entry.value >= beta,
        Bound::AtMost => entry.value <= alpha,
    };
    (settles && entry.depth >= depth).then_some(entry.value)
}

/// Puts the most promising moves first: the table's move, captures, the longest way forward.
fn order(board: &Board, moves: &mut [Move], known: Option<Entry>) {
    let goal = board.target(board.turn);
    let left = |at| Board::apart(at, goal).iter().sum::<i32>();
    moves.sort_by_cached_key(|change| {
        let advised = known.is_some_and(|entry| entry.advises(change));
        (!advised, change.captured.is_none(), left(change.to) - left(change.from))
    });
}

#[cfg(test)]
mod tests {
    use judge_bot::cc::{Seat, Square};

    use super::*;

    fn chosen(one: &[(u8, u8)], two: &[(u8, u8)]) -> Change {
        let set = |men: &[(u8, u8)]| {
            men.iter().filter_map(|(row, column)| Square::new(*row, *column)).collect()
        };
        let position = Position::new(6, [set(one), set(two)], Seat::One).expect("a position");
        Search::new().best(&position, 3_000).expect("a move")
    }

    #[test]
    fn a_win_at_once_is_taken() {
        let arrival = chosen(&[(4, 4), (0, 0), (2, 1)], &[(3, 3), (5, 3), (2, 2)]);
        assert_eq!(Some(arrival.to), Square::new(5, 5));
        let last_man = chosen(&[(0, 0), (1, 1), (5, 0)], &[(2, 2), (5, 4)]);
        assert_eq!(last_man.captured, Square::new(2, 2));
    }

    #[test]
    fn a_loss_at_once_is_prevented() {
        let change = chosen(&[(0, 2), (3, 0), (2, 2)], &[(1, 1), (5, 5), (4, 5), (5, 2)]);
        let saved = change.captured == Square::new(1, 1) || Some(change.to) == Square::new(0, 0);
        assert!(saved, "{change:?}");
    }

    #[test]
    fn the_work_is_bounded() {
        let start = Position::start(16).expect("an allowed size");
        let mut search = Search::new();
        assert!(search.best(&start, 500).is_some());
        assert!(search.left <= 500);
    }
}
