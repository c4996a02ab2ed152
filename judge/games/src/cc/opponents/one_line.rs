//! Two players that follow one line of play for each of their moves: the original's, and a stronger
//! one with the same evaluation and depth. Neither looks for a win.

use std::ops::ControlFlow;

use judge_core::Seat;

use super::{Path, Position, Strategy};
use crate::cc::{Change, Ending, Square, visit_paths};

/// Depth of their search.
const DEPTH: u32 = 3;

/// Moves tried for one move, over all positions, on a board of the original's size or smaller; when
/// they are not enough, which is rare, the player searches less deep.
const BUDGET: u32 = 1_000_000;

/// The same on larger boards, where the original would take minutes for a move.
const LARGE_BOARD_BUDGET: u32 = 60_000;

/// Added to the score of a side that has lost.
const LOST: i32 = -9_999_999;

/// Added to the score of a side that has won.
const WON: i32 = 1_000;

/// Added to both scores in a draw.
const DRAWN: i32 = 100;

/// Value of each man on the board.
const MAN: i32 = 10;

/// The original's player: for every move of a line, even the other side's, it takes the one that is
/// best for itself. Without luck or memory: equal positions, equal moves.
pub(super) struct Smart;

impl Strategy for Smart {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        choose(position, Some(position.turn()))
    }
}

/// A player that expects each side to make its best move. It has no luck or memory either.
pub(super) struct Lookahead;

impl Strategy for Lookahead {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        choose(position, None)
    }
}

/// The move of the greatest depth for which the work is enough.
fn choose(position: &Position, favoured: Option<Seat>) -> Option<Path> {
    let left = if position.size() <= 6 { BUDGET } else { LARGE_BOARD_BUDGET };
    let mut depths = (1..=DEPTH).rev();
    depths.find_map(|depth| Thought { left, favoured }.best(position, depth)).map(|(path, _)| path)
}

/// The search for one choice.
struct Thought {
    /// The remaining work.
    left: u32,
    /// The side for which both sides move; `None` when each moves for itself.
    favoured: Option<Seat>,
}

impl Thought {
    /// The move with the line that ends with the highest score, the last one of equals; `None`
    /// without a move, or when the work is not enough to try them all. At depth 1, where every move
    /// is tried without looking further, the moves tried so far are enough.
    fn best(&mut self, position: &Position, depth: u32) -> Option<(Path, Change)> {
        let seat = self.favoured.unwrap_or(position.turn());
        let mut best = None;
        let complete = visit_paths(position, |path, change| {
            let next = position.after(change);
            let Some(end) = self.follow(&next, depth) else { return ControlFlow::Break(()) };
            let value = score(&end, seat);
            let bar = best.map_or_else(|| self.first_bar(&next), |(_, _, bar)| bar);
            if best.is_none() || value >= bar {
                best = Some((*path, change, value.max(bar)));
            }
            ControlFlow::Continue(())
        });
        let (path, change, _) = best?;
        (depth == 1 || complete.is_continue()).then_some((path, change))
    }

    /// The score that a line has to reach to be kept. In the original that is the score of the
    /// *other* side after the first move; when no line reaches it, the first move is chosen.
    fn first_bar(&self, next: &Position) -> i32 {
        self.favoured.map_or(i32::MIN, |seat| score(next, seat.other()))
    }

    /// The end of the line that continues from a position, each of its moves found by a search one
    /// level less deep; `None` when the work is not enough.
    fn follow(&mut self, next: &Position, depth: u32) -> Option<Position> {
        self.left = self.left.checked_sub(1)?;
        let mut end = *next;
        for _ in 1..depth {
            if end.ending().is_some() {
                break;
            }
            end = end.after(self.best(&end, depth - 1)?.1);
        }
        Some(end)
    }
}

/// The original's evaluation: the men of a side, and the end if there is one. Its reach is the
/// size for the side on turn and one less for the other.
fn score(position: &Position, seat: Seat) -> i32 {
    let reach = i32::from(position.size()) - i32::from(position.turn() != seat);
    let men = position.men(seat).iter().map(|square| man(square, seat, position.size(), reach));
    men.sum::<i32>() + result(position, seat)
}

/// The part of the end of the game in the score of a side.
fn result(position: &Position, seat: Seat) -> i32 {
    match position.ending().map(Ending::winner) {
        None => 0,
        Some(None) => DRAWN,
        Some(Some(winner)) if winner == seat => WON,
        Some(Some(_)) => LOST,
    }
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
    fn the_evaluation_counts_the_distance_to_the_target() {
        let position = set_up(6, &["5,4", "0,0"], &["1,1", "5,5", "4,0"]);
        // (6-0)²+(6-1)² and (6-5)²+(6-5)², and ten for each man.
        assert_eq!(score(&position, Seat::One), 61 + 2 + 20);
        // (5-1)²+(5-1)², 0 and (5-4)²+(5-0)².
        assert_eq!(score(&position, Seat::Two), 32 + 26 + 30);
    }

    #[test]
    fn finished_games_have_the_original_values() {
        let blocked = set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]);
        assert_eq!(Seat::BOTH.map(|seat| result(&blocked, seat)), [DRAWN; 2]);
        let lost = set_up(6, &["1,1", "4,5"], &["0,0", "5,4"]);
        assert_eq!(Seat::BOTH.map(|seat| result(&lost, seat)), [LOST, WON]);
    }

    /// The choice of a search of one level.
    fn shallow(position: &Position, favoured: Option<Seat>) -> Path {
        Thought { left: 100, favoured }.best(position, 1).expect("a move").0
    }

    #[test]
    fn a_shallow_search_scores_like_the_evaluation() {
        let position = set_up(6, &["1,1", "3,0"], &["2,2", "2,4", "4,4"]);
        let best = position.check(&shallow(&position, None)).expect("a legal move");
        // Of all moves, this one comes nearest to the target.
        let value = |change| score(&position.after(change), Seat::One);
        assert!(crate::cc::changes(&position).into_iter().all(|other| value(other) <= value(best)));
    }

    /// Seat 1 has a way ahead, but seat 2 has twice as many men, and so the higher score.
    #[test]
    fn the_first_move_is_kept_if_no_move_reaches_the_threshold() {
        let position = set_up(6, &["0,5", "1,1"], &["5,1", "1,3", "4,1", "3,2", "1,4", "4,3"]);
        let mut paths = Vec::new();
        let _ = visit_paths(&position, |path, _| {
            paths.push(*path);
            ControlFlow::Continue(())
        });
        assert_eq!(shallow(&position, Some(Seat::One)), paths[0]);
        assert_ne!(shallow(&position, None), paths[0]);
    }

    /// Seat 2, on turn, could take the man of seat 1 that is far ahead.
    #[test]
    fn the_original_bias_for_one_side_is_kept() {
        let position = set_up(6, &["4,3", "0,0", "0,3"], &["5,4", "2,0", "5,0"]);
        let step = position.check(&"0,0>0,1".parse().expect("a path")).expect("a legal move");
        let next = position.after(step);
        let takes = |favoured| {
            let path = shallow(&next, favoured);
            next.check(&path).expect("a legal move").captured.is_some()
        };
        assert!(takes(None) && !takes(Some(Seat::One)));
    }

    #[test]
    fn a_small_work_limit_reduces_the_depth() {
        let position = Position::start(8).expect("an allowed size");
        for favoured in [None, Some(Seat::One)] {
            assert_eq!(Thought { left: 1000, favoured }.best(&position, 3), None);
            assert!(Thought { left: 1000, favoured }.best(&position, 2).is_some());
            assert!(Thought { left: 3, favoured }.best(&position, 1).is_some());
        }
    }
}
