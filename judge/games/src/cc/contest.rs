//! One game between two players, as a machine of notices and questions.

use std::ops::ControlFlow;

use judge_core::{RoundResult, Seat};

use super::{
    Ending, Path, Position, Rules, Square, lines, options, perft, render, standing, state, svg,
    visit_paths,
};
use crate::{GameState, IllegalMove, MAX_LISTED, Paint, Standing, Step, View};

/// Score of the winner; the loser has 0.
const WIN: i64 = 2;

/// Score of both sides in a draw.
const DRAW: i64 = 1;

/// A game in progress.
pub struct Contest {
    rules: Rules,
    position: Position,
    /// Plies of the players.
    plies: u32,
    /// The move made last, by the side that is not on turn.
    last: Option<Last>,
    phase: Phase,
}

/// A move that was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Last {
    /// The path of the man.
    pub(super) path: Path,
    /// The square of the captured man.
    pub(super) captured: Option<Square>,
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A notice of the last move to the side on turn.
    Tell,
    /// A question to the side on turn, unless the game is over.
    Turn,
    /// The question is pending.
    Asked,
}

/// The end of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// By the rules of the game.
    Ending(Ending),
    /// By the limit on plies.
    Plies,
}

impl Finish {
    /// The reason, in a few words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Finish::Ending(ending) => ending.reason(),
            Finish::Plies => "ply limit",
        }
    }

    /// The winner; none for a draw.
    pub(super) fn winner(self) -> Option<Seat> {
        match self {
            Finish::Ending(ending) => ending.winner(),
            Finish::Plies => None,
        }
    }
}

impl Contest {
    /// A game from any position; the opening, if any, has been played.
    pub fn new(rules: Rules, position: Position) -> Contest {
        Contest::resumed(rules, position, 0)
    }

    /// A game in which the players have already made so many plies.
    pub(super) fn resumed(rules: Rules, position: Position, plies: u32) -> Contest {
        Contest { rules, position, plies, last: None, phase: Phase::Turn }
    }

    /// The men and the side on turn.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Number of moves that both players have made; the opening does not count.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The rules of this game.
    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The move made last.
    pub(super) fn last(&self) -> Option<&Last> {
        self.last.as_ref()
    }

    /// The end, if the game is over.
    pub(super) fn finish(&self) -> Option<Finish> {
        let limit = self.plies >= self.rules.max_plies;
        let by_rules = self.position.ending().map(Finish::Ending);
        by_rules.or_else(|| limit.then_some(Finish::Plies))
    }

    /// The result, if the game is over.
    pub(super) fn outcome(&self) -> Option<RoundResult> {
        self.finish().map(|finish| outcome(finish.winner(), finish.reason()))
    }
}

/// The result with this winner; without one both sides have the score of a draw.
pub(super) fn outcome(winner: Option<Seat>, reason: &str) -> RoundResult {
    let mut scores = if winner.is_some() { [0; 2] } else { [DRAW; 2] };
    if let Some(winner) = winner {
        scores[winner.index()] = WIN;
    }
    RoundResult { scores, winner, reason: reason.to_owned() }
}

/// Every path of a position as text, in order; at most the first [`MAX_LISTED`] of them.
fn answers(position: &Position) -> Vec<String> {
    let mut answers = Vec::new();
    // The length shows whether the visit was broken off.
    let _ = visit_paths(position, |path, _| {
        answers.push(path.to_string());
        if answers.len() < MAX_LISTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    answers.sort_unstable();
    answers
}

impl GameState for Contest {
    fn step(&mut self, line: &mut String) -> Step {
        if let (Phase::Tell, Some(last)) = (self.phase, &self.last) {
            lines::write_notice(&last.path, line);
            self.phase = Phase::Turn;
            return Step::Tell(self.position.turn());
        }
        if let Some(outcome) = self.outcome() {
            return Step::End(outcome);
        }
        lines::ask(&self.position, line);
        self.phase = Phase::Asked;
        Step::Ask(self.position.turn())
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if self.phase != Phase::Asked {
            return Err(IllegalMove::nothing_asked());
        }
        let path = Path::read(answer, self.position.size())
            .map_err(|error| IllegalMove::Malformed(error.to_string()))?;
        let change = self
            .position
            .check(&path)
            .map_err(|error| IllegalMove::Forbidden(error.to_string()))?;
        self.position = self.position.after(change);
        self.plies += 1;
        self.last = Some(Last { path, captured: change.captured });
        self.phase = Phase::Tell;
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        outcome(Some(loser.other()), "forfeit")
    }

    fn facts(&self) -> String {
        options::facts(&self.rules)
    }

    fn legal(&self) -> Vec<String> {
        match self.phase {
            Phase::Asked => answers(&self.position),
            Phase::Tell | Phase::Turn => Vec::new(),
        }
    }

    /// The captured man of a path.
    fn remark(&self, answer: &str) -> Option<String> {
        let path: Path = answer.parse().ok()?;
        let captured = self.position.check(&path).ok()?.captured?;
        Some(format!("takes {captured}"))
    }

    fn state(&self) -> String {
        state::print(self)
    }

    fn standing(&self) -> Standing {
        standing::current(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        // Every answer is a ply, so no sequence is longer than the limit.
        let left = self.rules.max_plies.saturating_sub(self.plies);
        if depth <= left { perft(&self.position, depth) } else { 0 }
    }

    /// Nothing is hidden, so all views are the same.
    fn frame(&self, _view: View) -> String {
        render::frame(self)
    }

    fn paint(&self, line: &str, at: usize) -> Option<Paint> {
        render::paint(line, at)
    }

    fn svg(&self, _view: View) -> String {
        svg::picture(self)
    }

    #[cfg(feature = "pointing")]
    fn targets(&self) -> Vec<crate::Target> {
        svg::targets::targets(self)
    }

    #[cfg(feature = "pointing")]
    fn choices(&self, chosen: &[String]) -> crate::Choices {
        match self.phase {
            Phase::Asked => svg::targets::choices(&self.position, chosen),
            Phase::Tell | Phase::Turn => crate::Choices::default(),
        }
    }
}
