//! One game between two players, as a machine that says who is told or asked what.

use judge_core::{Outcome, Seat};

use super::{Ending, Path, Position, Rules, lines, options, render};
use crate::{IllegalMove, Match, Step};

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
    last: Option<Path>,
    phase: Phase,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The side on turn is told of the last move.
    Tell(Path),
    /// The side on turn is asked, unless the game is over.
    Turn,
    /// The side on turn was asked.
    Asked,
}

/// How a contest has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// By the rules of the game.
    Ending(Ending),
    /// By the limit on plies.
    Plies,
}

impl Finish {
    /// How it ended, in a few words.
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
        Contest { rules, position, plies: 0, last: None, phase: Phase::Turn }
    }

    /// Where the men stand now, and whose turn it is.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves the players have made, both together; the opening does not count.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The move made last.
    pub(super) fn last(&self) -> Option<&Path> {
        self.last.as_ref()
    }

    /// How it has ended, if it has.
    pub(super) fn finish(&self) -> Option<Finish> {
        let limit = self.plies >= self.rules.max_plies;
        let by_rules = self.position.ending().map(Finish::Ending);
        by_rules.or_else(|| limit.then_some(Finish::Plies))
    }
}

fn outcome(winner: Option<Seat>, reason: &str) -> Outcome {
    let mut scores = if winner.is_some() { [0; 2] } else { [DRAW; 2] };
    if let Some(winner) = winner {
        scores[winner.index()] = WIN;
    }
    Outcome { scores, winner, reason: reason.to_owned() }
}

impl Match for Contest {
    fn step(&mut self, line: &mut String) -> Step {
        if let Phase::Tell(path) = self.phase {
            lines::tell(&path, line);
            self.phase = Phase::Turn;
            return Step::Tell(self.position.turn());
        }
        if let Some(finish) = self.finish() {
            return Step::End(outcome(finish.winner(), finish.reason()));
        }
        lines::ask(&self.position, line);
        self.phase = Phase::Asked;
        Step::Ask(self.position.turn())
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if self.phase != Phase::Asked {
            return Err(IllegalMove::Malformed("nothing was asked".to_owned()));
        }
        let path: Path = answer
            .parse()
            .map_err(|error: super::NotationError| IllegalMove::Malformed(error.to_string()))?;
        let change = self
            .position
            .check(&path)
            .map_err(|error| IllegalMove::Forbidden(error.to_string()))?;
        self.position = self.position.after(change);
        self.plies += 1;
        self.last = Some(path);
        self.phase = Phase::Tell(path);
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> Outcome {
        outcome(Some(loser.other()), "forfeit")
    }

    fn facts(&self) -> String {
        options::facts(&self.rules)
    }

    fn frame(&self) -> String {
        render::frame(self)
    }
}
