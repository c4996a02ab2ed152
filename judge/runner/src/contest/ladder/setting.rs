//! The setting of a ladder: a game, its rule switches, and its fixed points.

use judge_arena::Pairing;
use judge_core::{Explanation, Options, Scoring, SeatSpec, Seed};
use judge_games::Game;
use judge_referee::SetupError;

use super::LIMITS;
use crate::Error;
use crate::bots;
use crate::contest::Outlook;

/// Number of seeds to try before the seed is known to have no effect.
const SEEDS: u64 = 8;

/// The setting of a ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderRules {
    /// The game.
    pub game: String,
    /// The game's name for people.
    pub title: String,
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// Its reference opponents, from weak to strong, which are all on the ladder.
    pub opponents: Vec<&'static str>,
    /// The reference opponent with rating 0. It is the middle one, so that it both wins and loses.
    pub anchor: &'static str,
    /// The game's usual scoring.
    pub scoring: Scoring,
}

/// Returns the games with ladders and their names for people.
pub fn games() -> Vec<(&'static str, &'static str)> {
    judge_games::all().iter().map(|game| (game.name(), game.title())).collect()
}

impl LadderRules {
    /// Reads the setting of a game with these switches, a sequence of `key=value`.
    ///
    /// # Errors
    /// If the game is unknown, it refuses the switches, or the seed has no effect with them.
    pub fn read(game: &str, switches: &str) -> Result<LadderRules, Error> {
        let game = judge_referee::find(game)?;
        let mut options = Options::new();
        for switch in switches.split_whitespace() {
            let Some((key, value)) = switch.split_once('=') else {
                let what = format!("`{}` is not a rule switch", judge_core::printable(switch, 40));
                return Err(Error::usage(what, "write `key=value`"));
            };
            options.insert(key.to_owned(), value.to_owned());
        }
        game.start(&options, Seed(0)).map_err(SetupError::from)?;
        let opponents: Vec<&str> = game.opponents().iter().map(|one| one.name).collect();
        let anchor = opponents[opponents.len() / 2];
        refuse_idle_seed(game, &options, anchor)?;
        let (name, title) = (game.name().to_owned(), game.title().to_owned());
        Ok(LadderRules { game: name, title, options, opponents, anchor, scoring: game.scoring() })
    }
}

/// Refuses a game in which the seed has no effect, because two bots would play the same pair
/// forever.
fn refuse_idle_seed(game: &dyn Game, options: &Options, anchor: &str) -> Result<(), Error> {
    let seat = || SeatSpec::Reference { name: anchor.to_owned() };
    let pairing = Pairing {
        game: game.name().to_owned(),
        options: options.clone(),
        seed: Seed(1),
        limits: LIMITS,
        players: [seat(), seat()],
        modules: [None, None],
    };
    let outlook = Outlook::new(game, &pairing, SEEDS);
    if outlook.distinct > 1 {
        return Ok(());
    }
    let what = "with these switches the seed changes nothing: all pairs would begin alike";
    Err(Error::usage(what, outlook.hint.unwrap_or_else(|| "leave them out".to_owned())))
}

/// The reason why intake refuses a module for this game on a ladder; none if it is accepted.
pub fn unfit(name: &str, module: &[u8], game: &str) -> Option<Explanation> {
    bots::unfit(name, module, game, &LIMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_ladder_with_an_anchor_in_the_middle() {
        for (game, title) in games() {
            let setting =
                LadderRules::read(game, "").unwrap_or_else(|error| panic!("{game}: {error}"));
            assert_eq!(setting.title, title);
            assert_ne!(setting.opponents.first(), Some(&setting.anchor), "{game}");
            assert!(setting.opponents.contains(&setting.anchor), "{game}");
        }
    }

    #[test]
    fn settings_without_a_possible_ladder_are_refused() {
        let wrong = |game: &str, switches: &str| {
            LadderRules::read(game, switches).err().map(|error| error.to_string()).expect("refused")
        };
        assert!(wrong("chess", "").contains("chess"));
        assert!(wrong("cc", "size").contains("`size`"));
        assert!(wrong("cc", "size=1000").contains("size"));
        assert!(wrong("cc", "opening=0").contains("seed changes nothing"));
        let setting = LadderRules::read("cc", "size=6  opening=2").expect("fine");
        assert_eq!(setting.options.len(), 2);
    }
}
