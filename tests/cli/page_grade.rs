//! Reports of the page that grades, played by node, equal those of the command line.
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{all_tests, root, run, write};

/// Hostile modules that recurse without end: the virtual stack has another depth than the native one,
/// so only the verdicts are equal.
const RECURSIVE: [&str; 2] = ["c03-stdio-recursion-and-calls", "c04-mutual-recursion"];

/// True if `node` starts. Without it a test prints a line, and fails with `JUDGE_TESTS=all`.
fn has_node() -> bool {
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

/// The results of these bots in the page, in node.
fn in_page(suite: &Path, bots: &[PathBuf]) -> Vec<Value> {
    let browser = root().join("judge/browser");
    let mut command = Command::new("node");
    command.arg(browser.join("tests/grade.mjs")).arg(browser.join("prebuilt/judge-grade.wasm"));
    let output = command.arg(suite).args(bots).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let graded: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let report = |graded: &Value| -> Value {
        serde_json::from_str(graded["report"].as_str().unwrap()).unwrap()
    };
    graded.iter().map(|graded| report(graded)["bots"][0].clone()).collect()
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
fn sample_bots_get_the_result_of_the_command_line_in_a_page() {
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
fn hostile_modules_get_the_result_of_the_command_line_in_a_page() {
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
