//! Monte Carlo tree search with a fixed number of playouts, in integers only: short random
//! playouts, judged by the estimate, decide which of the candidate moves is looked at next.

use super::super::{Move, Position, Side, estimate};
use super::Strategy;
use super::candidates::candidates;

/// Playouts for one move.
const PLAYOUTS: u32 = 200;

/// Visits after which a position gets its own moves in the tree.
const EXPAND: u32 = 6;

/// Moves of a position in the tree.
const WIDTH: usize = 24;

/// Random plies of a playout.
const PLIES: u32 = 2;

/// Estimates from here on count as won, in quarters of a square.
const CLEAR: i32 = 40;

/// The value of a sure win; that of a sure loss is 0.
const SURE: u32 = 2 * CLEAR as u32;

/// Holds the stream of random numbers for the playouts.
pub(super) struct MonteCarlo(pub(super) judge_core::Random);

impl Strategy for MonteCarlo {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let mut tree = Tree { nodes: vec![Node::default()] };
        for _ in 0..PLAYOUTS {
            tree.play(position.clone(), &mut self.0);
        }
        // The first of equals: `max_by_key` would take the last.
        let children = tree.nodes[0].children.clone().rev();
        let best = children.max_by_key(|child| (tree.nodes[*child].visits, tree.nodes[*child].sum));
        best.and_then(|child| tree.nodes[child].chosen)
    }
}

/// A position in the tree.
#[derive(Default)]
struct Node {
    /// The move that leads here; none for the root.
    chosen: Option<Move>,
    /// Playouts that came through here.
    visits: u32,
    /// Sum of their values, each 0 to [`SURE`], for the side that made `chosen`.
    sum: u32,
    /// Where the positions after this one are.
    children: std::ops::Range<usize>,
    /// Whether `children` is known.
    expanded: bool,
}

impl Node {
    /// Mean value plus what it is worth to know it better (UCB1, as in Kocsis and Szepesvári:
    /// "Bandit based Monte-Carlo planning", 2006, with the logarithm to base 2), in 1024ths.
    fn promise(&self, parent_visits: u32) -> u64 {
        if self.visits == 0 {
            return u64::MAX;
        }
        let visits = u64::from(self.visits);
        let mean = (u64::from(self.sum) << 10) / (visits * u64::from(SURE));
        let unknown = (u64::from(parent_visits.ilog2() + 1) << 20) / visits;
        mean + unknown.isqrt() / 5
    }
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// One playout from the root.
    fn play(&mut self, mut position: Position, random: &mut judge_core::Random) {
        let mut path = vec![0];
        let mut at = 0;
        loop {
            if !self.nodes[at].expanded {
                if at != 0 && self.nodes[at].visits < EXPAND {
                    break;
                }
                self.expand(at, &mut position);
            }
            let Some(child) = self.most_promising(at) else { break };
            if let Some(chosen) = self.nodes[child].chosen {
                position.play_unchecked(chosen);
            }
            path.push(child);
            at = child;
        }
        let last_mover = position.to_move().other();
        let value = playout(&mut position, last_mover, random);
        // From the end of the path back, the values are those of one side and the other in turn.
        for (distance, node) in path.into_iter().rev().enumerate() {
            self.nodes[node].visits += 1;
            self.nodes[node].sum += if distance % 2 == 0 { value } else { SURE - value };
        }
    }

    fn expand(&mut self, at: usize, position: &mut Position) {
        let first = self.nodes.len();
        let moves = candidates(position, WIDTH, &mut 0);
        self.nodes.extend(
            moves.into_iter().map(|(_, chosen)| Node { chosen: Some(chosen), ..Node::default() }),
        );
        self.nodes[at].children = first..self.nodes.len();
        self.nodes[at].expanded = true;
    }

    /// The child to look at next, among more and more as visits go up; none when there is none.
    fn most_promising(&self, at: usize) -> Option<usize> {
        let Node { visits, ref children, .. } = self.nodes[at];
        let considered = children.clone().take(2 + visits.isqrt() as usize);
        considered.rev().max_by_key(|child| self.nodes[*child].promise(visits.max(1)))
    }
}

/// The value for `side` of a position after a few random plies, 0 to [`SURE`].
fn playout(position: &mut Position, side: Side, random: &mut judge_core::Random) -> u32 {
    for _ in 0..PLIES {
        let Some(chosen) = position.staged_move(random) else { break };
        position.play_unchecked(chosen);
    }
    let value = match position.winner() {
        Some(winner) if winner == side => CLEAR,
        Some(_) => -CLEAR,
        None => estimate(position, side).clamp(-CLEAR, CLEAR),
    };
    (value + CLEAR) as u32
}
