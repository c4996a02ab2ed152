//! What came of a request for a match.

use std::path::PathBuf;

use judge_report::quoted;
use serde_json::{Value, json};

use super::{MatchAnswer, MatchReport, only, text};
use crate::Error;
use crate::contest::{KeptRounds, Rows, match_command};

/// How a match ended.
pub enum Outcome {
    /// It was played to its end.
    Finished(Box<Finished>),
    /// It was stopped before.
    Unfinished(Box<Unfinished>),
}

/// A match that was played to its end.
pub struct Finished {
    /// The figures.
    pub report: MatchReport,
    /// The rows of all rounds, if the request asked for them.
    pub rows: Option<Rows>,
    /// The page, if the request asked for one, or why it could not be made.
    pub page: Option<Result<String, Error>>,
    /// Numbers of the rounds that A lost, the worst first: ten at most.
    pub lost: Vec<u64>,
    /// The players as they were named.
    pub players: [String; 2],
    /// The journal that has all rounds, if one was kept.
    pub journal: Option<PathBuf>,
}

/// A match that was stopped before its end.
pub struct Unfinished {
    /// The figures, as if the pairs so far were all.
    pub report: MatchReport,
    /// Pairs that were to be played at most.
    pub pairs: u64,
    /// The rounds that a next run need not play again.
    pub kept: Option<KeptRounds>,
}

impl Finished {
    /// The table for people.
    pub fn text(&self) -> String {
        text::table(&self.report)
    }

    /// The document for programs.
    pub fn json(&self) -> Value {
        let mut json = self.report.json();
        if let Some(rows) = &self.rows {
            json["rows"] = json!(rows);
        }
        json
    }

    /// The answer; of a match without a pair that counts there is none.
    ///
    /// # Errors
    /// When the judge failed in every pair.
    pub fn answer(&self) -> Result<MatchAnswer, Error> {
        self.report.answer()
    }

    /// A line with the command that shows the worst of the rounds that A lost, if it lost some.
    pub fn lost_line(&self) -> Option<String> {
        let rounds = match self.lost.len() {
            0 => return None,
            1 => "the round that A lost, as a page".to_owned(),
            rounds => format!("the {rounds} worst rounds of A, as pages"),
        };
        Some(format!("{rounds}: {}", self.lost_command()))
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
    /// The table as it stands, marked as unfinished.
    pub fn text(&self) -> String {
        text::unfinished(&self.report, self.pairs)
    }
}
