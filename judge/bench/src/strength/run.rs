//! Runs the command line.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use super::arguments::Arguments;
use super::document::{self, DocumentError};
use super::fidelity::fidelity;
use super::play::{GameSetting, PlayError};
use super::report::StrengthReport;
use super::round_robin::RoundRobin;
use super::summary::summary;

/// Version of the JSON document.
const VERSION: u32 = 1;

/// An error of a measurement.
#[derive(Debug, thiserror::Error)]
pub enum StrengthError {
    /// The arguments conflict.
    #[error("{0}")]
    Usage(String),
    /// No games, or a bug in an opponent.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The arguments in a document are invalid.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// The marks in a document are invalid.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A file cannot be read or written.
    #[error("`{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A document is out of date.
    #[error("{0}")]
    Differs(String),
}

/// Runs the measurement of the arguments, and returns the text to print.
///
/// # Errors
/// When the arguments are invalid, a file cannot be used, an opponent failed, or a checked document
/// is out of date.
pub fn run(arguments: &Arguments) -> Result<String, StrengthError> {
    let threads =
        ThreadPoolBuilder::new().num_threads(arguments.jobs.map_or(0, Into::into)).build()?;
    match (&arguments.check, &arguments.update) {
        (Some(path), _) => check(path, arguments, &threads),
        (_, Some(path)) => update(path, arguments, &threads),
        _ => Ok(show(arguments, &measure(arguments, &threads)?)),
    }
}

fn show(arguments: &Arguments, reports: &[StrengthReport]) -> String {
    let all = |form: fn(&StrengthReport) -> String| {
        reports.iter().map(form).collect::<Vec<_>>().join("\n")
    };
    if arguments.json {
        let reports: Vec<_> = reports.iter().map(|report| &report.json).collect();
        return format!("{:#}\n", json!({ "version": VERSION, "reports": reports }));
    }
    if arguments.markdown { all(StrengthReport::markdown) } else { all(StrengthReport::text) }
}

fn measure(
    arguments: &Arguments,
    threads: &ThreadPool,
) -> Result<Vec<StrengthReport>, StrengthError> {
    // It is visible only on a terminal.
    let progress = ProgressBar::new(0);
    if arguments.fidelity {
        let games = arguments.fidelity_games();
        return Ok(vec![fidelity(games, arguments.seed, threads, &progress)?]);
    }
    plans(arguments)?
        .iter()
        .map(|plan| {
            progress.reset();
            Ok(summary(plan, &plan.run(threads, &progress)?))
        })
        .collect()
}

fn plans(arguments: &Arguments) -> Result<Vec<RoundRobin>, StrengthError> {
    let all = || judge_games::all().iter().map(|game| game.name().to_owned()).collect();
    let games: Vec<String> = if arguments.game.is_empty() { all() } else { arguments.game.clone() };
    if !arguments.options.is_empty() && games.len() != 1 {
        let what = "`--option` belongs to one game\n\nhint: name it with `--game`";
        return Err(StrengthError::Usage(what.to_owned()));
    }
    let pairs = arguments.pairs().map_err(StrengthError::Usage)?;
    let plan = |game: &String| {
        let options = arguments.options.iter().cloned().collect();
        let setting = GameSetting::new(game, options).map_err(PlayError::from)?;
        Ok(RoundRobin { setting, pairs, seed: arguments.seed })
    };
    games.iter().map(plan).collect()
}

/// Repeats a measurement of a document, if it is selected.
fn repeat(
    line: &str,
    picked: &Arguments,
    threads: &ThreadPool,
) -> Result<Option<String>, StrengthError> {
    let arguments = Arguments { markdown: true, ..Arguments::of_a_measurement(line)? };
    if !picked.picks(&arguments) {
        return Ok(None);
    }
    Ok(Some(show(&arguments, &measure(&arguments, threads)?)))
}

fn check(path: &Path, picked: &Arguments, threads: &ThreadPool) -> Result<String, StrengthError> {
    let document = read(path)?;
    let differences = document::check(&document, |line| repeat(line, picked, threads))?;
    if differences.is_empty() {
        return Ok(format!("`{}` is up to date\n", path.display()));
    }
    let mut text: String = differences.iter().map(|difference| format!("{difference}\n")).collect();
    text += &format!("\nhint: update it with `strength --update {}`", path.display());
    Err(StrengthError::Differs(text))
}

fn update(path: &Path, picked: &Arguments, threads: &ThreadPool) -> Result<String, StrengthError> {
    let document = document::rewrite(&read(path)?, |line| repeat(line, picked, threads))?;
    let written = std::fs::write(path, document);
    written.map_err(|source| StrengthError::File { path: path.to_owned(), source })?;
    Ok(format!("`{}` updated\n", path.display()))
}

fn read(path: &Path) -> Result<String, StrengthError> {
    std::fs::read_to_string(path)
        .map_err(|source| StrengthError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::super::report::TIMES;
    use super::*;

    fn arguments(line: &str) -> Arguments {
        Arguments::of_a_measurement(line).expect("sound arguments")
    }

    fn measured(line: &str) -> String {
        run(&arguments(line)).unwrap_or_else(|failure| panic!("{failure}"))
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let results = |line: &str| {
            let text = measured(line);
            let (results, _) = text.split_once(TIMES).expect("results before times");
            results.to_owned()
        };
        let alone = results("--game mahjong --games 60 --jobs 1");
        assert_eq!(results("--game mahjong --games 60 --jobs 3"), alone);
        assert_ne!(results("--game mahjong --games 60 --seed 2"), alone);
    }

    #[test]
    fn json_keeps_times_apart() {
        let json = |jobs: u32| -> serde_json::Value {
            let text = measured(&format!("--game mahjong --games 20 --json --jobs {jobs}"));
            let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let report = json["reports"][0].as_object_mut().expect("a report");
            assert!(report.remove("timing").is_some());
            json
        };
        assert_eq!(json(1), json(2));
        assert_eq!(json(1)["reports"][0]["meetings"][0]["games"], 20);
    }

    #[test]
    fn bad_arguments_are_named() {
        let failure = |line: &str| run(&arguments(line)).expect_err(line).to_string();
        assert!(failure("--game chess").starts_with("unknown game `chess`"));
        assert!(failure("--option size=6").contains("hint: name it with `--game`"));
        assert!(failure("--game cc --option size=1").starts_with("option `size` is `1`"));
        assert!(failure("--game cc --games 3").contains("hint: `--games 4`"));
        assert!(failure("--check no-such-file.md").starts_with("`no-such-file.md`: "));
    }

    /// The other measurements take minutes: `strength --check judge/bench/results/opponents.md`.
    #[test]
    fn quick_measurements_match_the_document() {
        let document = crate::root().join("judge/bench/results/opponents.md");
        let picked = Arguments { check: Some(document), ..arguments("--game mahjong") };
        run(&picked).unwrap_or_else(|failure| panic!("{failure}"));
    }
}
