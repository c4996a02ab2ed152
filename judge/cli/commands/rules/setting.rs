//! Game, rules and state of an exploration.

use std::io::Read;

use judge_runner::Error;
use judge_runner::tools::rules::{self, RulesSession};

use crate::args;

/// Longest state that is read from standard input, in bytes.
const MAX_STATE: u64 = 1 << 20;

/// Game and rules.
#[derive(clap::Args)]
pub(super) struct RulesSetting {
    /// Choose the game.
    #[arg(long)]
    game: String,
    /// Set a rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = args::option)]
    options: Vec<(String, String)>,
    /// Set the seed of the luck that the state does not contain.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(super) json: bool,
}

impl RulesSetting {
    /// Returns a session at a state: in the game's notation, `start`, or `-` for standard input.
    pub(super) fn open(&self, state: &str) -> Result<RulesSession, Error> {
        let options = self.options.iter().cloned().collect();
        let setting = rules::GameRules { game: self.game.clone(), options, seed: self.seed };
        RulesSession::open(&setting, &text(state)?)
    }
}

/// The text of a state argument; `-` reads standard input.
fn text(argument: &str) -> Result<String, Error> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_STATE).read_to_string(&mut text);
    read.map_err(|source| Error::Read { path: "standard input".into(), source })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
