//! Reports and comparisons of the page that grades, played by node, equal those of the command line.
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{SILENT_BOT, all_tests, root, run, sample, write};

/// Hostile modules that recurse without end: the virtual stack has another depth than the native one,
/// so only the verdicts are equal.
const RECURSIVE: [&str; 2] = ["c03-stdio-recursion-and-calls", "c04-mutual-recursion"];

/// True if `node` starts. Without it a test prints a line, and fails with `JUDGE_TESTS=all`.
pub(crate) fn has_node() -> bool {
    let there = Command::new("node").arg("--version").output().is_ok_and(|it| it.status.success());
    assert!(there || !all_tests(), "`node` does not start");
    if !there {
        eprintln!("skipped: `node` does not start");
    }
    there
}

/// A suite of one testcase with two rounds and little time.
fn suite(folder: &Path, game: &str) -> PathBuf {
    let suite = folder.join(game);
    std::fs::create_dir(&suite).unwrap();
    let opponent = judge_games::find(game).unwrap().opponents()[0].name;
    write(&suite, "suite.toml", "title = \"Short\"\n");
    let testcase = format!(
        "title = \"One\"\ngame = \"{game}\"\nopponent = \"{opponent}\"\nseeds = [1, 2]\n\
         min_score = 1\npoints = 10\n[limits]\ntime_ms = 100\n"
    );
    write(&suite, "01-one.toml", testcase);
    suite
}

fn modules(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The page's results for these bots, computed in node.
fn played(suite: &Path, bots: &[PathBuf]) -> Vec<Value> {
    let browser = root().join("judge/browser");
    let mut command = Command::new("node");
    command.arg(browser.join("tests/grade.mjs")).arg(browser.join("prebuilt/judge-grade.wasm"));
    let output = command.arg(suite).args(bots).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The results of these bots in the page.
fn in_page(suite: &Path, bots: &[PathBuf]) -> Vec<Value> {
    let report = |graded: &Value| -> Value {
        serde_json::from_str(graded["report"].as_str().unwrap()).unwrap()
    };
    played(suite, bots).iter().map(|graded| report(graded)["bots"][0].clone()).collect()
}

/// The results of these bots on the command line.
fn outside(suite: &Path, bots: &[PathBuf]) -> Vec<Value> {
    let suite = format!("--suite={}/", suite.display());
    let arguments = [Path::new("grade"), Path::new(&suite), Path::new("--json=-")];
    let ran = run(arguments.into_iter().chain(bots.iter().map(PathBuf::as_path)));
    // A refused module is invalid input.
    assert!([0, 1, 3].contains(&ran.code), "{}: {}", ran.code, ran.stderr);
    ran.json()["bots"].as_array().unwrap().clone()
}

#[test]
fn the_page_grades_sample_bots_like_the_command_line() {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for game in judge_games::all() {
        let suite = suite(folder.path(), game.name());
        let mut bots = modules("sample-bots/prebuilt");
        bots.retain(|bot| {
            let name = bot.file_name().unwrap().to_str().unwrap();
            name.starts_with(game.name()) && name.ends_with(".wasm")
        });
        assert!(!bots.is_empty(), "{}", game.name());
        assert_eq!(in_page(&suite, &bots), outside(&suite, &bots), "{}", game.name());
    }
}

/// Every module of the corpus with `JUDGE_TESTS=all`, otherwise every twelfth.
#[test]
fn the_page_grades_hostile_modules_like_the_command_line() {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), "mahjong");
    let step = if all_tests() { 1 } else { 12 };
    let mut bots = Vec::new();
    for case in modules("judge/hostile-corpus") {
        let (module, name) = (case.join("bot.wasm"), case.file_name().unwrap());
        if module.is_file() {
            let bot = folder.path().join(name).with_extension("wasm");
            std::fs::copy(module, &bot).unwrap();
            bots.push(bot);
        }
    }
    assert!(bots.len() > 100, "{}", bots.len());
    let bots: Vec<PathBuf> = bots.into_iter().step_by(step).collect();
    for (page, other) in std::iter::zip(in_page(&suite, &bots), outside(&suite, &bots)) {
        let name = page["bot"]["name"].as_str().unwrap();
        if RECURSIVE.contains(&name) {
            let verdict = |bot: &Value| bot["testcases"][0]["verdict"].clone();
            assert_eq!(verdict(&page), verdict(&other), "{name}");
        } else {
            assert_eq!(page, other, "{name}");
        }
    }
}

/// The page and the command line record the same log for each call of a program, and for its output
/// after the end of input.
#[test]
fn the_page_and_the_command_line_write_the_same_replay() {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), "mahjong");
    let plays = "judge/hostile-corpus/e12-stdio-exit-after-the-end/bot.wat";
    let plays = std::fs::read_to_string(root().join(plays)).unwrap();
    // It logs `no` at each line and at the end.
    let log = "(call $say (i32.const 2) (i32.const 520) (i32.const 3))";
    let logs = plays.replace("(func $play\n", &format!("(func $play\n{log}\n"));
    let logs = logs.replace("(call $proc_exit (i32.const 7))", log);
    let bot = write(folder.path(), "bot.wat", logs);
    assert_eq!(run(["build", bot.to_str().unwrap()]).code, 0);
    let bot = bot.with_extension("wasm");
    let page = played(&suite, std::slice::from_ref(&bot));
    let file = folder.path().join("round.jsonl");
    let replay = format!("--replay={}", file.display());
    let bot = bot.to_str().unwrap();
    let ran = run(["play", bot, "--game=mahjong", "--seed=2", "--fuel=100000000", &replay]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let outside = std::fs::read_to_string(file).unwrap();
    assert_eq!(page[0]["replay"].as_str().unwrap(), outside);
    let trailer: Value = serde_json::from_str(outside.lines().next_back().unwrap()).unwrap();
    let last = trailer["log_parts"][0].as_array().unwrap().last().unwrap();
    assert_eq!(last[1], 6, "{trailer}");
}

/// A suite of two testcases, the second of which needs more points under the same conditions.
fn suite_to_compare(folder: &Path) -> PathBuf {
    let suite = suite(folder, "cc");
    let more = std::fs::read_to_string(suite.join("01-one.toml")).unwrap();
    let more = more.replace("min_score = 1\n", "min_score = 30\n").replace("One", "Two");
    write(&suite, "02-two.toml", more);
    let other = "title = \"Three\"\ngame = \"cc\"\nopponent = \"random\"\nseat = 2\nseeds = [1]\n\
                 min_score = 5\npoints = 10\n[options]\nsize = \"6\"\n";
    write(&suite, "03-three.toml", other);
    suite
}

/// The figures of a comparison in a page, and both replays of its largest losses. `earlier` is a
/// module or the name of a reference opponent.
fn compared_in_page(suite: &Path, rounds: u64, [earlier, bot]: [&Path; 2]) -> Value {
    let browser = root().join("judge/browser");
    let mut command = Command::new("node");
    command.arg(browser.join("tests/compare.mjs")).arg(browser.join("prebuilt/judge-grade.wasm"));
    let output = command.arg(suite).arg(rounds.to_string()).args([earlier, bot]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that two values are equal, except for the last digits of fractions: a page has other
/// logarithms than this machine. Keys that only `page` has do not count.
fn assert_alike(page: &Value, other: &Value, at: &str) {
    match (page, other) {
        (Value::Object(page), Value::Object(other)) => {
            for (key, value) in other {
                assert_alike(&page[key], value, &format!("{at}.{key}"));
            }
        }
        (Value::Array(page), Value::Array(other)) => {
            assert_eq!(page.len(), other.len(), "{at}");
            for (index, (page, other)) in std::iter::zip(page, other).enumerate() {
                assert_alike(page, other, &format!("{at}.{index}"));
            }
        }
        (Value::Number(page), Value::Number(other)) if other.is_f64() => {
            let [page, other] = [page, other].map(|number| number.as_f64().unwrap());
            assert!((page - other).abs() <= 1e-9 * other.abs().max(1.0), "{at}: {page}, {other}");
        }
        _ => assert_eq!(page, other, "{at}"),
    }
}

/// Better, worse and undecided, with faults, and with a stop before the last round.
#[test]
fn the_page_compares_versions_like_the_command_line() {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let suite = suite_to_compare(folder.path());
    let silent = write(folder.path(), "silent.wat", SILENT_BOT);
    assert_eq!(run(["build", silent.to_str().unwrap()]).code, 0);
    let silent = silent.with_extension("wasm");
    let [flood, runner] = ["cc-flood", "cc-runner"].map(sample);
    // The command line distinguishes equal names by their paths.
    let same = folder.path().join("same.wasm");
    std::fs::copy(&flood, &same).unwrap();
    let mut answers = Vec::new();
    for (rounds, [old, new]) in [
        (50, [&silent, &runner]),
        (50, [&runner, &silent]),
        (20, [&flood, &runner]),
        (10, [&flood, &same]),
    ] {
        let page = compared_in_page(&suite, rounds, [old, new]);
        let options = [format!("--suite={}/", suite.display()), format!("--rounds={rounds}")];
        let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
        let ran = run(["compare", old, new, &options[0], &options[1], "--json=-"]);
        assert!([0, 1, 5].contains(&ran.code), "{}: {}", ran.code, ran.stderr);
        let mut figures = ran.json();
        for lost in figures["worst"].as_array_mut().unwrap() {
            let command = lost.as_object_mut().unwrap().remove("reproduce").unwrap();
            assert!(command.as_str().unwrap().starts_with("--game cc --seed "), "{command}");
        }
        assert_alike(&page["figures"], &figures, new);
        answers.push(page["figures"]["answer"].as_str().unwrap().to_owned());
    }
    assert_eq!(answers, ["better", "worse", "better", "undecided"]);
}

/// The replays of a lost round are genuine: those of the bot and those of the opponent in its seat.
#[test]
fn rounds_of_a_comparison_with_an_opponent_have_genuine_replays() {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let suite = suite_to_compare(folder.path());
    let bot = sample("cc-flood");
    let page = compared_in_page(&suite, 10, [Path::new("lookahead"), &bot]);
    let figures = &page["figures"];
    assert_eq!(figures["versions"], serde_json::json!(["lookahead", "cc-flood"]));
    let worst = figures["worst"].as_array().unwrap();
    assert!(!worst.is_empty(), "{figures}");
    for (round, replays) in std::iter::zip(worst, page["replays"].as_array().unwrap()).take(2) {
        for version in 0..2 {
            let replay = replays[version].as_str().unwrap();
            let file = write(folder.path(), "round.jsonl", replay);
            // The opponents need no module.
            let bots = [bot.as_path()].into_iter().take(version);
            let ran = run([Path::new("verify"), &file].into_iter().chain(bots));
            assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
            let trailer: Value = serde_json::from_str(replay.lines().next_back().unwrap()).unwrap();
            let scores = trailer["outcome"]["scores"].as_array().unwrap();
            assert!(scores.contains(&round["scores"][version]), "{trailer} {round}");
        }
    }
}
