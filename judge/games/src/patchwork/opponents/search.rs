//! Looks several moves of both sides ahead, within a fixed number of positions. Only the snuggest
//! places of each patch are tried, so that the tree stays narrow.

use std::cmp::Reverse;

use judge_core::Seat;

use super::Strategy;
use crate::patchwork::{Move, Patch, Position, Side, track};

/// Deepens by one move at a time until its positions are used up; then the choice of the last
/// completed depth counts.
pub(super) struct Search;

/// Positions expanded for one answer.
const BUDGET: u32 = 120;

/// Deepest search, in moves; near the end the budget would allow any depth.
const DEEPEST: u32 = 12;

/// Number of places tried for each patch: at the root, and further down.
const PLACES: [usize; 2] = [3, 1];

/// A decided game outweighs every estimate.
const DECIDED: i64 = 1_000_000;

impl Strategy for Search {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let mut tree = Tree { left: BUDGET };
        let mut candidates = candidates(position, PLACES[0]);
        for depth in 1..=DEEPEST {
            let Some(best) = tree.best(position, &candidates, depth) else { break };
            // The best move first, so that the next depth cuts off more.
            candidates[..=best].rotate_right(1);
        }
        candidates.first().copied()
    }
}

/// A search, with the positions that it may still expand.
struct Tree {
    left: u32,
}

impl Tree {
    /// The best of the moves at that depth, by index; `None` when the positions ran out.
    fn best(&mut self, position: &Position, moves: &[Move], depth: u32) -> Option<usize> {
        let (mut best, mut alpha) = (0, -2 * DECIDED);
        for (index, made) in moves.iter().enumerate() {
            let value = self.after(position, *made, depth, alpha, 2 * DECIDED)?;
            if value > alpha {
                (best, alpha) = (index, value);
            }
        }
        Some(best)
    }

    /// The value of a move for its side: alpha-beta, where the same side may move again.
    fn after(
        &mut self,
        position: &Position,
        made: Move,
        depth: u32,
        alpha: i64,
        beta: i64,
    ) -> Option<i64> {
        let mut next = *position;
        next.play_unchecked(made);
        if next.turn() == position.turn() {
            self.value(&next, depth - 1, alpha, beta)
        } else {
            self.value(&next, depth - 1, -beta, -alpha).map(|value| -value)
        }
    }

    /// The value of a position for the side on move, as far as it is between the bounds.
    fn value(&mut self, position: &Position, depth: u32, mut alpha: i64, beta: i64) -> Option<i64> {
        if depth == 0 || position.is_over() {
            return Some(estimate(position));
        }
        self.left = self.left.checked_sub(1)?;
        for made in candidates(position, PLACES[1]) {
            alpha = alpha.max(self.after(position, made, depth, alpha, beta)?);
            if alpha >= beta {
                break;
            }
        }
        Some(alpha)
    }
}

/// Moves worth trying: the snuggest places of each patch, and advancing.
fn candidates(position: &Position, places: usize) -> Vec<Move> {
    let quilt = position.side(position.turn()).quilt;
    let mut ranked: Vec<(Option<Patch>, u32, Move)> = position
        .moves()
        .map(|made| match made {
            Move::Advance => (None, 0, made),
            Move::Place(placement) => {
                (Some(placement.patch), quilt.union(placement.squares()).edges(), made)
            }
        })
        .collect();
    ranked.sort_unstable_by_key(|(patch, edges, made)| (Reverse(*patch), *edges, *made));
    let of_one_patch = ranked.chunk_by(|one, other| one.0 == other.0);
    of_one_patch.flat_map(|group| group.iter().take(places)).map(|(_, _, made)| *made).collect()
}

/// The estimated value of a position for the side on move: the difference of both sides' prospects.
fn estimate(position: &Position) -> i64 {
    let (own, other) = (position.turn(), position.turn().other());
    let decided = match position.winner() {
        None => return hope(position, own) - hope(position, other),
        Some(winner) if winner == own => DECIDED,
        Some(_) => -DECIDED,
    };
    decided + position.score(own) - position.score(other)
}

/// In tenths of a button: the current score, the income that is sure to come, and the time left,
/// minus the cost of ragged gaps.
fn hope(position: &Position, seat: Seat) -> i64 {
    let side: &Side = position.side(seat);
    let income = u32::from(side.income) * track::incomes(side.time, track::LAST);
    let time = i64::from(track::LAST - side.time);
    10 * (position.score(seat) + i64::from(income)) + TIME * time
        - EDGE * i64::from(side.quilt.edges())
}

/// Worth of a square of time, in tenths of a button.
const TIME: i64 = 25;

/// Cost of a side of an empty square next to a covered square or the border, in tenths of a button.
const EDGE: i64 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::start;

    #[test]
    fn candidates_are_the_tightest_places_of_each_patch() {
        let position = start();
        let moves = candidates(&position, 3);
        assert_eq!(moves.len(), 10);
        assert_eq!(moves.last(), Some(&Move::Advance));
        let quilt = |made: &Move| match made {
            Move::Advance => 0,
            Move::Place(placement) => placement.squares().edges(),
        };
        for patch in position.offer().iter() {
            let of_patch = |made: &Move| matches!(made, Move::Place(p) if p.patch == patch);
            let least = position.moves().filter(of_patch).map(|made| quilt(&made)).min();
            assert_eq!(moves.iter().filter(|made| of_patch(made)).map(quilt).min(), least);
        }
    }

    #[test]
    fn the_budget_bounds_the_positions() {
        let position = start();
        let moves = candidates(&position, PLACES[0]);
        assert_eq!(Tree { left: 0 }.best(&position, &moves, 2), None);
        let mut tree = Tree { left: BUDGET };
        assert!(tree.best(&position, &moves, 1).is_some());
        assert_eq!(tree.left, BUDGET, "the last depth only estimates");
        assert_eq!(tree.best(&position, &moves, DEEPEST), None);
        assert_eq!(tree.left, 0);
    }
}
