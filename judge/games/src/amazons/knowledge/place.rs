//! A position as a table keeps it: seen by the side on turn, and turned or mirrored so that
//! positions with no other difference are one.

use super::super::position::{Move, Position, Side};
use super::super::square::Square;

/// Most columns of a board that can be learned.
const MAX_LEARNED: usize = 10;

/// Bytes of the largest board: two bits for a square.
const KEY_BYTES: usize = MAX_LEARNED * MAX_LEARNED / 4;

/// Two bits for each square, row by row from White's side, the first in the lowest bits of the
/// first byte: 0 empty, 1 an amazon of the side on turn, 2 one of the other side, 3 an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::amazons) struct Key([u8; KEY_BYTES]);

impl Key {
    const EMPTY: Key = Key([0; KEY_BYTES]);

    /// Number of bytes of a key on a board of that size.
    pub(in crate::amazons) fn len(size: u8) -> usize {
        (usize::from(size) * usize::from(size)).div_ceil(4).min(KEY_BYTES)
    }

    /// The bytes for a file.
    pub(in crate::amazons) fn bytes(&self, size: u8) -> &[u8] {
        &self.0[..Key::len(size)]
    }

    /// The key in bytes from a file, which may be anything.
    pub(in crate::amazons) fn from_bytes(bytes: &[u8]) -> Option<Key> {
        let mut key = Key::EMPTY;
        key.0.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(key)
    }

    fn put(&mut self, number: usize, content: u8) {
        self.0[number / 4] |= content << (number % 4 * 2);
    }

    fn get(&self, number: usize) -> u8 {
        self.0[number / 4] >> (number % 4 * 2) & 3
    }

    /// The position with White on turn, or `None` when bits after the last square are set.
    pub(in crate::amazons) fn position(&self, size: u8) -> Option<Position> {
        let mut position = Position::empty(size);
        let mut again = Key::EMPTY;
        for (number, square) in squares(size).enumerate() {
            let content = self.get(number);
            again.put(number, content);
            match content {
                0 => true,
                1 => position.place(square, Some(Side::White)),
                2 => position.place(square, Some(Side::Black)),
                _ => position.place(square, None),
            };
        }
        (again == *self).then_some(position)
    }
}

/// The squares of a board, row by row.
fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |row| (0..size).filter_map(move |column| Square::new(column, row)))
}

/// One of the eight ways to lay a board on itself: mirror its columns (bit 0), mirror its rows
/// (bit 1), then swap columns and rows (bit 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Turn(u8);

impl Turn {
    fn all() -> impl Iterator<Item = Turn> {
        (0..8).map(Turn)
    }

    /// The new place of a square.
    fn square(self, square: Square, size: u8) -> Square {
        let mirror = |bit: u8, at: u8| if self.0 & bit == 0 { at } else { size - 1 - at };
        let (column, row) = (mirror(1, square.column()), mirror(2, square.row()));
        let turned =
            if self.0 & 4 == 0 { Square::new(column, row) } else { Square::new(row, column) };
        turned.unwrap_or(square)
    }

    /// The inverse.
    fn back(self) -> Turn {
        let Turn(bits) = self;
        // After a swap, mirrored rows undo mirrored columns.
        Turn(if bits & 4 == 0 { bits } else { 4 | (bits & 1) << 1 | (bits & 2) >> 1 })
    }

    fn chosen(self, chosen: Move, size: u8) -> Move {
        let [from, to, arrow] =
            [chosen.from, chosen.to, chosen.arrow].map(|square| self.square(square, size));
        Move { from, to, arrow }
    }
}

/// A position's key in a table, with the notation of its moves there.
#[derive(Debug, Clone, Copy)]
pub(in crate::amazons) struct Place {
    pub(in crate::amazons) key: Key,
    turn: Turn,
    size: u8,
}

impl Place {
    /// The place of a position: the least of its eight keys.
    pub(in crate::amazons) fn new(position: &Position) -> Place {
        let size = position.size();
        let taken: Vec<(Square, u8)> = squares(size)
            .filter(|square| !position.is_empty(*square))
            .map(|square| (square, content(position, square)))
            .collect();
        let key = |turn: Turn| {
            let mut key = Key::EMPTY;
            for (square, content) in &taken {
                let at = turn.square(*square, size);
                key.put(
                    usize::from(at.row()) * usize::from(size) + usize::from(at.column()),
                    *content,
                );
            }
            key
        };
        let keys = Turn::all().map(|turn| (key(turn), turn));
        let (key, turn) = keys.min_by_key(|(key, _)| *key).unwrap_or((Key::EMPTY, Turn(0)));
        Place { key, turn, size }
    }

    /// A move on the board as the table has it.
    pub(in crate::amazons) fn inward(&self, chosen: Move) -> Move {
        self.turn.chosen(chosen, self.size)
    }

    /// A move in the table as it is on the board.
    pub(in crate::amazons) fn outward(&self, chosen: Move) -> Move {
        self.turn.back().chosen(chosen, self.size)
    }
}

fn content(position: &Position, square: Square) -> u8 {
    match position.amazon_at(square) {
        Some(side) if side == position.to_move() => 1,
        Some(_) => 2,
        None => 3,
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Seed};

    use super::*;

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    #[test]
    fn every_symmetry_has_an_inverse() {
        for size in [4, 5, 10] {
            for (turn, square) in Turn::all().flat_map(|turn| squares(size).map(move |s| (turn, s)))
            {
                let there = turn.square(square, size);
                assert!(there.is_on(size));
                assert_eq!(turn.back().square(there, size), square, "{turn:?} {square}");
            }
        }
    }

    #[test]
    fn symmetric_positions_have_the_same_key() {
        let key = |text| Place::new(&position(text)).key;
        let start = key("1b2/3b/w3/2w1 w");
        assert_eq!(start, key("2b1/b3/3w/1w2 w"), "mirrored columns");
        assert_eq!(start, key("2w1/w3/3b/1b2 b"), "mirrored rows, and the colours changed");
        assert_eq!(start, key("1w2/3w/b3/2b1 b"), "the colours changed");
        assert_ne!(start, key("1b2/3b/w3/1w2 w"), "another position");
        assert_ne!(key("1b2/3x/w3/2w1 w"), key("1b2/3x/w3/2w1 b"), "another side on turn");
    }

    #[test]
    fn keys_decode_to_positions_with_legal_moves() {
        for (size, seed) in [(4, 1), (5, 2), (6, 3), (10, 4)] {
            let options = judge_core::Options::from([("size".to_owned(), format!("{size}"))]);
            let mut position =
                super::super::super::options::parse(&options).expect("a board").start;
            let mut random = Seed(seed).random(Purpose::Chance);
            while let Some(chosen) = position.staged_move(&mut random) {
                let place = Place::new(&position);
                let again = place.key.position(size).expect("a position");
                assert_eq!(Place::new(&again).key, place.key);
                assert_eq!(again.check(place.inward(chosen)), Ok(()));
                assert_eq!(place.outward(place.inward(chosen)), chosen);
                position.play_unchecked(chosen);
            }
        }
    }

    #[test]
    fn bits_beyond_the_board_are_refused() {
        let mut bytes = [0; 7];
        assert!(Key::from_bytes(&bytes).expect("short enough").position(5).is_some());
        bytes[6] = 4;
        assert!(Key::from_bytes(&bytes).expect("short enough").position(5).is_none());
        assert!(Key::from_bytes(&[0; 26]).is_none());
    }
}
