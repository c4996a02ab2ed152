//! `judge record`: many games written down for machines to learn from.

mod folder;
mod plan;
mod summary;
mod writer;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use judge_arena::{Pairing, Pool};
use judge_core::{
    FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, Options, SeatSpec, Seed, printable,
};
use judge_games::Game;
use judge_referee::SetupError;
use judge_report::recording::RecordingFormat;

use crate::contest::{self, Players};
use crate::course::Shard;
use crate::failure::{Exit, Failure};
use crate::{grade, output, play, worker};
use folder::Folder;
use summary::Summary;
use writer::Writer;

/// Most parts of a recording: their numbers have five digits.
const MOST_PARTS: u64 = 100_000;

/// Record many games between two players, for machine learning.
///
/// Game number n, counted from 0, has the seed S+n; the first player sits in seat 1 in games with
/// even numbers and in seat 2 in the others. The same arguments give the same files, byte for byte,
/// whatever `--jobs` is and however often the run was interrupted.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The two players: reference opponents (see `judge games`) or WebAssembly modules. The same
    /// one twice plays itself.
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    players: Vec<String>,
    /// The game. Default: the one that the bots say they play.
    #[arg(long)]
    game: Option<String>,
    /// How many games to record.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Where the recording goes: a new folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Seed of the first game; the next ones have the next seeds.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = play::option)]
    options: Vec<(String, String)>,
    /// What to write: `jsonl`, `parquet`, and for Patchwork `csv`, the original project's form.
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', default_value = "jsonl,parquet")]
    format: Vec<RecordingFormat>,
    /// Games in a file. After an interruption unfinished files are played again.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    part: u64,
    /// How many games to play at a time. Default: one per processor. Changes no file.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    jobs: Option<usize>,
    /// Go on with a recording: files that are there already are not made again.
    #[arg(long)]
    resume: bool,
    /// Make only every N-th file, such as `1/4` to `4/4` on four machines.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Each bot's time in a game, in judge-milliseconds of 1,000,000 instructions.
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
    #[command(flatten)]
    walls: worker::Walls,
}

impl Arguments {
    /// The formats, each once, in the order of the documentation.
    fn formats(&self, game: &dyn Game) -> Result<Vec<RecordingFormat>, Failure> {
        let formats = BTreeSet::from_iter(self.format.iter().copied());
        for format in &formats {
            if format.only_game().is_some_and(|only| only != game.name()) {
                let (name, title) = (format.name(), game.title());
                let what = format!(
                    "`{name}` is the form of the original Patchwork project, and this is {title}"
                );
                return Err(Failure::usage(what, "`--format jsonl,parquet`"));
            }
        }
        Ok(formats.into_iter().collect())
    }

    /// Checks that these two can play, and sets them against each other.
    fn pairing(&self, players: &Players) -> Result<Pairing, Failure> {
        if players.count() != 2 {
            let what = format!("a game has two players, and {} are named", players.count());
            return Err(Failure::usage(what, "`--players A,B`; `--players A,A` plays itself"));
        }
        let limits = Limits {
            fuel: self.time_ms * FUEL_PER_MS,
            memory_bytes: self.memory_kib * 1024,
            ..Limits::COURSE
        };
        players.check(&limits)?;
        let options: Options = self.options.iter().cloned().collect();
        players.game.start(&options, Seed(0)).map_err(SetupError::from)?;
        Ok(Pairing {
            game: players.game.name().to_owned(),
            options,
            seed: Seed(self.seed),
            limits,
            players: [0, 1].map(|player| players.seat(player)),
            modules: [0, 1].map(|player| players.module(player)),
        })
    }

    /// The games of each part.
    fn parts(&self) -> Result<Vec<Range<u64>>, Failure> {
        let count = self.games.div_ceil(self.part);
        if count > MOST_PARTS {
            let what = format!("{count} files are too many: at most {MOST_PARTS}");
            let hint = format!("`--part {}`, or more", self.games.div_ceil(MOST_PARTS));
            return Err(Failure::usage(what, hint));
        }
        let part = |number: u64| number * self.part..self.games.min((number + 1) * self.part);
        Ok((0..count).map(part).collect())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let players = Players::read(&arguments.players, arguments.game.as_deref())?;
    let pairing = arguments.pairing(&players)?;
    let formats = arguments.formats(players.game)?;
    let parts = arguments.parts()?;
    let pool = worker::pool(arguments.jobs, &arguments.walls)?;
    let plan = plan::of(arguments, &pairing, &formats, &pool.fingerprint);
    let folder = Folder::open(&arguments.out, &plan, &formats, arguments.resume)?;
    let own = |part: &usize| arguments.shard.is_none_or(|shard| shard.takes(*part));
    let (there, missing): (Vec<usize>, Vec<usize>) =
        (0..parts.len()).filter(own).partition(|part| folder.has(*part));
    if missing.is_empty() {
        let line = format!("nothing to record: all parts are there, {} of them\n", there.len());
        output::unless_reader_left(output::print(&line))?;
        return Ok(Exit::Passed);
    }
    if arguments.resume {
        let all = there.len() + missing.len();
        contest::tell(&format!("going on: {} of {all} parts are there", there.len()));
    }
    if let Some(note) = contest::note_of_luck(players.game, &pairing) {
        contest::tell(&format!("note: {note}"));
    }
    let begin = Instant::now();
    let writer = Writer::new(&folder, &formats, &missing, plan::about(&plan), &parts);
    let summary = play(&pairing, &pool, &players, &writer)?;
    worker::warn_of_missing_walls(&pool);
    finish(&pairing, &summary, there.len(), begin)
}

/// Plays all parts that are missing.
fn play(
    pairing: &Pairing,
    pool: &Pool,
    players: &Players,
    writer: &Writer<'_>,
) -> Result<Summary, Failure> {
    pairing.record(pool, &players.modules(), &writer.games(), writer)?;
    writer.finish()
}

/// Says what was recorded and how to exit.
fn finish(
    pairing: &Pairing,
    summary: &Summary,
    there: usize,
    begin: Instant,
) -> Result<Exit, Failure> {
    let names = pairing.players.each_ref().map(SeatSpec::name);
    output::unless_reader_left(output::print(&summary.line(names, there)))?;
    let seconds = begin.elapsed().as_secs_f64();
    if summary.games > 0 {
        let rate = summary.games as f64 / seconds.max(0.001);
        contest::tell(&format!("{seconds:.1} s, {rate:.0} games a second"));
    }
    for line in summary.warnings() {
        contest::tell(&printable(&line, usize::MAX));
    }
    Ok(if summary.nothing_but_faults() { Exit::Failed } else { Exit::Passed })
}
