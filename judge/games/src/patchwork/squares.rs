//! Sets of squares of a 9×9 quilt, one bit each: covered squares, and squares that a patch would
//! cover. Square 0 is column A of row A; then come the other columns of that row, then row B.

use std::fmt;
use std::str::FromStr;

use crate::text::excerpt;

/// Columns, and rows, of a quilt.
pub const SIDE: u8 = 9;

/// Side of the square block that the rule `seven_by_seven` asks for.
const BLOCK: u8 = 7;

/// A set of squares of a quilt.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Squares(u128);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);

    /// Number of squares of a quilt.
    pub const COUNT: u32 = SIDE as u32 * SIDE as u32;

    /// The top left `width` × `height` squares.
    pub(super) const fn rectangle(width: u8, height: u8) -> Squares {
        let mut bits = 0;
        let mut row = 0;
        while row < height {
            bits |= ((1 << width) - 1) << (row * SIDE);
            row += 1;
        }
        Squares(bits)
    }

    /// The set with one more square.
    #[must_use]
    pub(super) const fn with(self, column: u8, row: u8) -> Squares {
        Squares(self.0 | 1 << (row * SIDE + column))
    }

    /// True if the square in that column and row, from 0, is in the set.
    pub fn contains(self, column: u8, row: u8) -> bool {
        column < SIDE && row < SIDE && self.0 >> (row * SIDE + column) & 1 != 0
    }

    /// Number of squares in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if both are the same set; usable in constants.
    pub(super) const fn same(self, other: Squares) -> bool {
        self.0 == other.0
    }

    /// Squares in either set.
    #[must_use]
    pub const fn union(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// Squares in both sets.
    #[must_use]
    pub const fn intersection(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    /// Squares of this quilt that are not in the set.
    #[must_use]
    pub const fn complement(self) -> Squares {
        Squares(!self.0 & Squares::rectangle(SIDE, SIDE).0)
    }

    /// The set moved right and down; no square may leave the quilt.
    #[must_use]
    pub(super) const fn moved(self, column: u8, row: u8) -> Squares {
        Squares(self.0 << (row * SIDE + column))
    }

    /// Places in `room` for the top left corner of `shape` where the shape covers no square of this
    /// set: all places at once, one shift for each square of the shape.
    #[must_use]
    pub fn places(self, shape: Squares, room: Squares) -> Squares {
        let mut taken = 0;
        let mut rest = shape.0;
        while rest != 0 {
            taken |= self.0 >> rest.trailing_zeros();
            rest &= rest - 1;
        }
        Squares(room.0 & !taken)
    }

    /// Takes out the first square, in the order of the rows: its column and row, from 0.
    pub(super) fn pop(&mut self) -> Option<(u8, u8)> {
        if self.is_empty() {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some((square % SIDE, square / SIDE))
    }

    /// The squares as column and row, from 0, in the order of the rows.
    pub fn iter(mut self) -> impl Iterator<Item = (u8, u8)> {
        std::iter::from_fn(move || self.pop())
    }

    /// Raggedness of the empty squares: the number of their sides that touch a covered square or
    /// the border of the quilt. A patch that fits snugly lowers it.
    pub fn edges(self) -> u32 {
        let empty = self.complement().0;
        // The last column has no neighbour to the right.
        let right = empty & Squares::rectangle(SIDE - 1, SIDE).0;
        let neighbours = (right & empty >> 1).count_ones() + (empty & empty >> SIDE).count_ones();
        4 * empty.count_ones() - 2 * neighbours
    }

    /// True if all squares of some 7×7 block are in the set.
    pub fn has_block(self) -> bool {
        // Each step doubles the look-ahead of a bit: 2, 4 and then 7 squares in a row.
        let ahead = |bits: u128, step: u8| {
            let two = bits & bits >> step;
            let four = two & two >> (2 * step);
            four & four >> (3 * step)
        };
        let corners = Squares::rectangle(SIDE - BLOCK + 1, SIDE - BLOCK + 1);
        ahead(ahead(self.0, 1), SIDE) & corners.0 != 0
    }
}

/// The reason why a text is not a quilt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuiltError {
    /// Not nine rows.
    #[error("`{0}`: a quilt has nine rows with `/` between them")]
    Rows(String),
    /// A row of another length.
    #[error("`{0}`: a row of a quilt has nine squares")]
    Length(String),
    /// A character that is neither `#` nor `.`.
    #[error("`{0}` in a quilt: expected `#` for a covered square or `.` for an empty one")]
    Square(char),
}

impl FromStr for Squares {
    type Err = QuiltError;

    /// Reads nine rows of `#` and `.`, the top one first, with `/` between them.
    fn from_str(text: &str) -> Result<Squares, QuiltError> {
        if text.split('/').count() != usize::from(SIDE) {
            return Err(QuiltError::Rows(excerpt(text)));
        }
        let mut squares = Squares::EMPTY;
        for (row, squares_of_row) in (0..).zip(text.split('/')) {
            if squares_of_row.chars().count() != usize::from(SIDE) {
                return Err(QuiltError::Length(excerpt(squares_of_row)));
            }
            for (column, square) in (0..).zip(squares_of_row.chars()) {
                match square {
                    '#' => squares = squares.with(column, row),
                    '.' => {}
                    other => return Err(QuiltError::Square(other)),
                }
            }
        }
        Ok(squares)
    }
}

impl fmt::Display for Squares {
    /// In the form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..SIDE {
            f.write_str(if row == 0 { "" } else { "/" })?;
            for column in 0..SIDE {
                f.write_str(if self.contains(column, row) { "#" } else { "." })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quilts() -> impl Strategy<Value = Squares> {
        (any::<u128>(), any::<u128>()).prop_map(|(bits, more)| {
            // Both sparse and dense quilts.
            let bits = if more & 1 == 0 { bits & more } else { bits | more };
            Squares(bits).intersection(Squares::rectangle(SIDE, SIDE))
        })
    }

    fn refused(text: &str) -> String {
        text.parse::<Squares>().expect_err("no quilt").to_string()
    }

    /// True if the square is not empty or is beyond the border.
    fn taken(quilt: Squares, column: i32, row: i32) -> bool {
        let inside = (0..9).contains(&column) && (0..9).contains(&row);
        !inside || quilt.contains(column as u8, row as u8)
    }

    #[test]
    fn no_square_lies_beyond_the_border() {
        let all = Squares::EMPTY.complement();
        assert_eq!((all.len(), all.edges()), (Squares::COUNT, 0));
        assert!(all.contains(8, 8) && !all.contains(9, 0) && !all.contains(0, 9));
        assert_eq!(Squares::EMPTY.edges(), 36);
        assert_eq!(Squares::EMPTY.with(8, 1).iter().collect::<Vec<_>>(), [(8, 1)]);
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        let row = ".........";
        insta::assert_snapshot!(refused(row), @"`.........`: a quilt has nine rows with `/` between them");
        insta::assert_snapshot!(refused(&[row, row, row, row, row, row, row, row, "#"].join("/")), @"`#`: a row of a quilt has nine squares");
        insta::assert_snapshot!(refused(&[row; 9].join("/").replace("./.", "./x")), @"`x` in a quilt: expected `#` for a covered square or `.` for an empty one");
    }

    proptest! {
        #[test]
        fn every_quilt_reads_back(quilt in quilts()) {
            prop_assert_eq!(quilt.to_string().parse(), Ok(quilt));
            prop_assert_eq!(quilt.iter().fold(Squares::EMPTY, |set, (c, r)| set.with(c, r)), quilt);
        }

        #[test]
        fn the_number_of_edges_matches_a_count(quilt in quilts()) {
            let sides = quilt.complement().iter().flat_map(|(column, row)| {
                let (column, row) = (i32::from(column), i32::from(row));
                [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
            });
            let edges = sides.filter(|(column, row)| taken(quilt, *column, *row)).count();
            prop_assert_eq!(quilt.edges() as usize, edges);
        }

        #[test]
        fn a_block_is_found_at_every_place(
            quilt in quilts(), column in 0_u8..3, row in 0_u8..3, hole in 0_u32..49
        ) {
            let block = Squares::rectangle(7, 7).moved(column, row);
            prop_assert!(block.union(quilt).has_block());
            let hole = block.iter().nth(hole as usize).expect("49 squares");
            let hole = Squares::EMPTY.with(hole.0, hole.1).complement();
            prop_assert!(!block.intersection(hole).has_block());
        }

        #[test]
        fn no_text_panics(text in ".{0,90}") {
            let _ = text.parse::<Squares>();
        }
    }
}
