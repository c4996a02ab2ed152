//! Squares of the board, and the steps and jumps between them. Row and column are counted from 0;
//! (0,0) is the top left.

use judge_core::Seat;

/// Most rows and columns that a board has.
pub(super) const MAX_SIZE: u8 = 16;

/// A square: row and column, each 0 to 15. A square does not know the size of its board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square at this row and column; `None` unless both are 0 to 15.
    pub fn new(row: u8, column: u8) -> Option<Square> {
        (row < MAX_SIZE && column < MAX_SIZE).then(|| Square(row * MAX_SIZE + column))
    }

    /// The row, 0 at the top.
    pub fn row(self) -> u8 {
        self.0 / MAX_SIZE
    }

    /// The column, 0 at the left.
    pub fn column(self) -> u8 {
        self.0 % MAX_SIZE
    }

    /// Row times 16 plus column: the number of its bit in a set.
    pub(super) fn index(self) -> u8 {
        self.0
    }

    /// The square of that index.
    pub(super) fn from_index(index: u8) -> Square {
        Square(index)
    }

    /// True if it is on a board of so many rows and columns.
    pub(super) fn is_on(self, size: u8) -> bool {
        self.row() < size && self.column() < size
    }

    /// The corner that a side runs to, on a board of so many rows and columns.
    pub(super) fn target(seat: Seat, size: u8) -> Square {
        match seat {
            Seat::One => Square((size - 1) * (MAX_SIZE + 1)),
            Seat::Two => Square(0),
        }
    }

    /// The larger of the distances in rows and columns of two squares: steps from one to the other
    /// on an empty board.
    pub fn distance(self, other: Square) -> u8 {
        self.row().abs_diff(other.row()).max(self.column().abs_diff(other.column()))
    }

    /// The next square in a direction; `None` beyond the edge of the board.
    pub(super) fn next(self, (down, right): Direction, size: u8) -> Option<Square> {
        let row = self.row().wrapping_add_signed(down);
        let column = self.column().wrapping_add_signed(right);
        (row < size && column < size).then(|| Square(row * MAX_SIZE + column))
    }

    /// The square jumped over and the one landed on; `None` when that is beyond the edge.
    pub(super) fn jump(self, (down, right): Direction, size: u8) -> Option<(Square, Square)> {
        let to = self.next((2 * down, 2 * right), size)?;
        // The middle of two squares on the board is on it.
        let over = self.0.wrapping_add_signed(down * MAX_SIZE as i8 + right);
        Some((Square(over), to))
    }
}

/// Rows down and columns to the right, each -1, 0 or 1.
pub(super) type Direction = (i8, i8);

/// All eight, in the order in which jumps are listed.
pub(super) const DIRECTIONS: [Direction; 8] =
    [(-1, 0), (0, 1), (-1, 1), (1, 1), (1, 0), (0, -1), (1, -1), (-1, -1)];

/// The three steps of a side, all towards its target, in the order in which they are listed.
pub(super) fn steps(seat: Seat) -> [Direction; 3] {
    match seat {
        Seat::One => [(1, 0), (0, 1), (1, 1)],
        Seat::Two => [(-1, 0), (0, -1), (-1, -1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(row: u8, column: u8) -> Square {
        Square::new(row, column).expect("on the largest board")
    }

    #[test]
    fn row_and_column_convert_both_ways() {
        for row in 0..16 {
            for column in 0..16 {
                let square = square(row, column);
                assert_eq!((square.row(), square.column()), (row, column));
                assert_eq!(Square::from_index(square.index()), square);
            }
        }
        assert_eq!(Square::new(16, 0), None);
        assert_eq!(Square::new(0, 16), None);
    }

    #[test]
    fn no_square_lies_beyond_the_edge() {
        assert_eq!(square(0, 0).next((-1, 0), 16), None);
        assert_eq!(square(0, 0).next((0, -1), 16), None);
        assert_eq!(square(15, 15).next((1, 1), 16), None);
        assert_eq!(square(4, 4).next((1, 0), 5), None);
        assert_eq!(square(4, 4).next((1, 0), 6), Some(square(5, 4)));
        assert_eq!(square(1, 3).jump((-1, 0), 8), None);
        assert_eq!(square(2, 3).jump((-1, 1), 8), Some((square(1, 4), square(0, 5))));
        assert_eq!(square(15, 0).jump((-1, -1), 16), None);
    }

    #[test]
    fn the_distance_is_the_larger_coordinate_difference() {
        assert_eq!(square(3, 3).distance(square(3, 3)), 0);
        assert_eq!(square(3, 3).distance(square(2, 7)), 4);
        assert_eq!(square(9, 0).distance(square(2, 5)), 7);
    }

    #[test]
    fn targets_are_opposite_corners() {
        assert_eq!(Square::target(Seat::One, 8), square(7, 7));
        assert_eq!(Square::target(Seat::One, 16), square(15, 15));
        assert_eq!(Square::target(Seat::Two, 8), square(0, 0));
    }
}
