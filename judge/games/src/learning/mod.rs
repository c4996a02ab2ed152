//! Learning by self-play: what a game offers that can do it, and how what was learned becomes a
//! player. The file that keeps it is described in `judge/docs/training.md`.

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

    /// Takes up what stands in a file behind its first line. Any bytes are taken without a panic.
    ///
    /// # Errors
    /// With the first fault and its place.
    fn read(&self, header: &Header, body: &[u8]) -> Result<Box<dyn Learned>, BodyError>;
}

/// Most playouts of a search in training.
pub const MAX_PLAYOUTS: u32 = 1_000_000;

/// What is to be learned. With the number of games it decides every byte of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Name of the board.
    pub board: String,
    /// Where the luck of all games comes from.
    pub seed: u64,
    /// Playouts of a search in training.
    pub playouts: u32,
}

/// What self-play has taught of one board so far.
pub trait Learned: Send + Sync {
    /// What stands in the first line of its file.
    fn header(&self) -> Header;

    /// Plays the next game against itself and learns from it. What is known afterwards follows
    /// from what was known before, the plan and the number of the game. Returns how many states
    /// were forgotten to make room.
    fn play_game(&mut self) -> usize;

    /// The file, first line and checksum included. Equal knowledge gives equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Checks that a match with these options is played on the board that was learned.
    ///
    /// # Errors
    /// With what was learned and what is played, in words.
    fn fits(&self, options: &Options) -> Result<(), String>;

    /// A player for a seat of a match with that seed, who searches from what is known.
    fn player(self: Arc<Self>, seat: Seat, seed: Seed) -> Box<dyn Player>;
}

impl Plan {
    /// Where the luck of one game comes from: the first eight bytes, as a little-endian number, of
    /// the SHA-256 of `judge train SEED GAME` with both numbers in decimal. Games are counted from
    /// 0. A match on small seeds so begins like no game of the training but by chance.
    pub fn seed_of(&self, game: u64) -> Seed {
        let text = format!("judge train {} {game}", self.seed);
        let hash = judge_core::digest(text.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash.bytes()[..8]);
        Seed(u64::from_le_bytes(first))
    }
}
