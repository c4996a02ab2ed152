//! Taken squares, as the bits of every row, column and diagonal, so that the range of a queen
//! follows from counting zeros on four lines.

use super::square::{Direction, MAX_SIZE, Square};

/// The taken squares of a board; everything outside the board counts as taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occupancy {
    /// By row; bit = column.
    rows: [u16; 16],
    /// By column; bit = row.
    columns: [u16; 16],
    /// By row − column + 15; bit = column. The last one is never used: it saves a bounds check.
    rising: [u16; 32],
    /// By row + column; bit = column. The last one is never used either.
    falling: [u16; 32],
}

/// Places of the four lines through a square, and its bit on each.
struct Place {
    row: usize,
    column: usize,
    rising: usize,
    falling: usize,
}

impl Place {
    fn new(square: Square) -> Place {
        let (row, column) = (usize::from(square.row()), usize::from(square.column()));
        Place { row, column, rising: (row + 15 - column) & 31, falling: (row + column) & 31 }
    }
}

impl Occupancy {
    /// An empty board with so many columns and rows.
    pub(super) fn empty(size: u8) -> Occupancy {
        let mut all = Occupancy {
            rows: [u16::MAX; 16],
            columns: [u16::MAX; 16],
            rising: [u16::MAX; 32],
            falling: [u16::MAX; 32],
        };
        for row in 0..size.min(MAX_SIZE) {
            (0..size).filter_map(|column| Square::new(column, row)).for_each(|s| all.toggle(s));
        }
        all
    }

    /// Takes an empty square, or empties a taken one.
    pub(super) fn toggle(&mut self, square: Square) {
        let place = Place::new(square);
        let by_column = 1 << place.column;
        self.rows[place.row] ^= by_column;
        self.columns[place.column] ^= 1 << place.row;
        self.rising[place.rising] ^= by_column;
        self.falling[place.falling] ^= by_column;
    }

    /// True if a square is taken.
    pub(super) fn contains(&self, square: Square) -> bool {
        self.rows[usize::from(square.row())] >> square.column() & 1 == 1
    }

    /// By row, bit = column.
    pub(super) fn rows(&self) -> &[u16; 16] {
        &self.rows
    }

    /// The squares that a queen on `origin` can reach; a piece on the origin itself does not
    /// matter.
    pub(super) fn reach(&self, origin: Square) -> Reach {
        let place = Place::new(origin);
        let lengths = both_ways(self.rows[place.row], place.column)
            | both_ways(self.columns[place.column], place.row) << 16
            | both_ways(self.rising[place.rising], place.column) << 32
            | both_ways(self.falling[place.falling], place.column) << 48;
        Reach { origin, lengths }
    }
}

/// The numbers of zeros on a line above a bit (low byte) and below it (second byte).
fn both_ways(line: u16, bit: usize) -> u64 {
    // A wall at either end, so that there is always a one to find.
    let walled = u32::from(line) << 1 | 1 << 17 | 1;
    let above = (walled >> (bit + 2)).trailing_zeros();
    let below = (walled << (31 - bit)).leading_zeros();
    u64::from(above | below << 8)
}

/// Every byte is 1: a product with it sums bytes up.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The squares that a queen can go to: direction by direction in the order of [`Direction::ALL`],
/// the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    origin: Square,
    /// Byte `d` is the number of free squares in direction `d`, at most 15.
    lengths: u64,
}

impl Reach {
    /// Number of squares, at most 60.
    pub fn count(self) -> u32 {
        (self.lengths.wrapping_mul(ONES) >> 56) as u32
    }

    /// Free squares in one direction, at most 15.
    pub fn length(self, direction: Direction) -> u8 {
        (self.lengths >> (direction as usize * 8)) as u8
    }

    /// Square number `n`, counted from 0; `n` is less than [`Reach::count`].
    pub fn square(self, n: u32) -> Square {
        // Byte d of `ends` is the number of squares up to and with direction d. All are less than
        // 128, so the top bit of a byte survives a subtraction where the byte exceeds n.
        let ends = self.lengths.wrapping_mul(ONES);
        let exceeds = ((ends | ONES << 7) - (u64::from(n) + 1) * ONES) & ONES << 7;
        let direction = (exceeds.trailing_zeros() >> 3) as usize & 7;
        let before = (ends << 8 >> (direction * 8)) as u8;
        self.origin.step(Direction::ALL[direction], (n as u8).wrapping_sub(before) + 1)
    }

    /// The squares, in order.
    pub fn squares(self) -> Squares {
        Squares { at: self.origin, origin: self.origin, lengths: self.lengths, direction: 0 }
    }
}

/// Iterator over the squares of a [`Reach`].
#[derive(Debug, Clone)]
pub struct Squares {
    at: Square,
    origin: Square,
    /// The remaining directions, the current one in the lowest byte.
    lengths: u64,
    direction: usize,
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.lengths == 0 {
            return None;
        }
        let skipped = self.lengths.trailing_zeros() as usize / 8;
        if skipped > 0 {
            self.at = self.origin;
            self.direction += skipped;
            self.lengths >>= skipped * 8;
        }
        self.lengths -= 1;
        self.at = self.at.step(Direction::ALL[self.direction & 7], 1);
        Some(self.at)
    }
}
