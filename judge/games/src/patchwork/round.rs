//! One game, as a machine that says who is told or asked what.

use judge_core::{Outcome, Seat};

use super::{Circle, Move, Position, Rules, lines, options, render};
use crate::{IllegalMove, Match, Step};

/// A game in progress.
pub struct Round {
    position: Position,
    /// Every move so far and who made it, in order.
    moves: Vec<(Seat, Move)>,
    /// The same as text.
    text: String,
    phase: Phase,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// This seat is told the circle.
    Circle(Seat),
    /// This seat is told the move that the other side has just made.
    News(Seat, Move),
    /// Somebody moves, or the game is over.
    Turn,
}

impl Round {
    /// More moves than games have: 33 patches, five special ones, and at most 53 squares for each
    /// side to advance.
    const MOST_MOVES: usize = 144;

    /// A game that begins with telling both sides the circle.
    pub fn new(rules: Rules, circle: Circle) -> Round {
        Round {
            position: Position::new(rules, circle),
            moves: Vec::with_capacity(Round::MOST_MOVES),
            text: String::with_capacity(4 * Round::MOST_MOVES),
            phase: Phase::Circle(Seat::One),
        }
    }

    /// The state of the game.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Every move so far and who made it, in order.
    pub fn moves(&self) -> &[(Seat, Move)] {
        &self.moves
    }

    fn outcome(&self) -> Outcome {
        let scores = Seat::BOTH.map(|seat| self.position.score(seat));
        let reason = if scores[0] == scores[1] { "first on the last square" } else { "score" };
        Outcome { scores, winner: self.position.winner(), reason: reason.to_owned() }
    }
}

impl Match for Round {
    fn step(&mut self, line: &mut String) -> Step {
        match self.phase {
            Phase::Circle(seat) => {
                let last = seat == Seat::Two;
                self.phase = if last { Phase::Turn } else { Phase::Circle(Seat::Two) };
                lines::write_circle(self.position.circle(), line);
                Step::Tell(seat)
            }
            Phase::News(seat, made) => {
                self.phase = Phase::Turn;
                lines::write_opponent(made, line);
                Step::Tell(seat)
            }
            Phase::Turn if self.position.is_over() => Step::End(self.outcome()),
            Phase::Turn => {
                lines::write_question(&self.text, line);
                Step::Ask(self.position.turn())
            }
        }
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if self.phase != Phase::Turn {
            return Err(IllegalMove::Malformed("nothing was asked".to_owned()));
        }
        let malformed = |error: super::MoveError| IllegalMove::Malformed(error.to_string());
        let made: Move = answer.parse().map_err(malformed)?;
        let seat = self.position.turn();
        let forbidden = |error: super::PlayError| IllegalMove::Forbidden(error.to_string());
        self.position.play(made).map_err(forbidden)?;
        self.moves.push((seat, made));
        made.write_to(&mut self.text);
        self.phase = Phase::News(seat.other(), made);
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> Outcome {
        Outcome { scores: [0; 2], winner: Some(loser.other()), reason: "forfeit".to_owned() }
    }

    fn facts(&self) -> String {
        options::facts(self.position.rules())
    }

    fn frame(&self) -> String {
        render::frame(self)
    }
}
