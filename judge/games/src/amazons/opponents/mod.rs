//! The reference opponents: players that speak the protocol's lines like any bot.

mod alphabeta;
mod candidates;
mod greedy;
pub(super) mod mcts;
mod random;

use std::sync::Arc;

use judge_core::{Player, PlayerFault, Purpose, Seat, Seed, Verdict};

use super::knowledge::Knows;
use super::{Move, Position};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 4] = [
    OpponentInfo {
        name: "random",
        summary: "plays a random one of its legal moves",
        create: |seat, seed| {
            Box::new(Speaker(random::Random(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "greedy",
        summary: "plays the move after which its amazons can go to most squares more than the other side's",
        create: |seat, seed| {
            Box::new(Speaker(greedy::Greedy(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "mcts",
        summary: "searches a tree with 200 playouts, each judged by who gets to more squares sooner",
        create: |seat, seed| {
            Box::new(Speaker(mcts::MonteCarlo::new(seed.random(Purpose::Opponent(seat)), None)))
        },
    },
    OpponentInfo {
        name: "alphabeta",
        summary: "looks ahead over 4000 positions, each judged by who gets to more squares sooner",
        create: |_, _| Box::new(Speaker(alphabeta::AlphaBeta)),
    },
];

/// The opponent `mcts`, with each search starting from the results of self-play.
pub(super) fn trained(knowledge: Arc<dyn Knows>, seat: Seat, seed: Seed) -> Box<dyn Player> {
    let random = seed.random(Purpose::Opponent(seat));
    Box::new(Speaker(mcts::MonteCarlo::new(random, Some(knowledge))))
}

/// An opponent's way of playing, without the lines. It needs only the position.
trait Strategy {
    /// A legal move; `None` when there is none.
    fn choose(&mut self, position: &Position) -> Option<Move>;
}

/// A strategy that reads and writes lines.
struct Speaker<S>(S);

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let known = ["opponent ", "game ", "end "].iter().any(|start| line.starts_with(start));
        if known { Ok(None) } else { Err(lost(line)) }
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let board = line.strip_prefix("move? ").and_then(|board| board.parse().ok());
        let chosen = board.and_then(|position| self.0.choose(&position));
        *answer += &chosen.ok_or_else(|| lost(line))?.to_string();
        Ok(None)
    }
}

/// The error for a line that the opponent does not understand: a fault of the judge, not of a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}
