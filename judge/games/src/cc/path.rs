//! A move as it is written: the squares that a man visits, from start to end.

use super::Square;

/// Squares of the longest path. Every jump goes over another man, so no legal path has more.
const CAPACITY: usize = 256;

/// The squares that a man visits in one turn: its start, then every square that it lands on. A path
/// that was read from text or listed by the rules has at least two.
#[derive(Clone, Copy)]
pub struct Path {
    squares: [Square; CAPACITY],
    len: usize,
}

impl Path {
    /// A path that has not left its start yet.
    pub(super) fn from(start: Square) -> Path {
        Path { squares: [start; CAPACITY], len: 1 }
    }

    /// Continues to a square.
    ///
    /// # Errors
    /// When the path is full: every legal path is shorter.
    pub(super) fn push(&mut self, square: Square) -> Result<(), TooLong> {
        *self.squares.get_mut(self.len).ok_or(TooLong)? = square;
        self.len += 1;
        Ok(())
    }

    /// Goes back by one square, but not from the start.
    pub(super) fn pop(&mut self) {
        self.len = (self.len - 1).max(1);
    }

    /// The squares from start to end.
    pub fn squares(&self) -> &[Square] {
        &self.squares[..self.len]
    }

    /// The man's old square.
    pub fn start(&self) -> Square {
        self.squares[0]
    }

    /// The man's new square.
    pub fn end(&self) -> Square {
        self.squares[self.len - 1]
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        self.squares() == other.squares()
    }
}

impl Eq for Path {}

/// A path has at most 256 squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;
