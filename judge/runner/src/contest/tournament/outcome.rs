//! The outcome of a tournament.

use std::path::PathBuf;
use std::time::Duration;

use judge_core::Seed;
use judge_report::{option, quoted};
use serde::Serialize;

use super::document::TournamentDocument;
use super::ranking::Ranking;
use super::{TournamentPart, TournamentReport, page, rounds, tables};
use crate::Error;
use crate::contest::match_bots::report::timing;
use crate::contest::{KeptRounds, Rows, WithRows};

/// The outcome of a tournament.
pub enum Outcome {
    /// The tournament is complete.
    Finished(Box<Finished>),
    /// A part of it is complete.
    Part(TournamentPart),
    /// The tournament, or a part of it, was stopped.
    Unfinished(Unfinished),
}

/// A complete tournament.
pub struct Finished {
    /// The figures.
    pub report: TournamentReport,
    /// Notes for users.
    pub notes: Vec<String>,
    /// The rows of all rounds, if the request asked for them.
    pub rows: Option<Rows>,
    /// The page, if the request asked for one, or the error with it.
    pub page: Option<Result<String, Error>>,
    /// The journal with all rounds, if there is one.
    pub journal: Option<PathBuf>,
    /// Elapsed time.
    pub wall: Duration,
    /// Number of workers.
    pub workers: usize,
}

/// A tournament, or a part of one, that was stopped.
pub struct Unfinished {
    /// The figures of the rounds so far; none for a part.
    pub report: Option<Box<TournamentReport>>,
    /// Number of rounds played.
    pub played: u64,
    /// Maximum number of rounds in the request.
    pub rounds: u64,
    /// The seed of the first pair.
    pub seed: Seed,
    /// The rounds that a resumed run does not play again.
    pub kept: Option<KeptRounds>,
}

impl Finished {
    /// Formats the tables for people, as Markdown.
    pub fn text(&self) -> String {
        tables::markdown(&self.report)
    }

    /// Formats the ranking as CSV, one line per player.
    ///
    /// # Errors
    /// If the judge fails.
    pub fn csv(&self) -> Result<String, Error> {
        tables::csv(&self.report.ranking)
    }

    /// Renders the ratings with their intervals as SVG.
    pub fn picture(&self) -> String {
        page::page(&self.report).to_svg()
    }

    /// Returns the document for programs.
    pub fn json(&self) -> impl Serialize {
        let timing = timing(self.wall, self.workers);
        let document = TournamentDocument::new(&self.report, &self.notes, &timing);
        WithRows { document, rows: self.rows.as_ref() }
    }

    /// True if all pairs count. Players' faults do not end a tournament; if the judge failed in
    /// some pairs, the tables cover the others.
    ///
    /// # Errors
    /// If the judge failed in every pair.
    pub fn is_complete(&self) -> Result<bool, Error> {
        self.report.is_complete()
    }

    /// A line with the command that shows the first player's worst rounds, if it lost some and they
    /// are in a journal.
    pub fn lost_line(&self) -> Option<String> {
        let ranking = &self.report.ranking;
        let first = ranking.rows.iter().find(|row| row.player == 0)?;
        let lost = first.results()[2].min(rounds::SHOWN as u64);
        let journal = self.journal.as_ref().filter(|_| lost > 0)?;
        let (journal, name) = (quoted(&journal.to_string_lossy()), ranking.name(0));
        let player = option("--player", name);
        Some(format!(
            "the {lost} worst rounds of {name}, as pages: judge replay {journal} {player} \
             --worst {lost} --html worst-replays"
        ))
    }
}

impl Unfinished {
    /// Formats the tables so far, marked as unfinished.
    pub fn text(&self) -> String {
        let Unfinished { report, played, rounds, .. } = self;
        let mark = format!("UNFINISHED: interrupted after {played} of {rounds} rounds\n");
        let counts = |report: &&TournamentReport| {
            report.played.meetings.iter().any(|meeting| meeting.tally.table.pairs() > 0)
        };
        match report.as_deref().filter(counts) {
            None => mark,
            Some(report) => mark + &[waiting(&report.ranking), tables::markdown(report)].join("\n"),
        }
    }
}

/// Names the players without a round that counts: their rows have no information.
fn waiting(ranking: &Ranking) -> String {
    let idle = ranking.rows.iter().filter(|row| row.results() == [0; 3]);
    let names: Vec<&str> = idle.map(|row| row.name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!("\nNot played yet: {}.\n", names.join(", "))
}
