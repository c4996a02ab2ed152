//! Grading of bots on a suite of testcases.

pub mod calibrate;
pub mod compare;
mod conditions;
mod costliest;
pub mod export;
mod for_student;
mod outcome;
pub mod traces;
pub mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use judge_arena::{Entrant, Run};
use judge_core::{Event, GradeReport, IgnoreEvents, Listener};
use judge_grading::Suite;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::bounds::SubmissionBounds;
use crate::base::journal;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::builds::Building;
use crate::bots::{self, BotSource};
use crate::suites::suite_lints::{self, Readers};
use crate::suites::{self, SuiteChoice};
pub use for_student::ForStudent;
pub use outcome::Outcome;
use traces::Traced;

/// Bots to grade, and the suite.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Request {
    /// The bots' files.
    pub bots: Vec<PathBuf>,
    /// The testcases.
    pub suite: SuiteChoice,
    /// The journal, if rounds are kept.
    pub journal: Option<PathBuf>,
    /// True to resume from that journal if it exists. The rounds in it are not played again.
    pub resume: bool,
    /// Bounds on the cost of a whole submission.
    pub bounds: SubmissionBounds,
    /// True if the listener gets only events that students may see ([`ForStudent`]).
    pub for_student: bool,
    /// True to find the move that cost the most, if a single bot is below a threshold. This plays
    /// a few hundred rounds more.
    #[serde(default)]
    pub find_costliest: bool,
    /// Testcases that options name, which must be in the suite.
    #[serde(default)]
    pub testcases: Vec<String>,
    /// The treatment of sources. By default they are the user's own and built without confinement;
    /// otherwise they are other authors'.
    #[serde(default)]
    pub building: Building,
}

/// Grades the bots. A bot that intake refuses gets a report with no points.
///
/// # Errors
/// If a file cannot be read, the suite is invalid, the journal cannot be used, the judge fails, or
/// the listener fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    if request.resume && request.journal.is_none() {
        let hint = "name it: `--journal FILE`, or `--out DIR` for a course";
        return Err(Error::usage("`--resume` needs a journal", hint));
    }
    let bots = match request.building.open(workers)? {
        None => {
            bots::refuse_several_projects(&request.bots)?;
            bots::read_all(&request.bots, events)
        }
        Some(builder) => bots::read_of_others(&request.bots, &builder),
    }?;
    let suite = request.suite.suite(&bots, events)?;
    suites::has_testcases(&suite, &request.testcases)?;
    suites::tell_what_is_missing(&suite, events)?;
    let readers = if request.for_student { Readers::Students } else { Readers::Usual };
    suite_lints::warn(&suite, &request.suite, readers, events)?;
    for bot in &bots {
        bots::tell_of_other_suite(bot, &suite, events)?;
        // The folders of others are not advice.
        if !request.building.is_wanted() {
            bot.keep_version();
            bots::tell_of_testcase_with_room(bot, &suite, events)?;
        }
    }
    let run = prepare(request, workers, &suite, events)?;
    let submissions: Vec<Entrant> = bots.iter().map(|bot| bot.fitting(&suite)).collect();
    let report = match request.for_student {
        true => {
            let mut shown = ForStudent::new(events, &suite);
            traced(&run, &suite, (&bots, &submissions), workers, &mut shown)
        }
        false => traced(&run, &suite, (&bots, &submissions), workers, events),
    }?;
    tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    let mut outcome = Outcome::new(report, &suite, request.for_student);
    outcome.part = request.suite.note_of_part(&suite);
    if request.find_costliest && !request.for_student {
        outcome.costliest = costliest::find(&outcome.report, &suite, &bots, workers);
    }
    Ok(outcome)
}

/// Returns a run on the workers, with the journal if there is one.
fn prepare(
    request: &Request,
    workers: &Workers,
    suite: &Suite,
    events: &mut dyn Listener,
) -> Result<Run, Error> {
    let run = workers.run().with_bounds(request.bounds.on(suite));
    let Some(path) = &request.journal else { return Ok(run) };
    let plan = journal::plan_of_grading(suite);
    // The journal's number of rounds depends on the results of hidden testcases.
    let mut nobody = IgnoreEvents;
    let silent = request.for_student && suites::has_hidden(suite);
    let told: &mut dyn Listener = if silent { &mut nobody } else { events };
    let now = (&plan, suite);
    let fingerprint = run.pool().fingerprint();
    let journal = journal::start_grading(path, fingerprint, now, request.resume, told)?;
    Ok(run.with_journal(Arc::new(journal)))
}

/// Plays, and adds the functions in which a single bot failed.
fn traced(
    run: &Run,
    suite: &Suite,
    (bots, submissions): (&[BotSource], &[Entrant]),
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<GradeReport, Error> {
    let mut listener = Traced::new(events, suite, bots, workers);
    let report = play(run, suite, submissions, &mut listener)?;
    Ok(match listener.done {
        Some(bot) => GradeReport { bots: vec![bot], ..report },
        None => report,
    })
}

fn play(
    run: &Run,
    suite: &Suite,
    submissions: &[Entrant],
    events: &mut dyn Listener,
) -> Result<GradeReport, Error> {
    let report = judge_arena::grade(run, suite, submissions, events)?;
    if let Some(journal) = run.journal() {
        journal.sync()?;
    }
    Ok(report)
}
