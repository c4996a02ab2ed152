//! The lines of the protocol, as the referee writes them and the opponents read them.

use std::fmt::Write as _;

use super::{Circle, Move};

/// The word for an empty list of moves.
const NOTHING: &str = "-";

/// Writes the notice of the circle.
pub(super) fn write_circle(circle: &Circle, line: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(line, "circle {circle}");
}

/// Writes the notice that the other side has made a move.
pub(super) fn write_opponent(made: Move, line: &mut String) {
    line.push_str("opponent ");
    made.write_to(line);
}

/// Writes the question for a move; `game` is the text of all moves so far.
pub(super) fn write_question(game: &str, line: &mut String) {
    line.push_str("move? ");
    line.push_str(or_nothing(game));
}

/// The text of all moves as a word that is not empty.
pub(super) fn or_nothing(game: &str) -> &str {
    if game.is_empty() { NOTHING } else { game }
}

/// The text of all moves for such a word.
pub(super) fn without_nothing(token: &str) -> &str {
    if token == NOTHING { "" } else { token }
}

/// A line as an opponent reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The first line, with the rules.
    Greeting(&'a str),
    /// The circle at the start.
    Circle(&'a str),
    /// A move of the other side, or the end: the questions contain both.
    Other,
    /// The question for a move: all moves so far.
    Question(&'a str),
}

impl Line<'_> {
    /// Reads a line; `None` when it is not a line of this game.
    pub(super) fn read(line: &str) -> Option<Line<'_>> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "game" => Some(Line::Greeting(rest)),
            "circle" => Some(Line::Circle(rest)),
            "opponent" | "end" => Some(Line::Other),
            "move?" => Some(Line::Question(without_nothing(rest))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut line = String::new();
        write(&mut line);
        line
    }

    #[test]
    fn written_lines_read_back() {
        let start = written(|line| write_question("", line));
        assert_eq!(start, "move? -");
        assert_eq!(Line::read(&start), Some(Line::Question("")));
        let later = written(|line| write_question("BDCA.", line));
        assert_eq!(Line::read(&later), Some(Line::Question("BDCA.")));
        let news = written(|line| write_opponent(Move::Advance, line));
        assert_eq!((news.as_str(), Line::read(&news)), ("opponent .", Some(Line::Other)));
    }

    #[test]
    fn unknown_lines_are_not_parsed() {
        for line in ["", "move?", "move?-", "draw 3b", "-"] {
            assert_eq!(Line::read(line), None, "{line}");
        }
    }
}
