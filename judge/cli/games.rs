//! `judge games`: what can be played, against whom, with which switches.

use std::io::Write;

use judge_games::Game;

use crate::bundled;
use crate::failure::{Exit, Failure};

/// List the games with their rule switches, reference opponents and bundled suites.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this game.
    game: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let games = match &arguments.game {
        Some(name) => vec![judge_referee::find(name)?],
        None => judge_games::all().to_vec(),
    };
    let mut out = std::io::stdout().lock();
    for (number, game) in games.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        describe(&mut out, *game)?;
    }
    Ok(Exit::Passed)
}

fn describe(out: &mut impl Write, game: &dyn Game) -> std::io::Result<()> {
    writeln!(out, "{} – {}: {}", game.name(), game.title(), game.summary())?;
    writeln!(out, "  opponents, from weak to strong:")?;
    let width = game.opponents().iter().map(|one| one.name.len()).max().unwrap_or(0);
    for opponent in game.opponents() {
        writeln!(out, "    {:width$}  {}", opponent.name, opponent.summary)?;
    }
    if !game.options().is_empty() {
        writeln!(out, "  options:")?;
    }
    let width = game.options().iter().map(|one| one.key.len()).max().unwrap_or(0);
    for option in game.options() {
        writeln!(
            out,
            "    {:width$}  {} (default {})",
            option.key, option.summary, option.default
        )?;
    }
    if bundled::names().iter().any(|name| name == game.name()) {
        writeln!(out, "  bundled suite: `judge grade BOT.wasm --suite {}`", game.name())?;
    }
    Ok(())
}
