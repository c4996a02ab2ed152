//! Knowledge about a board from searches: the visits and values of moves, by position, and its
//! file.

pub(in crate::amazons) mod body;
mod place;
mod table;

pub(super) use place::Place;
pub(super) use table::{Entry, Known, Lesson, Proof, Table};

/// Most moves of a position in a search's tree, and so in a table.
pub(super) const WIDTH: usize = 24;

/// Estimates of at least so many quarters of a square count as won.
pub(super) const CLEAR: i32 = 40;

/// The value of a sure win; that of a sure loss is 0.
pub(super) const SURE: u32 = 2 * CLEAR as u32;

/// A source of knowledge about a board.
pub(super) trait Knows: Send + Sync {
    /// The values of moves.
    fn table(&self) -> &Table;
}
