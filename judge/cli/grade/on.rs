//! What to grade on, as `judge grade` and `judge watch` are told.

use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use judge_arena::{Pool, Submission};
use judge_core::{Refused, printable};
use judge_grading::Suite;
use judge_sandbox::intake;

use crate::bots::{self, BotFile};
use crate::failure::Failure;
use crate::{bundled, worker};

/// Testcases, and the machine that plays them.
#[derive(clap::Args)]
pub(crate) struct On {
    /// The name of a bundled suite, or a suite's folder as a path: `./NAME` or `NAME/`. Default: the
    /// bundled suite of the game that the bots say they play.
    #[arg(long, value_name = "DIR|NAME")]
    pub(super) suite: Option<PathBuf>,
    /// A single testcase instead of a suite; may be repeated.
    #[arg(long = "testcase", value_name = "FILE.toml", conflicts_with = "suite")]
    testcases: Vec<PathBuf>,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
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

impl On {
    /// The workers.
    pub(crate) fn pool(&self) -> Result<Pool, Failure> {
        worker::pool(self.jobs, &self.walls)
    }

    /// What is named on the command line; none if that is left to the bots.
    pub(crate) fn named(&self) -> Result<Option<Suite>, Failure> {
        if !self.testcases.is_empty() {
            return Ok(Some(Suite::of_testcases(&self.testcases)?));
        }
        self.suite.as_deref().map(named).transpose()
    }

    /// What is named on the command line, or else the suite of the game that the bots play.
    pub(crate) fn suite(&self, bots: &[BotFile]) -> Result<Suite, Failure> {
        match self.named()? {
            Some(suite) => Ok(suite),
            None => of_game(bots),
        }
    }
}

/// The bundled suite of the game that the bots say they play.
fn of_game(bots: &[BotFile]) -> Result<Suite, Failure> {
    let name = claimed(bots)?;
    bundled(name).unwrap_or_else(|| {
        let what = format!("there is no bundled suite for the game `{name}`");
        Err(Failure::usage(what, "name a suite's folder with `--suite`"))
    })
}

/// The suite that is meant, for every command: a bare name is that of a bundled suite, whatever lies
/// where the command runs, which may be somebody else's folder; a path is a suite's folder.
pub(crate) fn named(path: &Path) -> Result<Suite, Failure> {
    let name = path.display();
    if !is_bare(path) {
        if path.is_dir() {
            return Ok(Suite::read(path)?);
        }
        let hint = format!("bundled suites: {}", bundled::names().join(", "));
        return Err(Failure::usage(format!("no folder `{name}`"), hint));
    }
    match path.to_str().and_then(bundled) {
        Some(suite) => {
            if path.is_dir() {
                say_that_a_folder_is_not_meant(path);
            }
            suite
        }
        None if path.is_dir() => {
            let what = format!("no bundled suite `{name}`, and a folder is named by a path");
            Err(Failure::usage(what, format!("`./{name}`")))
        }
        None => {
            let hint = format!("bundled suites: {}", bundled::names().join(", "));
            Err(Failure::usage(format!("no folder and no bundled suite `{name}`"), hint))
        }
    }
}

/// Whether it is a name alone: nothing before it or after it makes it a path.
fn is_bare(path: &Path) -> bool {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => name.len() == path.as_os_str().len(),
        _ => false,
    }
}

fn say_that_a_folder_is_not_meant(name: &Path) {
    let name = printable(&name.display().to_string(), usize::MAX);
    // A standard error that is gone changes no result.
    let _ = writeln!(
        std::io::stderr(),
        "note: `{name}` is the bundled suite, not the folder of that name; that one is `./{name}`"
    );
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

/// Says on standard error which testcases cannot be played for want of the key.
pub(crate) fn say_what_is_locked(suite: &Suite) {
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

/// Makes sure that all hidden testcases are at hand, where nobody may be graded without them.
pub(crate) fn is_whole(suite: &Suite) -> Result<(), Failure> {
    let (what, which) = if let Some(folder) = &suite.absent {
        (format!("the folder of hidden testcases `{}` is not there", folder.display()), "it")
    } else if !suite.locked.is_empty() {
        (format!("the suite's hidden testcases are locked: {}", locked(suite)), "the key")
    } else {
        return Ok(());
    };
    Err(Failure::usage(
        what,
        format!("put {which} where `[hidden]` in `suite.toml` says that it is"),
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_alone_is_bare() {
        for bare in ["mahjong", "a b", "..x", "-x", "x.toml"] {
            assert!(is_bare(bare.as_ref()), "{bare}");
        }
        for path in ["./mahjong", "mahjong/", "mahjong/.", "/mahjong", "a/b", "..", ".", "", "a//"]
        {
            assert!(!is_bare(path.as_ref()), "{path}");
        }
    }
}
