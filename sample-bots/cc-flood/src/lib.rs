//! Capturing & Conquering flood: searches places instead of paths.
//!
//! Chains of jumps make this game wide: thousands of paths may lead to a dozen squares. So the bot
//! never lists paths while it thinks.
//!
//! 1. It *floods* the board from each man: every square is entered once for each enemy man that
//!    may have been taken on the way (`flood`).
//! 2. It floods backwards from its corner, and sees an arrival in one turn without any search.
//! 3. A search over these places, with a table of positions met before (`search`, `table`), goes
//!    some plies deeper than one over paths.
//! 4. Men, their way, and a guard at home decide where the search ends (`evaluate`).
//! 5. Only the chosen move is spelled as a path, from the judge's own list.
//!
//! The work is shared out: each move may use a part of the remaining work for the round, so that no
//! game, however long, costs more than its share of the testcase.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

mod board;
mod evaluate;
mod flood;
mod search;
mod table;

use std::ops::ControlFlow;

use judge_bot::cc::{Brain, Change, Path, Position, visit_paths};
use search::Search;

/// Work for one round, in the units of the search: each is some 400 instructions, so that six
/// rounds stay within 4000 judge-milliseconds.
const ROUND: u32 = 1_600_000;

/// Each move may use this part of the remaining work.
const PART: u32 = 10;

/// The player.
pub struct Flood {
    search: Search,
    left: u32,
}

impl Default for Flood {
    fn default() -> Flood {
        Flood { search: Search::new(), left: ROUND }
    }
}

impl Brain for Flood {
    fn choose(&mut self, position: &Position) -> Path {
        let work = self.left / PART;
        self.left -= work;
        let best = self.search.best(position, work).expect("whoever is asked has a move");
        spelled(position, best)
    }
}

/// The first path with this effect.
fn spelled(position: &Position, wanted: Change) -> Path {
    let mut found = None;
    let _ = visit_paths(position, |path, change| {
        if change == wanted {
            found = Some(*path);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found.expect("the change is one of this position")
}

judge_bot::cc_bot!(Flood, name: "flood", author: "judge");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_legal_and_the_work_never_runs_out() {
        for size in [5, 8, 9] {
            let mut flood = Flood::default();
            let mut position = Position::start(size).expect("an allowed size");
            for _ in 0..20 {
                let path = flood.choose(&position);
                position = position.after(position.check(&path).expect("a legal path"));
                if position.ending().is_some() {
                    break;
                }
            }
            assert!(flood.left > 0);
        }
    }
}
