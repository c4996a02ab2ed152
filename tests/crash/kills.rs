//! `kill -9` of the judge at any time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::course::{CrashCourse, results};
use crate::support::all_tests;

/// Number of kills: many if the judge is also killed at failpoints, so that a run of all tests does
/// not kill that often twice.
pub(super) fn kills() -> u32 {
    if all_tests() && cfg!(feature = "failpoints") { 200 } else { 20 }
}

/// Points in time spread over `time`, never the same twice.
pub(super) fn moment(number: u32, time: Duration) -> Duration {
    // Steps of the golden ratio leave no gaps.
    time.mul_f64((f64::from(number) * 0.618_033_988_75).fract())
}

#[test]
fn a_judge_killed_repeatedly_ends_with_the_same_results() {
    let course = CrashCourse::new();
    let begin = Instant::now();
    let expected = course.undisturbed();
    let time = begin.elapsed();
    let (mut run, mut finished) = (0, 0);
    let out = |run: u32| -> PathBuf { course.out(&format!("killed-{run}")) };
    for number in 0..kills() {
        let mut judge = course.grade(&out(run)).spawn().unwrap();
        std::thread::sleep(moment(number, time));
        let _ = judge.kill();
        if judge.wait().unwrap().success() {
            // It had already finished: the next one starts again.
            assert_eq!(results(&out(run)), expected, "run {run}");
            run += 1;
            finished += 1;
        }
    }
    assert!(course.grade(&out(run)).status().unwrap().success());
    assert_eq!(results(&out(run)), expected, "the last run, after {finished} that were finished");
    assert!(finished < kills(), "nothing was killed");
}
