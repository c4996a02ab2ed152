//! Arguments of a single round.

use std::path::{Path, PathBuf};

use judge_core::{Seat, Seed};
use judge_runner::Error;
use judge_runner::rounds::play::{RoundSetup, SavedMove};
use judge_runner::suites::Testcase;

use super::{LimitArgs, option};

/// Game, luck, seats and limits of a round.
#[derive(clap::Args)]
pub(crate) struct RoundArgs {
    /// Choose the game. Default: the one that the bot says it plays.
    #[arg(long)]
    game: Option<String>,
    /// Set the seed of the round. Default: 1, or with `--testcase` its first one.
    #[arg(long)]
    seed: Option<u64>,
    /// Choose the opponent: a reference opponent (see `judge games`), another bot, a table of
    /// `judge train`, or `previous`, `@1`, `@2`, … for an earlier version of the bot (see `judge
    /// compare`). Default: the weakest reference opponent, or that of `--testcase`.
    #[arg(long, value_name = "NAME|BOT.wasm|trained:TABLE")]
    against: Option<String>,
    /// Choose the seat of the bot, or yours; seat 1 moves first. Default: 1, or that of
    /// `--testcase`.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    seat: Option<u8>,
    /// Set a rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// A move to start from.
#[derive(clap::Args)]
pub(crate) struct FromArgs {
    /// Start from a move of a saved round, counted as in `judge replay --move`: the players get the
    /// same lines up to there and the saved answers are played; from there on, their own.
    /// Takes game, luck, rule switches and limits from the saved round, and the opponent if it is a
    /// reference opponent.
    #[arg(long, value_name = "ROUND.jsonl:MOVE",
          conflicts_with_all = ["game", "seed", "options", "time_ms", "memory_kib", "fuel", "testcase"])]
    from: Option<SavedMove>,
}

impl FromArgs {
    /// Says which moves are given, if any.
    pub(crate) fn remark(&self) -> Option<String> {
        self.from.as_ref().map(SavedMove::remark)
    }
}

impl RoundArgs {
    /// The round of this bot, from a move of a saved round if one is named.
    ///
    /// # Errors
    /// As [`RoundArgs::setting`], and if the saved round has no such move.
    pub(crate) fn setting_from(
        &self,
        from: &FromArgs,
        bot: Option<&Path>,
    ) -> Result<RoundSetup, Error> {
        match &from.from {
            Some(saved) => saved.setting(bot, self.seat(), self.against.clone()),
            None => self.setting(bot),
        }
    }

    fn seat(&self) -> Option<Seat> {
        self.seat.map(|seat| Seat::try_from(seat).unwrap_or(Seat::One))
    }

    /// The round of this bot, if there is one that says which game it plays.
    ///
    /// # Errors
    /// If the testcase does not exist or does not fit.
    pub(crate) fn setting(&self, bot: Option<&Path>) -> Result<RoundSetup, Error> {
        let players: Vec<String> = bot.iter().map(|bot| bot.display().to_string()).collect();
        let testcase = self.limits.testcase(self.game.as_deref(), &players)?;
        let testcase = testcase.as_ref();
        let limits = self.limits.limits(testcase);
        let options = testcase.map(|one| one.options.clone()).unwrap_or_default();
        let first = || Some(testcase?.seeds.first()?.0);
        Ok(RoundSetup {
            game: self.game.clone().or_else(|| Some(testcase?.game.clone())),
            options: options.into_iter().chain(self.options.iter().cloned()).collect(),
            seed: Seed(self.seed.or_else(first).unwrap_or(1)),
            against: self.against.clone().or_else(|| Some(testcase?.opponent.clone())),
            seat: self.seat().or_else(|| Some(testcase?.seat)).unwrap_or(Seat::One),
            limits,
            beginning: Vec::new(),
        })
    }

    /// The testcase of this bot, if it is to choose the round.
    ///
    /// # Errors
    /// If the testcase does not exist or does not fit.
    pub(crate) fn whole_testcase(&self, bot: &Path) -> Result<Option<Testcase>, Error> {
        let RoundArgs { seed, against, seat, options, limits, .. } = self;
        let is_chosen = seed.is_some() || against.is_some() || seat.is_some();
        if is_chosen || limits.fuel.is_some() || !options.is_empty() {
            return Ok(None);
        }
        limits.testcase(self.game.as_deref(), &[bot.display().to_string()])
    }

    /// The chosen testcase; a usage error if something that it determines is chosen, too.
    pub(crate) fn only_testcase(&self) -> Result<Option<&PathBuf>, Error> {
        let RoundArgs { game, seed, against, seat, options, .. } = self;
        let is_alone = game.is_none() && seed.is_none() && against.is_none() && seat.is_none();
        match &self.limits.testcase {
            Some(_) if !(is_alone && options.is_empty()) => {
                let what = "a testcase determines game, seeds, opponent, seat and rule switches";
                Err(Error::usage(what, "leave these options out, or `--testcase`"))
            }
            testcase => Ok(testcase.as_ref()),
        }
    }

    /// True if no testcase limits the round.
    pub(crate) fn is_without_testcase(&self) -> bool {
        self.limits.testcase.is_none()
    }

    /// The other player, as given.
    pub(crate) fn against(&self) -> Option<&str> {
        self.against.as_deref()
    }
}
