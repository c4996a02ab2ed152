//! Calibrations report the start and the end of each round.

use judge_core::{Event, Verdict};
use judge_runner::grade::calibrate::{FRESH, Request, run};

use crate::support::{sample, write};
use crate::{Deaf, Heard, workers};

fn request(suite: &std::path::Path) -> Request {
    let testcase = |more: &str| {
        format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\npoints = 1\nmin_score = 1\n\
             {more}\n"
        )
    };
    write(suite, "suite.toml", "title = \"x\"\n");
    write(suite, "01-one.toml", testcase("seeds = [1]"));
    // The conditions are the same, so its rounds are not played again.
    write(suite, "02-two.toml", testcase("seeds = [2, 3]"));
    let bots = ["mahjong-straightforward", "cc-runner"].map(sample).to_vec();
    Request { bots, suite: suite.to_owned(), rounds: 10, seed: FRESH, write: false }
}

#[test]
fn every_calibration_round_has_a_begin_and_an_end_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut heard = Heard::default();
    let outcome = run(&request(folder.path()), &workers(), &mut heard).unwrap();
    let begun = heard.0.iter().filter(|event| matches!(event, Event::RoundStarted { .. }));
    assert_eq!(begun.count(), 20);
    let mut finished: Vec<_> = heard
        .0
        .iter()
        .filter_map(|event| match event {
            Event::RoundFinished { round, result: Some(result) } => {
                Some((round.submission.as_str(), round.seed.0, round.round, result.verdict))
            }
            _ => None,
        })
        .collect();
    finished.sort_by_key(|(name, seed, ..)| (*name, *seed));
    let expected = ["cc-runner", "mahjong-straightforward"].into_iter().flat_map(|name| {
        let verdict = if name == "cc-runner" { Verdict::ProtocolError } else { Verdict::Accepted };
        (0..10).map(move |number| (name, FRESH + number, number + 1, verdict))
    });
    assert_eq!(finished, expected.collect::<Vec<_>>());
    assert_eq!(outcome.judge_errors, 0);
    for testcase in &outcome.testcases {
        assert_eq!([0, 1].map(|bot| testcase.bots[bot].faults), [0, 10], "{}", testcase.name);
    }
}

#[test]
fn a_failing_listener_ends_the_calibration() {
    let folder = tempfile::tempdir().unwrap();
    let error = run(&request(folder.path()), &workers(), &mut Deaf).unwrap_err();
    assert!(error.to_string().contains("deaf"), "{error}");
}
