//! The thresholds of all suites except Mahjong's are rungs of a ladder: the sample bots reach them
//! with the chances in `judge/docs/ladders.md`.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{all_tests, root, run, sample, write};

/// A suite, its simple bot and its good one.
const LADDERS: [(&str, &str, &str); 4] = [
    ("patchwork", "patchwork-first-fit", "patchwork-quilter"),
    ("agamemnon", "agamemnon-crossroads", "agamemnon-seer"),
    ("cc", "cc-runner", "cc-flood"),
    ("amazons", "amazons-open", "amazons-surveyor"),
];

/// Chances of the simple bot in each testcase, followed by those of the good one.
const SIMPLE: [f64; 3] = [0.9, 0.9, 0.9];
const DECENT: [f64; 5] = [0.95, 0.9, 0.75, 0.5, 0.25];

/// Rounds of a calibration: an eighth or a quarter of those that set the thresholds.
const ROUNDS: &str = "50";

/// The files of a suite's testcases, in their order.
fn testcases(suite: &str) -> Vec<PathBuf> {
    let entries = root().join("testcases").join(suite).read_dir().unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("suite.toml"));
    files.sort();
    files
}

/// For each testcase, the interval of the bot's chance to pass it.
fn chances(bot: &str, testcases: &[PathBuf]) -> Vec<[f64; 2]> {
    let part = tempfile::tempdir().unwrap();
    write(part.path(), "suite.toml", "title = \"a part\"\n");
    for file in testcases {
        std::fs::copy(file, part.path().join(file.file_name().unwrap())).unwrap();
    }
    let bot = sample(bot).display().to_string();
    let suite = part.path().display().to_string();
    let arguments = ["calibrate", &bot, "--suite", &suite, "--rounds", ROUNDS, "--json", "-"];
    let findings = run(arguments).json();
    let interval = |testcase: &Value| {
        let chance = &testcase["bots"][0]["chance"];
        [1, 2].map(|place| chance[place].as_f64().unwrap())
    };
    findings["testcases"].as_array().unwrap().iter().map(interval).collect()
}

/// One in twenty intervals may miss the true value.
#[test]
fn the_measured_ladders_match_the_document() {
    // The second is the fastest; all of them take most of a minute.
    let ladders = if all_tests() { &LADDERS[..] } else { &LADDERS[1..2] };
    let mut missed = Vec::new();
    for (suite, simple, decent) in ladders {
        let files = testcases(suite);
        let (low, high) = files.split_at(SIMPLE.len());
        assert_eq!(high.len(), DECENT.len(), "{suite}");
        let found = chances(simple, low).into_iter().chain(chances(decent, high));
        for ((rung, [from, to]), file) in SIMPLE.into_iter().chain(DECENT).zip(found).zip(&files) {
            if !(from..=to).contains(&rung) {
                missed.push(format!("{}: {rung} is not in {from} to {to}", file.display()));
            }
        }
    }
    assert!(missed.len() <= ladders.len(), "{missed:#?}");
}
