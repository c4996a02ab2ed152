//! What is asked for, checked before anything is played.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use judge_arena::Pairing;
use judge_core::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS};
use judge_games::Game;
use judge_report::recording::RecordingFormat;

use crate::contest::{self, Players};
use crate::course::Shard;
use crate::failure::Failure;
use crate::{grade, play, worker};

/// Most parts of a recording: their numbers have five digits.
const MOST_PARTS: u64 = 100_000;

/// Record many games between two players, for machine learning.
///
/// Game number n, counted from 0, has the seed S+n; the first player sits in seat 1 in games with
/// even numbers and in seat 2 in the others. The same arguments give the same files, byte for byte,
/// whatever `--jobs` is and however often the run was interrupted.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The two players: reference opponents (see `judge games`), `trained:TABLE`, or WebAssembly
    /// modules. The same one twice plays itself. Names with commas: `--players A --players B`.
    #[arg(long, value_name = "A,B", required = true)]
    players: Vec<String>,
    /// The game. Default: the one that the bots say they play.
    #[arg(long)]
    game: Option<String>,
    /// How many games to record.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: u64,
    /// Where the recording goes: a new folder.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
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
    pub(super) part: u64,
    /// How many games to play at a time. Default: one per processor. Changes no file.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    pub(super) jobs: Option<usize>,
    /// Go on with a recording: files that are there already are not made again.
    #[arg(long)]
    pub(super) resume: bool,
    /// Make only every N-th file, such as `1/4` to `4/4` on four machines.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Each bot's time in a game, in judge-milliseconds of 1,000,000 instructions.
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    pub(super) time_ms: u64,
    /// Each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    pub(super) memory_kib: u64,
    #[command(flatten)]
    pub(super) walls: worker::Walls,
}

impl Arguments {
    /// The formats, each once, in the order of the documentation.
    pub(super) fn formats(&self, game: &dyn Game) -> Result<Vec<RecordingFormat>, Failure> {
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

    /// Finds the two players. What is said at once is parted by commas, what is said apart is not.
    pub(super) fn players(&self) -> Result<Players, Failure> {
        let names = match self.players.as_slice() {
            [all] => all.split(',').map(ToOwned::to_owned).collect(),
            apart => apart.to_vec(),
        };
        if names.len() != 2 {
            let what = format!("a game has two players, and {} are named", names.len());
            let hint = "`--players A,B`; `--players A,A` plays itself; names with commas are \
                        named apart: `--players A --players B`";
            return Err(Failure::usage(what, hint));
        }
        Players::read(&names, self.game.as_deref())
    }

    /// Checks that these two can play, and sets them against each other.
    pub(super) fn pairing(&self, players: &Players) -> Result<Pairing, Failure> {
        let limits = contest::limits(self.time_ms, self.memory_kib);
        contest::pairing(players, &self.options, self.seed, limits)
    }

    /// The games of each part.
    pub(super) fn parts(&self) -> Result<Vec<Range<u64>>, Failure> {
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
