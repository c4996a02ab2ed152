//! `judge verify`: whether a kept round or a report on grading holds, with and without the bots.

mod findings;
mod replay;
mod report;

use std::path::{Path, PathBuf};

use judge_core::Fingerprint;

use crate::bots::{self, BotFile};
use crate::failure::{Exit, Failure};
use crate::trained::{self, Trained};
use crate::{grade, output, worker};

use findings::{Findings, Problem};

/// Check that a replay, or a report of `judge grade --json`, is true.
///
/// Without a bot: every line, move, score and hash is worked out again by the rules. With the
/// bots that took part: their rounds are played again, and every answer and its cost must be the
/// same. The first line begins with `holds`, `NOT CHECKED` or `DOES NOT HOLD`. Exit codes: 0 it holds,
/// all of it; 1 it does not; 3 it is no replay and no report, or of another judge; 5 nothing
/// contradicts it, but not all of it was checked: what is missing is listed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file written by `judge play --replay` or `judge grade --json`.
    #[arg(value_name = "REPLAY|REPORT.json")]
    file: PathBuf,
    /// The bots, and `trained:TABLE`, that played in it: then everything is played again.
    #[arg(value_name = "BOT.wasm|trained:TABLE")]
    players: Vec<PathBuf>,
    /// For a report: the name of a bundled suite, or the suite's folder as a path: `./NAME` or
    /// `NAME/`. Default: the bundled suite that the report names,
    /// which has to fit.
    #[arg(long, value_name = "DIR|NAME")]
    suite: Option<PathBuf>,
    /// For a report: a testcase that was graded by itself; may be repeated.
    #[arg(long = "testcase", value_name = "FILE.toml", conflicts_with = "suite")]
    testcases: Vec<PathBuf>,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    jobs: Option<usize>,
    /// Write what was found as JSON to a file, or with `-` to standard output, instead of the
    /// text.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    walls: worker::Walls,
}

/// The players that were given to play again.
struct Given {
    bots: Vec<BotFile>,
    trained: Vec<Trained>,
}

impl Given {
    fn read(players: &[PathBuf]) -> Result<Given, Failure> {
        let is_trained = |path: &PathBuf| path.to_str().is_some_and(trained::is_trained);
        let (tables, bots): (Vec<PathBuf>, Vec<PathBuf>) =
            players.iter().cloned().partition(is_trained);
        let tables = tables.iter().filter_map(|path| trained::read(path.to_str()?).transpose());
        Ok(Given { bots: bots::read_all(&bots)?, trained: tables.collect::<Result<_, _>>()? })
    }

    fn is_empty(&self) -> bool {
        self.bots.is_empty() && self.trained.is_empty()
    }

    /// For reports, in which nobody plays who was trained.
    fn only_bots(&self) -> Result<&[BotFile], Failure> {
        match self.trained.first() {
            None => Ok(&self.bots),
            Some(trained) => {
                let what = format!("`{}` did not play in this report", trained.path.display());
                Err(Failure::usage(what, "trained players take no part in grading"))
            }
        }
    }
}

/// Why a check went no further.
enum Stop {
    /// The file does not hold.
    Problem(Problem),
    /// It cannot be checked.
    Failure(Failure),
}

impl<T: Into<Failure>> From<T> for Stop {
    fn from(failure: T) -> Stop {
        Stop::Failure(failure.into())
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Stop {
        Stop::Problem(problem)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let text = Failure::read_text(&arguments.file)?;
    let given = Given::read(&arguments.players)?;
    let mut findings = Findings::new(&arguments.file, !given.is_empty());
    let checked = match is_replay(&text) {
        Some(true) => replay::check(&text, arguments, &given, &mut findings),
        Some(false) => report::check(&text, arguments, given.only_bots()?, &mut findings),
        None => return Err(Failure::input(&arguments.file, &NEITHER)),
    };
    match checked {
        Ok(()) => {}
        Err(Stop::Problem(problem)) => findings.problem = Some(problem),
        Err(Stop::Failure(failure)) => return Err(failure),
    }
    let text = if arguments.json.is_some() { findings.json() } else { findings.text() };
    let path = arguments.json.clone().unwrap_or_else(|| "-".into());
    if path.as_os_str() == "-" {
        output::unless_reader_left(output::print(&text))?;
    } else {
        output::write(&path, &text)?;
    }
    Ok(findings.exit())
}

const NEITHER: &str =
    "neither a replay of `judge play --replay` nor a report of `judge grade --json`";

/// What is said of a file that says the right things in another way.
const NOT_CANONICAL: &str =
    "changed after it was written: spaces, order, unknown or repeated fields";

/// Whether the file wants to be a replay, which begins with its header in one line; a report is
/// one object over many lines.
fn is_replay(text: &str) -> Option<bool> {
    let first = text.lines().next()?.trim();
    let replay = first.len() > 1 && !first.contains("\"suite\"");
    first.starts_with('{').then_some(replay)
}

/// Refuses to compare costs and answers with those of another build.
fn same_build(arguments: &Arguments, recorded: &Fingerprint) -> Result<(), Failure> {
    let own = worker::fingerprint();
    if *recorded == own {
        return Ok(());
    }
    let what = format!(
        "`{}`: written by another judge, and results of different judges are never compared: \
         it has judge `{}`, engine `{}`; this is judge `{}`, engine `{}`",
        arguments.file.display(),
        recorded.judge,
        recorded.engine,
        own.judge,
        own.engine
    );
    let hint = "play it again with the judge that wrote it; or leave the bots out, and it is \
                checked by the rules alone";
    Err(Failure::Input { what, hint: Some(hint.to_owned()) })
}

/// What is said of a file's build when only the rules are gone through.
fn tell_of_build(recorded: &Fingerprint, findings: &mut Findings) {
    let own = worker::fingerprint();
    if *recorded == own {
        return findings.unchecked("fingerprint: that this judge played it");
    }
    findings.unchecked(format!(
        "fingerprint: written by another judge (judge `{}`, engine `{}`), and checked by the rules \
         of this one (judge `{}`, engine `{}`)",
        recorded.judge, recorded.engine, own.judge, own.engine
    ));
}

/// A name is under no hash of what was played: it is checked only by a file of that name, or by one
/// in a folder of that name, as submissions to a course may be.
fn check_name(place: &str, recorded: &str, file: &Path, findings: &mut Findings) {
    let folder = file.parent().and_then(Path::file_name);
    let names = [file.file_stem(), file.file_name(), folder];
    if !names.into_iter().flatten().any(|name| name.to_string_lossy() == recorded) {
        findings.unchecked(format!(
            "{place}: the name `{recorded}`; the file that was given is `{}`",
            file.display()
        ));
    }
}

/// The bots, as the hashes of their files, for people.
fn hashes(bots: &[BotFile]) -> String {
    let one = |bot: &BotFile| format!("{} (`{}`)", bot.submission.bot.sha256, bot.path.display());
    bots.iter().map(one).collect::<Vec<_>>().join(", ")
}
