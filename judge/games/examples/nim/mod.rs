//! Nim: three heaps, each player in turn takes any number from one of them; the player that takes the last
//! wins. The smallest whole game: `judge/docs/adding-a-game.md` walks through it.

mod opponents;
mod render;
mod round;
#[cfg(feature = "vectors")]
mod vectors;

use judge_core::{Options, Purpose, Seed};

use crate::{Game, GameState, OpponentInfo, OptionError, OptionInfo, ResumeError};
use round::{Heaps, Round};

/// Nim in the registry.
pub struct Nim;

/// The registry entry.
pub static GAME: Nim = Nim;

/// The rule switches.
static OPTIONS: [OptionInfo; 1] = [OptionInfo {
    key: "misere",
    default: "false",
    summary: "whether taking the last loses: `true` or `false`",
}];

/// Largest heap at the start.
const MAX_HEAP: u32 = 7;

impl Game for Nim {
    fn name(&self) -> &'static str {
        "nim"
    }

    fn title(&self) -> &'static str {
        "Nim"
    }

    fn summary(&self) -> &'static str {
        "two players take from three heaps; the last to take wins"
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("forfeit", "a player failed, so the other side wins"),
            ("last taken", "no object is left"),
        ]
    }

    fn options(&self) -> &'static [OptionInfo] {
        &OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        let misere = misere(self, options)?;
        let mut random = seed.random(Purpose::Chance);
        let heaps = Heaps([(); 3].map(|()| random.below(MAX_HEAP) + 1));
        Ok(Box::new(Round::new(misere, heaps)))
    }

    fn resume(
        &self,
        options: &Options,
        _seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        let misere = misere(self, options)?;
        Round::parse(misere, state)
            .map(|round| Box::new(round) as Box<dyn GameState>)
            .map_err(|error| ResumeError::State(error.to_string()))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}

/// The one switch.
fn misere(game: &dyn Game, options: &Options) -> Result<bool, OptionError> {
    crate::game::check_keys(game, options)?;
    match options.get("misere").map(String::as_str) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(OptionError::Value {
            key: "misere",
            value: other.to_owned(),
            expected: "`true` or `false`",
        }),
    }
}
