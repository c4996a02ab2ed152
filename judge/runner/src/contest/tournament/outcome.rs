//! What came of a request for a tournament.

use std::path::PathBuf;
use std::time::Duration;

use judge_core::Seed;
use judge_report::{option, quoted};
use serde_json::{Value, json};

use super::ranking::Ranking;
use super::{TournamentPart, TournamentReport, document, page, rounds, tables};
use crate::Error;
use crate::contest::match_bots::report::timing;
use crate::contest::{KeptRounds, Rows};

/// How a tournament ended.
pub enum Outcome {
    /// It was played to its end.
    Finished(Box<Finished>),
    /// A part of it was played to its end.
    Part(TournamentPart),
    /// It was stopped before, or a part of it was.
    Unfinished(Unfinished),
}

/// A tournament that was played to its end.
pub struct Finished {
    /// The figures.
    pub report: TournamentReport,
    /// Notes for users.
    pub notes: Vec<String>,
    /// The rows of all rounds, if the request asked for them.
    pub rows: Option<Rows>,
    /// The page, if the request asked for one, or why it could not be made.
    pub page: Option<Result<String, Error>>,
    /// The journal that has all rounds, if one was kept.
    pub journal: Option<PathBuf>,
    /// Time that it took.
    pub wall: Duration,
    /// Number of workers that played.
    pub workers: usize,
}

/// A tournament, or a part of one, that was stopped before its end.
pub struct Unfinished {
    /// The figures, as if the rounds so far were all; a part has none.
    pub report: Option<Box<TournamentReport>>,
    /// Rounds that were played.
    pub played: u64,
    /// Rounds that were to be played at most.
    pub rounds: u64,
    /// The seed of the first pair.
    pub seed: Seed,
    /// The rounds that a next run need not play again.
    pub kept: Option<KeptRounds>,
}

impl Finished {
    /// The tables for people, which are Markdown.
    pub fn text(&self) -> String {
        tables::markdown(&self.report)
    }

    /// The ranking as CSV, a line for each player.
    ///
    /// # Errors
    /// When the judge fails.
    pub fn csv(&self) -> Result<String, Error> {
        tables::csv(&self.report.ranking)
    }

    /// The ratings with their intervals as a picture, which is SVG.
    pub fn picture(&self) -> String {
        page::page(&self.report).to_svg()
    }

    /// The document for programs.
    pub fn json(&self) -> Value {
        let mut json = document::document(&self.report);
        json["notes"] = json!(self.notes);
        json["timing"] = timing(self.wall, self.workers);
        if let Some(rows) = &self.rows {
            json["rows"] = json!(rows);
        }
        json
    }

    /// True if all pairs count. A tournament is played to its end whoever fails in it; where the
    /// judge failed in some pairs, the tables stand for the others.
    ///
    /// # Errors
    /// When the judge failed in every pair.
    pub fn is_complete(&self) -> Result<bool, Error> {
        self.report.is_complete()
    }

    /// A line with the command that shows the worst rounds of the first player, if it lost some and
    /// they are kept.
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
    /// The tables as they stand, marked as unfinished.
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

/// The players without a round that counts, whose rows say nothing.
fn waiting(ranking: &Ranking) -> String {
    let idle = ranking.rows.iter().filter(|row| row.results() == [0; 3]);
    let names: Vec<&str> = idle.map(|row| row.name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!("\nNot played yet: {}.\n", names.join(", "))
}
