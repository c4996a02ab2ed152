//! `judge grade`: bots on a suite of testcases.

mod bounds;
mod on;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::Pool;
use judge_core::{Blame, Event, GradeReport, Verdict};
use judge_report::{Format, ProgressReporter, Reporter, TerminalReporter, broadcast};

use crate::bots;
use crate::course::{self, Pages, Shard};
use crate::failure::{Exit, Failure};
use crate::formats::{self, ForStudent, Secrecy, Target};
use crate::{bundled, journal, output, worker};
use bounds::BoundArguments;
pub(crate) use on::{On, fitting, is_whole, jobs, named, say_what_is_locked, within};

/// Grade bots on a suite of testcases.
///
/// Prints a table per bot, and for each failed testcase the command that shows its worst round
/// again. With several bots a board follows, best first.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The bots: WebAssembly modules. With `--out` also folders of them, a file or a folder for
    /// each student.
    #[arg(required = true, value_name = "BOT.wasm")]
    bots: Vec<PathBuf>,
    #[command(flatten)]
    on: On,
    /// Write the whole result as JSON to a file, or with `-` to standard output, instead of the
    /// tables. Two runs differ only under the key `timing`.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write the result as JUnit XML to a file, or with `-` to standard output.
    #[arg(long, value_name = "FILE|-")]
    junit: Option<PathBuf>,
    /// Write the result in a format to a file, or to standard output instead of the tables; may be
    /// repeated. There are text, json, junit, csv, markdown, github, classroom, gradescope,
    /// prairielearn and joj3. `github` prints annotations and adds to `$GITHUB_STEP_SUMMARY`.
    #[arg(long, value_name = "FORMAT[=FILE]")]
    report: Vec<Target>,
    #[command(flatten)]
    secrecy: Secrecy,
    /// Grade a course into a folder: a report per student, `marks.csv`, and a journal with which
    /// a run that was interrupted goes on.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["testcases", "json", "junit", "report", "journal", "for_student"])]
    out: Option<PathBuf>,
    /// With `--out`: a list of students, as CSV with the columns `submission`, `student`, `id`.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    students: Option<PathBuf>,
    /// With `--out`: only the I-th of N parts, to be joined by `judge merge`.
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,
    /// With `--out`: which rounds to write as pages to watch, with the files that `judge verify`
    /// checks, into `rounds/` (those of hidden testcases into `full/rounds/`). With `--resume` also
    /// later: nothing is played for it.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, requires = "out")]
    pages: Pages,
    /// Keep every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with a run that was interrupted: what stands in its journal is not played again.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    bounds: BoundArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.resume && arguments.journal.is_none() && arguments.out.is_none() {
        let hint = "name it: `--journal FILE`, or `--out DIR` for a course";
        return Err(Failure::usage("`--resume` needs a journal to go on with", hint));
    }
    if let Some(out) = &arguments.out {
        return course(arguments, out);
    }
    let targets = targets(arguments);
    formats::check(&targets, arguments.bots.len())?;
    let bots = bots::read_all(&arguments.bots)?;
    let suite = arguments.on.suite(&bots)?;
    say_what_is_locked(&suite);
    for bot in &bots {
        bots::warn_of_other_game(bot, &suite.testcases[0].game);
    }
    let bounds = arguments.bounds.on(&suite);
    let mut pool = Pool { bounds, ..arguments.on.pool()? };
    if let Some(path) = &arguments.journal {
        let plan = journal::plan_of_grading(&suite);
        let journal = journal::open(path, &pool.fingerprint, &plan, arguments.resume)?;
        pool.journal = Some(Arc::new(journal));
    }
    let mut reporters = reporters(arguments, &targets)?;
    let mut written = Ok(());
    let submissions = bots.iter().map(|bot| fitting(bot, &suite)).collect::<Vec<_>>();
    let report = judge_arena::grade(&pool, &suite, &submissions, &mut |event: &Event<'_>| {
        let result = broadcast(&mut reporters, event);
        // A report that cannot be written never stops the grading of the others.
        if written.is_ok() {
            written = result;
        }
    })?;
    if let Some(journal) = &pool.journal {
        journal.sync()?;
    }
    output::unless_reader_left(written)?;
    // The sums hold the hidden rounds.
    let hidden = report.bots.iter().flat_map(|bot| &bot.testcases).any(|case| case.hidden);
    if !(arguments.secrecy.for_student && hidden) {
        split_of_time(&report);
    }
    worker::warn_of_missing_walls(&pool);
    Ok(exit(&report))
}

/// Grades a course.
fn course(arguments: &Arguments, out: &Path) -> Result<Exit, Failure> {
    let Some(suite) = &arguments.on.suite else {
        let hint = format!("for example `--suite {}`", bundled::names().join("`, `--suite "));
        return Err(Failure::usage("a course needs a suite", hint));
    };
    let suite = named(suite)?;
    is_whole(&suite)?;
    let request = course::Request {
        out,
        submissions: &arguments.bots,
        students: arguments.students.as_deref(),
        resume: arguments.resume,
        shard: arguments.shard,
        suite: &suite,
        pages: arguments.pages,
    };
    let bounds = arguments.bounds.on(&suite);
    course::run(&request, Pool { bounds, ..arguments.on.pool()? })
}

/// Every format that is asked for.
fn targets(arguments: &Arguments) -> Vec<Target> {
    let named = [(Format::Json, &arguments.json), (Format::Junit, &arguments.junit)];
    let named = named.into_iter().filter_map(|(format, path)| Some((format, path.as_ref()?)));
    let named = named.map(|(format, path)| Target::new(format, path));
    named.chain(arguments.report.iter().cloned()).collect()
}

fn reporters(arguments: &Arguments, targets: &[Target]) -> Result<Vec<Box<dyn Reporter>>, Failure> {
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(ProgressReporter::new())];
    let secrecy = &arguments.secrecy;
    if !targets.iter().any(Target::is_stdout) {
        let paths = arguments.bots.iter().map(|path| path.display().to_string()).collect();
        let terminal = TerminalReporter::new(std::io::stdout(), output::color(), paths);
        reporters.push(Box::new(terminal));
    }
    reporters.extend(formats::reporters(targets, secrecy.hidden_visibility)?);
    if !secrecy.for_student {
        return Ok(reporters);
    }
    let masked = |reporter| -> Box<dyn Reporter> { Box::new(ForStudent(reporter)) };
    Ok(reporters.into_iter().map(masked).collect())
}

/// Says on standard error where the time went.
fn split_of_time(report: &GradeReport) {
    let timing = &report.timing;
    let ms = |us: u64| format!("{}.{} ms", us / 1000, us % 1000 / 100);
    let line = format!(
        "{} with {} {}; summed over them: bot {}, judge {}, start-up {}",
        ms(timing.wall_us),
        timing.workers,
        if timing.workers == 1 { "worker" } else { "workers" },
        ms(timing.bot_us),
        ms(timing.judge_us),
        ms(timing.start_up_us),
    );
    // Nobody misses it who has closed standard error.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The worst of what happened: a judge error before a refused module before a failed testcase.
fn exit(report: &GradeReport) -> Exit {
    let of_bot = |bot: &judge_core::BotReport| match &bot.refused {
        Some(_) => Exit::InvalidInput,
        None => bot.testcases.iter().map(of_testcase).max().unwrap_or(Exit::Passed),
    };
    report.bots.iter().map(of_bot).max().unwrap_or(Exit::Passed)
}

fn of_testcase(testcase: &judge_core::TestcaseReport) -> Exit {
    let judge = testcase.rounds.iter().any(|round| round.blame == Some(Blame::Judge));
    match testcase.verdict {
        _ if judge => Exit::JudgeError,
        Verdict::Accepted => Exit::Passed,
        _ => Exit::Failed,
    }
}
