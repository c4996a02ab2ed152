//! Capturing & Conquering runner: always the move that brings a man farthest towards its corner.
//!
//! It looks one move ahead and no more: it wins when it can, and of equally long ways it takes one
//! with a capture, then the first. What the other side does is not its business.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

use judge_bot::cc::{Brain, Change, Path, Position, visit_paths};
use std::ops::ControlFlow;

/// Paths that it looks at, at most: a position full of men can have too many.
const CONSIDERED: u32 = 20_000;

/// The player.
#[derive(Default)]
pub struct Runner;

impl Brain for Runner {
    fn choose(&mut self, position: &Position) -> Path {
        let (mut best, mut seen) = (None::<((bool, i32, bool), Path)>, 0);
        let _ = visit_paths(position, |path, change| {
            let promise = promise(position, change);
            if best.as_ref().is_none_or(|(highest, _)| promise > *highest) {
                best = Some((promise, *path));
            }
            seen += 1;
            if seen < CONSIDERED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        best.expect("whoever is asked has a move").1
    }
}

/// Whether a move wins, how far it goes, and whether it takes a man.
fn promise(position: &Position, change: Change) -> (bool, i32, bool) {
    let goal = position.target(position.turn());
    let left = |square: judge_bot::cc::Square| {
        let rows = square.row().abs_diff(goal.row());
        i32::from(rows) + i32::from(square.column().abs_diff(goal.column()))
    };
    let wins = position.after(change).decided().is_some();
    (wins, left(change.from) - left(change.to), change.captured.is_some())
}

judge_bot::cc_bot!(Runner, name: "runner", author: "judge");

#[cfg(test)]
mod tests {
    use super::*;

    /// A position on 5x5, as its key.
    fn chosen(position: &str) -> String {
        Runner.choose(&position.parse().expect("a position")).to_string()
    }

    #[test]
    fn a_win_comes_first() {
        // Taking the man on 1,1 leaves one: better than any way.
        assert_eq!(chosen("001000000000011000000000000001100000100000000000000"), "0,0>2,2");
    }

    #[test]
    fn then_the_longest_way() {
        assert_eq!(chosen("001010100000101000000010000000001100000001100001111"), "0,1>2,1");
    }
}
