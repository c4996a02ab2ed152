//! Request to train: the game, and the file of the table.

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
    /// Games that the table has learned from in the end.
    pub games: u64,
    /// The file that the table is kept in.
    pub out: PathBuf,
    /// The seed of all games together.
    pub seed: u64,
    /// Playouts of each search.
    pub playouts: u32,
    /// Games between saves. Changes no result.
    pub save_every: u64,
    /// True to continue with the table that is in the file.
    pub resume: bool,
    /// True to note each save, for those who see no progress.
    pub note_saves: bool,
}

impl Request {
    /// An empty table for this request, if it makes sense.
    pub(super) fn new_table(&self) -> Result<Box<dyn Learned>, Error> {
        let (game, learner) = learner(&self.game)?;
        let (board, seed, playouts) = (self.board.clone(), self.seed, self.playouts);
        let plan = Plan { board, seed, playouts };
        let Some(new) = learner.begin(&plan) else {
            let what = format!("`judge train {}` knows no board `{}`", game.name(), plan.board);
            let boards = learner.boards().join("`, `--board ");
            return Err(Error::usage(what, format!("`--board {boards}`")));
        };
        if self.save_every == 0 {
            return Err(Error::usage("there is a game between saves", "`--save-every 1000`"));
        }
        if self.out == Path::new("-") {
            return Err(Error::usage(
                "a table is kept in a file",
                "name it: `--out amazons.table`",
            ));
        }
        // A file that is there is continued, or refused.
        files::can_renew(&self.out)?;
        Ok(new)
    }

    /// The table in the file, to be continued as `new` would be; none if there is no file.
    pub(super) fn saved_table(&self, new: &Header) -> Result<Option<Box<dyn Learned>>, Error> {
        let path = &self.out;
        // A pipe or device holds nothing to continue.
        if !path.is_file() {
            return Ok(None);
        }
        if !self.resume {
            let what = format!("`{}` is there already", path.display());
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

/// The game of that name, if it can be learned.
fn learner(name: &str) -> Result<(&'static dyn Game, &'static dyn Learner), Error> {
    let game = judge_referee::find(name)?;
    game.learner().map(|learner| (game, learner)).ok_or_else(|| {
        let all = judge_games::all().iter().filter(|game| game.learner().is_some());
        let names: Vec<&str> = all.map(|game| game.name()).collect();
        let what = format!("`judge train` knows only {} so far, not {name}", names.join(", "));
        Error::usage(what, format!("`judge train {}`", names.join("`, `judge train ")))
    })
}

/// Refuses a table that would not become the requested one.
fn refuse_another(path: &Path, found: &Header, asked: &Header) -> Result<(), Error> {
    let Plan { board, seed, playouts } = &found.plan;
    let was = format!("{} --board {board} --seed {seed} --playouts {playouts}", found.game);
    if (&found.game, &found.plan) == (&asked.game, &asked.plan) {
        return Ok(());
    }
    let what = format!("`{}` is of another training: {was}", path.display());
    Err(Error::usage(what, "use the same settings as before, or name another file"))
}
