//! The search's results for positions that it may meet again.

use crate::board::{At, Move};

/// Entries of the table: 384 KiB.
const ENTRIES: usize = 1 << 14;

/// The meaning of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The result for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The best move: from, to.
    pub(crate) best: (At, At),
}

/// The table: a new entry replaces an old one.
pub(crate) struct Table(Vec<Option<Entry>>);

impl Table {
    pub(crate) fn new() -> Table {
        Table(vec![None; ENTRIES])
    }

    /// The entry of the position with that key.
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.0[key as usize % ENTRIES].filter(|entry| entry.key == key)
    }

    pub(crate) fn put(&mut self, entry: Entry) {
        self.0[entry.key as usize % ENTRIES] = Some(entry);
    }
}

impl Entry {
    /// True if a move is the best one of the entry.
    pub(crate) fn advises(&self, change: &Move) -> bool {
        self.best == (change.from, change.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_key_is_found() {
        let mut table = Table::new();
        let entry = Entry { key: 5, value: 7, depth: 2, bound: Bound::Exact, best: (42, 43) };
        table.put(entry);
        assert_eq!(table.get(5), Some(entry));
        assert_eq!(table.get(5 + ENTRIES as u64), None);
        table.put(Entry { key: 5 + ENTRIES as u64, ..entry });
        assert_eq!(table.get(5), None);
    }
}
