//! Checks that a recorded round, a report on grading or the result of a run is correct, with or
//! without the bots that played in it.

mod findings;
mod replay;
mod report;
pub mod results;
mod run;
pub mod tournament_scoreboard;

use std::path::{Path, PathBuf};

use judge_core::{Fingerprint, Listener};

use crate::Error;
use crate::base::workers::{Workers, fingerprint};
use crate::bots::BotSource;
use crate::bots::players::Given;

use findings::FirstProblem;
pub use findings::{CheckedFile, Conclusion, Finding, Level, Outcome, Sides, Status};
pub(crate) use run::refuse_changed;

/// A file to check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// A replay, a report on grading, a journal, or the JSON of a match or tournament.
    pub file: PathBuf,
    /// The modules, and `trained:TABLE`, that played in it. With them everything is played again.
    pub players: Vec<PathBuf>,
    /// For a report: the name of a bundled suite, or a suite's folder. Default: the bundled suite
    /// that the report names.
    pub suite: Option<PathBuf>,
    /// For a report: testcases that were graded outside a suite.
    pub testcases: Vec<PathBuf>,
}

/// Checks a file.
///
/// # Errors
/// If this kind of file cannot be checked, the file comes from another judge and players were
/// given, or the players do not match it. A file that does not hold is not an error.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let given = &Given::read(&request.players, events)?;
    let (kind, text) = read(&request.file)?;
    let level = if given.is_empty() { Level::Rules } else { Level::Full };
    let outcome = Outcome::new(&request.file, kind, level);
    // A check does not rely on what the checked run may have left.
    let workers = &Workers { code_cache: None, ..workers.clone() };
    let mut check = Check { request, given, workers, events, outcome };
    let checked = match kind {
        CheckedFile::Journal | CheckedFile::Result => run::check(&mut check),
        CheckedFile::Replay => replay::check(&text, &mut check),
        CheckedFile::Report => report::check(&text, &mut check),
    };
    match checked {
        Ok(()) => {}
        Err(CheckStop::Problem(problem)) => check.outcome.findings.push(problem.into()),
        Err(CheckStop::Error(failure)) => return Err(failure),
    }
    Ok(check.outcome)
}

/// The kind of a file, and its text unless it has many rounds.
fn read(file: &Path) -> Result<(CheckedFile, String), Error> {
    if let Some(kind) = run::kind(file) {
        return Ok((kind, String::new()));
    }
    let text = Error::read_text(file)?;
    match is_replay(&text) {
        Some(true) => Ok((CheckedFile::Replay, text)),
        Some(false) => Ok((CheckedFile::Report, text)),
        None => Err(Error::input(file, &NEITHER)),
    }
}

/// A check in progress: its inputs and its findings so far.
struct Check<'a> {
    request: &'a Request,
    given: &'a Given,
    workers: &'a Workers,
    events: &'a mut dyn Listener,
    outcome: Outcome,
}

impl<'a> Check<'a> {
    /// The bots for a report, in which no trained player takes part.
    fn only_bots(&self) -> Result<&'a [BotSource], Error> {
        match self.given.trained.first() {
            None => Ok(&self.given.bots),
            Some(trained) => {
                let what = format!("`{}` did not play in this report", trained.path.display());
                Err(Error::usage(what, "trained players take no part in grading"))
            }
        }
    }

    /// Refuses to compare costs and answers with those of another build.
    fn same_build(&self, recorded: &Fingerprint) -> Result<(), Error> {
        let own = fingerprint();
        if *recorded == own {
            return Ok(());
        }
        let what = format!(
            "`{}`: written by another judge, and results of different judges are never compared: \
             it has judge `{}`, engine `{}`; this is judge `{}`, engine `{}`",
            self.request.file.display(),
            recorded.judge,
            recorded.engine,
            own.judge,
            own.engine
        );
        let hint = "play it again with the judge that wrote it; or leave the bots out to check \
                    only the rules";
        Err(Error::Input { what, hint: Some(hint.to_owned()) })
    }

    /// Notes a file's build if only the rules are checked.
    fn note_build(&mut self, recorded: &Fingerprint) {
        let own = fingerprint();
        let what = match *recorded == own {
            true => "that this judge played it".to_owned(),
            false => format!(
                "written by another judge (judge `{}`, engine `{}`), and checked by the rules of \
                 this one (judge `{}`, engine `{}`)",
                recorded.judge, recorded.engine, own.judge, own.engine
            ),
        };
        self.outcome.add(Finding::unchecked(what).at("fingerprint"));
    }

    /// Compares a recorded name with that of a given file. No hash covers a name, so it is only
    /// confirmed by a file of that name, by a file in a folder of that name, as in submissions to a
    /// course, or by a folder of that name with the module in it.
    fn check_name(&mut self, place: &str, recorded: &str, file: &Path) {
        let folder = file.parent().and_then(Path::file_name);
        let mut names = [file.file_stem(), file.file_name(), folder].into_iter().flatten();
        let mut given = self.given.bots.iter().filter(|bot| bot.path == *file);
        let fits = names.any(|name| name.to_string_lossy() == recorded)
            || given.any(|bot| bot.submission.bot.name == recorded);
        if !fits {
            let finding = Finding::unchecked(format!("the name `{recorded}`")).at(place);
            let why = format!("the file that was given is `{}`", file.display());
            self.outcome.add(finding.because(why));
        }
    }
}

/// The reason why a check stopped.
enum CheckStop {
    /// The file does not hold.
    Problem(FirstProblem),
    /// The file cannot be checked.
    Error(Error),
}

impl<T: Into<Error>> From<T> for CheckStop {
    fn from(failure: T) -> CheckStop {
        CheckStop::Error(failure.into())
    }
}

impl From<FirstProblem> for CheckStop {
    fn from(problem: FirstProblem) -> CheckStop {
        CheckStop::Problem(problem)
    }
}

const NEITHER: &str = "neither a replay of `judge play --replay`, nor a report of `judge grade --json`, nor a journal, \
     nor the JSON of a match";

/// The problem of a file with the right content in another format.
const NOT_CANONICAL: &str =
    "changed after it was written: spaces, order, unknown or repeated fields";

/// True for replays, which start with a header line; false for reports, which are one object over
/// many lines. None for other files.
fn is_replay(text: &str) -> Option<bool> {
    let first = text.lines().next()?.trim();
    let replay = first.len() > 1 && !first.contains("\"suite\"");
    first.starts_with('{').then_some(replay)
}

/// The hashes of the bots' files, for people.
fn hashes(bots: &[BotSource]) -> String {
    let one = |bot: &BotSource| format!("{} (`{}`)", bot.submission.bot.sha256, bot.path.display());
    bots.iter().map(one).collect::<Vec<_>>().join(", ")
}
