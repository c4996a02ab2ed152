//! Searches: alpha-beta with iterative deepening (Knuth, Moore: "An analysis of alpha-beta
//! pruning", 1975), as deep as a fixed amount of work allows.

use std::ops::ControlFlow;

use judge_core::Seat;

use super::{Path, Position, Strategy};
use crate::cc::{Change, Ending, Square, visit_paths};

/// Work for one move: paths listed, over all positions of the search.
const BUDGET: u32 = 10_000;

/// Paths listed in one position, at most; later ones are not seen.
const PER_POSITION: u32 = 1_000;

/// Depth at which the search ends even if there is work left, in plies.
const MAX_DEPTH: u32 = 12;

/// Value of a win at once; one ply later it is worth one less. No evaluation comes near it.
const WIN: i32 = 1_000_000;

/// Value of a man that is still on the board.
const MAN: i32 = 40;

/// Value of a man on its own corner: no man can land there.
const GUARD: i32 = 30;

/// A player that searches.
pub(super) struct AlphaBeta;

impl Strategy for AlphaBeta {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        let mut search = Search { left: BUDGET };
        // The first list is free, so that there is always a move to choose.
        let mut moves = Vec::new();
        list(position, |path, change| moves.push((*path, change, 0)));
        order(&mut moves, |entry| entry.1, position);
        for depth in 1..=MAX_DEPTH {
            if search.root(position, depth, &mut moves).is_none() {
                break;
            }
        }
        moves.first().map(|(path, ..)| *path)
    }
}

/// Calls `add` for the first paths of a position, and returns their number.
fn list(position: &Position, mut add: impl FnMut(&Path, Change)) -> u32 {
    let mut seen = 0;
    // Whether it was broken off does not matter.
    let _ = visit_paths(position, |path, change| {
        add(path, change);
        seen += 1;
        if seen < PER_POSITION { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    seen
}

/// Puts the most promising moves first: captures, then the longest way forward. Only one of equal
/// changes remains.
fn order<T>(moves: &mut Vec<T>, change: impl Fn(&T) -> Change, position: &Position) {
    let promise = |entry: &T| {
        let Change { from, to, captured } = change(entry);
        let turn = position.turn();
        (captured.is_none(), progress(from, turn) - progress(to, turn), change(entry))
    };
    moves.sort_by_key(promise);
    moves.dedup_by_key(|entry| change(entry));
}

/// Distance of a man from the top left, or back to it.
fn progress(square: Square, seat: Seat) -> i32 {
    let way = i32::from(square.row()) + i32::from(square.column());
    if seat == Seat::One { way } else { -way }
}

/// The search for one move.
struct Search {
    /// The remaining work.
    left: u32,
}

impl Search {
    /// Values every move and puts the best first; `None`, with the moves as they were, when the
    /// work was not enough.
    fn root(
        &mut self,
        position: &Position,
        depth: u32,
        moves: &mut Vec<(Path, Change, i32)>,
    ) -> Option<()> {
        let mut valued = moves.clone();
        let mut best = -WIN;
        for (_, change, value) in &mut valued {
            *value = -self.value(&position.after(*change), depth - 1, 1, -WIN, -best)?;
            best = best.max(*value);
        }
        // Stable: of equal values the one that was better at the last depth stays first.
        valued.sort_by_key(|(.., value)| -value);
        *moves = valued;
        // A won or lost game needs no deeper look.
        (best.abs() < WIN / 2).then_some(())
    }

    /// Value for the side on turn, searched to that depth; `None` when the work was not enough.
    fn value(
        &mut self,
        position: &Position,
        depth: u32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        match position.decided() {
            Some(Ending::OneEach) => return Some(0),
            Some(_) => return Some(ply - WIN),
            None if depth == 0 => return Some(evaluate(position)),
            None => {}
        }
        let mut moves = Vec::new();
        let listed = list(position, |_, change| moves.push(change));
        self.left = self.left.checked_sub(listed)?;
        order(&mut moves, |change| *change, position);
        // Without a move the game is drawn.
        let mut best = if moves.is_empty() { 0 } else { -WIN };
        for change in moves {
            let value = -self.value(&position.after(change), depth - 1, ply + 1, -beta, -alpha)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// Value of a position for the side on turn: men, their progress, a guarded corner.
fn evaluate(position: &Position) -> i32 {
    let [own, other] = [position.turn(), position.turn().other()].map(|seat| side(position, seat));
    own - other
}

fn side(position: &Position, seat: Seat) -> i32 {
    let size = position.size();
    let (home, goal) = (Square::target(seat.other(), size), Square::target(seat, size));
    let (mut sum, mut nearest) = (0, i32::from(size));
    for square in position.men(seat).iter() {
        sum += MAN + progress(square, seat) - progress(home, seat);
        nearest = nearest.min(i32::from(square.distance(goal)));
    }
    let guard = if position.men(seat).contains(home) { GUARD } else { 0 };
    sum + guard - 2 * nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::tests::set_up;

    fn chosen(one: &[&str], two: &[&str]) -> String {
        AlphaBeta.choose(&set_up(6, one, two)).expect("a move").to_string()
    }

    #[test]
    fn alphabeta_takes_an_immediate_win() {
        assert_eq!(chosen(&["4,4", "0,0", "2,1"], &["3,3", "5,3", "2,2"]), "4,4>5,5");
        assert_eq!(chosen(&["0,0", "1,1", "5,0"], &["2,2", "5,4"]), "1,1>3,3");
    }

    #[test]
    fn alphabeta_prevents_a_win_of_the_other_side() {
        // The man on 1,1 would step to 0,0; it can be jumped, or its way blocked.
        let (one, two) = (["0,2", "3,0", "2,2"], ["1,1", "5,5", "4,5", "5,2"]);
        let position = set_up(6, &one, &two);
        let path = AlphaBeta.choose(&position).expect("a move");
        let next = position.after(position.check(&path).expect("a legal move"));
        let mut wins = false;
        list(&next, |_, change| wins |= next.after(change).decided().is_some());
        assert!(!wins, "{path}");
    }

    #[test]
    fn the_work_is_bounded() {
        let position = Position::start(16).expect("an allowed size");
        let mut search = Search { left: 500 };
        let mut moves = Vec::new();
        list(&position, |path, change| moves.push((*path, change, 0)));
        let before = moves.clone();
        assert_eq!(search.root(&position, 6, &mut moves), None);
        assert_eq!(moves, before);
        assert!(search.left <= 500);
    }
}
