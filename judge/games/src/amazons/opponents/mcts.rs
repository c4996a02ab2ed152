//! Monte Carlo tree search with a fixed number of playouts, in integers only: short random
//! playouts, judged by the estimate, decide which of the candidate moves is looked at next.

use std::sync::Arc;

use judge_core::Random;

use super::super::learning::{Key, Knowledge, Known, Place, Table};
use super::super::{Move, Position, Side, estimate};
use super::Strategy;
use super::candidates::candidates;

/// Playouts for one move.
const PLAYOUTS: u32 = 200;

/// Visits after which a position gets its own moves in the tree.
const EXPAND: u32 = 6;

/// Moves of a position in the tree.
pub(in crate::amazons) const WIDTH: usize = 24;

/// Random plies of a playout.
const PLIES: u32 = 2;

/// Estimates from here on count as won, in quarters of a square.
const CLEAR: i32 = 40;

/// The value of a sure win; that of a sure loss is 0.
pub(in crate::amazons) const SURE: u32 = 2 * CLEAR as u32;

/// Holds the stream of random numbers for the playouts, and what self-play has taught.
pub(super) struct MonteCarlo {
    random: Random,
    knowledge: Option<Arc<Knowledge>>,
}

impl MonteCarlo {
    pub(super) fn new(random: Random, knowledge: Option<Arc<Knowledge>>) -> MonteCarlo {
        MonteCarlo { random, knowledge }
    }
}

impl Strategy for MonteCarlo {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let table = self.knowledge.as_deref().map(Knowledge::table);
        Tree::grow(position, PLAYOUTS, table, &mut self.random).best()
    }
}

/// A position in the tree.
#[derive(Default)]
struct Node {
    /// The move that leads here; none for the root.
    chosen: Option<Move>,
    /// Playouts that came through here, those that the table knows of included.
    visits: u32,
    /// Sum of their values, each 0 to [`SURE`], for the side that made `chosen`.
    sum: u32,
    /// What of visits and sum came from the table.
    known: [u32; 2],
    /// Visits of its moves, by the table, beyond its own.
    ahead: u32,
    /// Where the positions after this one are.
    children: std::ops::Range<usize>,
    /// Whether `children` is known.
    expanded: bool,
}

impl Node {
    fn of(known: &Known) -> Node {
        let Known { chosen, visits, sum } = *known;
        Node { chosen: Some(chosen), visits, sum, known: [visits, sum], ..Node::default() }
    }

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

    /// What this search has added to the table's knowledge of the move that leads here.
    fn gained(&self) -> Option<Known> {
        let [visits, sum] = self.known;
        let known = Known { chosen: self.chosen?, visits: self.visits - visits, sum: self.sum - sum };
        (known.visits > 0).then_some(known)
    }
}

/// What a search looks at: positions from the root on, and what came of the playouts through them.
pub(in crate::amazons) struct Tree<'a> {
    nodes: Vec<Node>,
    table: Option<&'a Table>,
    /// The positions with moves and their places in the table, if there is one.
    places: Vec<(usize, Place)>,
}

impl<'a> Tree<'a> {
    /// A tree with so many playouts. Without a table, or with an empty one, it begins from nothing.
    pub(in crate::amazons) fn grow(
        position: &Position,
        playouts: u32,
        table: Option<&'a Table>,
        random: &mut Random,
    ) -> Tree<'a> {
        let mut tree = Tree { nodes: vec![Node::default()], table, places: Vec::new() };
        for _ in 0..playouts {
            tree.play(position.clone(), random);
        }
        tree
    }

    /// The move that was looked at most.
    pub(super) fn best(&self) -> Option<Move> {
        // The first of equals: `max_by_key` would take the last.
        let children = self.nodes[0].children.clone().rev();
        let best = children.max_by_key(|child| (self.nodes[*child].visits, self.nodes[*child].sum));
        best.and_then(|child| self.nodes[child].chosen)
    }

    /// A move drawn by how often this search went there.
    pub(in crate::amazons) fn drawn(&self, random: &mut Random) -> Option<Move> {
        let moves = || self.nodes[self.nodes[0].children.clone()].iter().filter_map(Node::gained);
        let all: u32 = moves().map(|known| known.visits).sum();
        let mut left = (all > 0).then(|| random.below(all))?;
        let drawn = moves().find(|known| {
            let here = left < known.visits;
            left = left.saturating_sub(known.visits);
            here
        });
        drawn.map(|known| known.chosen)
    }

    /// What there is to learn, in the order in which positions got their moves; nothing without a
    /// table.
    pub(in crate::amazons) fn lessons(&self) -> Vec<(Key, Vec<Known>)> {
        let lesson = |(node, place): &(usize, Place)| {
            let moves = self.nodes[self.nodes[*node].children.clone()].iter();
            let inward = |known: Known| Known { chosen: place.inward(known.chosen), ..known };
            (place.key, moves.filter_map(Node::gained).map(inward).collect())
        };
        self.places.iter().map(lesson).collect()
    }

    /// One playout from the root.
    fn play(&mut self, mut position: Position, random: &mut Random) {
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

    /// Gives a position its moves: those in the table before others.
    fn expand(&mut self, at: usize, position: &mut Position) {
        let first = self.nodes.len();
        let known = self.known(at, position);
        let seen: u32 = known.iter().map(|known| known.visits).sum();
        self.nodes.extend(known.iter().map(Node::of));
        for (_, chosen) in candidates(position, WIDTH, &mut 0) {
            if known.iter().all(|known| known.chosen != chosen) {
                self.nodes.push(Node { chosen: Some(chosen), ..Node::default() });
            }
        }
        self.nodes.truncate(first + WIDTH);
        let (children, node) = (first..self.nodes.len(), &mut self.nodes[at]);
        node.children = children;
        node.ahead = seen.saturating_sub(node.visits);
        node.expanded = true;
    }

    /// What the table knows of the moves of a position.
    fn known(&mut self, at: usize, position: &Position) -> Vec<Known> {
        let Some((place, moves)) = self.table.and_then(|table| table.look_up(position)) else {
            return Vec::new();
        };
        self.places.push((at, place));
        moves
    }

    /// The child to look at next, among more and more as visits go up; none when there is none.
    fn most_promising(&self, at: usize) -> Option<usize> {
        let Node { visits, ahead, ref children, .. } = self.nodes[at];
        let visits = visits + ahead;
        let considered = children.clone().take(2 + visits.isqrt() as usize);
        considered.rev().max_by_key(|child| self.nodes[*child].promise(visits.max(1)))
    }
}

/// The value for `side` of a position after a few random plies, 0 to [`SURE`].
fn playout(position: &mut Position, side: Side, random: &mut Random) -> u32 {
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
