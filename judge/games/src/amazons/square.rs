//! Squares of a board of up to 16 columns and rows, the eight directions of a queen, and sets of
//! squares as bitboards of 256 bits.

/// Smallest number of columns and rows of a board.
pub const MIN_SIZE: u8 = 4;

/// Largest number of columns and rows of a board.
pub const MAX_SIZE: u8 = 16;

/// A square. Squares are ordered by row, then by column: a1, b1, …, a2, ….
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in a column and a row, both counted from 0 (column a, White's first row).
    /// `None` from 16 on.
    pub fn new(column: u8, row: u8) -> Option<Square> {
        (column < MAX_SIZE && row < MAX_SIZE).then_some(Square(row << 4 | column))
    }

    /// Column, counted from 0 for a.
    pub fn column(self) -> u8 {
        self.0 & 15
    }

    /// Row, counted from 0 on White's side.
    pub fn row(self) -> u8 {
        self.0 >> 4
    }

    /// 16 × row + column: less than 256.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square of that index; higher bits are ignored.
    pub(super) fn from_index(index: usize) -> Square {
        Square((index & 255) as u8)
    }

    /// True if it is on a board with so many columns and rows.
    pub fn is_on(self, size: u8) -> bool {
        self.column() < size && self.row() < size
    }

    /// The square so many steps away. Steps beyond the 16 × 16 squares end on an unrelated square.
    pub(super) fn step(self, direction: Direction, steps: u8) -> Square {
        let distance = DELTAS[direction as usize].wrapping_mul(steps);
        Square(self.0.wrapping_add(distance))
    }

    /// Direction and number of steps to another square of the same row, column or diagonal.
    pub(super) fn line_to(self, other: Square) -> Option<(Direction, u8)> {
        let columns = other.column() as i8 - self.column() as i8;
        let rows = other.row() as i8 - self.row() as i8;
        let direction = match (columns.signum(), rows.signum()) {
            (0, 0) => return None,
            (1, 0) => Direction::East,
            (-1, 0) => Direction::West,
            (0, 1) => Direction::North,
            (0, _) => Direction::South,
            (1, 1) => Direction::NorthEast,
            (-1, -1) => Direction::SouthWest,
            (1, _) => Direction::SouthEast,
            _ => Direction::NorthWest,
        };
        let straight = columns == 0 || rows == 0 || columns.abs() == rows.abs();
        straight.then_some((direction, columns.unsigned_abs().max(rows.unsigned_abs())))
    }
}

/// A direction of a queen's move; north is away from White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Along the row, towards higher columns.
    East,
    /// Along the row, towards column a.
    West,
    /// Along the column, towards higher rows.
    North,
    /// Along the column, towards row 1.
    South,
    /// Towards higher columns and higher rows.
    NorthEast,
    /// Towards column a and row 1.
    SouthWest,
    /// Towards higher columns and row 1.
    SouthEast,
    /// Towards column a and higher rows.
    NorthWest,
}

impl Direction {
    /// All directions, in the order in which moves are listed.
    pub const ALL: [Direction; 8] = [
        Direction::East,
        Direction::West,
        Direction::North,
        Direction::South,
        Direction::NorthEast,
        Direction::SouthWest,
        Direction::SouthEast,
        Direction::NorthWest,
    ];
}

/// Difference of one step in a square's index, modulo 256.
const DELTAS: [u8; 8] = [1, 255, 16, 240, 17, 239, 241, 15];

/// A set of squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SquareSet([u64; 4]);

impl SquareSet {
    /// No squares.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

    /// Adds a square, or removes it when it is in.
    pub(super) fn toggle(&mut self, square: Square) {
        self.0[square.index() >> 6] ^= 1 << (square.0 & 63);
    }

    /// True if the square is in.
    pub fn contains(&self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.0 & 63) & 1 == 1
    }

    /// Number of squares in the set, at most 256.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// True if no square is in.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The squares that come `n` places after the first (0 is the first itself).
    pub(super) fn nth_square(&self, n: u32) -> Option<Square> {
        let mut squares = *self;
        squares.nth(n as usize)
    }

    /// The columns of one row (counted from 0) that are in, column a as the lowest bit.
    pub fn row(&self, row: usize) -> u16 {
        (self.0[row >> 2 & 3] >> ((row & 3) * 16)) as u16
    }
}

/// Takes the squares out, in their order.
impl Iterator for SquareSet {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Square::from_index(index * 64 + bit));
            }
        }
        None
    }
}
