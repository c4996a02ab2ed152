//! The lines of the protocol.

use std::fmt::Write as _;

use super::{Path, Position};

/// What the question begins with; the position follows.
const QUESTION: &str = "move? ";

/// What the notice of the other side's move begins with; the path follows.
const NOTICE: &str = "opponent ";

/// Writes the question for a move.
pub(super) fn ask(position: &Position, line: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(line, "{QUESTION}{position}");
}

/// Writes the notice of a move of the other side.
pub(super) fn tell(path: &Path, line: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(line, "{NOTICE}{path}");
}

/// What a line tells or asks a player.
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
    /// Reads a line; `None` when it is none of this game's.
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
