//! The table itself: for each state the searched moves, with their visits and values.

use std::collections::BTreeMap;

use super::super::position::{Move, Position};
use super::WIDTH;
use super::place::{Key, Place};
use crate::MAX_TABLE_BYTES;

/// Most visits of a move in a table. Above it, visits and values are halved.
pub(in crate::amazons) const MOST_VISITS: u32 = 1 << 24;

/// Bytes of a move in a file: three squares, visits and values.
pub(in crate::amazons) const MOVE_BYTES: usize = 3 + 4 + 4;

/// Most legal moves of a state that is searched for a proof: with more moves the proof costs more
/// than it is worth.
const MOST_PROVED: u32 = 128;

/// Most bytes of first line and checksum.
const AROUND: usize = 512;

/// A move, and the knowledge about it.
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
    /// The sort key of moves.
    fn order(&self) -> (u32, u32, u32) {
        let Move { from, to, arrow } = self.chosen;
        let index = |square: super::super::square::Square| square.index() as u32;
        (index(from), index(to), index(arrow))
    }

    /// True if it comes before another one in a table.
    pub(in crate::amazons) fn precedes(&self, other: &Known) -> bool {
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

/// The end of a state with the best play of both sides, for the side on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::amazons) enum Proof {
    /// It wins.
    Won,
    /// It loses.
    Lost,
}

impl Proof {
    /// The value of a position for the side that moves into it: more is better.
    pub(in crate::amazons) fn for_the_other(proof: Option<Proof>) -> u8 {
        match proof {
            Some(Proof::Won) => 0,
            None => 1,
            Some(Proof::Lost) => 2,
        }
    }
}

/// The knowledge about a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::amazons) enum Entry {
    /// Visits and values of its moves.
    Open(Vec<Known>),
    /// It is won for certain, by this move.
    Won(Move),
    /// It is lost for certain.
    Lost,
}

impl Entry {
    /// Bytes in a file after the key.
    fn bytes(&self) -> usize {
        match self {
            Entry::Open(moves) => 1 + moves.len() * MOVE_BYTES,
            Entry::Won(_) => 1 + 3,
            Entry::Lost => 1,
        }
    }

    /// Playouts that went through; none once the end is certain.
    fn visits(&self) -> Option<u32> {
        match self {
            Entry::Open(moves) => Some(moves.iter().map(|known| known.visits).sum()),
            Entry::Won(_) | Entry::Lost => None,
        }
    }
}

/// A search's results for the moves of one state.
pub(in crate::amazons) type Lesson = (Key, Vec<Known>);

/// The knowledge about the states of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::amazons) struct Table {
    size: u8,
    states: BTreeMap<Key, Entry>,
    /// Bytes of all states in a file.
    bytes: usize,
    /// Most bytes that they may take.
    limit: usize,
}

impl Table {
    /// A table that knows nothing.
    pub(in crate::amazons) fn new(size: u8) -> Table {
        Table::with_limit(size, MAX_TABLE_BYTES - AROUND)
    }

    pub(in crate::amazons) fn with_limit(size: u8, limit: usize) -> Table {
        Table { size, states: BTreeMap::new(), bytes: 0, limit }
    }

    /// Columns of the board.
    pub(in crate::amazons) fn size(&self) -> u8 {
        self.size
    }

    /// Number of known states.
    pub(in crate::amazons) fn states(&self) -> usize {
        self.states.len()
    }

    /// Each state with the knowledge about it, in the order of a file.
    pub(in crate::amazons) fn iter(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.states.iter()
    }

    /// Replaces the knowledge about a state. `false` when the table has no room for it.
    pub(in crate::amazons) fn put(&mut self, key: Key, entry: Entry) -> bool {
        let key_bytes = Key::len(self.size);
        let before = self.states.get(&key).map_or(0, |before| key_bytes + before.bytes());
        let bytes = self.bytes - before + key_bytes + entry.bytes();
        if bytes > self.limit {
            return false;
        }
        self.bytes = bytes;
        self.states.insert(key, entry);
        true
    }

    /// The place of a position of this board, and the knowledge about it, with moves on its board,
    /// the most visited first.
    pub(in crate::amazons) fn look_up(&self, position: &Position) -> Option<(Place, Entry)> {
        if position.size() != self.size {
            return None;
        }
        let place = Place::new(position);
        let entry = match self.states.get(&place.key) {
            None => Entry::Open(Vec::new()),
            Some(Entry::Lost) => Entry::Lost,
            Some(Entry::Won(winning)) => Entry::Won(place.outward(*winning)),
            Some(Entry::Open(moves)) => {
                let outward =
                    |known: &Known| Known { chosen: place.outward(known.chosen), ..*known };
                let mut moves: Vec<Known> = moves.iter().map(outward).collect();
                // Stable: equally visited moves stay in the order of the table.
                moves.sort_by_key(|known| std::cmp::Reverse(known.visits));
                Entry::Open(moves)
            }
        };
        Some((place, entry))
    }

    /// Adds a search's results, and the proofs that follow from them. A result without room is
    /// dropped.
    pub(in crate::amazons) fn learn(&mut self, lessons: Vec<Lesson>) {
        for (key, seen) in lessons {
            if !self.prove(key) {
                self.add(key, &seen);
            }
        }
    }

    fn add(&mut self, key: Key, seen: &[Known]) {
        let mut moves = match self.states.get(&key) {
            Some(Entry::Open(moves)) => moves.clone(),
            Some(Entry::Won(_) | Entry::Lost) => return,
            None => Vec::new(),
        };
        for more in seen {
            match moves.binary_search_by_key(&more.order(), Known::order) {
                Ok(at) => moves[at].add(more),
                Err(at) if moves.len() < WIDTH => moves.insert(at, *more),
                Err(_) => {}
            }
        }
        if !moves.is_empty() {
            self.put(key, Entry::Open(moves));
        }
    }

    /// True if the end of a state is certain: it is won by a move after which the other side cannot
    /// move or is known to lose, and lost if the other side is known to win after each. Proofs are
    /// kept.
    pub(in crate::amazons) fn prove(&mut self, key: Key) -> bool {
        match self.states.get(&key) {
            Some(Entry::Won(_) | Entry::Lost) => true,
            Some(Entry::Open(_)) | None => {
                self.proof(key).is_some_and(|found| self.put(key, found))
            }
        }
    }

    fn proof(&self, key: Key) -> Option<Entry> {
        let mut position = key.position(self.size)?;
        if position.count_moves() > MOST_PROVED {
            return None;
        }
        let before = position.clone();
        let mut all_lose = true;
        let winning = before.find_move(|chosen| {
            position.play_unchecked(chosen);
            let is_last = !position.can_move();
            let after = if is_last { None } else { self.states.get(&Place::new(&position).key) };
            position.undo(chosen);
            all_lose &= matches!(after, Some(Entry::Won(_)));
            (is_last || after == Some(&Entry::Lost)).then_some(chosen)
        });
        winning.map(Entry::Won).or(all_lose.then_some(Entry::Lost))
    }

    /// When a table is almost full, drops the least visited states: all with at most as many visits
    /// as it takes to come down to three quarters. Proofs are kept. Returns the number of dropped
    /// states.
    pub(in crate::amazons) fn make_room(&mut self) -> usize {
        let (before, enough) = (self.states.len(), self.limit / 4 * 3);
        if self.bytes <= self.limit / 16 * 15 {
            return 0;
        }
        let key_bytes = Key::len(self.size);
        let mut by_visits: BTreeMap<u32, usize> = BTreeMap::new();
        for entry in self.states.values() {
            if let Some(visits) = entry.visits() {
                *by_visits.entry(visits).or_default() += key_bytes + entry.bytes();
            }
        }
        let mut bytes = self.bytes;
        let least = by_visits.into_iter().find_map(|(least, fewer)| {
            bytes -= fewer;
            (bytes <= enough).then_some(least)
        });
        let least = least.unwrap_or(u32::MAX);
        self.states.retain(|_, entry| entry.visits().is_none_or(|visits| visits > least));
        self.bytes = self.states.values().map(|entry| key_bytes + entry.bytes()).sum();
        before - self.states.len()
    }
}
