//! Learning by self-play: the interface of a game that supports it, and the player made from its
//! results. `judge/docs/training.md` describes the file.

pub(crate) mod file;

use std::sync::Arc;

use judge_core::{Options, Player, Seat, Seed};

pub use file::{BodyError, Header, MAX_TABLE_BYTES, TableError};

/// A game that can be learned.
pub trait Learner: Sync {
    /// The boards that it can be trained for, by their names, smallest first.
    fn boards(&self) -> Vec<String>;

    /// Begins to learn and knows nothing yet; `None` when there is no such board.
    fn begin(&self, plan: &Plan) -> Option<Box<dyn Learned>>;

    /// Reads the bytes of a file behind its first line. It accepts any bytes without a panic.
    ///
    /// # Errors
    /// With the first fault and its place.
    fn read(&self, header: &Header, body: &[u8]) -> Result<Box<dyn Learned>, BodyError>;
}

/// Most playouts of a search in training.
pub const MAX_PLAYOUTS: u32 = 1_000_000;

/// The plan of a training. With the number of games it decides every byte of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Name of the board.
    pub board: String,
    /// The seed of all games.
    pub seed: u64,
    /// Playouts of a search in training.
    pub playouts: u32,
}

/// The results of self-play on one board so far.
pub trait Learned: Send + Sync {
    /// The first line of its file.
    fn header(&self) -> Header;

    /// Plays the next game against itself and learns from it. The knowledge afterwards follows from
    /// the knowledge before, the plan and the number of the game. Returns the number of states that
    /// were dropped to make room.
    fn play_game(&mut self) -> usize;

    /// The file, first line and checksum included. Equal knowledge gives equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Checks that a round with these options is played on the board that was learned.
    ///
    /// # Errors
    /// With the trained board and the present one, in words.
    fn fits(&self, options: &Options) -> Result<(), String>;

    /// A player for a seat of a round with that seed, which searches with the table's knowledge.
    fn player(self: Arc<Self>, seat: Seat, seed: Seed) -> Box<dyn Player>;
}

impl Plan {
    /// The seed of one game: the first eight bytes, as a little-endian number, of the SHA-256 of
    /// `judge train SEED GAME` with both numbers in decimal. Games are counted from 0. So a round
    /// with a small seed begins like a training game only by chance.
    pub fn seed_of(&self, game: u64) -> Seed {
        let text = format!("judge train {} {game}", self.seed);
        let hash = judge_core::digest(text.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash.bytes()[..8]);
        Seed(u64::from_le_bytes(first))
    }
}
