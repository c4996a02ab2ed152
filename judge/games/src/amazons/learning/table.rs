//! The table itself: for each state the moves that were looked at, how often, and what came of it.

use std::collections::BTreeMap;

use super::super::opponents::mcts::WIDTH;
use super::super::position::{Move, Position};
use super::place::{Key, Place};
use crate::MAX_TABLE_BYTES;

/// Most visits that are kept of a move. Beyond, visits and values are halved.
pub(super) const MOST_VISITS: u32 = 1 << 24;

/// Bytes of a move in a file: three squares, visits and values.
pub(super) const MOVE_BYTES: usize = 3 + 4 + 4;

/// Bytes that first line and checksum may take.
const AROUND: usize = 512;

/// A move, and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::amazons) struct Known {
    /// The move.
    pub(in crate::amazons) chosen: Move,
    /// Playouts that went there; in a table at least 1.
    pub(in crate::amazons) visits: u32,
    /// Sum of their values for the side that moves.
    pub(in crate::amazons) sum: u32,
}

impl Known {
    /// What moves are sorted by.
    fn order(&self) -> (u32, u32, u32) {
        let Move { from, to, arrow } = self.chosen;
        let index = |square: super::super::square::Square| square.index() as u32;
        (index(from), index(to), index(arrow))
    }

    /// Whether it stands before another one in a table.
    pub(super) fn precedes(&self, other: &Known) -> bool {
        self.order() < other.order()
    }

    fn add(&mut self, more: &Known) {
        self.visits += more.visits;
        self.sum += more.sum;
        while self.visits > MOST_VISITS {
            // Rounded so that the mean stays within its bounds.
            self.visits = self.visits.div_ceil(2);
            self.sum /= 2;
        }
    }
}

/// What one search has seen: for each position that got its moves, what it learned of them.
pub(in crate::amazons) type Lessons = Vec<(Key, Vec<Known>)>;

/// What is known of the states of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::amazons) struct Table {
    size: u8,
    /// The moves of each state, sorted.
    states: BTreeMap<Key, Vec<Known>>,
    /// Moves of all states together.
    moves: usize,
    /// Most bytes that the states may take.
    limit: usize,
}

impl Table {
    /// A table that knows nothing.
    pub(super) fn new(size: u8) -> Table {
        Table::with_limit(size, MAX_TABLE_BYTES - AROUND)
    }

    pub(super) fn with_limit(size: u8, limit: usize) -> Table {
        Table { size, states: BTreeMap::new(), moves: 0, limit }
    }

    /// Columns of the board.
    pub(super) fn size(&self) -> u8 {
        self.size
    }

    /// How many states are known.
    pub(super) fn states(&self) -> usize {
        self.states.len()
    }

    /// Each state with its moves, in the order of a file.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Key, &Vec<Known>)> {
        self.states.iter()
    }

    /// Adds a state that comes behind all others, from a file.
    pub(super) fn push(&mut self, key: Key, moves: Vec<Known>) {
        self.moves += moves.len();
        self.states.insert(key, moves);
    }

    /// What a file of so many states and moves takes.
    fn bytes(&self, states: usize, moves: usize) -> usize {
        states * (Key::len(self.size) + 1) + moves * MOVE_BYTES
    }

    /// Where a position of this board stands, and what is known of its moves, on its board: the
    /// one that was looked at most comes first.
    pub(in crate::amazons) fn look_up(&self, position: &Position) -> Option<(Place, Vec<Known>)> {
        if position.size() != self.size {
            return None;
        }
        let place = Place::of(position);
        let moves = self.states.get(&place.key).map_or(&[][..], Vec::as_slice);
        let outward = |known: &Known| Known { chosen: place.outward(known.chosen), ..*known };
        let mut moves: Vec<Known> = moves.iter().map(outward).collect();
        // Stable: what was looked at equally often stays in the order of the table.
        moves.sort_by_key(|known| std::cmp::Reverse(known.visits));
        Some((place, moves))
    }

    /// Adds what a search has seen. What there is no room for is not learned.
    pub(super) fn learn(&mut self, lessons: Lessons) {
        for (key, moves) in lessons {
            for more in moves {
                self.learn_move(key, more);
            }
        }
    }

    fn learn_move(&mut self, key: Key, more: Known) {
        let is_new = !self.states.contains_key(&key);
        let has_room = self.bytes(self.states.len() + usize::from(is_new), self.moves + 1) <= self.limit;
        if is_new && !has_room {
            return;
        }
        let moves = self.states.entry(key).or_default();
        match moves.binary_search_by_key(&more.order(), Known::order) {
            Ok(at) => moves[at].add(&more),
            Err(at) if has_room && moves.len() < WIDTH => {
                moves.insert(at, more);
                self.moves += 1;
            }
            Err(_) => {}
        }
    }

    /// When a table has become almost full, forgets the states that were visited least: all with
    /// at most so many visits as it takes to come down to three quarters. How many were forgotten.
    pub(super) fn make_room(&mut self) -> usize {
        let before = self.states.len();
        if self.bytes(before, self.moves) <= self.limit / 16 * 15 {
            return 0;
        }
        // Visits, and how many states and moves have so many.
        let mut by_visits: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
        for moves in self.states.values() {
            let [states, all] = by_visits.entry(visits(moves)).or_default();
            *states += 1;
            *all += moves.len();
        }
        let [mut states, mut moves] = [before, self.moves];
        let least = by_visits.into_iter().find_map(|(least, [fewer_states, fewer_moves])| {
            states -= fewer_states;
            moves -= fewer_moves;
            (self.bytes(states, moves) <= self.limit / 4 * 3).then_some(least)
        });
        let least = least.unwrap_or(u32::MAX);
        self.states.retain(|_, moves| visits(moves) > least);
        self.moves = self.states.values().map(Vec::len).sum();
        before - self.states.len()
    }
}

/// Visits of all moves of a state.
fn visits(moves: &[Known]) -> u32 {
    moves.iter().map(|known| known.visits).sum()
}
