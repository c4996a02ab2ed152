//! The suite that is meant: a bundled one, a folder, single testcases, or that of the bots' game.

use std::path::{Component, Path, PathBuf};

use judge_core::{Event, Listener, printable};
use judge_grading::Suite;
use serde::{Deserialize, Serialize};

use crate::bots::{self, BotFile};
use crate::roster::nearest;
use crate::{Error, bundled};

/// Choice of a suite or testcases.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteChoice {
    /// A suite: a bare name is that of a bundled one, a path (`./NAME`, `NAME/`) is a folder.
    Named(PathBuf),
    /// Single testcases, in this order.
    Testcases(Vec<PathBuf>),
    /// The bundled suite of the game that the bots say they play.
    #[default]
    OfTheirGame,
}

impl SuiteChoice {
    /// The suite, where it does not depend on the bots.
    pub(crate) fn named(&self, events: &mut dyn Listener) -> Result<Option<Suite>, Error> {
        match self {
            SuiteChoice::Named(path) => named(path, events).map(Some),
            SuiteChoice::Testcases(paths) => Ok(Some(Suite::of_testcases(paths)?)),
            SuiteChoice::OfTheirGame => Ok(None),
        }
    }

    /// The folder that the suite is read from; none for a bundled one or single testcases.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            SuiteChoice::Named(path) if !is_bare(path) => Some(path),
            _ => None,
        }
    }

    /// The suite for these bots.
    pub(crate) fn suite(
        &self,
        bots: &[BotFile],
        events: &mut dyn Listener,
    ) -> Result<Suite, Error> {
        match self.named(events)? {
            Some(suite) => Ok(suite),
            None => of_their_game(bots),
        }
    }
}

/// The bundled suite of the game that the bots say they play.
fn of_their_game(bots: &[BotFile]) -> Result<Suite, Error> {
    let name = claimed(bots)?;
    bundled(name).unwrap_or_else(|| {
        let what = format!("there is no bundled suite for the game `{name}`");
        Err(Error::usage(what, "name a suite's folder with `--suite`"))
    })
}

/// The suite that is meant, for every command: a bare name is that of a bundled suite, whatever lies
/// where the command runs, which may be somebody else's folder; a path is a suite's folder.
pub(crate) fn named(path: &Path, events: &mut dyn Listener) -> Result<Suite, Error> {
    let name = path.display();
    let bundled_suites = || format!("bundled suites: {}", bundled::names().join(", "));
    if !is_bare(path) {
        if path.is_dir() {
            return Ok(Suite::read(path)?);
        }
        return Err(Error::usage(format!("no folder `{name}`"), bundled_suites()));
    }
    match path.to_str().and_then(bundled) {
        Some(suite) => {
            if path.is_dir() {
                tell_that_a_folder_is_not_meant(path, events)?;
            }
            suite
        }
        None if path.is_dir() => {
            let what = format!("no bundled suite `{name}`, and a folder is named by a path");
            Err(Error::usage(what, format!("`./{name}`")))
        }
        None => {
            Err(Error::usage(format!("no folder and no bundled suite `{name}`"), bundled_suites()))
        }
    }
}

/// True if it is a name alone: nothing before it or after it makes it a path.
fn is_bare(path: &Path) -> bool {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => name.len() == path.as_os_str().len(),
        _ => false,
    }
}

/// Makes sure that options name testcases of the suite.
pub(crate) fn has_testcases<'a>(
    suite: &Suite,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), Error> {
    let known: Vec<&str> = suite.testcases.iter().map(|testcase| testcase.name.as_str()).collect();
    are_testcases(&known, &suite.name, names)
}

/// The same, where the testcases of the suite are known by their names alone.
pub(crate) fn are_testcases<'a>(
    known: &[&str],
    suite: &str,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), Error> {
    let unknown = names.into_iter().find(|name| !known.contains(&name.as_str()));
    let Some(unknown) = unknown else { return Ok(()) };
    let hint = match nearest(unknown, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("its testcases are `{}`", known.join("`, `")),
    };
    Err(Error::usage(format!("no testcase `{unknown}` in the suite `{suite}`"), hint))
}

fn tell_that_a_folder_is_not_meant(name: &Path, events: &mut dyn Listener) -> std::io::Result<()> {
    let name = printable(&name.display().to_string(), usize::MAX);
    let text = format!(
        "`{name}` is the bundled suite, not the folder of that name; that one is `./{name}`"
    );
    events.event(&Event::Note { text })
}

fn bundled(name: &str) -> Option<Result<Suite, Error>> {
    bundled::suite(name).map(|suite| suite.map_err(Error::from))
}

/// The one game that the bots say they play.
fn claimed(bots: &[BotFile]) -> Result<&'static str, Error> {
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
        [] => Err(Error::usage("none of the bots says which game it plays", hint)),
        several => {
            let what = format!("the bots play different games: {}", several.join(", "));
            Err(Error::usage(what, hint))
        }
    }
}

/// Tells which hidden testcases are not graded for want of what is secret.
pub(crate) fn tell_what_is_missing(
    suite: &Suite,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    if let Some(folder) = &suite.absent {
        let folder = printable(&folder.display().to_string(), usize::MAX);
        let text =
            format!("the hidden testcases in `{folder}` are not graded: the folder does not exist");
        events.event(&Event::Note { text })?;
    }
    if suite.locked.is_empty() {
        return Ok(());
    }
    let text = format!(
        "hidden testcases are not graded, as their seeds are secret: {}",
        printable(&locked(suite).join(", "), usize::MAX)
    );
    events.event(&Event::Note { text })
}

/// The names of the hidden testcases whose seeds are secret.
pub(crate) fn locked(suite: &Suite) -> Vec<&str> {
    suite.locked.iter().map(|testcase| testcase.name.as_str()).collect()
}

/// True if any of the suite's available testcases is hidden.
pub(crate) fn has_hidden(suite: &Suite) -> bool {
    suite.testcases.iter().any(|testcase| testcase.hidden)
}

/// Checks that all hidden testcases are available, where grading needs them.
pub(crate) fn is_whole(suite: &Suite) -> Result<(), Error> {
    let (what, which) = if let Some(folder) = &suite.absent {
        (format!("the folder of hidden testcases `{}` is not there", folder.display()), "it")
    } else if !suite.locked.is_empty() {
        let names = locked(suite).join(", ");
        (format!("the suite's hidden testcases are locked: {names}"), "the key")
    } else {
        return Ok(());
    };
    Err(Error::usage(
        what,
        format!("put {which} in the place that `[hidden]` in `suite.toml` names"),
    ))
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
