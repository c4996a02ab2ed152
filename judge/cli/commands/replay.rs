//! `judge replay`: shows a saved round move by move, as text, picture or page.

use std::path::{Path, PathBuf};

use judge_runner::Error;
use judge_runner::rounds::replay::{self, Outcome, ReplayForm, Request};

use crate::args::{Walls, Wanted};
use crate::exit::Exit;
use crate::show::{Terminal, output, paint, tell};

/// Show a round move by move, as text, picture or page.
///
/// The round is replayed under the rules, so pictures and result are the rules' own. From a journal
/// you can show any round (`--round`), or the worst ones as pages (`--worst`); `judge rounds` lists
/// them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Round: a file written by `judge play --replay`. Or a journal, the folder of a course, or the
    /// JSON of a match or tournament.
    #[arg(value_name = "REPLAY|JOURNAL|MATCH.json")]
    file: PathBuf,
    /// Bots, and `trained:TABLE`: needed with JSON, which has no moves, to play its rounds again.
    #[arg(value_name = "BOT.wasm|trained:TABLE")]
    players: Vec<PathBuf>,
    /// With a journal or JSON: show the round with this number; separate several by commas.
    #[arg(long = "round", value_name = "N", value_delimiter = ',', conflicts_with = "worst",
          value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Vec<u64>,
    /// With a journal or JSON: show the N worst rounds of A, or of `--player`: faults, then losses
    /// by decreasing margin.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    worst: Option<u64>,
    #[command(flatten)]
    wanted: Wanted,
    /// Show only this answer, counted from 1.
    #[arg(long, value_name = "N")]
    r#move: Option<usize>,
    /// Show the lines between judge and players, too; with `--move` those since the previous move.
    #[arg(long)]
    trace: bool,
    /// Write a picture instead of text, of the state before the answer that `--move` names, or of
    /// the end; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    svg: Option<PathBuf>,
    /// Write the round as a page for a browser instead of text, with moving pictures, every line
    /// and its cost; `-` is standard output. Several rounds go to a folder, each as a page and as a
    /// file, with an `index.html`.
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with_all = ["move", "trace", "svg"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    walls: Walls,
}

impl Arguments {
    fn request(&self) -> Request {
        let answer = self.r#move;
        let form = match (&self.html, &self.svg) {
            (Some(to), _) => {
                ReplayForm::Page { to: Some(to.clone()).filter(|to| !output::is_stdout(to)) }
            }
            (None, Some(_)) => ReplayForm::Picture { answer },
            (None, None) => ReplayForm::Text { answer, trace: self.trace },
        };
        Request {
            file: self.file.clone(),
            players: self.players.clone(),
            rounds: self.rounds.clone(),
            worst: self.worst,
            filter: self.wanted.filter(),
            form,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let workers = arguments.walls.workers()?;
    let outcome = replay::run(&arguments.request(), &workers, &mut Terminal::default())?;
    let trouble = show(arguments, outcome)?;
    match trouble {
        None => Ok(Exit::Passed),
        Some(trouble) => Err(Error::input(&arguments.file, &trouble)),
    }
}

/// Shows the outcome, and returns the reason why it cannot be trusted, if any.
fn show(arguments: &Arguments, outcome: Outcome) -> Result<Option<String>, Error> {
    let file = arguments.html.as_ref().or(arguments.svg.as_ref());
    let file = file.map_or(Path::new("-"), PathBuf::as_path);
    let written = outcome.written();
    written.iter().for_each(|line| tell(line));
    match outcome {
        Outcome::Text { text, trouble } => {
            output::unless_reader_left(output::print(&paint::text(&text)))?;
            Ok(trouble)
        }
        Outcome::Picture { svg } => output::write(file, &svg).map(|()| None),
        Outcome::Page { html, trouble } => output::write(file, &html).map(|()| trouble),
        Outcome::Folder { .. } => Ok(None),
    }
}
