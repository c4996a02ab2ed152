//! The reference opponents: players that speak the protocol's lines like any bot.

mod alphabeta;
mod random;

use std::fmt::Write as _;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::lines::Line;
use super::{Path, Position};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 2] = [
    OpponentInfo {
        name: "random",
        summary: "makes a random move: each path is as likely as the others",
        create: |seat, seed| {
            Box::new(Speaker(random::Random(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "alphabeta",
        summary: "searches as many plies ahead as 10000 paths allow",
        create: |_, _| Box::new(Speaker(alphabeta::AlphaBeta)),
    },
];

/// How an opponent plays, without the lines.
trait Strategy {
    /// A move of the side on turn; `None` when it has none.
    fn choose(&mut self, position: &Position) -> Option<Path>;
}

/// A strategy that reads and writes lines.
struct Speaker<S>(S);

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        match Line::read(line) {
            // The position comes with every question.
            Some(Line::Opponent | Line::Frame) => Ok(None),
            _ => Err(lost(line)),
        }
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let Some(Line::Move(position)) = Line::read(line) else { return Err(lost(line)) };
        let path = self.0.choose(&position).ok_or_else(|| lost(line))?;
        // Writing into a string cannot fail.
        let _ = write!(answer, "{path}");
        Ok(None)
    }
}

/// The line makes no sense to the opponent: then the judge is broken, not a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}
