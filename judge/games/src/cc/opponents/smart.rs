//! Plays like the original's smart player: it follows one line of play for each of its moves, and
//! takes the move whose line ends best for its own men. It does not look for a win.

use std::ops::ControlFlow;

use judge_core::Seat;

use super::{Path, Position, Strategy};
use crate::cc::{Change, Ending, Square, visit_paths};

/// How deep it thinks.
const DEPTH: u32 = 3;

/// Moves that it tries for one of its own, over all positions, on a board of the original's size
/// or smaller; when they do not suffice, which is rare, it thinks less deep.
const BUDGET: u32 = 1_000_000;

/// The same on larger boards, where the original would take minutes for a move.
const LARGE_BOARD_BUDGET: u32 = 60_000;

/// Added to the score of a side that has lost.
const LOST: i32 = -9_999_999;

/// Added to the score of a side that has won.
const WON: i32 = 1_000;

/// Added to both scores in a draw.
const DRAWN: i32 = 100;

/// What each man on the board counts.
const MAN: i32 = 10;

/// A player without luck or memory: equal positions, equal moves.
pub(super) struct Smart;

impl Strategy for Smart {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        let left = if position.size() <= 6 { BUDGET } else { LARGE_BOARD_BUDGET };
        let mut depths = (1..=DEPTH).rev();
        depths.find_map(|depth| Thought { left }.best(position, depth)).map(|(path, _)| path)
    }
}

/// The work that is left for one choice.
struct Thought {
    left: u32,
}

impl Thought {
    /// The move whose line ends with the highest score, of equal ones the last; `None` when there
    /// is no move, or when the work does not suffice to try them all. At depth 1, where every
    /// move is tried without looking further, it settles for those that it could try.
    fn best(&mut self, position: &Position, depth: u32) -> Option<(Path, Change)> {
        let mut best = None;
        let before = men(position, position.turn(), i32::from(position.size()) - 1);
        let complete = visit_paths(position, |path, change| {
            let Some(score) = self.try_out(position, change, depth, before) else {
                return ControlFlow::Break(());
            };
            if best.is_none_or(|(_, _, highest)| score >= highest) {
                best = Some((*path, change, score));
            }
            ControlFlow::Continue(())
        });
        let (path, change, _) = best?;
        (depth == 1 || complete.is_continue()).then_some((path, change))
    }

    /// Score at the end of the line that begins with a move, for the side that makes it; `before`
    /// is the score of its men before the move, as seen when the other side is on turn.
    fn try_out(
        &mut self,
        position: &Position,
        change: Change,
        depth: u32,
        before: i32,
    ) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        let (seat, reach) = (position.turn(), i32::from(position.size()) - 1);
        let mut end = position.after(change);
        if depth == 1 {
            let man = |square| man(square, seat, position.size(), reach);
            return Some(before - man(change.from) + man(change.to) + result(&end, seat));
        }
        for _ in 1..depth {
            if end.ending().is_some() {
                break;
            }
            end = end.after(self.best(&end, depth - 1)?.1);
        }
        let reach = i32::from(end.size()) - i32::from(end.turn() != seat);
        Some(men(&end, seat, reach) + result(&end, seat))
    }
}

/// What the end of the game adds to the score of a side.
fn result(position: &Position, seat: Seat) -> i32 {
    match position.ending().map(Ending::winner) {
        None => 0,
        Some(None) => DRAWN,
        Some(Some(winner)) if winner == seat => WON,
        Some(Some(_)) => LOST,
    }
}

/// What the men of a side count. The original's evaluation has a reach of `size` for the side on
/// turn and one less for the other.
fn men(position: &Position, seat: Seat, reach: i32) -> i32 {
    position.men(seat).iter().map(|square| man(square, seat, position.size(), reach)).sum()
}

fn man(square: Square, seat: Seat, size: u8, reach: i32) -> i32 {
    let target = Square::target(seat, size);
    let rows = reach - i32::from(square.row().abs_diff(target.row()));
    let columns = reach - i32::from(square.column().abs_diff(target.column()));
    rows * rows + columns * columns + MAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::tests::set_up;

    /// The original's formula, by hand: 6x6, seat 1 on turn.
    #[test]
    fn the_evaluation_counts_the_way_to_the_target() {
        let position = set_up(6, &["5,4", "0,0"], &["1,1", "5,5", "4,0"]);
        let score = |seat, reach| men(&position, seat, reach) + result(&position, seat);
        // (6-0)²+(6-1)² and (6-5)²+(6-5)², and ten for each man.
        assert_eq!(score(Seat::One, 6), 61 + 2 + 20);
        // (5-1)²+(5-1)², 0 and (5-4)²+(5-0)².
        assert_eq!(score(Seat::Two, 5), 32 + 26 + 30);
    }

    #[test]
    fn ends_count_as_in_the_original() {
        let blocked = set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]);
        assert_eq!(Seat::BOTH.map(|seat| result(&blocked, seat)), [DRAWN; 2]);
        let lost = set_up(6, &["1,1", "4,5"], &["0,0", "5,4"]);
        assert_eq!(Seat::BOTH.map(|seat| result(&lost, seat)), [LOST, WON]);
    }

    #[test]
    fn a_shallow_thought_scores_as_the_evaluation_does() {
        let position = set_up(6, &["1,1", "3,0"], &["2,2", "2,4", "4,4"]);
        // Of all moves, this one comes nearest to the target.
        let best = Thought { left: 100 }.best(&position, 1).expect("a move");
        let score = |change| {
            let next = position.after(change);
            men(&next, Seat::One, 5) + result(&next, Seat::One)
        };
        assert!(
            crate::cc::changes(&position).into_iter().all(|other| score(other) <= score(best.1))
        );
    }

    #[test]
    fn without_enough_work_it_thinks_less_deep() {
        let position = Position::start(8).expect("an allowed size");
        assert_eq!(Thought { left: 1000 }.best(&position, 3), None);
        assert!(Thought { left: 1000 }.best(&position, 2).is_some());
        assert!(Thought { left: 3 }.best(&position, 1).is_some());
    }
}
