//! The unchanged examples of `judge/docs/learning.md`, on a recording made by its command. Without
//! a Python with the needed packages these tests are skipped with a message. `JUDGE_PYTHON` names
//! another Python than `python3`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod document;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use judge_core::RecordedGame;
use libtest_mimic::{Arguments, Failed, Trial};
use tempfile::TempDir;

/// A test by the heading of its example, and the packages that it needs.
const TESTS: [(&str, &[&str], Test); 4] = [
    ("pandas", &["pandas", "pyarrow"], pandas),
    ("polars", &["polars"], polars),
    ("JSON Lines", &[], lines),
    ("PyTorch", &["torch", "pyarrow"], pytorch),
];

/// Checks the output of the example.
type Test = fn(&str, &[RecordedGame]);

fn main() {
    let arguments = Arguments::from_args();
    let trials = TESTS.iter().map(|(heading, packages, test)| {
        let missing = missing(packages);
        if let Some(what) = &missing {
            eprintln!("no {what} on this machine: the example for {heading} is not run");
        }
        let absent = missing.is_some();
        // A user who names a Python wants the examples to run.
        let wanted = std::env::var_os("JUDGE_PYTHON").is_some();
        let run = move || {
            if let Some(what) = missing {
                return Err(Failed::from(format!("JUDGE_PYTHON has no {what}")));
            }
            test(&printed(heading), &RECORDING.games);
            Ok::<(), Failed>(())
        };
        let skipped = !wanted && absent;
        let name = format!("the_example_for_{}", heading.to_lowercase().replace(' ', "_"));
        Trial::test(name, run).with_ignored_flag(skipped)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn python() -> Command {
    Command::new(std::env::var_os("JUDGE_PYTHON").unwrap_or_else(|| "python3".into()))
}

/// Those of the packages that are missing.
fn missing(packages: &[&str]) -> Option<String> {
    let has = |code: &str| {
        let mut command = python();
        command.args(["-c", code]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !has("") {
        return Some("Python".to_owned());
    }
    let absent = packages.iter().find(|package| !has(&format!("import {package}")));
    absent.map(|package| format!("{package} for Python"))
}

/// The recording that all examples read, made once.
struct Recording {
    folder: TempDir,
    games: Vec<RecordedGame>,
}

static RECORDING: LazyLock<Recording> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let command = document::block("", "sh");
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["judge", arguments @ ..] = words.as_slice() else { panic!("{command}") };
    let ran = support::judge().args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let games = games(&folder.path().join("recording/jsonl"));
    Recording { folder, games }
});

fn games(folder: &Path) -> Vec<RecordedGame> {
    let parts = std::fs::read_dir(folder).unwrap().map(|part| part.unwrap().path());
    let texts: Vec<String> = parts.map(|part| std::fs::read_to_string(part).unwrap()).collect();
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The output of the example under that heading.
fn printed(heading: &str) -> String {
    let code = document::block(heading, "python");
    let ran = python().args(["-c", &code]).current_dir(RECORDING.folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{heading}: {errors}");
    String::from_utf8(ran.stdout).unwrap()
}

fn rows(games: &[RecordedGame]) -> usize {
    games.iter().map(|game| game.plies.len()).sum()
}

/// The numbers after a word.
fn figures(text: &str, word: &str) -> Vec<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == word).map(|pair| pair[1].parse().unwrap()).collect()
}

fn pandas(printed: &str, games: &[RecordedGame]) {
    assert_eq!(figures(printed, "games"), [games.len() as f64], "{printed}");
    assert_eq!(figures(printed, "rows"), [rows(games) as f64], "{printed}");
    // The first number after a player's name is the mean result over that player's rows.
    let asked = |game: &RecordedGame, at: usize| game.players[game.plies[at].seat.index()].clone();
    for player in ["greedy", "random"] {
        let results = games.iter().flat_map(|game| {
            let own = (0..game.plies.len()).filter(move |at| asked(game, *at) == player);
            own.map(move |at| f64::from(game.result_for(game.plies[at].seat)))
        });
        let results: Vec<f64> = results.collect();
        let mean = results.iter().sum::<f64>() / results.len() as f64;
        let [told] = figures(printed, player)[..] else { panic!("{printed}") };
        assert!((told - mean).abs() < 1e-5, "{player}: {mean}\n{printed}");
    }
}

fn polars(printed: &str, games: &[RecordedGame]) {
    assert_eq!(figures(printed, "rows"), [rows(games) as f64], "{printed}");
    assert!(printed.contains("shape: (5, 4)"), "{printed}");
}

fn lines(printed: &str, games: &[RecordedGame]) {
    assert_eq!(printed, format!("games {} rows {}\n", games.len(), rows(games)));
}

fn pytorch(printed: &str, games: &[RecordedGame]) {
    assert_eq!(figures(printed, "rows"), [rows(games) as f64; 3], "{printed}");
    let losses = figures(printed, "loss");
    assert!(losses[2] < losses[0] && losses[2] < 0.9, "it has learned something: {printed}");
}
