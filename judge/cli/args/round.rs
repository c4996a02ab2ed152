//! Arguments of a single round.

use judge_core::{Limits, Seat, Seed};
use judge_runner::rounds::play::RoundSetup;

use super::{LimitArgs, option};

/// Game, luck, seats and limits of a round.
#[derive(clap::Args)]
pub(crate) struct RoundArgs {
    /// Choose the game. Default: the one that the bot says it plays.
    #[arg(long)]
    game: Option<String>,
    /// Set the seed of the round.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Choose the opponent: a reference opponent (see `judge games`), another bot, or a table of
    /// `judge train`. Default: the weakest reference opponent.
    #[arg(long, value_name = "NAME|BOT.wasm|trained:TABLE")]
    against: Option<String>,
    /// Choose the seat of the bot, or yours; seat 1 moves first.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    seat: u8,
    /// Set a rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Set each bot's time, in instructions.
    #[arg(long, value_name = "N", conflicts_with = "time_ms")]
    fuel: Option<u64>,
}

impl RoundArgs {
    pub(crate) fn setting(&self) -> RoundSetup {
        let limits = self.limits.limits();
        RoundSetup {
            game: self.game.clone(),
            options: self.options.iter().cloned().collect(),
            seed: Seed(self.seed),
            against: self.against.clone(),
            seat: Seat::try_from(self.seat).unwrap_or(Seat::One),
            limits: Limits { fuel: self.fuel.unwrap_or(limits.fuel), ..limits },
        }
    }

    /// The other player, as given.
    pub(crate) fn against(&self) -> Option<&str> {
        self.against.as_deref()
    }
}
