//! `judge calibrate`: estimates bots' chances to pass each testcase of a suite on fresh seeds, and
//! the thresholds that separate them.

mod outcome;
mod play;
mod text;
mod write;

use std::path::PathBuf;

use judge_core::{Event, Listener, Seed};
use judge_grading::Testcase;

use crate::Error;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::submitted::Sections;
use crate::bots::{self, BotSource};
use crate::grade::conditions::{refuse_unfit, testcases};
use crate::suites::suite_lints::{self, Readers};
use crate::suites::{self, SuiteChoice};
pub use outcome::{
    BotFinding, FEW_WRONG, Finding, MOST_ROUNDS, MOST_WRONG, Outcome, Proposal, SHARES,
};
pub use write::{PassedOver, ThresholdChange};
use write::{TWO_BOTS, TestcaseFiles};

/// Default for the first of the fresh seeds, far from the usual seeds of testcases.
pub const FRESH: u64 = 1_000_000_000;

/// Bots, and a suite with the thresholds to examine.
#[derive(Debug, Clone)]
pub struct Request {
    /// The bots' files.
    pub bots: Vec<PathBuf>,
    /// The name of a bundled suite, or the path of a suite's folder. Hidden testcases need no key.
    pub suite: PathBuf,
    /// Number of rounds per bot and testcase.
    pub rounds: u32,
    /// The first of the fresh seeds.
    pub seed: u64,
    /// True to write the thresholds between two bots into the suite's files.
    pub write: bool,
}

/// Plays the bots on fresh seeds, and estimates their chances.
///
/// # Errors
/// If a file cannot be read or written, a bot cannot play at all, or the judge fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let suite = suites::named(&request.suite, events)?;
    let choice = SuiteChoice::Named(request.suite.clone());
    suite_lints::warn(&suite, &choice, Readers::Usual, events)?;
    let files = match request.write {
        true => Some(TestcaseFiles::find(&choice, &suite, request.bots.len())?),
        false => None,
    };
    if let Some(files) = &files {
        files.tell_what_stays(&suite, events)?;
    }
    let bots = bots::read_all(&request.bots, events)?;
    tell_of_same_bots(&bots, request.write, events)?;
    let testcases: Vec<&Testcase> = testcases(&suite);
    for bot in &bots {
        refuse_unfit(bot, &suite)?;
        bots::tell_of_other_suite(bot, &suite, events)?;
    }
    let run = workers.run();
    let seeds = (0..u64::from(request.rounds)).map(|n| Seed(request.seed.wrapping_add(n)));
    let seeds: Vec<Seed> = seeds.collect();
    let played = play::all(&run, &testcases, &bots, &seeds, events)?;
    tell_of_missing_walls(&run, events)?;
    let mut outcome = Outcome::new(&testcases, &bots, &played);
    match files {
        Some(_) if outcome.judge_errors > 0 => {
            let text = "no threshold was written, as the judge failed in some rounds".to_owned();
            events.event(&Event::Warning { text })?;
        }
        Some(files) => outcome.changes = files.write(&suite, &outcome.testcases)?,
        None => {}
    }
    events.event(&Event::Finished)?;
    Ok(outcome)
}

/// Warns about bots that are the same program, which no threshold separates, or refuses them if a
/// threshold must be written.
fn tell_of_same_bots(
    bots: &[BotSource],
    write: bool,
    events: &mut dyn Listener,
) -> Result<(), Error> {
    let program =
        |bot: &BotSource| Sections::from_module(&bot.submission.module).map(|found| found.program);
    let programs: Vec<_> = bots.iter().map(program).collect();
    for (at, bot) in bots.iter().enumerate() {
        let same = |before: &usize| programs[at].is_some() && programs[*before] == programs[at];
        let Some(before) = (0..at).find(same) else { continue };
        let [one, other] = [&bots[before], bot].map(|bot| bot.path.display());
        let text = match one.to_string() == other.to_string() {
            true => format!("`{one}` is named twice"),
            false => format!("`{one}` and `{other}` are the same program"),
        };
        if write {
            return Err(Error::usage(text, TWO_BOTS));
        }
        events.event(&Event::Warning { text })?;
    }
    Ok(())
}
