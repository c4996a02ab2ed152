//! Recordings for machine learning: the same games as JSON Lines, as Parquet and, for Patchwork, in
//! the format of the original project. `judge/docs/learning.md` lists every column.

mod columns;
mod games;
mod jsonl;
mod original;
mod plies;
#[cfg(test)]
mod tests;

use std::io;
use std::str::FromStr;

use judge_core::RecordedGame;

/// A form that recorded games are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordingFormat {
    /// JSON Lines: a game a line.
    Jsonl,
    /// Parquet: a table of games, and one with a row for each question.
    Parquet,
    /// The original Patchwork project's comma-separated values: a game a line.
    Csv,
}

/// A name that no form has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{name}`; there are {}", RecordingFormat::names())]
pub struct UnknownRecordingFormat {
    /// The name.
    pub name: String,
}

impl RecordingFormat {
    /// All of them, in the order of the documentation.
    pub const ALL: [RecordingFormat; 3] =
        [RecordingFormat::Jsonl, RecordingFormat::Parquet, RecordingFormat::Csv];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RecordingFormat::Jsonl => "jsonl",
            RecordingFormat::Parquet => "parquet",
            RecordingFormat::Csv => "csv",
        }
    }

    /// The one game that it is for, if it is not for all.
    pub fn only_game(self) -> Option<&'static str> {
        match self {
            RecordingFormat::Csv => Some("patchwork"),
            RecordingFormat::Jsonl | RecordingFormat::Parquet => None,
        }
    }

    /// Content.
    pub fn tables(self) -> &'static [RecordingTable] {
        match self {
            RecordingFormat::Jsonl => &[RecordingTable::Jsonl],
            RecordingFormat::Parquet => &[RecordingTable::Games, RecordingTable::Plies],
            RecordingFormat::Csv => &[RecordingTable::Csv],
        }
    }

    fn names() -> String {
        RecordingFormat::ALL.map(RecordingFormat::name).join(", ")
    }
}

impl FromStr for RecordingFormat {
    type Err = UnknownRecordingFormat;

    fn from_str(name: &str) -> Result<RecordingFormat, UnknownRecordingFormat> {
        let known = RecordingFormat::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownRecordingFormat { name: name.to_owned() })
    }
}

/// A kind of file, each in a separate folder, where readers take all files for one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingTable {
    /// Whole games as JSON Lines.
    Jsonl,
    /// Parquet: a row for each game.
    Games,
    /// Parquet: a row for each question.
    Plies,
    /// The original project's lines.
    Csv,
}

impl RecordingTable {
    /// The folder that its files are in.
    pub fn folder(self) -> &'static str {
        match self {
            RecordingTable::Jsonl => "jsonl",
            RecordingTable::Games => "games",
            RecordingTable::Plies => "plies",
            RecordingTable::Csv => "csv",
        }
    }

    /// File name extension.
    pub fn ending(self) -> &'static str {
        match self {
            RecordingTable::Jsonl => "jsonl",
            RecordingTable::Games | RecordingTable::Plies => "parquet",
            RecordingTable::Csv => "csv",
        }
    }

    /// The file with these games. `about` is more metadata, key and value, if the format has room
    /// for that.
    ///
    /// # Errors
    /// Never for games that a judge recorded: all is written to memory.
    pub fn render(self, games: &[RecordedGame], about: &[(&str, String)]) -> io::Result<Vec<u8>> {
        match self {
            RecordingTable::Jsonl => jsonl::render(games),
            RecordingTable::Games => games::render(games, about),
            RecordingTable::Plies => plies::render(games, about),
            RecordingTable::Csv => original::render(games),
        }
    }
}
