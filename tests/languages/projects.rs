//! `judge new` in every language for every game: built, and played from both seats without a fault.

use std::path::{Path, PathBuf};

use crate::support::{judge, root, write};

/// The languages of `judge new --lang`.
pub(crate) const LANGUAGES: &[&str] =
    &["c", "cpp", "rust", "zig", "go", "assemblyscript", "javascript", "python", "wat"];

/// The games of `judge new --game`.
pub(crate) const GAMES: &[&str] = &["mahjong", "patchwork", "agamemnon", "cc", "amazons"];

/// Makes a project, and grades it by the command in its README.
pub(crate) fn plays_at_once(language: &str, game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let made = judge()
        .current_dir(folder.path())
        .args(["new", "my-bot", "--game", game, "--lang", language])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let project = folder.path().join("my-bot");
    let readme = std::fs::read_to_string(project.join("README.md")).unwrap();
    let line = readme.lines().find_map(|line| line.strip_prefix("judge watch ")).unwrap();
    let source = line.split(' ').next().unwrap();
    let memory_kib = if language == "go" { 16384 } else { 2048 };
    assert!(readme.contains("## What to try first\n"), "{readme}");
    let sha256 = grade(&project, source, game, memory_kib);
    // The bundled suites have too little memory for Go's runtime.
    if language != "go" {
        passes_some(&project, source, game, &sha256);
    }
}

/// Grades a new bot again, on the bundled suite's three easiest testcases: it is the same module,
/// and passes at least one of them.
fn passes_some(project: &Path, source: &str, game: &str, sha256: &serde_json::Value) {
    let mut command = judge();
    command.current_dir(project).env_remove("CARGO_TARGET_DIR");
    command.args(["grade", source, "--json", "-", "--jobs", "1"]);
    let suite = std::fs::read_dir(root().join("testcases").join(game)).unwrap();
    let suite = suite.map(|entry| entry.unwrap().path());
    let is_easy = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        ["01-", "02-", "03-"].iter().any(|number| name.starts_with(number))
    };
    for testcase in suite.filter(is_easy) {
        command.arg("--testcase").arg(testcase);
    }
    let output = command.output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(report["bots"][0]["bot"]["sha256"], *sha256, "another module than the first time");
    let testcases = report["bots"][0]["testcases"].as_array().unwrap();
    assert_eq!(testcases.len(), 3);
    let passed = testcases.iter().filter(|one| one["verdict"] == "accepted").count();
    assert!(passed > 0, "{game}: {testcases:#?}");
}

/// Plays rounds from both seats, with the course's memory except for Go. No round may end by a
/// fault. Returns the module's hash.
fn grade(project: &Path, source: &str, game: &str, memory_kib: u32) -> serde_json::Value {
    let testcase = |seat: u8| {
        let opponent = if game == "mahjong" { "straightforward" } else { "random" };
        let text = format!(
            "title = \"Seat {seat}\"\ngame = \"{game}\"\nopponent = \"{opponent}\"\nseat = {seat}\n\
             seeds = [1, 2, 3]\nmin_score = -1000\npoints = 10\n\n[limits]\ntime_ms = 4000\n\
             memory_kib = {memory_kib}\n"
        );
        write(project, &format!("seat-{seat}.toml"), text)
    };
    let mut command = judge();
    command.current_dir(project).args(["grade", source, "--json", "-", "--jobs", "1"]);
    for seat in [1, 2] {
        command.arg("--testcase").arg(testcase(seat));
    }
    // Cargo must not use this test's target folder.
    command.env_remove("CARGO_TARGET_DIR");
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {words} (in {})", root().display()));
    for testcase in report["bots"][0]["testcases"].as_array().unwrap() {
        let rounds = testcase["rounds"].as_array().unwrap();
        assert_eq!(rounds.len(), 3);
        for round in rounds {
            assert!(round["blame"].is_null(), "{round:#}");
        }
        assert_eq!(testcase["verdict"], "accepted", "{words}");
    }
    assert_eq!(output.status.code(), Some(0), "{words}");
    report["bots"][0]["bot"]["sha256"].clone()
}
