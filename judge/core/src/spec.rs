//! What is to be played: enough to repeat a match exactly, given the bots.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Digest, Limits, Seat, Seed};

/// Rule switches of a game: key to value, both as text, in the order of the keys.
pub type Options = BTreeMap<String, String>;

/// Who sits in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatSpec {
    /// A submitted module.
    Bot {
        /// The name it is shown by: its file's name without the ending.
        name: String,
        /// SHA-256 of the module's bytes.
        sha256: Digest,
    },
    /// One of the game's reference opponents.
    Reference {
        /// Its name in the game's list.
        name: String,
    },
    /// A search that goes on from what self-play has taught (`judge train`).
    Trained {
        /// The name it is shown by.
        name: String,
        /// SHA-256 of its table.
        sha256: Digest,
    },
    /// A person at the terminal: in `judge play` and its replays, never in grading.
    Human {
        /// What the person wants to be called.
        name: String,
    },
}

impl SeatSpec {
    /// The name to show.
    pub fn name(&self) -> &str {
        match self {
            SeatSpec::Bot { name, .. }
            | SeatSpec::Reference { name }
            | SeatSpec::Trained { name, .. }
            | SeatSpec::Human { name } => name,
        }
    }

    /// True if a submitted module sits here.
    pub fn is_bot(&self) -> bool {
        matches!(self, SeatSpec::Bot { .. })
    }

    /// The hash of the table that it needs, if it is a trained player's.
    pub fn table(&self) -> Option<Digest> {
        match self {
            SeatSpec::Trained { sha256, .. } => Some(*sha256),
            SeatSpec::Bot { .. } | SeatSpec::Reference { .. } | SeatSpec::Human { .. } => None,
        }
    }

    /// Takes away a name that only the user gave: whoever is called otherwise plays the same.
    pub fn forget_name(&mut self) {
        match self {
            SeatSpec::Bot { name, .. }
            | SeatSpec::Trained { name, .. }
            | SeatSpec::Human { name } => name.clear(),
            SeatSpec::Reference { .. } => {}
        }
    }

    /// True if a person sits here.
    pub fn is_human(&self) -> bool {
        matches!(self, SeatSpec::Human { .. })
    }
}

/// One match to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundSpec {
    /// Name of the game in the registry.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    #[serde(default)]
    pub options: Options,
    /// Where the luck comes from.
    pub seed: Seed,
    /// Seat 1, then seat 2.
    pub seats: [SeatSpec; 2],
    /// What each bot may use.
    pub limits: Limits,
}

impl RoundSpec {
    /// Who sits in `seat`.
    pub fn seat(&self, seat: Seat) -> &SeatSpec {
        &self.seats[seat.index()]
    }

    /// The first seat that a person sits in.
    pub fn human(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.seat(*seat).is_human())
    }

    /// True if people play each other.
    pub fn is_between_people(&self) -> bool {
        self.seats.iter().all(SeatSpec::is_human)
    }
}
