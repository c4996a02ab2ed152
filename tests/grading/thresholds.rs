//! The thresholds of the Mahjong suite follow the rule in `testcases/mahjong/suite.toml`: computed
//! from the totals of the sample bots on the same seeds.

use std::ffi::OsString;

use serde_json::Value;

use crate::support::{run, sample};

const BOTS: [&str; 3] = ["mahjong-straightforward", "mahjong-distance", "mahjong-hunter"];

/// The testcases of each bot's report.
fn graded() -> [Vec<Value>; 3] {
    let mut arguments: Vec<OsString> = vec!["grade".into()];
    arguments.extend(BOTS.map(|bot| sample(bot).into()));
    arguments.extend(["--suite", "testcases/mahjong", "--json", "-"].map(OsString::from));
    let report = run(arguments).json();
    [0, 1, 2].map(|bot| report["bots"][bot]["testcases"].as_array().unwrap().clone())
}

/// The threshold of testcase `number` by the suite's rule.
fn threshold(number: usize, [straightforward, distance, hunter]: [i64; 3]) -> i64 {
    match number {
        1..=3 => straightforward + 1,
        _ => distance + (hunter - distance) * (number as i64 - 3) / 6,
    }
}

#[test]
fn thresholds_follow_from_the_scores_of_the_sample_bots() {
    let graded = graded();
    let (mut points, mut base_points) = (0, 0);
    for at in 0..graded[0].len() {
        let score = |bot: &Vec<Value>| bot[at]["score"].as_i64().unwrap();
        let scores = graded.each_ref().map(score);
        let name = graded[0][at]["name"].as_str().unwrap();
        assert!(scores[0] < scores[1] && scores[1] < scores[2], "{name}: {scores:?}");
        let expected = threshold(at + 1, scores);
        assert_eq!(graded[0][at]["min_score"], expected, "{name}: scores {scores:?}");
        let worth = graded[0][at]["max_points"].as_i64().unwrap();
        points += worth;
        base_points += if at < 3 { worth } else { 0 };
    }
    assert_eq!((points, base_points), (160, 60));
}

#[test]
fn testcases_distinguish_the_sample_bots() {
    let verdicts = |bot: &Vec<Value>| -> Vec<bool> {
        bot.iter().map(|testcase| testcase["verdict"] == "accepted").collect()
    };
    let [straightforward, distance, hunter] = graded().each_ref().map(verdicts);
    assert!(straightforward.iter().all(|passed| !passed), "it cannot beat itself");
    assert_eq!(distance, [true, true, true, false, false, false, false, false]);
    assert!(hunter.iter().all(|passed| *passed));
}
