//! The outcome of a match.

use std::path::PathBuf;

use judge_report::quoted;
use judge_statistics::Estimate;
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

    /// A line with the command that plays as many rounds as would decide which player is stronger,
    /// if the score stays the same. None if they are known to differ, for a test, and where more
    /// rounds add nothing.
    pub fn undecided_line(&self) -> Option<String> {
        let MatchReport { tally, sprt, start, pairing, .. } = &self.report;
        let evidence = &tally.evidence;
        let pairs = tally.table.pairs();
        let is_limited = evidence.distinct().independent < pairs;
        if sprt.is_some() || start.is_some() || is_limited {
            return None;
        }
        let rounds = rounds_to_decide(&evidence.score(), 2 * pairs)?;
        let command = match_command(self.players.each_ref().map(String::as_str), pairing);
        let journal = self
            .journal
            .as_ref()
            .map(|journal| format!(" --journal {} --resume", quoted(&journal.to_string_lossy())));
        let journal = journal.unwrap_or_default();
        Some(format!(
            "undecided; if the score stays the same, {rounds} rounds decide it: {command} --rounds \
             {rounds}{journal}"
        ))
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

/// The most rounds to suggest.
const MOST_ROUNDS: f64 = 100_000.0;

/// The number of rounds after which the interval of this score would exclude a draw, rounded up to
/// hundreds. None if it does already, or far too many are needed.
fn rounds_to_decide(score: &Estimate, played: u64) -> Option<u64> {
    let lead = (score.value - 0.5).abs();
    let width = (score.high - score.low) / 2.0;
    let is_decided = score.low > 0.5 || score.high < 0.5;
    // The width of an interval shrinks with the square root of the number.
    let needed = played as f64 * (width / lead).powi(2);
    let can_help = !is_decided && needed.is_finite() && needed <= MOST_ROUNDS;
    can_help.then(|| (needed as u64 / 100 + 1) * 100).filter(|rounds| *rounds > played)
}

impl Unfinished {
    /// Formats the table so far, marked as unfinished.
    pub fn text(&self) -> String {
        text::unfinished(&self.report, self.pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_named_only_if_they_decide_the_test() {
        let score = |value, half| Estimate { value, low: value - half, high: value + half };
        assert_eq!(rounds_to_decide(&score(0.55, 0.101), 200), Some(900));
        assert_eq!(rounds_to_decide(&score(0.45, 0.101), 200), Some(900));
        assert_eq!(rounds_to_decide(&score(0.55, 0.04), 200), None, "decided");
        assert_eq!(rounds_to_decide(&score(0.5, 0.1), 200), None, "no lead to keep");
        assert_eq!(rounds_to_decide(&score(0.501, 0.1), 200), None, "too many");
    }
}
