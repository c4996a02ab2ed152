//! The request to train: the game, and the file of the table.

use std::path::{Path, PathBuf};

use judge_games::{Game, Header, Learned, Learner, Plan, read_table};

use crate::Error;
use crate::base::files;

/// A training by self-play.
#[derive(Debug, Clone)]
pub struct Request {
    /// The game.
    pub game: String,
    /// The board, as columns and rows: `4x4`.
    pub board: String,
    /// Total number of games that the table learns from.
    pub games: u64,
    /// The file of the table.
    pub out: PathBuf,
    /// The seed of all games.
    pub seed: u64,
    /// Playouts of each search.
    pub playouts: u32,
    /// Games between saves. Changes no result.
    pub save_every: u64,
    /// True to continue with the table in the file.
    pub resume: bool,
    /// True to note each save, for users without a progress bar.
    pub note_saves: bool,
}

impl Request {
    /// Creates an empty table for this request, if the request is valid.
    pub(super) fn new_table(&self) -> Result<Box<dyn Learned>, Error> {
        let (game, learner) = learner(&self.game)?;
        let (board, seed, playouts) = (self.board.clone(), self.seed, self.playouts);
        let plan = Plan { board, seed, playouts };
        let Some(new) = learner.begin(&plan) else {
            let what = format!("`judge train {}` has no board `{}`", game.name(), plan.board);
            let boards = learner.boards().join("`, `--board ");
            return Err(Error::usage(what, format!("`--board {boards}`")));
        };
        if self.save_every == 0 {
            return Err(Error::usage("`--save-every` must be at least 1", "`--save-every 1000`"));
        }
        if self.out == Path::new("-") {
            return Err(Error::usage(
                "a table cannot be written to standard output",
                "name a file: `--out amazons.table`",
            ));
        }
        // An existing file is continued or refused later.
        files::can_renew(&self.out)?;
        Ok(new)
    }

    /// Reads the table in the file, which must fit the request; none without a file.
    pub(super) fn saved_table(&self, new: &Header) -> Result<Option<Box<dyn Learned>>, Error> {
        let path = &self.out;
        // A pipe or device has no table to continue.
        if !path.is_file() {
            return Ok(None);
        }
        if !self.resume {
            let what = format!("`{}` already exists", path.display());
            let hint = "continue it with `--resume`, or name another file".to_owned();
            return Err(Error::Input { what, hint: Some(hint) });
        }
        let bytes = Error::read(path)?;
        let learned = read_table(&bytes).map_err(|error| Error::input(path, &error))?;
        let found = learned.header();
        refuse_another(path, &found, new)?;
        if found.games > self.games {
            let games = found.games;
            let what = format!("`{}` has learned from {games} games already", path.display());
            return Err(Error::usage(what, format!("`--games {games}` or more")));
        }
        Ok(Some(learned))
    }
}

/// Finds the game with that name, if it can be learned.
fn learner(name: &str) -> Result<(&'static dyn Game, &'static dyn Learner), Error> {
    let game = judge_referee::find(name)?;
    game.learner().map(|learner| (game, learner)).ok_or_else(|| {
        let all = judge_games::all().iter().filter(|game| game.learner().is_some());
        let names: Vec<&str> = all.map(|game| game.name()).collect();
        let what = format!("`judge train` supports only {}, not {name}", names.join(", "));
        Error::usage(what, format!("`judge train {}`", names.join("`, `judge train ")))
    })
}

/// Refuses a table that training cannot turn into the requested one.
fn refuse_another(path: &Path, found: &Header, asked: &Header) -> Result<(), Error> {
    let Plan { board, seed, playouts } = &found.plan;
    let was = format!("{} --board {board} --seed {seed} --playouts {playouts}", found.game);
    if (&found.game, &found.plan) == (&asked.game, &asked.plan) {
        return Ok(());
    }
    let what = format!("`{}` is from another training: {was}", path.display());
    Err(Error::usage(what, "use the same settings as before, or name another file"))
}
