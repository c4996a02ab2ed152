//! The setup of a single round: game, luck, seats, limits and the other player.

use std::path::{Path, PathBuf};

use judge_core::{Limits, Listener, Options, RoundSpec, Seat, SeatSpec, Seed};
use judge_grading::Repeat;

use crate::Error;
use crate::bots::players;
use crate::bots::trained::{self, Trained};
use crate::bots::versions;
use crate::bots::{self, BotSource};

/// A round without its first player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundSetup {
    /// The game. Default: the one that a bot states.
    pub game: Option<String>,
    /// The rule switches.
    pub options: Options,
    /// The seed of the round's luck.
    pub seed: Seed,
    /// A reference opponent, a module, `trained:TABLE`, or `human` for another person. Default: the
    /// weakest reference opponent.
    pub against: Option<String>,
    /// The seat of the first player.
    pub seat: Seat,
    /// Limits of each bot.
    pub limits: Limits,
    /// The first answers of the round, of both seats, in place of the players' own.
    pub beginning: Vec<String>,
}

impl From<&Repeat> for RoundSetup {
    /// Converts a round of a testcase for a replay.
    fn from(repeat: &Repeat) -> RoundSetup {
        let Repeat { game, options, seed, opponent, seat, fuel, memory_bytes } = repeat;
        let limits = Limits { fuel: *fuel, memory_bytes: *memory_bytes, ..Limits::COURSE };
        RoundSetup {
            game: Some(game.clone()),
            options: options.clone(),
            seed: *seed,
            against: Some(opponent.clone()),
            seat: *seat,
            limits,
            beginning: Vec::new(),
        }
    }
}

impl RoundSetup {
    /// The given game, or else the one that the bot states.
    pub(super) fn game(&self, bot: Option<&BotSource>, unknown: &str) -> Result<String, Error> {
        if let Some(game) = &self.game {
            return Ok(game.clone());
        }
        let claimed = bot.and_then(bots::claimed_game);
        claimed.map(str::to_owned).ok_or_else(|| Error::usage(unknown, players::hint_of_games()))
    }

    /// Finds the other player.
    pub(super) fn opposite(
        &self,
        game: &str,
        bot: Option<&BotSource>,
        trained: Option<&Trained>,
    ) -> SeatSpec {
        match (trained, bot) {
            (Some(trained), _) => trained.seat.clone(),
            (None, Some(bot)) => players::seat_of(&bot.submission),
            (None, None) => SeatSpec::Reference {
                name: self.against.clone().unwrap_or_else(|| players::weakest(game)),
            },
        }
    }

    /// Returns the round between these two, in which the first has the given seat.
    pub(super) fn spec(&self, game: String, own: SeatSpec, opposite: SeatSpec) -> RoundSpec {
        let seats = match self.seat {
            Seat::One => [own, opposite],
            Seat::Two => [opposite, own],
        };
        let RoundSetup { options, seed, limits, .. } = self;
        RoundSpec { game, options: options.clone(), seed: *seed, seats, limits: *limits }
    }
}

/// The other player's files; none for a reference opponent.
pub(super) struct Opponent {
    pub(super) bot: Option<BotSource>,
    pub(super) trained: Option<Trained>,
}

impl Opponent {
    /// Reads the opponent of `own`, which may be an earlier version of it.
    pub(super) fn read(
        setting: &RoundSetup,
        own: Option<&BotSource>,
        events: &mut dyn Listener,
    ) -> Result<Opponent, Error> {
        let against = setting.against.as_deref();
        if let (Some(own), Some(back)) = (own, against.and_then(versions::back)) {
            return Ok(Opponent { bot: Some(versions::earlier(own, back)?), trained: None });
        }
        let trained = against.map(trained::read).transpose()?.flatten();
        let module = against.filter(|name| players::is_file(name));
        let bot =
            module.map(|path| read_bot(Path::new(path), &setting.limits, events)).transpose()?;
        Ok(Opponent { bot, trained })
    }
}

/// Reads a module that can play under these limits.
pub(crate) fn read_bot(
    path: &Path,
    limits: &Limits,
    events: &mut dyn Listener,
) -> Result<BotSource, Error> {
    let mut read = bots::read_all(&[PathBuf::from(path)], events)?;
    let bot = read.pop().ok_or_else(|| Error::Judge("no module was read".to_owned()))?;
    players::check(&bot, limits)?;
    Ok(bot)
}
