//! One round, as a machine of notices and questions.

use std::fmt::Write as _;

use judge_core::{RoundResult, Seat, Seed};

use super::options::{self, Setup};
use super::position::{Move, MoveError, Position};
use super::{opening, perft, render, standing, svg};
use crate::{GameState, IllegalMove, Paint, Standing, Step, View};

/// A round in progress.
pub struct Round {
    setup: Setup,
    position: Position,
    /// Moves that the players have made.
    moves: u32,
    /// The move made last.
    last: Option<Move>,
    phase: Phase,
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A notice of the last move to the side on turn.
    Tell(Move),
    /// The side on turn is asked for its move, or has lost when it cannot move.
    Turn,
    /// The question is pending.
    Asked,
}

impl Round {
    /// A round that begins with the opening of that seed.
    pub(super) fn new(setup: Setup, seed: Seed) -> Round {
        let position = opening::opened(&setup.start, setup.opening, seed);
        Round { setup, position, moves: 0, last: None, phase: Phase::Turn }
    }

    /// A round that begins with a position, without the moves before it.
    pub(super) fn from(position: Position) -> Round {
        let setup = Setup { start: position.clone(), opening: 0 };
        Round { setup, position, moves: 0, last: None, phase: Phase::Turn }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The move made last; the opening does not count.
    pub fn last(&self) -> Option<Move> {
        self.last
    }

    /// Number of moves of the players; the opening does not count.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The result, once the side on turn cannot move.
    pub(super) fn outcome(&self) -> Option<RoundResult> {
        self.position.winner().map(|winner| won(winner.seat(), "no move"))
    }
}

/// The result when `winner` has won: 1 point for the winner, 0 for the other side.
fn won(winner: Seat, reason: &str) -> RoundResult {
    let mut scores = [0; 2];
    scores[winner.index()] = 1;
    RoundResult { scores, winner: Some(winner), reason: reason.to_owned() }
}

impl GameState for Round {
    fn step(&mut self, line: &mut String) -> Step {
        let seat = self.position.to_move().seat();
        // Writing into a string cannot fail.
        if let Phase::Tell(last) = self.phase {
            self.phase = Phase::Turn;
            let _ = write!(line, "opponent {last}");
            return Step::Tell(seat);
        }
        if let Some(outcome) = self.outcome() {
            return Step::End(outcome);
        }
        self.phase = Phase::Asked;
        let _ = write!(line, "move? {}", self.position);
        Step::Ask(seat)
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        let chosen: Move =
            answer.parse().map_err(|error| IllegalMove::Malformed(format!("{error}")))?;
        if self.phase != Phase::Asked {
            return Err(IllegalMove::nothing_asked());
        }
        self.position.play(chosen).map_err(|error| match error {
            MoveError::OffBoard(..) => IllegalMove::Malformed(error.to_string()),
            _ => IllegalMove::Forbidden(error.to_string()),
        })?;
        self.moves += 1;
        self.last = Some(chosen);
        self.phase = Phase::Tell(chosen);
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        won(loser.other(), "forfeit")
    }

    fn facts(&self) -> String {
        options::facts(&self.setup)
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        if self.phase == Phase::Asked {
            self.position.each_move(|candidate| legal.push(candidate.to_string()));
        }
        legal.sort_unstable();
        legal
    }

    fn legal_count(&self) -> u64 {
        if self.phase == Phase::Asked { self.position.count_moves().into() } else { 0 }
    }

    fn state(&self) -> String {
        self.position.to_string()
    }

    fn standing(&self) -> Standing {
        standing::current(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

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
            Phase::Tell(_) | Phase::Turn => crate::Choices::default(),
        }
    }
}
