//! What parent and worker say to each other.

use judge_core::{MatchSpec, Transcript};
use serde::{Deserialize, Serialize};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame;

/// From the parent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Tell which walls stand around the process.
    Walls,
    /// Try what must not be possible.
    Probe,
    /// Check and compile a module; it gets the next number, from 0.
    Load {
        /// The module's bytes.
        module: Vec<u8>,
    },
    /// Keep a table for trained players.
    Table {
        /// The table's bytes.
        table: Vec<u8>,
    },
    /// Play a match with loaded modules.
    Play {
        /// What to play.
        spec: Box<MatchSpec>,
        /// Number of the module in seat 1 and in seat 2; none for whoever is no bot.
        modules: [Option<u32>; 2],
        /// What the person in the match answers, question by question; when they are used up,
        /// the person gives up. Empty in a match without a person.
        script: Vec<String>,
    },
}

/// From the worker, one per request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The walls.
    Walls(Vec<Wall>),
    /// What was tried.
    Probed(Vec<Attempt>),
    /// The module is compiled, or the table is kept.
    Loaded,
    /// Intake refused the module, with the reason as shown to its author.
    Refused(String),
    /// A match was played.
    Played(Box<PlayReply>),
    /// The worker could not do it: the judge's failure.
    Failed(String),
}

/// A played match, as the worker tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayReply {
    /// What the players did.
    pub transcript: Transcript,
    /// Where the time went.
    pub timing: PlayTiming,
}

/// Where the time of a match went, in nanoseconds of wall clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayTiming {
    /// The whole match.
    pub total_ns: u64,
    /// Inside the bots, instantiation included.
    pub bot_ns: u64,
}

/// What the parent makes of these bytes from a worker's pipe: the messages up to the first nonsense,
/// as a worker would write them. For tests of the pipe, without a process.
pub fn retell(mut pipe: &[u8]) -> Vec<u8> {
    let mut told = Vec::new();
    while let Ok(Some(reply)) = frame::read::<Reply>(&mut pipe) {
        // Memory takes whatever was read.
        let _ = frame::write(&mut told, &reply);
    }
    told
}
