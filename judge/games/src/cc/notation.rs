//! Text: squares (`3,10`), paths (`0,1>2,3>2,5`) and positions (the original's hash key: `0` or
//! `1` for the side on turn, then `00`, `01` or `11` for each square, row by row).

use std::fmt::{self, Write as _};
use std::str::FromStr;

use judge_core::Seat;

use super::position::{MIN_SIZE, all_squares};
use super::square::MAX_SIZE;
use super::{Path, Position, SetupError, Square, Squares};
use crate::text::excerpt;

/// A text that is not a square, path or position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Not a square.
    #[error("`{text}` is not a square: expected row, comma, column, each 0 to {last}")]
    Square {
        /// The text.
        text: String,
        /// Number of the board's last row and column.
        last: u8,
    },
    /// Not a path: one of its squares is invalid, or there are too few or too many.
    #[error("`{path}` is not a path like `0,1>2,3>2,5`: {reason}")]
    Path {
        /// The text.
        path: String,
        /// The error in it.
        reason: String,
    },
    /// No board has a text of this length.
    #[error("a position of `{0}` characters: expected 1 + 2 × size × size, for a size of 5 to 16")]
    Length(usize),
    /// The first character is not a side.
    #[error("`{0}` is not a side to move: expected `0` for seat 1 or `1` for seat 2")]
    Turn(String),
    /// Two characters without a meaning for a square.
    #[error("`{0}` on row {1}, column {2}: expected `00` (empty), `01` (seat 1) or `11` (seat 2)")]
    Content(String, u8, u8),
    /// The men cannot be placed like this.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Square, NotationError> {
        read_square(text, MAX_SIZE)
    }
}

/// Reads a square of any board; the message is for one with so many rows and columns.
fn read_square(text: &str, size: u8) -> Result<Square, NotationError> {
    let pair = text.split_once(',');
    pair.and_then(|(row, column)| Square::new(coordinate(row)?, coordinate(column)?))
        .ok_or_else(|| NotationError::Square { text: excerpt(text), last: size - 1 })
}

/// A number in plain digits: no sign and no leading zero, so that each has one spelling.
fn coordinate(text: &str) -> Option<u8> {
    match *text.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        [b'1', digit @ b'0'..=b'5'] => Some(10 + digit - b'0'),
        _ => None,
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row(), self.column())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl FromStr for Path {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Path, NotationError> {
        Path::read(text, MAX_SIZE)
    }
}

impl Path {
    /// Reads a path over squares of any board; messages are for one with so many rows and columns.
    pub(super) fn read(text: &str, size: u8) -> Result<Path, NotationError> {
        let wrong =
            |reason: &str| NotationError::Path { path: excerpt(text), reason: reason.to_owned() };
        let mut squares = text
            .split('>')
            .map(|square| read_square(square, size).map_err(|error| wrong(&error.to_string())));
        let start = squares.next().unwrap_or_else(|| Err(wrong("it is empty")))?;
        let mut path = Path::from(start);
        for square in squares {
            path.push(square?).map_err(|_| wrong("it is longer than any move"))?;
        }
        if path.squares().len() < 2 {
            return Err(wrong("it has only one square"));
        }
        Ok(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start())?;
        self.squares()[1..].iter().try_for_each(|square| write!(f, ">{square}"))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let length = |size: u8| 1 + 2 * usize::from(size) * usize::from(size);
        let size = (MIN_SIZE..=MAX_SIZE).find(|size| length(*size) == text.len());
        let size = size.ok_or(NotationError::Length(text.len()))?;
        let bytes = text.as_bytes();
        let turn = match bytes[0] {
            b'0' => Seat::One,
            b'1' => Seat::Two,
            other => return Err(NotationError::Turn(shown(&[other]))),
        };
        let mut men = [Squares::EMPTY; 2];
        for (square, content) in all_squares(size).zip(bytes[1..].chunks(2)) {
            match content {
                b"00" => {}
                b"01" => men[0].insert(square),
                b"11" => men[1].insert(square),
                other => {
                    let (row, column) = (square.row(), square.column());
                    return Err(NotationError::Content(shown(other), row, column));
                }
            }
        }
        Ok(Position::new(size, men, turn)?)
    }
}

/// Bytes for a message, which may cut a character.
fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(if self.turn() == Seat::One { '0' } else { '1' })?;
        all_squares(self.size()).try_for_each(|square| {
            f.write_str(match self.man_at(square) {
                None => "00",
                Some(Seat::One) => "01",
                Some(Seat::Two) => "11",
            })
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused<T: FromStr<Err = NotationError> + fmt::Debug>(text: &str) -> String {
        text.parse::<T>().expect_err("not in this notation").to_string()
    }

    #[test]
    fn squares_and_paths_read_back() {
        for text in ["0,0", "9,10", "15,15"] {
            assert_eq!(text.parse::<Square>().map(|square| square.to_string()), Ok(text.into()));
        }
        for text in ["0,1>2,3>2,5", "15,15>14,14"] {
            assert_eq!(text.parse::<Path>().map(|path| path.to_string()), Ok(text.into()));
        }
    }

    #[test]
    fn messages_name_the_rows_of_the_board() {
        for (size, last) in [(5, "4"), (6, "5"), (8, "7"), (16, "15")] {
            let error = Path::read("0,0>9;9", size).expect_err("no square").to_string();
            assert!(error.ends_with(&format!("row, comma, column, each 0 to {last}")), "{error}");
        }
    }

    #[test]
    fn numbers_have_one_spelling() {
        for text in
            ["", "1", ",", "1,", "01,2", "+1,2", "1,16", "1,20", "1,2,3", " 1,2", "1,2 ", "é,1"]
        {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        insta::assert_snapshot!(refused::<Square>("1;2"), @"`1;2` is not a square: expected row, comma, column, each 0 to 15");
        insta::assert_snapshot!(refused::<Path>(""), @"`` is not a path like `0,1>2,3>2,5`: `` is not a square: expected row, comma, column, each 0 to 15");
        insta::assert_snapshot!(refused::<Path>("1,2"), @"`1,2` is not a path like `0,1>2,3>2,5`: it has only one square");
        insta::assert_snapshot!(refused::<Path>("1,2>16,3"), @"`1,2>16,3` is not a path like `0,1>2,3>2,5`: `16,3` is not a square: expected row, comma, column, each 0 to 15");
        let long = vec!["0,0"; 257].join(">");
        insta::assert_snapshot!(refused::<Path>(&long), @"`0,0>0,0>0,0>0,0>0,0>0,0>0,0>0,0>0,0>0,0>…` is not a path like `0,1>2,3>2,5`: it is longer than any move");
    }

    /// The start on a board of size 5 with one character changed.
    fn changed(at: usize, by: &str) -> String {
        let mut text = Position::start(5).expect("an allowed size").to_string();
        text.replace_range(at..=at, by);
        text
    }

    #[test]
    fn malformed_positions_name_the_place() {
        insta::assert_snapshot!(refused::<Position>("0"), @"a position of `1` characters: expected 1 + 2 × size × size, for a size of 5 to 16");
        insta::assert_snapshot!(refused::<Position>(&changed(0, "2")), @"`2` is not a side to move: expected `0` for seat 1 or `1` for seat 2");
        insta::assert_snapshot!(refused::<Position>(&changed(5, "1")), @"`10` on row 0, column 2: expected `00` (empty), `01` (seat 1) or `11` (seat 2)");
        let empty = format!("0{}", "00".repeat(25));
        insta::assert_snapshot!(refused::<Position>(&empty), @"seat `1` has no man");
    }

    proptest! {
        #[test]
        fn every_position_reads_back(position in crate::cc::tests::positions()) {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }

        #[test]
        fn no_text_panics(text in ".{0,60}", digits in "[01é]{51,73}") {
            let _ = (text.parse::<Square>(), text.parse::<Path>(), digits.parse::<Position>());
        }
    }
}
