//! `judge train`: learns a game by self-play.

use std::path::PathBuf;

use judge_arena::Stop;
use judge_games::MAX_PLAYOUTS;
use judge_runner::Error;
use judge_runner::contest::train::{self, Request};

use crate::args::interrupted;
use crate::exit::Exit;
use crate::show::{Terminal, interrupt, output};

/// Train a player by self-play, and store the result in a table.
///
/// The table plays as `trained:TABLE` wherever a reference opponent is named. The same arguments
/// give the same bytes, however often training was interrupted. Ctrl-C leaves the last saved table.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Game to learn; so far only `amazons`.
    game: String,
    /// Choose the board, as columns and rows: `4x4`.
    #[arg(long, value_name = "BOARD")]
    board: String,
    /// Learn from this many games in total. With 0 the table is empty, and plays like the untrained
    /// opponent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100_000_000))]
    games: u64,
    /// Write the table to this file.
    #[arg(long, value_name = "TABLE")]
    out: PathBuf,
    /// Set the seed of all games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Set the playouts of each search. In matches the player has 200, whatever it was trained
    /// with.
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PLAYOUTS)))]
    playouts: u32,
    /// Save after this many games. Changes no result.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..))]
    save_every: u64,
    /// Continue with the table, after an interruption or with more games.
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let request = Request {
        game: arguments.game.clone(),
        board: arguments.board.clone(),
        games: arguments.games,
        out: arguments.out.clone(),
        seed: arguments.seed,
        playouts: arguments.playouts,
        save_every: arguments.save_every,
        resume: arguments.resume,
        note_saves: !Terminal::has_bars(),
    };
    let (kept, resume) = (arguments.out.display().to_string(), !arguments.resume);
    interrupt::ends_with(move || interrupted(&format!("the last save is in `{kept}`"), resume));
    let outcome = train::run(&request, &Stop::default(), &mut Terminal::default())?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    Ok(Exit::Passed)
}
