//! Plays anything that is legal, each action string as likely as the others.

use super::{Action, Draw, State, Strategy};
use crate::agamemnon::board::bits;
use crate::agamemnon::moves::placements;
use crate::agamemnon::{Board, Kind, Placement};

/// Draws actions at random.
pub(super) struct Random(judge_core::Random);

impl Random {
    pub(super) fn new(random: judge_core::Random) -> Random {
        Random(random)
    }

    /// A placement of a tile on one of these nodes, each as likely as the others.
    fn placement(&mut self, board: &Board, kind: Kind, nodes: u64) -> Option<Placement> {
        let ways = bits(nodes).map(|node| placements(board, kind, node)).sum::<u64>();
        let mut number = u64::from(self.0.below(u32::try_from(ways).ok().filter(|n| *n > 0)?));
        let node = bits(nodes).find(|node| {
            let ways = placements(board, kind, *node);
            let here = number < ways;
            number = number.saturating_sub(ways);
            here
        })?;
        let warp = if kind == Kind::Warp { Some(self.warp(board, node)?) } else { None };
        Some(Placement { kind, node, warp })
    }

    /// The other ends of two edges at a node.
    fn warp(&mut self, board: &Board, node: u8) -> Option<[u8; 2]> {
        let mut end = || {
            let number = self.0.below(board.degree(node).max(1)) as usize;
            bits(board.neighbours(node)).nth(number)
        };
        Some([end()?, end()?])
    }
}

impl Strategy for Random {
    fn puts_back(&mut self) -> bool {
        self.0.below(2) == 0
    }

    fn choose(&mut self, state: &State, draw: &Draw) -> Option<Action> {
        let State { board, position } = state;
        let (seat, empty) = (position.to_move(), position.empty(board));
        let draw = if self.0.below(2) == 0 { *draw } else { draw.reversed() };
        let Some(second) = draw.get(1) else {
            let only = self.placement(board, draw.get(0)?, empty)?;
            return Some(Action::new(seat, only, None));
        };
        if empty.count_ones() < 2 {
            return None;
        }
        // Both are drawn from all nodes until they differ, so each pair is equally likely.
        loop {
            let first = self.placement(board, draw.get(0)?, empty)?;
            let second = self.placement(board, second, empty)?;
            if first.node != second.node {
                return Some(Action::new(seat, first, Some(second)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agamemnon::STANDARD_EDGES;
    use judge_core::{Purpose, Seat, Seed};

    /// Number of times that each action comes up when it is drawn `rounds` times per action.
    fn counts(text: &str, rounds: u64) -> (u64, Vec<u64>) {
        let tiles = "Ob24Bf19Bc07Og00Of05Ba10Bh18Oi25Oe17Bb21Bf26Oa29Oj22Bf13Bg01Of28Oc09Bj03Bg11\
                     Od31Oj27Bd15Bi04Og08Oi12Be20Bi16";
        let state = State::parse(tiles, STANDARD_EDGES).expect("a state");
        let draw = text.parse().expect("a draw");
        let actions = state.position.count_actions(&state.board, &draw);
        let mut player = Random::new(Seed(5).random(Purpose::Opponent(Seat::One)));
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..actions * rounds {
            let action = player.choose(&state, &draw).expect("an action");
            assert_eq!(state.position.check(&state.board, &draw, &action), Ok(()));
            *counts.entry(action.to_string()).or_insert(0) += 1;
        }
        (actions, counts.into_values().collect())
    }

    #[test]
    fn every_action_is_equally_likely() {
        for text in ["fj", "jj", "ff", "fi"] {
            let (actions, counts) = counts(text, 60);
            assert_eq!(counts.len() as u64, actions, "{text}");
            assert!(counts.iter().all(|count| (20..110).contains(count)), "{text}: {counts:?}");
            // The sum of squares over the expectation is about the number of actions.
            let squares: u64 = counts.iter().map(|count| count.abs_diff(60).pow(2)).sum();
            assert!(squares / 60 < actions + 4 * actions.isqrt() + 10, "{text}: {squares}");
        }
    }
}
