//! `judge grade`: bots on a suite of testcases.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::Submission;
use judge_core::{Blame, Event, GradeReport, Refused, Verdict, printable};
use judge_grading::Suite;
use judge_report::{Format, ProgressReporter, Reporter, TerminalReporter, broadcast};
use judge_sandbox::intake;

use crate::bots::{self, BotFile};
use crate::course::{self, Shard};
use crate::failure::{Exit, Failure};
use crate::formats::{self, Target};
use crate::{bundled, journal, output, worker};

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
    /// A suite's folder, or the name of a bundled suite. Default: the bundled suite of the game
    /// that the bots say they play.
    #[arg(long, value_name = "DIR|NAME")]
    suite: Option<PathBuf>,
    /// A single testcase instead of a suite; may be repeated.
    #[arg(long = "testcase", value_name = "FILE.toml", conflicts_with = "suite")]
    testcases: Vec<PathBuf>,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
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
    /// Grade a course into a folder: a report per student, `marks.csv`, and a journal with which
    /// a run that was interrupted goes on.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["testcases", "json", "junit", "report", "journal"])]
    out: Option<PathBuf>,
    /// With `--out`: a list of students, as CSV with the columns `submission`, `student`, `id`.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    students: Option<PathBuf>,
    /// With `--out`: only the I-th of N parts, to be joined by `judge merge`.
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,
    /// Keep every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with a run that was interrupted: what stands in its journal is not played again.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    walls: worker::Walls,
}

/// Parses `--jobs`.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
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
    let suite = suite(arguments, &bots)?;
    say_what_is_locked(&suite);
    for bot in &bots {
        bots::warn_of_other_game(bot, &suite.testcases[0].game);
    }
    let mut pool = worker::pool(arguments.jobs, &arguments.walls)?;
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
    split_of_time(&report);
    worker::warn_of_missing_walls(&pool);
    Ok(exit(&report))
}

/// Says on standard error which testcases cannot be played for want of the key.
fn say_what_is_locked(suite: &Suite) {
    if let Some(folder) = &suite.absent {
        let folder = printable(&folder.display().to_string(), usize::MAX);
        // A standard error that is gone changes no result; so below.
        let _ = writeln!(
            std::io::stderr(),
            "note: the hidden testcases in `{folder}` are not graded here, as it is not there"
        );
    }
    if suite.locked.is_empty() {
        return;
    }
    let line = format!(
        "note: hidden testcases are not graded here, as their seeds are secret: {}",
        printable(&locked(suite), usize::MAX)
    );
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn locked(suite: &Suite) -> String {
    suite.locked.iter().map(|testcase| testcase.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Grades a course.
fn course(arguments: &Arguments, out: &Path) -> Result<Exit, Failure> {
    let Some(suite) = &arguments.suite else {
        let hint = format!("for example `--suite {}`", bundled::names().join("`, `--suite "));
        return Err(Failure::usage("a course needs a suite", hint));
    };
    let suite = named(suite)?;
    if let Some(folder) = &suite.absent {
        let what = format!("the folder of hidden testcases `{}` is not there", folder.display());
        return Err(Failure::usage(
            what,
            "put it where `[hidden]` in `suite.toml` says that it is",
        ));
    }
    if !suite.locked.is_empty() {
        let what = format!("the suite's hidden testcases are locked: {}", locked(&suite));
        let hint = "put the key where `[hidden]` in `suite.toml` says that it is";
        return Err(Failure::usage(what, hint));
    }
    let request = course::Request {
        out,
        submissions: &arguments.bots,
        students: arguments.students.as_deref(),
        resume: arguments.resume,
        shard: arguments.shard,
        suite: &suite,
    };
    course::run(&request, worker::pool(arguments.jobs, &arguments.walls)?)
}

/// The bot's submission, refused if it cannot fit.
pub(crate) fn fitting(bot: &BotFile, suite: &Suite) -> Submission {
    let mut submission = bot.submission.clone();
    within(&mut submission, suite);
    submission
}

/// Refuses a submission whose memory fits under no testcase's cap.
pub(crate) fn within(submission: &mut Submission, suite: &Suite) {
    let largest = suite.testcases.iter().map(|testcase| testcase.limits);
    let largest = largest.max_by_key(|limits| limits.memory_bytes);
    if let (Ok(info), Some(limits)) = (intake::inspect(&submission.module), largest)
        && let Err(refusal) = info.check_limits(&limits)
    {
        submission.refused = Some(Refused::new(refusal.to_string()));
    }
}

fn suite(arguments: &Arguments, bots: &[BotFile]) -> Result<Suite, Failure> {
    if !arguments.testcases.is_empty() {
        return Ok(Suite::of_testcases(&arguments.testcases)?);
    }
    if let Some(path) = &arguments.suite {
        return named(path);
    }
    let name = claimed(bots)?;
    bundled(name).unwrap_or_else(|| {
        let what = format!("there is no bundled suite for the game `{name}`");
        Err(Failure::usage(what, "name a suite's folder with `--suite`"))
    })
}

/// The suite in that folder, or the bundled suite of that name.
pub(crate) fn named(path: &Path) -> Result<Suite, Failure> {
    if path.is_dir() {
        return Ok(Suite::read(path)?);
    }
    let name = path.display().to_string();
    bundled(&name).unwrap_or_else(|| {
        let hint = format!("bundled suites: {}", bundled::names().join(", "));
        Err(Failure::usage(format!("no folder and no bundled suite `{name}`"), hint))
    })
}

fn bundled(name: &str) -> Option<Result<Suite, Failure>> {
    bundled::suite(name).map(|suite| suite.map_err(Failure::from))
}

/// The one game that the bots say they play.
fn claimed(bots: &[BotFile]) -> Result<&'static str, Failure> {
    let mut games: Vec<&str> = bots.iter().filter_map(bots::claimed_game).collect();
    games.sort_unstable();
    games.dedup();
    let hint = format!("name the suite: `--suite {}`", bundled::names().join("`, `--suite "));
    match games.as_slice() {
        [game] => Ok(game),
        // Nothing can be played, but there is a verdict to show: the suite does not matter.
        [] if bots.iter().all(|bot| bot.submission.refused.is_some()) => {
            Ok(judge_games::all()[0].name())
        }
        [] => Err(Failure::usage("none of the bots says which game it plays", hint)),
        several => {
            let what = format!("the bots play different games: {}", several.join(", "));
            Err(Failure::usage(what, hint))
        }
    }
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
    if !targets.iter().any(Target::is_stdout) {
        let paths = arguments.bots.iter().map(|path| path.display().to_string()).collect();
        let terminal = TerminalReporter::new(std::io::stdout(), output::color(), paths);
        reporters.push(Box::new(terminal));
    }
    reporters.extend(formats::reporters(targets)?);
    Ok(reporters)
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
