//! `judge grade`: grades bots on a suite of testcases, or with `--out` a whole course.

use std::io::{self, Stdout};
use std::path::{Path, PathBuf};

use judge_core::{Blame, BotReport, Event, GradeReport, Listener, TestcaseReport, Verdict};
use judge_report::{Format, TerminalReporter};
use judge_runner::Error;
use judge_runner::base::bundled;
use judge_runner::base::shard::Shard;
use judge_runner::bots::builds::{Building, SECONDS};
use judge_runner::course::{self, Assignments, GradingOptions};
use judge_runner::grade::{self, Outcome};

use super::grade_watch;
use crate::args::{
    BoundArgs, CourseToolArgs, DefineArgs, PagesArg, Secrecy, SuiteArgs, WorkerArgs, interrupted,
    sources,
};
use crate::exit::Exit;
use crate::show::formats::{self, Outputs, Target};
use crate::show::{Terminal, interrupt, output, tell};

/// Grade bots on a suite of testcases.
///
/// Prints a table per bot, and for each failed testcase the command that replays its worst round.
/// With several bots a scoreboard follows, best first.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bots: WebAssembly modules, sources (see `judge build`), or folders with one module each.
    /// With `--out` a folder with a file or folder per student, or the download of a learning
    /// platform, or its `.zip`.
    #[arg(required_unless_present = "course", value_name = "BOT.wasm")]
    bots: Vec<PathBuf>,
    #[command(flatten)]
    on: SuiteArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    defines: DefineArgs,
    /// Write the whole result as JSON, instead of the tables; `-` is standard output. Two runs
    /// differ only under the key `timing`.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write the result as JUnit XML; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    junit: Option<PathBuf>,
    /// Write the result in a format, to a file, or to standard output instead of the tables; may be
    /// repeated.
    #[arg(long, value_name = "FORMAT[=FILE]")]
    report: Vec<Target>,
    #[command(flatten)]
    secrecy: Secrecy,
    #[command(flatten)]
    tool: CourseToolArgs,
    /// Begin CSV (`--report csv`, and with `--out` the mark sheet) with a byte-order mark, so that
    /// spreadsheets recognize UTF-8.
    #[arg(long)]
    bom: bool,
    /// Grade a course into this folder: a report per student, `marks.csv`, and a journal from which
    /// an interrupted run can be resumed.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["testcases", "json", "junit", "report", "journal", "for_student", "defines"])]
    out: Option<PathBuf>,
    /// With `--out`: read a list of students: an export of a learning platform, or a CSV file with
    /// some of the columns `submission`, `student`, `id`, `login`, `address`, `group` (`judge
    /// roster` shows the meaning of its columns). Each student is matched to a submission, or
    /// reported.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    students: Option<PathBuf>,
    /// With a list of students: read the ids of submissions, for names that several students have:
    /// a CSV file with the columns `download`, `id`, and in a course of several suites `suite`.
    #[arg(long, value_name = "FILE.csv", requires = "out")]
    mapping: Option<PathBuf>,
    /// With `--out`: read the due date, the extensions and the rules for late submissions from
    /// this file. In a course of several suites its file has them.
    #[arg(long, value_name = "FILE.toml", requires = "out", conflicts_with = "course")]
    late: Option<PathBuf>,
    /// With a list of students: grade even if none of them is among the submissions.
    #[arg(long, requires = "out")]
    allow_unmatched: bool,
    /// With `--out`: grade a course of several suites, which this file describes. The submissions
    /// are where it says, or in a folder `SUBMISSIONS/NAME` for each suite.
    #[arg(long, value_name = "course.toml", requires = "out", conflicts_with_all = ["suite", "testcases"])]
    course: Option<PathBuf>,
    /// With `--out`: grade new and changed submissions as they arrive, until Ctrl-C. The scoreboard
    /// and the students' pages reload themselves.
    #[arg(long, requires = "out", conflicts_with = "shard")]
    watch: bool,
    /// With `--out`: grade only the I-th of N parts; `judge merge` joins them.
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,
    /// With `--out`: choose the rounds to write as pages, with the files that `judge verify`
    /// checks, into `rounds/` (those of hidden testcases into `full/rounds/`). With `--resume` this
    /// also works later, without playing anything.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, requires = "out")]
    pages: PagesArg,
    /// Record every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue an interrupted run: rounds in its journal are not played again.
    #[arg(long)]
    resume: bool,
    /// Print a second table with the opponent, the rounds and the time a round of each testcase, and
    /// the run time with the parts of it that the bots and the judge used.
    #[arg(long, conflicts_with = "out")]
    verbose: bool,
    #[command(flatten)]
    bounds: BoundArgs,
    /// Accept other people's sources as submissions, too, and build each in a confined process: no
    /// network, no files but its own and the compiler's, bounds on time and memory. Linux only.
    #[arg(long, conflicts_with = "defines")]
    build: bool,
    /// The same without confinement, with all your privileges: only for sources that you have read.
    #[arg(long, conflicts_with_all = ["build", "defines"])]
    build_unconfined: bool,
    /// Let each process of a build take this much processor time, in seconds.
    #[arg(long, default_value_t = SECONDS, value_parser = clap::value_parser!(u64).range(1..=3600))]
    build_seconds: u64,
}

impl Arguments {
    fn building(&self) -> Building {
        Building::new(self.build, self.build_unconfined, self.build_seconds)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    match &arguments.out {
        Some(out) => grade_course(arguments, out),
        None => grade_bots(arguments),
    }
}

fn grade_bots(arguments: &Arguments) -> Result<Exit, Error> {
    let targets = targets(arguments);
    formats::check(&targets, arguments.bots.len(), arguments.journal.as_deref())?;
    let secrecy = &arguments.secrecy;
    let mut tables = Tables::new(arguments, &targets);
    let tool = arguments.tool.settings();
    let testcases = tool.testcases.keys().cloned().collect();
    let outputs = Outputs::open(targets, tool, arguments.bom)?;
    let request = grade::Request {
        bots: arguments.bots.clone(),
        suite: arguments.on.choice(),
        journal: arguments.journal.clone(),
        resume: arguments.resume,
        bounds: arguments.bounds.bounds(),
        for_student: secrecy.for_student,
        find_costliest: tables.tables.is_some(),
        testcases,
        building: arguments.building(),
    };
    if let Some(journal) = &arguments.journal {
        let (kept, resume) = (journal.display().to_string(), !arguments.resume);
        interrupt::ends_with(move || interrupted(&format!("rounds kept in `{kept}`"), resume));
    }
    arguments.defines.apply();
    let outcome = grade::run(&request, &arguments.workers.workers()?, &mut tables)?;
    if tables.tables.is_some() {
        output::unless_reader_left(output::print(&outcome.remarks_text()))?;
    }
    let written = write(outputs, &outcome, secrecy.for_student);
    output::unless_reader_left(tables.written.and(written))?;
    // The sums include hidden rounds, even those of bots that were refused later.
    if arguments.verbose && !(secrecy.for_student && outcome.has_hidden) {
        tell(&outcome.timing_text());
    }
    Ok(exit(&outcome.report))
}

fn write(outputs: Outputs, outcome: &Outcome, for_student: bool) -> io::Result<()> {
    match for_student {
        true => outputs.write(&outcome.for_student()),
        false => outputs.write(&outcome.report),
    }
}

/// Grades a course.
fn grade_course(arguments: &Arguments, out: &Path) -> Result<Exit, Error> {
    let request = course::Request {
        assignments: match &arguments.course {
            Some(file) => assignments_of(arguments, file)?,
            None => only_assignment(arguments)?,
        },
        out: out.to_owned(),
        students: arguments.students.clone(),
        mapping: arguments.mapping.clone(),
        options: GradingOptions {
            allow_unmatched: arguments.allow_unmatched,
            resume: arguments.resume,
            shard: arguments.shard,
            pages: arguments.pages.into(),
            bounds: arguments.bounds.bounds(),
            reload_every: None,
            byte_order_mark: arguments.bom,
            building: arguments.building(),
        },
    };
    let workers = arguments.workers.workers()?;
    if arguments.watch {
        return grade_watch::run(&request, &workers);
    }
    tell_how_to_resume(out, arguments.resume);
    show_course(&with_bar(&mut |events| course::run(&request, &workers, events))?)
}

/// The assignment of a course with one suite.
fn only_assignment(arguments: &Arguments) -> Result<Assignments, Error> {
    let Some(suite) = arguments.on.suite.clone() else {
        let hint = format!("for example `--suite {}`", bundled::names().join("`, `--suite "));
        return Err(Error::usage("a course needs a suite", hint));
    };
    let (submissions, late) = (arguments.bots.clone(), arguments.late.clone());
    Ok(Assignments::One { submissions, suite, late })
}

/// The assignments of a course with several suites, which the file describes.
fn assignments_of(arguments: &Arguments, file: &Path) -> Result<Assignments, Error> {
    if let [_, second, ..] = arguments.bots.as_slice() {
        let what = format!("`{}`: a course of several suites takes one folder", second.display());
        let hint = "it has a folder of submissions for each suite; or the file of the course says \
                    where they are";
        return Err(Error::usage(what, hint));
    }
    let submissions = arguments.bots.first().cloned();
    Ok(Assignments::Several { course: file.to_owned(), submissions })
}

/// On Ctrl-C, ends the run and prints how to resume it.
fn tell_how_to_resume(out: &Path, resumed: bool) {
    let kept = format!("rounds kept in `{}`", out.display());
    interrupt::ends_with(move || interrupted(&kept, !resumed));
}

/// Runs the work with a progress bar that stays to the end, because no table replaces it.
fn with_bar<T>(work: &mut dyn FnMut(&mut dyn Listener) -> T) -> T {
    let mut terminal = Terminal::default();
    let mut events = |event: &Event| match event {
        Event::SubmissionDecided { .. } => Ok(()),
        _ => terminal.event(event),
    };
    work(&mut events)
}

/// Shows the result of a course, graded or merged.
pub(super) fn show_course(outcome: &course::Outcome) -> Result<Exit, Error> {
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    Ok(exit_of_course(outcome.judge_errors_text()))
}

/// The exit code of a course. After a judge error its marks are not final.
fn exit_of_course(judge_errors: Option<String>) -> Exit {
    let Some(text) = judge_errors else { return Exit::Passed };
    tell(&format!("warning: {text}"));
    tell("hint: run it again with `--resume`: only what failed is played again");
    Exit::JudgeError
}

/// All requested formats.
fn targets(arguments: &Arguments) -> Vec<Target> {
    let named = [(Format::Json, &arguments.json), (Format::Junit, &arguments.junit)];
    let named = named.into_iter().filter_map(|(format, path)| Some((format, path.as_ref()?)));
    let named = named.map(|(format, path)| Target::new(format, path));
    named.chain(arguments.report.iter().cloned()).collect()
}

/// A bar and remarks on standard error. Standard output gets the tables as bots finish, unless a
/// format uses it.
struct Tables {
    terminal: Terminal,
    tables: Option<TerminalReporter<Stdout>>,
    /// The first failure to write a table; it does not stop the grading.
    written: io::Result<()>,
}

impl Tables {
    fn new(arguments: &Arguments, targets: &[Target]) -> Tables {
        let paths = || arguments.bots.iter().map(|path| path.display().to_string()).collect();
        let tables = (!targets.iter().any(Target::is_stdout))
            .then(|| TerminalReporter::new(io::stdout(), output::color(), paths()));
        let words = match arguments.building() {
            Building::Never => sources::own,
            Building::Confined { .. } | Building::Unconfined { .. } => sources::of_others,
        };
        let tables = tables.map(|tables| tables.with_words(words).with_rounds(arguments.verbose));
        Tables { terminal: Terminal::default(), tables, written: Ok(()) }
    }
}

impl Listener for Tables {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.terminal.event(event)?;
        if let (Some(tables), Ok(())) = (&mut self.tables, &self.written) {
            self.written = tables.event(event);
        }
        Ok(())
    }
}

/// The exit code of the worst outcome: a judge error, then a refused module, then a failed
/// testcase.
fn exit(report: &GradeReport) -> Exit {
    let of_bot = |bot: &BotReport| match &bot.refused {
        Some(_) => Exit::InvalidInput,
        None => bot.testcases.iter().map(exit_for_testcase).max().unwrap_or(Exit::Passed),
    };
    report.bots.iter().map(of_bot).max().unwrap_or(Exit::Passed)
}

fn exit_for_testcase(testcase: &TestcaseReport) -> Exit {
    let judge = testcase.rounds.iter().any(|round| round.blame == Some(Blame::Judge));
    match testcase.verdict {
        _ if judge => Exit::JudgeError,
        Verdict::Accepted => Exit::Passed,
        _ => Exit::Failed,
    }
}
