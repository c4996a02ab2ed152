//! Players as commands name them: modules, reference opponents, trained players, people.

use std::path::{Path, PathBuf};

use judge_arena::{Entrant, PartnerError};
use judge_core::{Event, Limits, Listener, SeatSpec};
use judge_referee::Tables;
use judge_report::quoted;

use crate::Error;
use crate::bots::sources;
use crate::bots::trained::{self, Trained};
use crate::bots::{self, BotSource};

/// The name of a person.
pub const HUMAN: &str = "human";

/// Players given to replay rounds.
pub(crate) struct Given {
    pub(crate) bots: Vec<BotSource>,
    pub(crate) trained: Vec<Trained>,
}

impl Given {
    /// Reads modules, and tables given as `trained:TABLE`.
    pub(crate) fn read(players: &[PathBuf], events: &mut dyn Listener) -> Result<Given, Error> {
        let is_trained = |path: &PathBuf| path.to_str().is_some_and(trained::is_trained);
        let (tables, bots): (Vec<PathBuf>, Vec<PathBuf>) =
            players.iter().cloned().partition(is_trained);
        let tables = tables.iter().filter_map(|path| trained::read(path.to_str()?).transpose());
        Ok(Given {
            bots: bots::read_all(&bots, events)?,
            trained: tables.collect::<Result<_, _>>()?,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bots.is_empty() && self.trained.is_empty()
    }

    /// The modules of the bots.
    pub(crate) fn modules(&self) -> Vec<&[u8]> {
        self.bots.iter().map(|bot| bot.submission.module.as_slice()).collect()
    }

    /// The tables of the trained players.
    pub(crate) fn tables(&self) -> Tables {
        let mut tables = Tables::default();
        self.trained.iter().for_each(|trained| tables.extend(&trained.tables));
        tables
    }

    /// The index of the module for a seat; none if the seat is not a bot's or its module was not
    /// given.
    pub(crate) fn module(&self, seat: &SeatSpec) -> Option<usize> {
        let SeatSpec::Bot { sha256, .. } = seat else { return None };
        self.bots.iter().position(|bot| bot.submission.bot.sha256 == *sha256)
    }

    /// True if everything that a seat needs for a replay was given.
    pub(crate) fn has(&self, seat: &SeatSpec) -> bool {
        match seat {
            SeatSpec::Bot { .. } => self.module(seat).is_some(),
            SeatSpec::Trained { sha256, .. } => {
                self.trained.iter().any(|one| one.seat.table() == Some(*sha256))
            }
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => true,
        }
    }
}

/// The hint if no game was named.
pub(crate) fn hint_of_games() -> String {
    let known: Vec<_> = judge_games::all().iter().map(|game| game.name()).collect();
    format!("name the game: `--game {}`", known.join("`, `--game "))
}

/// The weakest reference opponent of a game; empty for an unknown game.
pub(crate) fn weakest(game: &str) -> String {
    let found = judge_games::find(game);
    let opponents = found.map(judge_games::Game::opponents).unwrap_or_default();
    opponents.first().map(|opponent| opponent.name.to_owned()).unwrap_or_default()
}

/// True for the file name of a module or source.
pub(crate) fn is_module(name: &str) -> bool {
    let is_path = name.ends_with(".wasm") || name.contains(['/', '\\']);
    let is_source = || !is_opponent(name) && sources::is_source(Path::new(name));
    !trained::is_trained(name) && (is_path || is_source())
}

/// True for the name of a file. A reference opponent's name never means a file of that name.
pub(crate) fn is_file(name: &str) -> bool {
    is_module(name) || (!is_opponent(name) && Path::new(name).is_file())
}

fn is_opponent(name: &str) -> bool {
    let mut opponents = judge_games::all().iter().flat_map(|game| game.opponents());
    opponents.any(|opponent| opponent.name == name)
}

/// Warns about a file with a reference opponent's name, because the name means the opponent.
pub(crate) fn tell_that_a_file_is_not_meant(
    name: &str,
    events: &mut dyn Listener,
) -> Result<(), Error> {
    if !is_opponent(name) || !Path::new(name).is_file() {
        return Ok(());
    }
    let text = format!(
        "`{name}` is the reference opponent, not the file of that name; the file is `./{name}`"
    );
    Ok(events.event(&Event::Note { text })?)
}

/// Reports a module that intake refuses as invalid input, because no round can be played.
pub(crate) fn check(bot: &BotSource, limits: &Limits) -> Result<(), Error> {
    let refused = bot.submission.refused.as_ref().map(|refused| refused.why.clone());
    let over_memory = || {
        let mut why = bot.over_memory(limits)?;
        if let (Some(hint), Some(file)) = (&mut why.hint, bot.testcase_with_room()) {
            let file = quoted(&file.to_string_lossy());
            *hint = format!("{hint}: `--testcase {file}`");
        }
        Some(why)
    };
    refused.or_else(over_memory).map_or(Ok(()), |why| Err(bot.invalid(why)))
}

/// Returns a seat for that bot.
pub(crate) fn seat_of(submission: &Entrant) -> SeatSpec {
    SeatSpec::Bot { name: submission.bot.name.clone(), sha256: submission.bot.sha256 }
}

/// The reason why a person has no opponent.
pub(crate) fn no_partner(error: PartnerError) -> Error {
    match error {
        PartnerError::Setup(error) => Error::Setup(error),
        PartnerError::Persons => Error::Judge(error.to_string()),
    }
}
