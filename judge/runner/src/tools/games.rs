//! `judge games`: the games with their opponents and switches.

use std::fmt::Write as _;

pub use judge_games::{Game, rules_page};

use crate::Error;
use crate::base::bundled;

/// A query for the games of this judge.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The only game to describe; all by default.
    pub game: Option<String>,
}

/// Games of this judge.
pub struct Outcome {
    /// The requested games.
    pub games: Vec<&'static dyn Game>,
}

/// Finds the games.
///
/// # Errors
/// If the game is unknown.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let games = match &request.game {
        Some(name) => vec![judge_referee::find(name)?],
        None => judge_games::all().to_vec(),
    };
    Ok(Outcome { games })
}

impl Outcome {
    /// Formats rule switches, opponents and bundled suites of the games.
    pub fn to_text(&self) -> String {
        let descriptions: Vec<String> = self.games.iter().map(|game| describe(*game)).collect();
        descriptions.join("\n")
    }
}

fn describe(game: &dyn Game) -> String {
    let mut text = format!("{} – {}: {}\n", game.name(), game.title(), game.summary());
    // Writing to a string cannot fail. The same holds below.
    let _ = writeln!(text, "  opponents, from weak to strong:");
    let width = game.opponents().iter().map(|one| one.name.len()).max().unwrap_or(0);
    for opponent in game.opponents() {
        let _ = writeln!(text, "    {:width$}  {}", opponent.name, opponent.summary);
    }
    if !game.options().is_empty() {
        text += "  options:\n";
    }
    let width = game.options().iter().map(|one| one.key.len()).max().unwrap_or(0);
    for option in game.options() {
        let (key, summary, default) = (option.key, option.summary, option.default);
        let _ = writeln!(text, "    {key:width$}  {summary} (default {default})");
    }
    if has_suite(game) {
        let name = game.name();
        let _ = writeln!(text, "  bundled suite: `judge grade BOT.wasm --suite {name}`");
    }
    text
}

fn has_suite(game: &dyn Game) -> bool {
    bundled::names().iter().any(|name| name == game.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_can_be_described_and_an_unknown_one_is_refused() {
        let ask = |name: &str| run(&Request { game: Some(name.to_owned()) });
        let one = ask("cc").map(|outcome| outcome.to_text());
        let one = one.expect("a game of this judge");
        assert!(one.starts_with("cc – ") && one.contains("--suite cc`"), "{one}");
        let all = run(&Request::default()).map(|outcome| outcome.to_text());
        let all = all.expect("all games");
        assert!(all.starts_with("mahjong – ") && all.contains(&format!("\n\n{one}")), "{all}");
        assert!(ask("chess").is_err());
    }
}
