//! The thresholds of the suites but Mahjong's are what `judge calibrate` tells of the sample bots:
//! `judge/docs/ladders.md`.

use serde_json::Value;

use crate::support::{run, sample};

/// Suite, rounds of the calibration, its simple bot and its decent one.
const LADDERS: [(&str, &str, &str, &str); 4] = [
    ("patchwork", "400", "patchwork-first-fit", "patchwork-quilter"),
    ("agamemnon", "400", "agamemnon-crossroads", "agamemnon-seer"),
    ("cc", "200", "cc-runner", "cc-flood"),
    ("amazons", "200", "amazons-open", "amazons-surveyor"),
];

/// Testcase by testcase: which of the two bots is to pass, and the place of its chance in
/// `reached_by`: 90 % for the simple one; 95, 90, 75, 50 and 25 % for the decent one.
const RUNGS: [(usize, usize); 8] = [(0, 1), (0, 1), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)];

/// Some minutes: `cargo test --workspace --test grading ladders -- --ignored`.
#[test]
#[ignore = "plays for some minutes"]
fn the_ladders_are_what_calibrate_tells() {
    for (suite, rounds, simple, decent) in LADDERS {
        let bots = [simple, decent].map(|bot| sample(bot).display().to_string());
        let folder = format!("testcases/{suite}");
        let fixed = ["--suite", &folder, "--rounds", rounds, "--json", "-"];
        let findings = run(["calibrate", &bots[0], &bots[1]].into_iter().chain(fixed)).json();
        let testcases: &Vec<Value> = findings["testcases"].as_array().unwrap();
        assert_eq!(testcases.len(), RUNGS.len());
        for (testcase, (bot, place)) in std::iter::zip(testcases, RUNGS) {
            let reached = &testcase["bots"][bot]["reached_by"][place];
            assert_eq!(testcase["min_score"], *reached, "{suite}, {}", testcase["name"]);
        }
    }
}
