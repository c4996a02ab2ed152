//! `judge calibrate`: how likely bots are to pass each testcase of a suite on seeds that nobody has
//! seen, and where thresholds would tell them apart.

mod play;
mod show;

use std::path::PathBuf;

use judge_core::Seed;
use judge_grading::{Suite, Testcase};

use crate::failure::{Exit, Failure};
use crate::{bots, grade, output, worker};

/// First of the fresh seeds: far from those that people write into testcases.
const FRESH: u64 = 1_000_000_000;

/// Estimate how likely bots are to pass a suite's testcases.
///
/// Plays each bot over many fresh seeds under each testcase's conditions. For every testcase: what
/// the sum of its rounds comes to, the chance to reach its threshold with a 95 % interval, and the
/// thresholds that tell the given bots apart best. Hidden testcases need no key for it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bots: WebAssembly modules.
    #[arg(required = true, value_name = "BOT.wasm")]
    bots: Vec<PathBuf>,
    /// The name of a bundled suite, or a suite's folder as a path: `./NAME` or `NAME/`.
    #[arg(long, value_name = "DIR|NAME")]
    suite: PathBuf,
    /// Rounds to play with each bot under each testcase's conditions.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(10..=100_000))]
    rounds: u32,
    /// The first of the fresh seeds.
    #[arg(long, value_name = "SEED", default_value_t = FRESH)]
    seed: u64,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    jobs: Option<usize>,
    /// Write the figures as JSON to a file, or with `-` to standard output, instead of the tables.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write a table of the chances, which is Markdown, to a file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    walls: worker::Walls,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let suite = grade::named(&arguments.suite)?;
    let files = [&arguments.json, &arguments.markdown];
    files.into_iter().flatten().try_for_each(|path| output::can_write(path))?;
    let bots = bots::read_all(&arguments.bots)?;
    let testcases: Vec<&Testcase> = testcases(&suite);
    for bot in &bots {
        if let Some(refused) = &grade::fitting(bot, &suite).refused {
            let (what, hint) =
                refused.detail.split_once("\nhint: ").unwrap_or((&refused.detail, ""));
            let what = format!("`{}`: invalid module: {what}", bot.path.display());
            return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
        }
        bots::warn_of_other_game(bot, &testcases[0].game);
    }
    let pool = worker::pool(arguments.jobs, &arguments.walls)?;
    let seeds = (0..u64::from(arguments.rounds)).map(|n| Seed(arguments.seed.wrapping_add(n)));
    let seeds: Vec<Seed> = seeds.collect();
    let played = play::all(&pool, &testcases, &bots, &seeds)?;
    worker::warn_of_missing_walls(&pool);
    let findings = show::Findings::new(&testcases, &bots, &played);
    if let Some(path) = &arguments.markdown {
        output::write(path, &findings.markdown())?;
    }
    match &arguments.json {
        Some(path) => output::write(path, &findings.json())?,
        None => output::unless_reader_left(output::print(&findings.text()))?,
    }
    Ok(if played.judge_errors > 0 { Exit::JudgeError } else { Exit::Passed })
}

/// The suite's testcases in the order of their names, those without a key among them: what they
/// are played with is no secret, only the seeds are.
fn testcases(suite: &Suite) -> Vec<&Testcase> {
    let mut testcases: Vec<&Testcase> = suite.testcases.iter().chain(&suite.locked).collect();
    testcases.sort_by(|one, other| one.name.cmp(&other.name));
    testcases
}
