//! The reference opponents: players that speak the protocol's lines like any bot.

mod alphabeta;
mod one_line;
mod random;

use std::fmt::Write as _;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::lines::Line;
use super::{Path, Position};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 4] = [
    OpponentInfo {
        name: "random",
        summary: "makes a random move: each path is as likely as the others",
        create: |seat, seed| {
            Box::new(Speaker(random::Random(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "smart",
        summary: "the original's: looks three moves ahead, as if the other side played for it too",
        create: |_, _| Box::new(Speaker(one_line::Smart)),
    },
    OpponentInfo {
        name: "lookahead",
        summary: "as deep as smart, but each side plays for itself; does not look for wins",
        create: |_, _| Box::new(Speaker(one_line::Lookahead)),
    },
    OpponentInfo {
        name: "alphabeta",
        summary: "searches as many plies ahead as 10000 paths allow",
        create: |_, _| Box::new(Speaker(alphabeta::AlphaBeta)),
    },
];

/// An opponent's way of playing, without the lines.
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

/// The error for a line that the opponent does not understand: a fault of the judge, not of a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::{Seat, Seed};

    #[test]
    fn malformed_lines_are_a_judge_error() {
        for info in &OPPONENTS {
            let mut player = (info.create)(Seat::One, Seed(1));
            for line in ["move? 0", "opponent", "hello", ""] {
                let fault = player.notice(line).expect_err("no notice");
                assert_eq!(fault.verdict, Verdict::JudgeError, "{}: {line}", info.name);
            }
            let blocked = crate::cc::tests::set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]);
            for line in ["opponent 1,1>2,2", "move? 0", &format!("move? {blocked}")] {
                assert!(player.ask(line, &mut String::new()).is_err(), "{}: {line}", info.name);
            }
        }
    }
}
