//! The choice of a suite: a bundled one, a folder, single testcases, or that of the bots' game.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use judge_core::{Event, GradeReport, Listener, printable};
use judge_grading::{NEEDS_KEY, Suite, Testcase, is_bare};
use judge_report::quoted;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::bundled;
use crate::base::nearest::{did_you_mean, nearest, nearest_file};
use crate::bots::{self, BotSource};

/// The file that identifies a suite's folder.
pub(crate) const SUITE_FILE: &str = "suite.toml";

/// A choice of a suite or testcases.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteChoice {
    /// A suite. A bare name is a bundled suite, and a path (`./NAME`, `NAME/`) is a folder.
    Named(PathBuf),
    /// Single testcases: files, in this order, or names in the bundled suite of the game that the
    /// bots state.
    Testcases(Vec<PathBuf>),
    /// Testcases of a suite, by name.
    Part {
        /// The suite, as in [`SuiteChoice::Named`].
        suite: PathBuf,
        /// The names. The beginning of a name is enough, such as `03`.
        testcases: Vec<PathBuf>,
    },
    /// The bundled suite of the game that the bots state.
    #[default]
    OfTheirGame,
}

impl SuiteChoice {
    /// Returns the suite, if it does not depend on the bots.
    pub(crate) fn named(&self, events: &mut dyn Listener) -> Result<Option<Suite>, Error> {
        match self {
            SuiteChoice::Named(path) => named(path, events).map(Some),
            SuiteChoice::Testcases(paths) if paths.iter().all(|path| is_testcase_file(path)) => {
                Ok(Some(Suite::of_testcases(paths)?))
            }
            SuiteChoice::Part { suite, testcases } => {
                part_of(named(suite, events)?, testcases).map(Some)
            }
            SuiteChoice::Testcases(_) | SuiteChoice::OfTheirGame => Ok(None),
        }
    }

    /// The sentence that a suite of this choice is only a part of one; none for a whole suite and
    /// for files of testcases.
    pub(crate) fn note_of_part(&self, suite: &Suite) -> Option<String> {
        let is_by_name = match self {
            SuiteChoice::Testcases(paths) => !paths.iter().all(|path| is_testcase_file(path)),
            SuiteChoice::Part { .. } => true,
            SuiteChoice::Named(_) | SuiteChoice::OfTheirGame => false,
        };
        let note = || {
            let what = printable(&suite.title, usize::MAX);
            format!("this is not a result for the whole suite: {what}")
        };
        (is_by_name && suite.name == PART).then(note)
    }

    /// The folder of the suite; none for a bundled one or single testcases.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            SuiteChoice::Named(path) | SuiteChoice::Part { suite: path, .. } if !is_bare(path) => {
                Some(path)
            }
            _ => None,
        }
    }

    /// Returns the suite for these bots.
    pub(crate) fn suite(
        &self,
        bots: &[BotSource],
        events: &mut dyn Listener,
    ) -> Result<Suite, Error> {
        match (self.named(events)?, self) {
            (Some(suite), _) => Ok(suite),
            (None, SuiteChoice::Testcases(names)) => part_of(of_their_game(bots)?, names),
            (None, _) => of_their_game(bots),
        }
    }
}

/// The name of a part of a suite in reports, which is that of single testcases.
const PART: &str = "testcases";

/// The part of a suite that a report is about; none if the report is about a whole suite, or about
/// testcases that the suite does not have.
pub(crate) fn part_in_report(suite: Suite, report: &GradeReport) -> Option<Suite> {
    let graded = report.bots.iter().find(|bot| bot.refused.is_none())?;
    let names: Vec<PathBuf> =
        graded.testcases.iter().map(|case| PathBuf::from(&case.name)).collect();
    if report.suite == PART { part_of(suite, &names).ok() } else { None }
}

/// The part of a bundled suite that a report is about, with the same testcases.
pub(crate) fn bundled_part(report: &GradeReport) -> Option<Suite> {
    let graded = report.bots.iter().find(|bot| bot.refused.is_none())?;
    let is_graded =
        |testcase: &Testcase| graded.testcases.iter().any(|case| case.sha256 == testcase.sha256);
    let suites = bundled::names().into_iter().filter_map(|name| bundled::suite(&name)?.ok());
    let mut parts = suites.filter_map(|suite| part_in_report(suite, report));
    parts.find(|part| part.testcases.iter().all(is_graded))
}

/// The testcases of a suite with these names, as a suite with another name: its points are not those
/// of the whole suite.
fn part_of(suite: Suite, names: &[PathBuf]) -> Result<Suite, Error> {
    let chosen = names.iter().map(|name| position(&suite, name));
    let chosen: BTreeSet<usize> = chosen.collect::<Result<_, _>>()?;
    let all = suite.testcases.len();
    if chosen.len() == all {
        return Ok(suite);
    }
    let testcases = suite.testcases.into_iter().enumerate();
    let testcases: Vec<Testcase> =
        testcases.filter_map(|(at, testcase)| chosen.contains(&at).then_some(testcase)).collect();
    let is_chosen = |(file, _): &(String, String)| {
        let name = file.strip_suffix(".toml").unwrap_or(file);
        testcases.iter().any(|testcase| testcase.name == name)
    };
    Ok(Suite {
        name: PART.to_owned(),
        title: format!("{} of {all} testcases of `{}`", testcases.len(), suite.name),
        rank: None,
        locked: Vec::new(),
        absent: None,
        files: suite.files.into_iter().filter(is_chosen).collect(),
        secrets: suite.secrets,
        testcases,
    })
}

/// The bundled suite of the game that the bots state.
fn of_their_game(bots: &[BotSource]) -> Result<Suite, Error> {
    let name = claimed(bots)?;
    bundled(name).unwrap_or_else(|| {
        let what = format!("no bundled suite for the game `{name}`");
        Err(Error::usage(what, "name a suite's folder with `--suite`"))
    })
}

/// Reads a suite. A bare name is a bundled suite, because the current folder may be another user's.
/// A path is a suite's folder.
///
/// # Errors
/// If the suite does not exist or is invalid.
pub fn named(path: &Path, events: &mut dyn Listener) -> Result<Suite, Error> {
    let name = path.display();
    let bundled_suites = || hint_of_suites(path);
    if !is_bare(path) {
        if path.is_dir() {
            return Ok(Suite::read(path)?);
        }
        return Err(no_folder(path)
            .unwrap_or_else(|| Error::usage(format!("no folder `{name}`"), bundled_suites())));
    }
    match path.to_str().and_then(bundled) {
        Some(suite) => {
            if path.is_dir() {
                tell_that_a_folder_is_not_meant(path, events)?;
            }
            suite
        }
        None if path.is_dir() => {
            let what = format!("no bundled suite `{name}`; name a folder by its path");
            Err(Error::usage(what, format!("`./{name}`")))
        }
        None => Err(no_folder(path).unwrap_or_else(|| {
            Error::usage(format!("no folder and no bundled suite `{name}`"), bundled_suites())
        })),
    }
}

/// True for the name of a reference opponent of any game, and for words that name other players.
fn is_known_player(name: &str) -> bool {
    let has_sign = name.contains([':', '@']) && !Path::new(name).is_absolute();
    let is_word = has_sign || ["human", "previous"].contains(&name);
    let mut games = judge_games::all().iter();
    is_word || games.any(|game| game.opponents().iter().any(|one| one.name == name))
}

/// Finds a testcase by its file, or by its name in the bundled suite of a game: the given one, or
/// that of these players' modules. The beginning of a name is enough, such as `03`.
///
/// # Errors
/// If there is no such testcase, it is invalid, or the players state no game.
pub fn testcase(
    path: &Path,
    game: Option<&str>,
    players: &[String],
    events: &mut dyn Listener,
) -> Result<Testcase, Error> {
    if let Some(suite) = game.filter(|_| !is_testcase_file(path)).and_then(bundled) {
        return in_suite(path, suite?);
    }
    let modules = players.iter().filter(|name| bots::players::is_module(name));
    let modules: Vec<PathBuf> = modules.map(PathBuf::from).collect();
    if is_testcase_file(path) {
        return find_testcase(path, &[], events);
    }
    if modules.is_empty() {
        let unknown = players.iter().find(|name| !is_known_player(name));
        if let Some((path, Err(source))) = unknown.map(|name| (name, std::fs::metadata(name))) {
            return Err(Error::Read { path: path.into(), source });
        }
        let what = format!("the game of the testcase `{}` is not known", path.display());
        return Err(Error::usage(what, "name it with `--game`, or name the testcase's file"));
    }
    find_testcase(path, &bots::read_all(&modules, events)?, events)
}

/// Finds a testcase by its file, or by its name in the bundled suite of the bots' game.
pub(crate) fn find_testcase(
    path: &Path,
    bots: &[BotSource],
    events: &mut dyn Listener,
) -> Result<Testcase, Error> {
    if is_testcase_file(path) {
        return in_suite(path, Suite::of_testcases(&[path.to_owned()])?);
    }
    in_suite(path, SuiteChoice::OfTheirGame.suite(bots, events)?)
}

/// True for a file, by its extension or because it exists.
fn is_testcase_file(path: &Path) -> bool {
    path.extension().is_some() || path.exists()
}

/// The testcase of a suite with that file or name, or the only one with a name that begins with it.
fn in_suite(path: &Path, mut suite: Suite) -> Result<Testcase, Error> {
    let at = position(&suite, path)?;
    Ok(suite.testcases.swap_remove(at))
}

/// The position of that testcase.
fn position(suite: &Suite, path: &Path) -> Result<usize, Error> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let begin = format!("{name}-");
    let names = || suite.testcases.iter().map(|one| one.name.as_str());
    let exact = names().position(|one| one == name);
    let mut like = names().enumerate().filter(|(_, one)| one.starts_with(&begin));
    // `1` is `01-warm-up`.
    let number = |name: &str| name.split('-').next().and_then(|begin| begin.parse::<u32>().ok());
    let numbered = number(&name).filter(|_| name.bytes().all(|byte| byte.is_ascii_digit()));
    let mut by_number = names().enumerate().filter(|(_, one)| number(one) == numbered);
    let numbered = numbered.and_then(|_| match (by_number.next(), by_number.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    });
    let exact = exact.or(numbered);
    let found = exact.or_else(|| match (like.next(), like.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    });
    found.ok_or_else(|| {
        let what = format!("no testcase `{}` in the suite `{}`", path.display(), suite.name);
        let known: Vec<&str> =
            suite.testcases.iter().filter(|one| !one.hidden).map(|one| one.name.as_str()).collect();
        let hint = did_you_mean(&name, known.iter().copied());
        let all = || format!("name a file, or one of `{}`", known.join("`, `"));
        Error::usage(what, hint.unwrap_or_else(all))
    })
}

/// The hint for an unknown name: the most similar bundled suite, or all of them.
fn hint_of_suites(path: &Path) -> String {
    let names = bundled::names();
    let last = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let near = last.and_then(|last| nearest(&last, names.iter().map(String::as_str)));
    let folder = || nearest_file(path).filter(|near| near.join(SUITE_FILE).is_file());
    match (near, folder()) {
        (Some(near), _) => format!("did you mean the bundled suite `{near}`?"),
        (None, Some(folder)) if folder.parent() == Some(Path::new("")) => {
            format!("did you mean the folder `./{}`?", folder.display())
        }
        (None, Some(folder)) => format!("did you mean the folder `{}`?", folder.display()),
        (None, None) => format!("bundled suites: {}", names.join(", ")),
    }
}

/// The error for a file instead of a suite's folder; none for other paths.
fn no_folder(path: &Path) -> Option<Error> {
    if !path.is_file() {
        return None;
    }
    let what = format!("`{}` is a file; name a suite by its folder", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let hint = if folder.join(SUITE_FILE).is_file() {
        format!("`{}{MAIN_SEPARATOR}`", folder.display())
    } else if path.extension().is_some_and(|ending| ending == "toml") {
        format!("`--testcase {}` grades on a single testcase", quoted(&path.to_string_lossy()))
    } else {
        format!("expected a folder with `{SUITE_FILE}` and a file for each testcase")
    };
    Some(Error::usage(what, hint))
}

/// Checks that testcases in options are in the suite.
pub(crate) fn has_testcases<'a>(
    suite: &Suite,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), Error> {
    let known: Vec<&str> = suite.testcases.iter().map(|testcase| testcase.name.as_str()).collect();
    are_testcases(&known, &suite.name, names)
}

/// Checks that testcases in options are among the suite's names.
pub(crate) fn are_testcases<'a>(
    known: &[&str],
    suite: &str,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), Error> {
    let unknown = names.into_iter().find(|name| !known.contains(&name.as_str()));
    let Some(unknown) = unknown else { return Ok(()) };
    let all = || format!("its testcases are `{}`", known.join("`, `"));
    let hint = did_you_mean(unknown, known.iter().copied()).unwrap_or_else(all);
    Err(Error::usage(format!("no testcase `{unknown}` in the suite `{suite}`"), hint))
}

fn tell_that_a_folder_is_not_meant(name: &Path, events: &mut dyn Listener) -> std::io::Result<()> {
    let name = printable(&name.display().to_string(), usize::MAX);
    let text = format!(
        "`{name}` is the bundled suite, not the folder of that name; the folder is `./{name}`"
    );
    events.event(&Event::Note { text })
}

fn bundled(name: &str) -> Option<Result<Suite, Error>> {
    bundled::suite(name).map(|suite| suite.map_err(Error::from))
}

/// The only game that the bots state.
fn claimed(bots: &[BotSource]) -> Result<&'static str, Error> {
    let mut games: Vec<&str> = bots.iter().filter_map(bots::claimed_game).collect();
    games.sort_unstable();
    games.dedup();
    let hint = format!("name the suite: `--suite {}`", bundled::names().join("`, `--suite "));
    match games.as_slice() {
        [game] => Ok(game),
        // The bots cannot play, but they get verdicts, for which any suite is right.
        [] if bots.iter().all(|bot| bot.submission.refused.is_some()) => {
            Ok(judge_games::all()[0].name())
        }
        [] => {
            let stated = |bot| Some((bot, bots::unknown_game(bot)?));
            if let Some((bot, name)) = bots.iter().find_map(stated) {
                let known = judge_games::all().iter().map(|game| game.name());
                let hint = did_you_mean(name, known).unwrap_or(hint);
                let path = bot.path.display();
                let what =
                    format!("`{path}` says that it plays `{name}`, which is not a game here");
                return Err(Error::usage(what, hint));
            }
            let hint = format!(
                "{hint}, or name the game in a comment in the source, `judge: game=mahjong`, which \
                 `judge build` writes into the module"
            );
            Err(Error::usage("none of the bots says which game it plays", hint))
        }
        several => {
            let what = format!("the bots play different games: {}", several.join(", "));
            Err(Error::usage(what, hint))
        }
    }
}

/// Warns about hidden testcases that cannot be graded because their secret part is missing.
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
    let names = printable(&locked(suite).join(", "), usize::MAX);
    let text = match suite.named_key() {
        Some(_) => format!("hidden testcases are not graded, as their seeds are secret: {names}"),
        None => format!(
            "testcases with `rounds` are not graded, as `{SUITE_FILE}` names no key for their \
             seeds: {names}; {NEEDS_KEY}"
        ),
    };
    events.event(&Event::Note { text })
}

/// The names of the hidden testcases with secret seeds.
pub(crate) fn locked(suite: &Suite) -> Vec<&str> {
    suite.locked.iter().map(|testcase| testcase.name.as_str()).collect()
}

/// True if any available testcase of the suite is hidden.
pub(crate) fn has_hidden(suite: &Suite) -> bool {
    suite.testcases.iter().any(|testcase| testcase.hidden)
}

/// Checks that all testcases of a suite can be graded.
///
/// # Errors
/// If the folder of hidden testcases, or the key of their seeds, is missing.
pub fn check_whole(suite: &Suite) -> Result<(), Error> {
    let (what, which) = if let Some(folder) = &suite.absent {
        (format!("the folder of hidden testcases `{}` does not exist", folder.display()), "it")
    } else if !suite.locked.is_empty() {
        let names = locked(suite).join(", ");
        let what = format!("the suite's hidden testcases are locked: {names}");
        if suite.named_key().is_none() {
            return Err(Error::usage(what, NEEDS_KEY));
        }
        (what, "the key")
    } else {
        return Ok(());
    };
    Err(Error::usage(what, format!("put {which} where `[hidden]` in `suite.toml` says")))
}
