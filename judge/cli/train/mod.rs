//! `judge train`: a game is learned by self-play, and what was learned is kept in a table.

mod progress;

use std::path::{Path, PathBuf};

use judge_core::digest;
use judge_games::{Game, Header, Learned, Learner, MAX_PLAYOUTS, Plan, read_table};

use crate::contest::tell;
use crate::failure::{Exit, Failure};
use crate::output;
use progress::Progress;

/// Learn a game by self-play, and keep what was learned in a table.
///
/// The table plays as `trained:TABLE` wherever a reference opponent is named. The same arguments
/// give the same bytes, however often the training was interrupted. Ctrl-C leaves what was saved
/// last.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game. So far only `amazons` learns.
    game: String,
    /// The board, as columns and rows: `4x4`.
    #[arg(long, value_name = "BOARD")]
    board: String,
    /// How many games the table has learned from in the end. With 0 it is empty, and plays like the
    /// opponent that was not trained.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100_000_000))]
    games: u64,
    /// The file to keep the table in.
    #[arg(long, value_name = "TABLE")]
    out: PathBuf,
    /// Where the luck of all games comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Playouts of each search. In matches the player has 200, whatever it was trained with.
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PLAYOUTS)))]
    playouts: u32,
    /// How many games to play between saves. Changes no result.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..))]
    save_every: u64,
    /// Go on with the table: after an interruption, or with more games.
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (game, learner) = learner(&arguments.game)?;
    let (board, seed, playouts) = (arguments.board.clone(), arguments.seed, arguments.playouts);
    let plan = Plan { board, seed, playouts };
    let Some(new) = learner.begin(&plan) else {
        let what = format!("`judge train {}` knows no board `{}`", game.name(), plan.board);
        return Err(Failure::usage(
            what,
            format!("`--board {}`", learner.boards().join("`, `--board ")),
        ));
    };
    if arguments.out == Path::new("-") {
        return Err(Failure::usage("a table is kept in a file", "name it: `--out amazons.table`"));
    }
    output::can_write(&arguments.out)?;
    let learned = begin(arguments, new)?;
    train(arguments, learned)
}

/// The game of that name, if it can be learned.
fn learner(name: &str) -> Result<(&'static dyn Game, &'static dyn Learner), Failure> {
    let game = judge_referee::find(name)?;
    game.learner().map(|learner| (game, learner)).ok_or_else(|| {
        let all = judge_games::all().iter().filter(|game| game.learner().is_some());
        let names: Vec<&str> = all.map(|game| game.name()).collect();
        let what = format!("`judge train` knows only {} so far, not {name}", names.join(", "));
        Failure::usage(what, format!("`judge train {}`", names.join("`, `judge train ")))
    })
}

/// What to begin with: `new`, or what stands in the file if it is to be gone on with.
fn begin(arguments: &Arguments, new: Box<dyn Learned>) -> Result<Box<dyn Learned>, Failure> {
    let path = &arguments.out;
    // Nothing is there to go on with in a pipe or device.
    if !path.is_file() {
        return Ok(new);
    }
    if !arguments.resume {
        let what = format!("`{}` is there already", path.display());
        return Err(Failure::usage(what, "go on with it by `--resume`, or name another file"));
    }
    let bytes = Failure::read(path)?;
    let learned = read_table(&bytes).map_err(|error| Failure::input(path, &error))?;
    let (found, asked) = (learned.header(), new.header());
    refuse_another(path, &found, &asked)?;
    if found.games > arguments.games {
        let what = format!("`{}` has learned from {} games already", path.display(), found.games);
        return Err(Failure::usage(what, format!("`--games {}` or more", found.games)));
    }
    tell(&format!("going on: {} games, {} states", found.games, found.states));
    Ok(learned)
}

/// Refuses a table that would not become what was asked for.
fn refuse_another(path: &Path, found: &Header, asked: &Header) -> Result<(), Failure> {
    let Plan { board, seed, playouts } = &found.plan;
    let was = format!("{} --board {board} --seed {seed} --playouts {playouts}", found.game);
    if (&found.game, &found.plan) == (&asked.game, &asked.plan) {
        return Ok(());
    }
    let what = format!("`{}` is of another training: {was}", path.display());
    Err(Failure::usage(what, "go on with what it was begun with, or name another file"))
}

fn train(arguments: &Arguments, mut learned: Box<dyn Learned>) -> Result<Exit, Failure> {
    let mut header = learned.header();
    let progress = Progress::new(header.games, arguments.games);
    let mut saved = None;
    let mut is_full = false;
    while header.games < arguments.games {
        let forgotten = learned.play_game();
        header = learned.header();
        if forgotten > 0 && !is_full {
            is_full = true;
            progress.say(&format!(
                "note: the table is full: {forgotten} states that were visited least are forgotten, \
                 and so on whenever it is full again"
            ));
        }
        saved = None;
        progress.show(&header);
        if header.games.is_multiple_of(arguments.save_every) {
            saved = Some(save(arguments, learned.as_ref())?);
            progress.saved(&header);
        }
    }
    progress.finish();
    let bytes = match saved {
        Some(bytes) => bytes,
        None => save(arguments, learned.as_ref())?,
    };
    let Header { game, plan, games, states } = header;
    output::unless_reader_left(output::print(&format!(
        "{game} {}: {games} games, {states} states, {} KiB, SHA-256 {}\n",
        plan.board,
        bytes.len().div_ceil(1024),
        digest(&bytes)
    )))?;
    Ok(Exit::Passed)
}

/// Puts the table in its place, whole or not at all.
fn save(arguments: &Arguments, learned: &dyn Learned) -> Result<Vec<u8>, Failure> {
    let bytes = learned.to_bytes();
    output::write(&arguments.out, &bytes)?;
    Ok(bytes)
}
