//! Bots that use up all resources. They cannot void their own losses or another bot's rounds, and
//! rounds that cannot change a verdict are not played.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{run, write};

/// A bot without state: it discards the drawn tile and never wins. `at_game` and `at_end` run at
/// the first and last line, and `more` is part of the module.
fn bot(at_game: &str, at_end: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            {more}
            (global $i (mut i32) (i32.const 0))
            (func $is (param i32) (result i32)
                (i32.eq (i32.load8_u (i32.const 1024)) (local.get 0)))
            (func (export "judge_buffer") (result i32) (i32.const 1024))
            (func (export "judge_line") (param i32) (result i32)
                ;; `draw 3b`: the tile is kept
                (if (call $is (i32.const 100)) (then
                    (if (i32.eq (i32.load8_u (i32.const 1025)) (i32.const 114)) (then
                        (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))
                        (return (i32.const 0))))
                    ;; `discard?`
                    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
                    (return (i32.const 2))))
                ;; `win? …`
                (if (call $is (i32.const 119)) (then
                    (i32.store16 (i32.const 1024) (i32.const 0x6f6e))
                    (return (i32.const 2))))
                (if (call $is (i32.const 103)) (then {at_game}))
                (if (call $is (i32.const 101)) (then {at_end}))
                (i32.const 0)))"#
    );
    wat::parse_str(text).unwrap()
}

/// Grows page by page until refused, and writes to each page.
const GROW: &str = r#"
    (loop $more
        (global.set $i (memory.grow (i32.const 1)))
        (if (i32.ne (global.get $i) (i32.const -1)) (then
            (i32.store (i32.mul (global.get $i) (i32.const 65536)) (i32.const 1))
            (br $more))))"#;

const MEMORY: &str = r#"(memory (export "memory") 1)"#;

/// Functions that are slow and memory-hungry to compile for their size, within intake's limits.
fn laborious() -> String {
    let roots = "(f64.sqrt ".repeat(600);
    let body = format!("{roots}(local.get 0){}", ")".repeat(600));
    let functions = format!("(func (param f64) (result f64) {body})").repeat(60);
    format!("{MEMORY} {functions}")
}

fn save(folder: &Path, name: &str, module: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, module).unwrap();
    path
}

/// A match of 16 rounds with the largest memory limit.
fn play(one: &Path, other: &str) -> Value {
    let mut arguments: Vec<OsString> = vec!["match".into(), one.into(), other.into()];
    let options = ["--game", "mahjong", "--rounds", "16", "--memory-kib", "262144", "--seed", "1"];
    arguments.extend(options.map(OsString::from));
    arguments.extend(["--json", "-"].map(OsString::from));
    run(arguments).json()
}

#[test]
fn a_bot_that_grows_its_memory_after_a_lost_game_still_loses() {
    let folder = tempfile::tempdir().unwrap();
    let modest = save(folder.path(), "modest.wasm", &bot("", "", MEMORY));
    let hog = save(folder.path(), "hog.wasm", &bot("", GROW, &laborious()));
    let expected = play(&modest, "straightforward");
    let report = play(&hog, "straightforward");
    assert_eq!(report["left_out"], 0, "{report:#}");
    assert_eq!(report["results"], expected["results"]);
}

#[test]
fn two_bots_with_maximum_memory_play_in_either_order() {
    let folder = tempfile::tempdir().unwrap();
    let one = save(folder.path(), "one.wasm", &bot(GROW, "", MEMORY));
    let other = save(folder.path(), "other.wasm", &bot(GROW, "", &laborious()));
    for (first, second) in [(&one, &other), (&other, &one)] {
        let report = play(first, second.to_str().unwrap());
        assert_eq!(report["left_out"], 0, "{report:#}");
        assert_eq!(report["faults"][0]["rounds"], 0, "{report:#}");
    }
}

/// Grades on one testcase with that journal; returns the report and the journal's lines of rounds.
fn grade(folder: &Path, module: &[u8], seeds: u32, time_ms: u32) -> (Value, Vec<String>) {
    let module = save(folder, "bot.wasm", module);
    let seeds: Vec<String> = (1..=seeds).map(|seed| seed.to_string()).collect();
    let testcase = format!(
        "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [{}]\nmin_score = 1\n\
         points = 1\nlimits = {{ time_ms = {time_ms} }}",
        seeds.join(", ")
    );
    let testcase = write(folder, "testcase.toml", &testcase);
    let journal = folder.join("journal.jsonl");
    let mut arguments: Vec<OsString> = vec!["grade".into(), module.into()];
    arguments.extend(["--testcase".into(), testcase.into(), "--journal".into()]);
    arguments.extend([journal.clone().into(), "--jobs".into(), "2".into()]);
    arguments.extend(["--json", "-"].map(OsString::from));
    let report = run(arguments).json()["bots"][0].clone();
    let text = std::fs::read_to_string(journal).unwrap();
    let rounds = text.lines().filter(|line| line.starts_with("{\"entry\":{\"round\""));
    (report, rounds.map(str::to_owned).collect())
}

#[test]
fn rounds_after_the_spent_budget_are_not_played() {
    let spin = r#"
        (global.set $i (i32.const 10000000))
        (loop $more
            (global.set $i (i32.sub (global.get $i) (i32.const 1)))
            (br_if $more (global.get $i)))"#;
    let folder = tempfile::tempdir().unwrap();
    // Each round takes more than half of the time: the second one ends it.
    let (report, rounds) = grade(folder.path(), &bot(spin, "", MEMORY), 40, 100);
    let testcase = &report["testcases"][0];
    assert_eq!(testcase["verdict"], "time-limit-exceeded");
    let first = testcase["rounds"][0]["fuel"].as_u64().unwrap();
    assert!((50_000_000..100_000_000).contains(&first), "{first}");
    assert_eq!(testcase["rounds"].as_array().unwrap().len(), 40);
    assert!(rounds.len() <= 8, "{} rounds were played", rounds.len());
}

#[test]
fn binary_logs_take_little_more_than_their_bytes() {
    let log = r#"
        (memory.fill (i32.const 2048) (i32.const 1) (i32.const 60000))
        (call $log (i32.const 2048) (i32.const 60000))"#;
    let more = format!(r#"(import "judge" "log" (func $log (param i32 i32))) {MEMORY}"#);
    let folder = tempfile::tempdir().unwrap();
    let (_, rounds) = grade(folder.path(), &bot(log, "", &more), 4, 100);
    assert_eq!(rounds.len(), 4);
    for round in rounds {
        assert!(round.len() < 60_000 * 4 / 3 + 20_000, "{} bytes", round.len());
    }
}

#[test]
fn all_rounds_of_a_testcase_share_the_limit_on_logs() {
    let log = r#"
        (memory.fill (i32.const 2048) (i32.const 97) (i32.const 60000))
        (call $log (i32.const 2048) (i32.const 60000))"#;
    let more = format!(r#"(import "judge" "log" (func $log (param i32 i32))) {MEMORY}"#);
    let folder = tempfile::tempdir().unwrap();
    let (report, rounds) = grade(folder.path(), &bot(log, "", &more), 512, 1000);
    assert_eq!(report["testcases"][0]["limits"]["log_bytes"], 32 << 10);
    let bytes: usize = rounds.iter().map(String::len).sum();
    assert!((16 << 20..24 << 20).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_submission_beyond_its_bounds_does_not_change_other_results() {
    let log = r#"
        (memory.fill (i32.const 2048) (i32.const 97) (i32.const 60000))
        (call $log (i32.const 2048) (i32.const 60000))"#;
    let more = format!(r#"(import "judge" "log" (func $log (param i32 i32))) {MEMORY}"#);
    let folder = tempfile::tempdir().unwrap();
    let submissions = folder.path().join("submissions");
    std::fs::create_dir(&submissions).unwrap();
    save(&submissions, "loud.wasm", &bot(log, "", &more));
    save(&submissions, "modest.wasm", &bot("", "", MEMORY));
    let mut sheets = Vec::new();
    for jobs in ["1", "2", "3"] {
        let out = folder.path().join(jobs);
        let mut arguments: Vec<OsString> = vec!["grade".into(), submissions.clone().into()];
        arguments.extend(
            ["--suite", "mahjong", "--submission-mib", "1", "--jobs", jobs, "--out"]
                .map(OsString::from),
        );
        arguments.push(out.clone().into());
        let ran = run(arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(out.join("scoreboard.html").is_file());
        sheets.push(std::fs::read_to_string(out.join("marks.csv")).unwrap());
        let report = out.join("students/loud.json");
        let ran = run(["verify", report.to_str().unwrap(), "--suite", "mahjong"]);
        assert!(!ran.stdout.starts_with("DOES NOT HOLD"), "{}{}", ran.stdout, ran.stderr);
    }
    assert!(sheets[0].contains("Output limit exceeded"), "{}", sheets[0]);
    assert!(sheets.iter().all(|sheet| *sheet == sheets[0]), "{sheets:?}");
}
