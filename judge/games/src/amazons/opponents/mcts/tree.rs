//! The tree of a search: the choice of the next move to examine, the results, and, with a table,
//! the prior knowledge, the proofs that follow from it, and the results to learn.

use std::cmp::Reverse;

use judge_core::Random;

use super::super::super::knowledge::{Entry, Known, Lesson, Place, Proof, SURE, Table, WIDTH};
use super::super::super::{Move, Position};
use super::super::candidates::candidates;
use super::{EXPAND, playout};

/// A position in the tree.
#[derive(Default)]
struct Node {
    /// The move that leads here; none for the root.
    chosen: Option<Move>,
    /// Playouts that came through here, including those in the table.
    visits: u32,
    /// Sum of their values, each 0 to [`SURE`], for the side that made `chosen`.
    sum: u32,
    /// The table's part of visits and sum.
    known: [u32; 2],
    /// Visits of its moves in the table, beyond its own.
    ahead: u32,
    /// Indexes of the positions after this one.
    children: std::ops::Range<usize>,
    /// True if `children` is known.
    expanded: bool,
    /// True if `children` are all legal moves, as far as that matters.
    complete: bool,
    /// The proven end for the side on turn, if the table has one or one follows from it.
    proof: Option<Proof>,
    /// True if the table was asked for a proof.
    asked: bool,
}

impl Node {
    fn from_known(known: &Known) -> Node {
        let Known { chosen, visits, sum } = *known;
        Node { chosen: Some(chosen), visits, sum, known: [visits, sum], ..Node::default() }
    }

    /// Mean value plus the value of exploring it (UCB1, as in Kocsis and Szepesvári: "Bandit based
    /// Monte-Carlo planning", 2006, with the logarithm to base 2), in 1024ths.
    fn promise(&self, parent_visits: u32) -> u64 {
        if self.visits == 0 {
            return u64::MAX;
        }
        let visits = u64::from(self.visits);
        let mean = (u64::from(self.sum) << 10) / (visits * u64::from(SURE));
        let unknown = (u64::from(parent_visits.ilog2() + 1) << 20) / visits;
        mean + unknown.isqrt() / 5
    }

    /// This search's addition to the table's knowledge of the move that leads here.
    fn gained(&self) -> Option<Known> {
        let [visits, sum] = self.known;
        let known =
            Known { chosen: self.chosen?, visits: self.visits - visits, sum: self.sum - sum };
        (known.visits > 0).then_some(known)
    }
}

/// The positions of a search from the root on, and the results of the playouts through them.
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
        let (nodes, places) = (vec![Node::default()], Vec::new());
        let mut tree = Tree { nodes, table, places };
        for _ in 0..playouts {
            tree.play(position.clone(), random);
            if tree.is_decided() {
                break;
            }
        }
        tree
    }

    /// The most visited move, unless a better one is certain.
    pub(super) fn best(&self) -> Option<Move> {
        // The first of equals: `max_by_key` would take the last.
        let best = self.nodes[0].children.clone().min_by_key(|child| {
            let Node { proof, visits, sum, .. } = self.nodes[*child];
            Reverse((Proof::for_the_other(proof), visits, sum))
        });
        best.and_then(|child| self.nodes[child].chosen)
    }

    /// True if the search has proved the end of the root.
    fn is_decided(&self) -> bool {
        self.nodes[0].proof.is_some()
    }

    /// A move drawn by the visits of this search.
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

    /// The results to learn: for each expanded position, the values of its moves. Positions further
    /// from the root come first. Empty without a table.
    pub(in crate::amazons) fn lessons(&self) -> Vec<Lesson> {
        let lesson = |(node, place): &(usize, Place)| {
            let moves = self.nodes[self.nodes[*node].children.clone()].iter();
            let inward = |known: Known| Known { chosen: place.inward(known.chosen), ..known };
            (place.key, moves.filter_map(Node::gained).map(inward).collect())
        };
        self.places.iter().rev().map(lesson).collect()
    }

    /// One playout from the root.
    fn play(&mut self, mut position: Position, random: &mut Random) {
        let mut path = vec![0];
        let mut at = 0;
        loop {
            self.ask_for_proof(at, &position);
            if self.nodes[at].proof.is_some() {
                break;
            }
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
        let value = match self.nodes[at].proof {
            Some(Proof::Won) => 0,
            Some(Proof::Lost) => SURE,
            None => playout(&mut position, last_mover, random),
        };
        self.follow(&path);
        // From the end of the path back, the values are those of one side and the other in turn.
        for (distance, node) in path.into_iter().rev().enumerate() {
            self.nodes[node].visits += 1;
            self.nodes[node].sum += if distance % 2 == 0 { value } else { SURE - value };
        }
    }

    /// Looks up whether the end of a position is proved, once.
    fn ask_for_proof(&mut self, at: usize, position: &Position) {
        let node = &mut self.nodes[at];
        let Some(table) = self.table.filter(|_| !node.asked) else { return };
        node.asked = true;
        match table.look_up(position) {
            Some((_, Entry::Won(_))) => node.proof = Some(Proof::Won),
            Some((_, Entry::Lost)) => node.proof = Some(Proof::Lost),
            Some((_, Entry::Open(_))) | None => {}
        }
    }

    /// Draws the conclusions of a proof at the end of a path, as far back as they reach.
    fn follow(&mut self, path: &[usize]) {
        for pair in path.windows(2).rev() {
            let [parent, child] = [pair[0], pair[1]];
            let node = &self.nodes[parent];
            let proof = match self.nodes[child].proof {
                None => return,
                Some(Proof::Lost) => Some(Proof::Won),
                Some(Proof::Won) => {
                    let mut moves = self.nodes[node.children.clone()].iter();
                    let lost = node.complete && moves.all(|one| one.proof == Some(Proof::Won));
                    lost.then_some(Proof::Lost)
                }
            };
            self.nodes[parent].proof = proof;
        }
    }

    /// Gives a position its moves: those in the table before others.
    fn expand(&mut self, at: usize, position: &mut Position) {
        let first = self.nodes.len();
        let known = self.known(at, position);
        let seen: u32 = known.iter().map(|known| known.visits).sum();
        self.nodes.extend(known.iter().map(Node::from_known));
        for (_, chosen) in candidates(position, WIDTH, &mut 0) {
            if known.iter().all(|known| known.chosen != chosen) {
                self.nodes.push(Node { chosen: Some(chosen), ..Node::default() });
            }
        }
        self.nodes.truncate(first + WIDTH);
        let (children, node) = (first..self.nodes.len(), &mut self.nodes[at]);
        // Nothing is proved without a table.
        node.complete = self.table.is_some() && children.len() == position.count_moves() as usize;
        node.children = children;
        node.ahead = seen.saturating_sub(node.visits);
        node.expanded = true;
    }

    /// The table's knowledge of the moves of a position.
    fn known(&mut self, at: usize, position: &Position) -> Vec<Known> {
        let Some((place, entry)) = self.table.and_then(|table| table.look_up(position)) else {
            return Vec::new();
        };
        self.places.push((at, place));
        match entry {
            Entry::Open(moves) => moves,
            Entry::Won(_) | Entry::Lost => Vec::new(),
        }
    }

    /// The child to visit next, among more and more as visits go up; none when every child is lost
    /// for certain.
    fn most_promising(&self, at: usize) -> Option<usize> {
        let Node { visits, ahead, ref children, .. } = self.nodes[at];
        let visits = visits + ahead;
        let open = children.clone().filter(|child| self.nodes[*child].proof != Some(Proof::Won));
        let considered = open.take(2 + visits.isqrt() as usize);
        // The first of equals: `max_by_key` would take the last.
        considered.min_by_key(|child| Reverse(self.nodes[*child].promise(visits.max(1))))
    }
}
