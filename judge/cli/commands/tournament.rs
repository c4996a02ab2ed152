//! `judge tournament`: plays several players in pairs of rounds, and rates them.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::base::shard::Shard;
use judge_runner::contest::tournament::{self, Finished, Outcome};

use crate::args::{ContestArgs, tell_time};
use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Play bots and reference opponents against each other, and rate them.
///
/// Two players meet in pairs of rounds: the same seed twice, with the seats swapped. All meetings
/// use the same seeds. With the same arguments and `--seed`, everything printed except the time is
/// the same, whatever `--jobs` is.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Players: WebAssembly modules or sources, reference opponents (see `judge games`) and
    /// `trained:TABLE` (see `judge train`).
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Choose which players meet.
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// With `--format swiss`: set the number of meetings per player. Default: log2 of the number
    /// of players, rounded up.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=255))]
    cycles: Option<u64>,
    /// Play this many rounds in each meeting, two per pair.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    rounds: u64,
    /// Write the ranking as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the tables as Markdown.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write everything as a page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a picture (SVG) of the ratings with their intervals.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Play only the I-th of N parts of the meetings; `judge merge` joins them. All parts need the
    /// same `--seed`.
    #[arg(long, value_name = "I/N", requires = "journal",
          conflicts_with_all = ["csv", "markdown", "html", "svg", "json", "rounds_to"])]
    shard: Option<Shard>,
    #[command(flatten)]
    contest: ContestArgs,
}

/// Schedules of a tournament.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// Every two players meet.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// In each of `--cycles`, players with similar scores meet.
    Swiss,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let contest = &arguments.contest;
    contest.check_files(&arguments.files())?;
    match play(arguments)? {
        Outcome::Finished(finished) => show(arguments, *finished),
        Outcome::Part(part) => {
            output::unless_reader_left(output::print(&part.text()))?;
            Ok(Exit::Passed)
        }
        Outcome::Unfinished(unfinished) => {
            let (text, kept) = (unfinished.text(), unfinished.kept.as_ref());
            contest.tell_unfinished(&text, unfinished.seed, kept, &arguments.files())
        }
    }
}

/// Plays the tournament, and removes the bar afterwards.
fn play(arguments: &Arguments) -> Result<Outcome, Error> {
    let contest = &arguments.contest;
    let workers = contest.workers.interruptible()?;
    tournament::run(&arguments.request()?, &workers, &mut Terminal::of_run(&workers.stop))
}

impl Arguments {
    fn request(&self) -> Result<tournament::Request, Error> {
        Ok(tournament::Request {
            players: self.players.clone(),
            format: match self.format {
                Format::RoundRobin => tournament::Format::RoundRobin,
                Format::Gauntlet => tournament::Format::Gauntlet,
                Format::Swiss => tournament::Format::Swiss,
            },
            cycles: self.cycles,
            rounds: self.rounds,
            shard: self.shard,
            page: self.contest.page(self.html.as_ref()),
            contest: self.contest.request(&self.players)?,
        })
    }

    /// Output files that only tournaments have.
    fn files(&self) -> [Option<&PathBuf>; 4] {
        [&self.csv, &self.markdown, &self.html, &self.svg].map(Option::as_ref)
    }
}

fn show(arguments: &Arguments, mut finished: Finished) -> Result<Exit, Error> {
    let (contest, text) = (&arguments.contest, finished.text());
    contest.write_json(&finished.json())?;
    if let Some(path) = &arguments.csv {
        output::write(path, &finished.csv()?)?;
    }
    if let Some(path) = &arguments.markdown {
        output::write(path, &text)?;
    }
    if let (Some(path), Some(page)) = (&arguments.html, finished.page.take()) {
        output::write(path, &page?)?;
    }
    if let Some(path) = &arguments.svg {
        output::write(path, &finished.picture())?;
    }
    if !contest.json_only() {
        output::unless_reader_left(output::print(&text))?;
        tell_time(finished.wall, finished.workers);
    }
    if let Some(line) = finished.lost_line() {
        tell(&line);
    }
    Ok(if finished.is_complete()? { Exit::Passed } else { Exit::JudgeError })
}
