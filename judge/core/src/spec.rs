//! The specification of a round: enough to repeat it exactly, given the bots.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Digest, Limits, Seat, Seed};

/// Rule switches of a game: key to value, both as text, ordered by key.
pub type Options = BTreeMap<String, String>;

/// The player in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatSpec {
    /// A submitted module.
    Bot {
        /// The displayed name: its file's name without the ending.
        name: String,
        /// SHA-256 of the module's bytes.
        sha256: Digest,
    },
    /// One of the game's reference opponents.
    Reference {
        /// Its name in the game's list.
        name: String,
    },
    /// A search that uses values learned by self-play (`judge train`).
    Trained {
        /// The displayed name.
        name: String,
        /// SHA-256 of its table.
        sha256: Digest,
    },
    /// A person at the terminal: in `judge play` and its replays, never in grading.
    Human {
        /// The person's chosen name.
        name: String,
    },
    /// A program that runs outside the sandbox, without limits: in `judge play --native` and its
    /// replays, never in grading.
    Native {
        /// The displayed name: its file's name.
        name: String,
    },
}

impl SeatSpec {
    /// The displayed name.
    pub fn name(&self) -> &str {
        match self {
            SeatSpec::Bot { name, .. }
            | SeatSpec::Reference { name }
            | SeatSpec::Trained { name, .. }
            | SeatSpec::Human { name }
            | SeatSpec::Native { name } => name,
        }
    }

    /// True for a submitted module.
    pub fn is_bot(&self) -> bool {
        matches!(self, SeatSpec::Bot { .. })
    }

    /// The hash of a trained player's table.
    pub fn table(&self) -> Option<Digest> {
        match self {
            SeatSpec::Trained { sha256, .. } => Some(*sha256),
            SeatSpec::Bot { .. }
            | SeatSpec::Reference { .. }
            | SeatSpec::Human { .. }
            | SeatSpec::Native { .. } => None,
        }
    }

    /// Removes a name given by the user, which does not affect play.
    pub fn forget_name(&mut self) {
        match self {
            SeatSpec::Bot { name, .. }
            | SeatSpec::Trained { name, .. }
            | SeatSpec::Human { name }
            | SeatSpec::Native { name } => name.clear(),
            SeatSpec::Reference { .. } => {}
        }
    }

    /// True for a person.
    pub fn is_human(&self) -> bool {
        matches!(self, SeatSpec::Human { .. })
    }

    /// True for a player that may write a log.
    pub fn has_log(&self) -> bool {
        self.is_bot() || self.is_native()
    }

    /// True for a program outside the sandbox.
    pub fn is_native(&self) -> bool {
        matches!(self, SeatSpec::Native { .. })
    }
}

/// One round to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundSpec {
    /// Name of the game in the registry.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    #[serde(default)]
    pub options: Options,
    /// Source of the luck.
    pub seed: Seed,
    /// Seat 1, then seat 2.
    pub seats: [SeatSpec; 2],
    /// Limits of each bot.
    pub limits: Limits,
}

impl RoundSpec {
    /// The player in `seat`.
    pub fn seat(&self, seat: Seat) -> &SeatSpec {
        &self.seats[seat.index()]
    }

    /// The first seat with a person.
    pub fn human(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.seat(*seat).is_human())
    }

    /// The seat of a program outside the sandbox.
    pub fn native(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.seat(*seat).is_native())
    }

    /// True for a round between two people.
    pub fn is_between_people(&self) -> bool {
        self.seats.iter().all(SeatSpec::is_human)
    }
}
