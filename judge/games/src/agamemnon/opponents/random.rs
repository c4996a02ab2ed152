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
        // Both are drawn from all nodes until they differ: so each pair is equally likely.
        loop {
            let first = self.placement(board, draw.get(0)?, empty)?;
            let second = self.placement(board, second, empty)?;
            if first.node != second.node {
                return Some(Action::new(seat, first, Some(second)));
            }
        }
    }
}
