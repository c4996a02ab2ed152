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

/// A format for recorded games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordingFormat {
    /// JSON Lines: one game per line.
    Jsonl,
    /// Parquet: a table of games, and one with a row for each question.
    Parquet,
    /// The comma-separated values of the original Patchwork project: one game per line.
    Csv,
}

/// An unknown format name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{name}`; there are {}", RecordingFormat::names())]
pub struct UnknownRecordingFormat {
    /// The name.
    pub name: String,
}

impl RecordingFormat {
    /// All formats, in the order of the documentation.
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

    /// The game that it is limited to, if any.
    pub fn only_game(self) -> Option<&'static str> {
        match self {
            RecordingFormat::Csv => Some("patchwork"),
            RecordingFormat::Jsonl | RecordingFormat::Parquet => None,
        }
    }

    /// The tables in this format.
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

/// A kind of file. Each kind has a separate folder, because readers treat all files of a folder as
/// one table.
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

    /// Renders a file with these games. `about` is further metadata, as key and value, if the
    /// format supports it.
    ///
    /// # Errors
    /// Never for games that a judge recorded, because the output is in memory.
    pub fn render(self, games: &[RecordedGame], about: &[(&str, String)]) -> io::Result<Vec<u8>> {
        match self {
            RecordingTable::Jsonl => jsonl::render(games),
            RecordingTable::Games => games::render(games, about),
            RecordingTable::Plies => plies::render(games, about),
            RecordingTable::Csv => original::render(games),
        }
    }
}
