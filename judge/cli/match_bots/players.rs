//! Who plays a match: modules and reference opponents, as they are named on the command line.

use std::path::{Path, PathBuf};

use judge_core::{Limits, SeatSpec};
use judge_games::Game;

use crate::bots::{self, BotFile};
use crate::failure::Failure;
use crate::{human, play};

/// Two players and the game that they play.
pub(super) struct Players {
    /// The game.
    pub(super) game: &'static dyn Game,
    /// Their names, where they are reference opponents.
    names: [String; 2],
    /// The module of each player that is a bot.
    bots: [Option<BotFile>; 2],
}

impl Players {
    /// Finds the players of these names, and what they play if that is not said.
    pub(super) fn read(names: [&str; 2], game: Option<&str>) -> Result<Players, Failure> {
        if names.contains(&human::HUMAN) {
            let what = "a match is played without people";
            return Err(Failure::usage(what, "`judge play human --against BOT.wasm`"));
        }
        let said = game.map(judge_referee::find).transpose()?;
        let paths: Vec<PathBuf> =
            names.into_iter().filter(|name| is_file(name)).map(PathBuf::from).collect();
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            return Err(missing_file(missing, said));
        }
        let mut read = bots::read_all(&paths)?.into_iter();
        let bots = names.map(|name| is_file(name).then(|| read.next()).flatten());
        let game = said.map_or_else(|| claimed(names, &bots), Ok)?;
        for (name, bot) in std::iter::zip(names, &bots) {
            match bot {
                Some(bot) => bots::warn_of_other_game(bot, game.name()),
                None => known(name, game)?,
            }
        }
        Ok(Players { game, names: names.map(str::to_owned), bots })
    }

    /// Refuses modules that cannot play at all.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Failure> {
        self.bots.iter().flatten().try_for_each(|bot| play::check(bot, limits))
    }

    /// Who sits there.
    pub(super) fn seats(&self) -> [SeatSpec; 2] {
        std::array::from_fn(|at| match &self.bots[at] {
            Some(bot) => play::seat_of(&bot.submission),
            None => SeatSpec::Reference { name: self.names[at].clone() },
        })
    }

    /// The modules, each once.
    pub(super) fn modules(&self) -> Vec<&[u8]> {
        let mut modules: Vec<&[u8]> = Vec::new();
        for bot in self.bots.iter().flatten() {
            if !modules.contains(&bot.submission.module.as_slice()) {
                modules.push(&bot.submission.module);
            }
        }
        modules
    }

    /// The position of each player's module among them.
    pub(super) fn positions(&self) -> [Option<usize>; 2] {
        let modules = self.modules();
        self.bots.each_ref().map(|bot| {
            let module = bot.as_ref()?.submission.module.as_slice();
            modules.iter().position(|one| *one == module)
        })
    }

    /// Whether both are the same player, whatever their files are called.
    pub(super) fn are_the_same(&self) -> bool {
        match &self.bots {
            [Some(one), Some(other)] => one.submission.bot.sha256 == other.submission.bot.sha256,
            [None, None] => self.names[0] == self.names[1],
            _ => false,
        }
    }
}

/// A name that looks like a file's, or is one.
fn is_file(name: &str) -> bool {
    play::is_module(name) || Path::new(name).is_file()
}

fn opponents(game: &dyn Game) -> String {
    let names = game.opponents().iter().map(|one| format!("`{}`", one.name));
    names.collect::<Vec<_>>().join(", ")
}

fn missing_file(path: &Path, game: Option<&'static dyn Game>) -> Failure {
    let hint = game.map_or_else(
        || "a reference opponent is named without `.wasm`: see `judge games`".to_owned(),
        |game| format!("a reference opponent is named without `.wasm`: {}", opponents(game)),
    );
    let what = format!("there is no file `{}`", path.display());
    Failure::Input { what, hint: Some(hint) }
}

fn known(name: &str, game: &'static dyn Game) -> Result<(), Failure> {
    if game.opponents().iter().any(|opponent| opponent.name == name) {
        return Ok(());
    }
    let what = format!("`{name}` is neither a file nor an opponent of {}", game.title());
    Err(Failure::usage(what, format!("its opponents are {}", opponents(game))))
}

/// The one game that the bots say they play.
fn claimed(names: [&str; 2], bots: &[Option<BotFile>; 2]) -> Result<&'static dyn Game, Failure> {
    let games = bots.each_ref().map(|bot| bot.as_ref().and_then(bots::claimed_game));
    match games {
        [Some(one), Some(other)] if one != other => {
            let what = format!(
                "the bots play different games: `{}` says {one}, `{}` says {other}",
                names[0], names[1]
            );
            Err(Failure::usage(what, "name two bots for the same game"))
        }
        [Some(game), _] | [_, Some(game)] => Ok(judge_referee::find(game)?),
        [None, None] => {
            let what = "nobody says which game is played";
            Err(Failure::usage(what, play::hint_of_games()))
        }
    }
}
