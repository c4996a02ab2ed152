//! `judge record`: records games for machine learning.

use std::path::PathBuf;

use judge_report::recording::RecordingFormat;
use judge_runner::Error;
use judge_runner::base::shard::Shard;
use judge_runner::base::workers::Workers;
use judge_runner::contest::record::{self, Outcome, Request};

use crate::args::{self, LimitArgs, MachineArgs, Walls};
use crate::exit::Exit;
use crate::show::{Terminal, interrupt, output, tell};

/// Record many games between two players, for machine learning.
///
/// Game n, counted from 0, has the seed S+n. The first player has seat 1 in games with even numbers
/// and seat 2 in the others. The same arguments give the same files, byte for byte, whatever
/// `--jobs` is and however often the run was interrupted.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Choose the two players: reference opponents (see `judge games`), `trained:TABLE`, or
    /// WebAssembly modules or sources. The same one twice plays itself. For names with commas:
    /// `--players A --players B`.
    #[arg(long, value_name = "A,B", required = true)]
    players: Vec<String>,
    /// Choose the game. Default: the one that the bots say they play.
    #[arg(long)]
    game: Option<String>,
    /// Record this many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Write the recording to this new folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Set the seed of the first game; the next games have the next seeds.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Set a rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = args::option)]
    options: Vec<(String, String)>,
    /// Choose the formats: `jsonl`, `parquet`, and for Patchwork `csv`, the original project's
    /// format.
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', default_value = "jsonl,parquet")]
    format: Vec<RecordingFormat>,
    /// Write this many games to a file. After an interruption unfinished files are played again.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    part: u64,
    /// Play this many games at a time. Default: one per processor. Changes no file.
    #[arg(long, value_name = "N", value_parser = args::jobs)]
    jobs: Option<usize>,
    /// Continue a recording: existing files are not made again.
    #[arg(long)]
    resume: bool,
    /// Make only every N-th file, such as `1/4` to `4/4` on four machines.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    machines: MachineArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let elsewhere = arguments.machines.remote_pool()?;
    let workers = Workers { jobs: arguments.jobs, elsewhere, ..arguments.walls.workers()? };
    let (kept, resume) = (arguments.out.display().to_string(), !arguments.resume);
    interrupt::ends_with(move || {
        args::interrupted(&format!("whole parts kept in `{kept}`"), resume)
    });
    let outcome = record::run(&arguments.request()?, &workers, &mut Terminal::default())?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    if let Some(speed) = outcome.speed() {
        tell(&speed);
    }
    if let Some([what, hint]) = outcome.failure() {
        tell(&format!("error: {what}"));
        tell(&format!("hint: {hint}"));
    }
    Ok(exit(&outcome))
}

/// Exit code: a recording that lacks games is incomplete, and one of only faults is useless.
fn exit(outcome: &Outcome) -> Exit {
    match outcome.failure() {
        Some(_) => Exit::JudgeError,
        None if outcome.is_faults_only() => Exit::Failed,
        None => Exit::Passed,
    }
}

impl Arguments {
    fn request(&self) -> Result<Request, Error> {
        let players = self.players()?;
        let testcase = self.limits.testcase(self.game.as_deref(), &players)?;
        let testcase = testcase.as_ref();
        let options = testcase.map(|one| one.options.clone()).unwrap_or_default();
        Ok(Request {
            players,
            game: self.game.clone().or_else(|| Some(testcase?.game.clone())),
            options: options.into_iter().chain(self.options.iter().cloned()).collect(),
            games: self.games,
            seed: self.seed,
            limits: self.limits.limits(testcase),
            out: self.out.clone(),
            formats: self.format.clone(),
            part: self.part,
            resume: self.resume,
            shard: self.shard,
        })
    }

    /// Names of the two players. A single argument is split at commas; several are not.
    fn players(&self) -> Result<[String; 2], Error> {
        let names: Vec<String> = match self.players.as_slice() {
            [all] => all.split(',').map(ToOwned::to_owned).collect(),
            several => several.to_vec(),
        };
        names.try_into().map_err(|names: Vec<String>| {
            let what = format!("a game has two players, not {}", names.len());
            let hint = "`--players A,B`; `--players A,A` plays itself; for names with commas: \
                        `--players A --players B`";
            Error::usage(what, hint)
        })
    }
}
