//! The players of a contest: modules, trained tables and reference opponents, found by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Limits, Listener, Options, SeatSpec};
use judge_games::Game;
use judge_referee::{TRAINED, Tables};

use crate::Error;
use crate::base::address::seen_from;
use crate::base::nearest::{did_you_mean, nearest_file};
use crate::bots::players;
use crate::bots::trained::{self, Trained};
use crate::bots::versions;
use crate::bots::{self, BotSource};
use crate::rounds::play;

/// Players, and the game that they play.
pub(crate) struct Players {
    /// The game.
    pub(crate) game: &'static dyn Game,
    all: Vec<ContestPlayer>,
    /// The first player with each module.
    owners: Vec<usize>,
    /// The index of each bot's module.
    modules: Vec<Option<usize>>,
}

/// Finds the earlier versions, such as `previous`, of the only other bot.
fn find_earlier(all: &mut [ContestPlayer]) -> Result<(), Error> {
    let mut bots = all.iter().filter_map(|player| player.bot.as_ref());
    let (Some(own), None) = (bots.next(), bots.next()) else { return Ok(()) };
    let find = |player: &ContestPlayer| {
        let back = versions::back(&player.name)?;
        Some(versions::earlier(own, back))
    };
    let found: Vec<Option<BotSource>> =
        all.iter().map(|player| find(player).transpose()).collect::<Result<_, Error>>()?;
    for (player, found) in std::iter::zip(all, found) {
        player.bot = player.bot.take().or(found);
    }
    Ok(())
}

/// A player.
struct ContestPlayer {
    /// The name as given.
    name: String,
    /// The module, if it is a bot.
    bot: Option<BotSource>,
    /// The table, if it was trained.
    trained: Option<Trained>,
}

/// A check that a bot plays a game, or a warning that it does not.
type GameCheck<'a> = dyn FnMut(&BotSource, &str, &mut dyn Listener) -> Result<(), Error> + 'a;

impl Players {
    /// Finds the players with these names, and their game if it is not given.
    pub(crate) fn find(
        names: &[String],
        game: Option<&str>,
        events: &mut dyn Listener,
    ) -> Result<Players, Error> {
        Players::find_with(names, game, events, &mut |bot, game, events| {
            Ok(bots::tell_of_other_game(bot, game, events)?)
        })
    }

    /// Finds the players with these names for this game, and refuses bots of other games.
    pub(crate) fn find_for_game(
        names: &[String],
        game: &str,
        events: &mut dyn Listener,
    ) -> Result<Players, Error> {
        Players::find_with(names, Some(game), events, &mut |bot, game, _| {
            bots::refuse_other_game(bot, game)
        })
    }

    fn find_with(
        names: &[String],
        game: Option<&str>,
        events: &mut dyn Listener,
        check: &mut GameCheck<'_>,
    ) -> Result<Players, Error> {
        if names.iter().any(|name| name == players::HUMAN) {
            let what = "`human` can play only in `judge play`";
            return Err(Error::usage(what, "`judge play human --against BOT.wasm`"));
        }
        let said = game.map(judge_referee::find).transpose()?;
        let paths: Vec<PathBuf> =
            names.iter().filter(|name| players::is_file(name)).map(PathBuf::from).collect();
        if let Some(missing) = paths.iter().find(|path| !path.exists()) {
            return Err(missing_file(missing, said));
        }
        let others: Vec<&str> =
            names.iter().filter(|name| !players::is_file(name)).map(String::as_str).collect();
        let mut read = bots::read_beside(&others, &paths, events)?.into_iter();
        let all = names.iter().map(|name| {
            let bot = players::is_file(name).then(|| read.next()).flatten();
            Ok(ContestPlayer { name: name.clone(), bot, trained: trained::read(name)? })
        });
        let mut all: Vec<ContestPlayer> = all.collect::<Result<_, Error>>()?;
        find_earlier(&mut all)?;
        let game = said.map_or_else(|| claimed(&all), Ok)?;
        for player in &all {
            match player {
                ContestPlayer { bot: Some(bot), .. } => {
                    check(bot, game.name(), events)?;
                }
                ContestPlayer { trained: Some(_), .. } => {}
                ContestPlayer { name, .. } => {
                    known(name, game)?;
                    players::tell_that_a_file_is_not_meant(name, events)?;
                }
            }
        }
        let (owners, modules) = modules(&all);
        Ok(Players { game, all, owners, modules })
    }

    /// Number of players.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// Refuses modules that cannot play with these limits.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Error> {
        let mut bots = self.all.iter().filter_map(|player| player.bot.as_ref());
        bots.try_for_each(|bot| play::check(bot, limits))
    }

    /// Refuses tables for another game or board.
    pub(crate) fn check_tables(&self, options: &Options) -> Result<(), Error> {
        let tables = self.tables();
        let mut seats = (0..self.count()).map(|player| self.seat(player));
        seats.try_for_each(|seat| match seat {
            SeatSpec::Trained { name, sha256 } => {
                Ok(tables.find(self.game.name(), options, &name, &sha256).map(|_| ())?)
            }
            SeatSpec::Bot { .. }
            | SeatSpec::Reference { .. }
            | SeatSpec::Human { .. }
            | SeatSpec::Native { .. } => Ok(()),
        })
    }

    /// The tables of the trained players.
    pub(crate) fn tables(&self) -> Tables {
        let mut tables = Tables::default();
        let trained = self.all.iter().filter_map(|player| player.trained.as_ref());
        trained.for_each(|trained| tables.extend(&trained.tables));
        tables
    }

    /// The seat of a player.
    pub(crate) fn seat(&self, player: usize) -> SeatSpec {
        match &self.all[player] {
            ContestPlayer { bot: Some(bot), .. } => play::seat_of(&bot.submission),
            ContestPlayer { trained: Some(trained), .. } => trained.seat.clone(),
            ContestPlayer { name, .. } => SeatSpec::Reference { name: name.clone() },
        }
    }

    /// A player as a shell word for a command in the folder of a page.
    pub(crate) fn word_beside(&self, player: usize, page: &Path) -> String {
        let ContestPlayer { name, bot, trained } = &self.all[player];
        match (bot, trained) {
            (Some(bot), _) => seen_from(page, &bot.path),
            (None, Some(trained)) => format!("{TRAINED}{}", seen_from(page, &trained.path)),
            (None, None) => name.clone(),
        }
    }

    /// The players, in the order of the request.
    pub(crate) fn seats(&self) -> Vec<SeatSpec> {
        (0..self.count()).map(|player| self.seat(player)).collect()
    }

    /// The modules, without repetitions.
    pub(crate) fn modules(&self) -> Vec<&[u8]> {
        let bots = self.owners.iter().filter_map(|player| self.all[*player].bot.as_ref());
        bots.map(|bot| bot.submission.module.as_slice()).collect()
    }

    /// The index of a player's module; none if it is not a bot.
    pub(crate) fn module(&self, player: usize) -> Option<usize> {
        self.modules[player]
    }

    /// The first two equal players, even if their files have different names.
    pub(crate) fn twins(&self) -> Option<[&str; 2]> {
        let key = |player: usize| match self.seat(player) {
            SeatSpec::Bot { sha256, .. } | SeatSpec::Trained { sha256, .. } => sha256.to_string(),
            SeatSpec::Reference { name } | SeatSpec::Human { name } | SeatSpec::Native { name } => {
                name
            }
        };
        let pairs = (0..self.count()).flat_map(|other| (0..other).map(move |one| [one, other]));
        let mut twins = pairs.filter(|[one, other]| key(*one) == key(*other));
        twins.next().map(|pair| pair.map(|player| self.all[player].name.as_str()))
    }
}

/// The first player with each module, and the index of each player's module.
fn modules(players: &[ContestPlayer]) -> (Vec<usize>, Vec<Option<usize>>) {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut owners = Vec::new();
    let module = |(player, bot): (usize, Option<&BotSource>)| {
        let hash = bot?.submission.bot.sha256.to_string();
        let place = *places.entry(hash).or_insert(owners.len());
        if place == owners.len() {
            owners.push(player);
        }
        Some(place)
    };
    let bots = players.iter().map(|player| player.bot.as_ref()).enumerate();
    let modules = bots.map(module).collect();
    (owners, modules)
}

fn opponents(game: &dyn Game) -> String {
    let names = game.opponents().iter().map(|one| format!("`{}`", one.name));
    names.collect::<Vec<_>>().join(", ")
}

fn missing_file(path: &Path, game: Option<&'static dyn Game>) -> Error {
    let near = nearest_file(path).map(|near| format!("did you mean `{}`? ", near.display()));
    let hint = game.map_or_else(
        || "a reference opponent is named without `.wasm`: see `judge games`".to_owned(),
        |game| format!("a reference opponent is named without `.wasm`: {}", opponents(game)),
    );
    let what = format!("file `{}` does not exist", path.display());
    Error::Input { what, hint: Some(near.unwrap_or_default() + &hint) }
}

fn known(name: &str, game: &'static dyn Game) -> Result<(), Error> {
    if game.opponents().iter().any(|opponent| opponent.name == name) {
        return Ok(());
    }
    let what = format!("`{name}` is neither a file nor an opponent of {}", game.title());
    let names = game.opponents().iter().map(|opponent| opponent.name);
    let near = did_you_mean(name, names).or_else(|| {
        nearest_file(Path::new(name)).map(|near| format!("did you mean `{}`?", near.display()))
    });
    let near = near.map(|near| near + " ").unwrap_or_default();
    Err(Error::usage(what, format!("{near}its opponents are {}", opponents(game))))
}

/// The only game that the bots state.
fn claimed(players: &[ContestPlayer]) -> Result<&'static dyn Game, Error> {
    let claim = |player: &ContestPlayer| {
        let of_table = || judge_games::find(&player.trained.as_ref()?.game).map(Game::name);
        let game = player.bot.as_ref().and_then(bots::claimed_game).or_else(of_table)?;
        Some((player.name.clone(), game))
    };
    let mut claims = players.iter().filter_map(claim);
    let Some((name, game)) = claims.next() else {
        return Err(Error::usage("no game was given", play::hint_of_games()));
    };
    match claims.find(|(_, claimed)| *claimed != game) {
        Some((other, claimed)) => Err(Error::usage(
            format!(
                "the bots play different games: `{name}` says {game}, `{other}` says {claimed}"
            ),
            "name bots for the same game",
        )),
        None => Ok(judge_referee::find(game)?),
    }
}
