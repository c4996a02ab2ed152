//! The lines of the protocol.

use std::fmt::Write as _;

use super::{Path, Position};

/// The start of the question; the position follows.
const QUESTION: &str = "move? ";

/// The start of the notice of the other side's move; the path follows.
const NOTICE: &str = "opponent ";

/// Writes the question for a move.
pub(super) fn ask(position: &Position, line: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(line, "{QUESTION}{position}");
}

/// Writes the notice of a move of the other side.
pub(super) fn write_notice(path: &Path, line: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(line, "{NOTICE}{path}");
}

/// The content of a line to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// `move? <position>`
    Move(Position),
    /// `opponent <path>`
    Opponent,
    /// The greeting and the farewell.
    Frame,
}

impl Line {
    /// Reads a line; `None` when it is not a line of this game.
    pub(super) fn read(line: &str) -> Option<Line> {
        if let Some(position) = line.strip_prefix(QUESTION) {
            return position.parse().ok().map(Line::Move);
        }
        if let Some(path) = line.strip_prefix(NOTICE) {
            return path.parse::<Path>().ok().map(|_| Line::Opponent);
        }
        (line.starts_with("game ") || line.starts_with("end ")).then_some(Line::Frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_spelling_of_the_protocol() {
        let position = Position::start(5).expect("an allowed size");
        let mut line = String::new();
        ask(&position, &mut line);
        assert_eq!(line, "move? 001010000000100000000000000000000000000110000001111");
        assert_eq!(Line::read(&line), Some(Line::Move(position)));
        line.clear();
        write_notice(&"0,1>2,3>2,5".parse().expect("a path"), &mut line);
        assert_eq!(line, "opponent 0,1>2,3>2,5");
        assert_eq!(Line::read(&line), Some(Line::Opponent));
        assert_eq!(Line::read("game cc seat 1 size=8"), Some(Line::Frame));
        assert_eq!(Line::read("end win 2 0"), Some(Line::Frame));
    }

    #[test]
    fn unknown_lines_are_not_parsed() {
        for line in ["", "move?", "move? 0", "opponent", "opponent 1", "opponent 1,1", "hello"] {
            assert_eq!(Line::read(line), None, "{line}");
        }
    }

    #[test]
    fn no_line_is_too_long() {
        let mut line = String::new();
        ask(&Position::start(16).expect("an allowed size"), &mut line);
        assert_eq!(line.len(), 6 + 513);
    }
}
