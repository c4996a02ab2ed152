//! The command line of `strength`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Parser;

/// Default number of games per two opponents.
const GAMES: u64 = 200;

/// Default number of games per measurement of `--fidelity`.
const FIDELITY_GAMES: u64 = 1000;

/// Lets the reference opponents of a game play each other natively, without a sandbox.
///
/// Each two of them play pairs of games: the same seed from both seats. All but the times at the
/// end repeats exactly with the same arguments, whatever `--jobs` is.
#[derive(Debug, Parser)]
#[command(name = "strength", max_term_width = 100)]
pub struct Arguments {
    /// The game; may be repeated. Default: every game.
    #[arg(long, value_name = "NAME")]
    pub(super) game: Vec<String>,
    /// A rule switch of the one game; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = option)]
    pub(super) options: Vec<(String, String)>,
    /// Games of each two opponents, both seats together. Default: 200; with `--fidelity` 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) games: Option<u64>,
    /// Seed of the first pair; the next ones have the next seeds.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Compare `smart` and `random` of Capturing & Conquering with the original's players instead.
    #[arg(long, conflicts_with_all = ["game", "options"])]
    pub(super) fidelity: bool,
    /// Threads. Default: one for each core.
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Show tables in Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(super) markdown: bool,
    /// Show one JSON document.
    #[arg(long)]
    pub(super) json: bool,
    /// Repeat the measurements in a document and compare; `--game` picks some of them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["options", "games", "markdown", "json"])]
    pub(super) check: Option<PathBuf>,
    /// Repeat the measurements in a document and write them into it; `--game` picks some of them.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["options", "games", "markdown", "json", "check"])]
    pub(super) update: Option<PathBuf>,
}

impl Arguments {
    /// The arguments in a document.
    ///
    /// # Errors
    /// When they are invalid.
    pub(super) fn of_a_measurement(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(["strength"].into_iter().chain(line.split_whitespace()))
    }

    /// True if `--game` and `--fidelity` select the measurement with these other arguments.
    pub(super) fn picks(&self, other: &Arguments) -> bool {
        let all = self.game.is_empty() && !self.fidelity;
        all || (self.fidelity && other.fidelity)
            || other.game.iter().any(|game| self.game.contains(game))
    }

    /// Pairs of games for each two opponents.
    pub(super) fn pairs(&self) -> Result<u64, String> {
        match self.games.unwrap_or(GAMES) {
            odd if odd % 2 == 1 => Err(format!(
                "`--games {odd}` is odd: each seed is played from both seats\n\nhint: `--games {}`",
                odd + 1
            )),
            games => Ok(games / 2),
        }
    }

    /// Games of each measurement of `--fidelity`.
    pub(super) fn fidelity_games(&self) -> u64 {
        self.games.unwrap_or(FIDELITY_GAMES)
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = pair.ok_or("expected `KEY=VALUE`")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Arguments {
        Arguments::of_a_measurement(line).expect("sound arguments")
    }

    #[test]
    fn the_command_line_is_consistent() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn games_come_in_pairs() {
        assert_eq!(parsed("--games 10").pairs(), Ok(5));
        assert_eq!(parsed("").pairs(), Ok(100));
        assert!(parsed("--games 9").pairs().is_err_and(|text| text.contains("`--games 10`")));
    }

    #[test]
    fn measurements_are_picked_by_game() {
        let of_cc = parsed("--game cc --option size=6");
        assert!(parsed("").picks(&of_cc) && parsed("--game cc").picks(&of_cc));
        assert!(!parsed("--game amazons").picks(&of_cc) && !parsed("--fidelity").picks(&of_cc));
        assert!(parsed("--fidelity").picks(&parsed("--fidelity --games 10")));
    }

    #[test]
    fn contradictions_are_refused() {
        for line in ["--fidelity --game cc", "--json --markdown", "--option =1", "--games 0"] {
            assert!(Arguments::of_a_measurement(line).is_err(), "{line}");
        }
    }
}
