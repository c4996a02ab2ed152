//! Moves and games as text, in the notation of the course: `BDCA` lays patch B in column D, row C,
//! orientation A; `.` advances; a game is its moves, one directly after the other.

use std::fmt;
use std::str::FromStr;

use super::shape::Orientation;
use super::{Move, Patch, Placement};
use crate::text::excerpt;

/// The reason why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Neither `.` nor four characters.
    #[error(
        "`{0}`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`"
    )]
    Form(String),
    /// The first letter.
    #[error("`{text}`: {letter} is not a patch, expected A to Z or a to h")]
    Patch {
        /// The four letters.
        text: String,
        /// The first of them.
        letter: char,
    },
    /// The second or third letter.
    #[error("`{text}`: {letter} is not a {line}, expected A to I")]
    Line {
        /// The four letters.
        text: String,
        /// The wrong one.
        letter: char,
        /// `column` or `row`.
        line: &'static str,
    },
    /// The last letter.
    #[error("`{text}`: {letter} is not an orientation, expected A to H")]
    Orientation {
        /// The four letters.
        text: String,
        /// The last of them.
        letter: char,
    },
}

/// The number, from 0, of the column or row with that letter.
fn line_number(letter: char) -> Option<u8> {
    matches!(letter, 'A'..='I').then(|| letter as u8 - b'A')
}

/// The letter of a column or row, from 0.
pub(super) fn line_letter(number: u8) -> char {
    char::from(b'A'.saturating_add(number))
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        if text == "." {
            return Ok(Move::Advance);
        }
        let [patch, column, row, orientation] = text.as_bytes() else {
            return Err(MoveError::Form(excerpt(text)));
        };
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(MoveError::Form(excerpt(text)));
        }
        let [patch, column, row, orientation] =
            [patch, column, row, orientation].map(|byte| char::from(*byte));
        let text = || text.to_owned();
        let no_line = |letter, line| MoveError::Line { text: text(), letter, line };
        Ok(Move::Place(Placement {
            patch: Patch::from_letter(patch)
                .ok_or_else(|| MoveError::Patch { text: text(), letter: patch })?,
            column: line_number(column).ok_or_else(|| no_line(column, "column"))?,
            row: line_number(row).ok_or_else(|| no_line(row, "row"))?,
            orientation: Orientation::from_letter(orientation)
                .ok_or_else(|| MoveError::Orientation { text: text(), letter: orientation })?,
        }))
    }
}

impl Placement {
    /// Its four letters.
    fn letters(&self) -> [char; 4] {
        [
            self.patch.letter(),
            line_letter(self.column),
            line_letter(self.row),
            self.orientation.letter(),
        ]
    }
}

impl Move {
    /// Writes it at the end of `text`, as [`fmt::Display`] does but faster.
    pub(super) fn write_to(&self, text: &mut String) {
        match self {
            Move::Advance => text.push('.'),
            Move::Place(placement) => text.extend(placement.letters()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(4);
        self.write_to(&mut text);
        f.pad(&text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Move::Place(*self), f)
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// Cuts the text of a game into the texts of its moves: a single `.`, or else four characters. The
/// last one may be shorter; the texts need not be moves.
///
/// ```
/// use judge_games::patchwork::split_moves;
///
/// assert!(split_moves("BDCA.UAAA").eq(["BDCA", ".", "UAAA"]));
/// ```
pub fn split_moves(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let characters = if text.starts_with('.') { 1 } else { 4 };
        let (token, rest) = match text.char_indices().nth(characters) {
            Some((end, _)) => text.split_at(end),
            None => (text, ""),
        };
        text = rest;
        (!token.is_empty()).then_some(token)
    })
}

/// Reads the moves of a game.
///
/// # Errors
/// The first text among them that is not a move.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, MoveError> {
    split_moves(text).map(str::parse).collect()
}

/// The text of a game.
pub fn print_moves(moves: &[Move]) -> String {
    let mut text = String::with_capacity(4 * moves.len());
    moves.iter().for_each(|made| made.write_to(&mut text));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        text.parse::<Move>().expect_err("no move").to_string()
    }

    #[test]
    fn moves_read_and_print() {
        let made: Move = "OBED".parse().expect("a move");
        let Move::Place(placement) = made else { panic!("a placement") };
        assert_eq!((placement.patch.letter(), placement.column, placement.row), ('O', 1, 4));
        assert_eq!(placement.orientation.letter(), 'D');
        assert_eq!(format!("[{made:>5}] {placement} {placement:?}"), "[ OBED] OBED `OBED`");
        assert_eq!(format!("{:?} {:<2}|", Move::Advance, Move::Advance), "`.` . |");
    }

    #[test]
    fn games_are_cut_into_moves() {
        let text = "BDCAUAAA..dBDBhIIH.";
        let moves = parse_moves(text).expect("moves");
        assert_eq!(moves.len(), 7);
        assert_eq!(print_moves(&moves), text);
        assert_eq!(split_moves("B.CA.éaaaaBD").collect::<Vec<_>>(), ["B.CA", ".", "éaaa", "aBD"]);
        assert_eq!(split_moves("").count(), 0);
        assert_eq!(parse_moves("BDC").expect_err("too short").to_string(), refused("BDC"));
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        insta::assert_snapshot!(refused(""), @"``: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
        insta::assert_snapshot!(refused("BDC\n"), @r"`BDC\n`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
        insta::assert_snapshot!(refused(&"x".repeat(41)), @"`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
        insta::assert_snapshot!(refused("iDCA"), @"`iDCA`: i is not a patch, expected A to Z or a to h");
        insta::assert_snapshot!(refused("BJCA"), @"`BJCA`: J is not a column, expected A to I");
        insta::assert_snapshot!(refused("BDjA"), @"`BDjA`: j is not a row, expected A to I");
        insta::assert_snapshot!(refused("BDCI"), @"`BDCI`: I is not an orientation, expected A to H");
    }

    proptest! {
        #[test]
        fn every_move_reads_back(text in "[A-Za-h][A-I][A-I][A-H]|[.]") {
            let made: Move = text.parse().expect("a move");
            prop_assert_eq!(made.to_string(), text);
        }

        #[test]
        fn no_text_panics(text in ".{0,9}") {
            let _ = (text.parse::<Move>(), parse_moves(&text));
            prop_assert_eq!(split_moves(&text).collect::<String>(), text);
        }
    }
}
