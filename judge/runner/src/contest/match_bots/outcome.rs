//! The outcome of a match.

use std::path::PathBuf;

use judge_report::quoted;
use serde::Serialize;

use super::{MatchAnswer, MatchReport, only, text};
use crate::Error;
use crate::contest::{KeptRounds, Rows, WithRows, match_command};

/// The outcome of a match.
pub enum Outcome {
    /// The match is complete.
    Finished(Box<Finished>),
    /// The match was stopped.
    Unfinished(Box<Unfinished>),
}

/// A complete match.
pub struct Finished {
    /// The figures.
    pub report: MatchReport,
    /// The rows of all rounds, if the request asked for them.
    pub rows: Option<Rows>,
    /// The page, if the request asked for one, or the error with it.
    pub page: Option<Result<String, Error>>,
    /// Numbers of the rounds that A lost, worst first, at most ten.
    pub lost: Vec<u64>,
    /// The players as given.
    pub players: [String; 2],
    /// The journal with all rounds, if there is one.
    pub journal: Option<PathBuf>,
}

/// A match that was stopped.
pub struct Unfinished {
    /// The figures of the pairs so far.
    pub report: MatchReport,
    /// Maximum number of pairs in the request.
    pub pairs: u64,
    /// The rounds that a resumed run does not play again.
    pub kept: Option<KeptRounds>,
}

impl Finished {
    /// Formats the table for people.
    pub fn text(&self) -> String {
        text::table(&self.report)
    }

    /// Returns the document for programs.
    pub fn json(&self) -> impl Serialize {
        WithRows { document: self.report.json(), rows: self.rows.as_ref() }
    }

    /// Returns the decision.
    ///
    /// # Errors
    /// If no pair counts, because the judge failed in every pair.
    pub fn answer(&self) -> Result<MatchAnswer, Error> {
        self.report.answer()
    }

    /// A line with the command that shows the worst rounds that A lost; none without losses.
    pub fn lost_line(&self) -> Option<String> {
        let rounds = match self.lost.len() {
            0 => return None,
            1 => "the round that A lost, as a page".to_owned(),
            rounds => format!("the {rounds} worst rounds of A, as pages"),
        };
        let Some(start) = &self.report.start else {
            return Some(format!("{rounds}: {}", self.lost_command()));
        };
        let command = start.play_command(self.players.each_ref().map(String::as_str), self.lost[0]);
        command.map(|command| format!("a round that A lost, as a page: {command}"))
    }

    fn lost_command(&self) -> String {
        if let Some(journal) = &self.journal {
            let (journal, worst) = (quoted(&journal.to_string_lossy()), self.lost.len());
            return format!("judge replay {journal} --worst {worst} --html worst-replays");
        }
        let players = self.players.each_ref().map(String::as_str);
        let again = match_command(players, &self.report.pairing);
        format!("{again} {} --html worst.html", only(&self.lost))
    }
}

impl Unfinished {
    /// Formats the table so far, marked as unfinished.
    pub fn text(&self) -> String {
        text::unfinished(&self.report, self.pairs)
    }
}
