//! Squares, moves and positions as text, both ways: `d1`, `d1-d7/g7`, and
//! `3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w` with the highest row first.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::position::{Move, Position, Side};
use super::square::{MAX_SIZE, MIN_SIZE, Square};
use crate::text::{excerpt, number};

/// A text that is not a square, move or position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Not a column letter and a row number.
    #[error("`{0}` is not a square: expected a column from a to p and a row from 1 to 16")]
    Square(String),
    /// Not three squares with their signs.
    #[error("`{0}` is not a move: expected one like `d1-d7/g7`")]
    Move(String),
    /// A letter without a meaning on a board.
    #[error("{0}: `{1}` is none of `w`, `b`, `x` and numbers of empty squares")]
    Letter(Place, char),
    /// A number of empty squares that is 0, starts with 0 or follows another one.
    #[error("{0}: `{1}` is not a number of empty squares from 1 to {2}")]
    Number(Place, String, u8),
    /// Rows and columns that do not make a square board.
    #[error("row {row} has {found} squares: expected {expected}, as many as there are rows")]
    Width {
        /// Row, counted from 1 on White's side.
        row: usize,
        /// Its squares.
        found: usize,
        /// The number of rows.
        expected: usize,
    },
    /// Too few or too many rows.
    #[error("number of rows is {0}: expected 4 to 16")]
    Rows(usize),
    /// No side to move, or an unknown one.
    #[error("side to move `{0}`: expected `w` or `b` after the rows and one space")]
    SideToMove(String),
}

/// A place in the rows of a position, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Row, counted from 1 on White's side.
    pub row: u8,
    /// Squares of that row before it.
    pub before: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, self.before) {
            (row, 0) => write!(f, "row {row}, at its start"),
            (row, 1) => write!(f, "row {row}, after 1 square"),
            (row, before) => write!(f, "row {row}, after {before} squares"),
        }
    }
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Square, NotationError> {
        read_square(text.as_bytes()).ok_or_else(|| NotationError::Square(excerpt(text)))
    }
}

/// A letter from a to p, and a number from 1 to 16 without a leading zero.
fn read_square(text: &[u8]) -> Option<Square> {
    let row = match text {
        [_, digit @ b'1'..=b'9'] => digit - b'0',
        [_, b'1', digit @ b'0'..=b'6'] => 10 + digit - b'0',
        _ => return None,
    };
    Square::new(text[0].checked_sub(b'a')?, row - 1)
}

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move, NotationError> {
        read_move(text).ok_or_else(|| NotationError::Move(excerpt(text)))
    }
}

fn read_move(text: &str) -> Option<Move> {
    let (amazon, arrow) = text.split_once('/')?;
    let (from, to) = amazon.split_once('-')?;
    let square = |text: &str| read_square(text.as_bytes());
    Some(Move { from: square(from)?, to: square(to)?, arrow: square(arrow)? })
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let (board, side) = text.split_once(' ').unwrap_or((text, ""));
        let rows: Vec<&str> = board.split('/').collect();
        let size = u8::try_from(rows.len()).unwrap_or(u8::MAX);
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(NotationError::Rows(rows.len()));
        }
        let mut position = Position::empty(size);
        // The highest row comes first.
        for (row, text) in (0..size).rev().zip(rows) {
            read_row(&mut position, row, text)?;
        }
        let known = Side::BOTH.into_iter().find(|known| side == known.letter());
        position.set_to_move(known.ok_or_else(|| NotationError::SideToMove(excerpt(side)))?);
        Ok(position)
    }
}

/// Places the content of a row.
fn read_row(position: &mut Position, row: u8, text: &str) -> Result<(), NotationError> {
    let mut column = 0_usize;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let place = Place { row: row + 1, before: column };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            column += read_number(place, &rest[..digits], position.size())?;
            rest = &rest[digits..];
            continue;
        }
        let amazon = match letter {
            'w' => Some(Side::White),
            'b' => Some(Side::Black),
            'x' => None,
            _ => return Err(NotationError::Letter(place, letter)),
        };
        // An error below reports the content that does not fit, by the width.
        if let Some(square) = u8::try_from(column).ok().and_then(|c| Square::new(c, row)) {
            position.place(square, amazon);
        }
        column += 1;
        rest = &rest[1..];
    }
    let (row, expected) = (usize::from(row) + 1, usize::from(position.size()));
    if column == expected {
        return Ok(());
    }
    Err(NotationError::Width { row, found: column, expected })
}

/// A number of empty squares in its only spelling, on a board with so many columns.
fn read_number(place: Place, digits: &str, size: u8) -> Result<usize, NotationError> {
    let spelled = number(digits).filter(|number| (1..=usize::from(MAX_SIZE)).contains(number));
    spelled.ok_or_else(|| NotationError::Number(place, excerpt(digits), size))
}

impl Side {
    /// `w` or `b`.
    pub fn letter(self) -> &'static str {
        match self {
            Side::White => "w",
            Side::Black => "b",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}/{}", self.from, self.to, self.arrow)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size()).rev() {
            write_row(self, row, f)?;
            f.write_char(if row > 0 { '/' } else { ' ' })?;
        }
        f.write_str(self.to_move().letter())
    }
}

fn write_row(position: &Position, row: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for square in (0..position.size()).filter_map(|column| Square::new(column, row)) {
        if position.is_empty(square) {
            empty += 1;
            continue;
        }
        write_number(empty, f)?;
        empty = 0;
        f.write_str(position.amazon_at(square).map_or("x", Side::letter))?;
    }
    write_number(empty, f)
}

fn write_number(empty: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}
