//! The limits of bots that play rounds outside of a suite.

use std::path::PathBuf;

use judge_core::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS};
use judge_runner::Error;
use judge_runner::suites::{self, Testcase};

use crate::show::Terminal;

/// Says that a testcase is stricter than a single round with the same limits.
pub(crate) const SHARED_TIME: &str = "a testcase gives its time for all its rounds together: `--testcase NAME` plays a round with an \
     equal share of it";

/// Limits of each bot in each round.
#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// Set each bot's time per round, in judge-milliseconds (1,000,000 instructions).
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Set each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
    /// Play as in a testcase: a file, or a name in the bundled suite of the bot's game, such as
    /// `03`. Sets memory and rule switches. As all its rounds share its time, each gets an equal
    /// part of it.
    #[arg(long, value_name = "TESTCASE", conflicts_with_all = ["time_ms", "memory_kib"])]
    pub(crate) testcase: Option<PathBuf>,
    /// Set each bot's time per round, in instructions: finer than `--time-ms`.
    #[arg(long, value_name = "N", conflicts_with_all = ["time_ms", "testcase"],
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS * FUEL_PER_MS))]
    pub(crate) fuel: Option<u64>,
}

impl LimitArgs {
    /// The chosen testcase, for players of which some may be modules.
    pub(crate) fn testcase(
        &self,
        game: Option<&str>,
        players: &[String],
    ) -> Result<Option<Testcase>, Error> {
        let Some(path) = &self.testcase else { return Ok(None) };
        let testcase = suites::testcase(path, game, players, &mut Terminal::default())?;
        match game {
            Some(game) if game != testcase.game => {
                let what = format!("`{}` is a testcase of `{}`", testcase.name, testcase.game);
                Err(Error::usage(what, format!("leave `--game {game}` out, or name another one")))
            }
            _ => Ok(Some(testcase)),
        }
    }

    /// The limits of a round.
    pub(crate) fn limits(&self, testcase: Option<&Testcase>) -> Limits {
        let fuel = self.fuel.unwrap_or(self.time_ms * FUEL_PER_MS);
        let memory_bytes = self.memory_kib * 1024;
        let set = Limits { fuel, memory_bytes, ..Limits::COURSE };
        testcase.map_or(set, Testcase::limits_of_a_round)
    }
}
