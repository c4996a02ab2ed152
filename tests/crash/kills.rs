//! `kill -9` at any time, of the judge or of a worker.

use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::course::{Course, results};

/// How often to kill, unless the variable `JUDGE_KILLS` says otherwise.
const KILLS: u32 = 20;

fn kills() -> u32 {
    std::env::var("JUDGE_KILLS").map_or(KILLS, |text| text.parse().unwrap())
}

/// Moments spread over `time`, never the same twice.
fn moment(number: u32, time: Duration) -> Duration {
    // Steps of the golden ratio leave no gaps.
    time.mul_f64((f64::from(number) * 0.618_033_988_75).fract())
}

#[test]
fn a_judge_that_is_killed_again_and_again_ends_with_the_same_results() {
    let course = Course::new();
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
            // It was done before: the next one begins anew.
            assert_eq!(results(&out(run)), expected, "run {run}");
            run += 1;
            finished += 1;
        }
    }
    assert!(course.grade(&out(run)).status().unwrap().success());
    assert_eq!(results(&out(run)), expected, "the last run, after {finished} that were finished");
    assert!(finished < kills(), "nothing was killed");
}

#[test]
#[cfg(target_os = "linux")]
fn workers_that_are_killed_change_nothing() {
    let course = Course::new();
    let begin = Instant::now();
    let expected = course.undisturbed();
    let time = begin.elapsed();
    let mut killed = 0;
    for number in 0..kills() / 4 {
        let out = course.out(&format!("workers-{number}"));
        let mut judge = course.grade(&out).spawn().unwrap();
        std::thread::sleep(moment(number, time));
        killed += children(&judge).into_iter().filter(|worker| kill(*worker)).count();
        assert!(judge.wait().unwrap().success());
        assert_eq!(results(&out), expected, "kill {number}");
    }
    assert!(killed > 0, "nothing was killed");
}

fn kill(process: Pid) -> bool {
    kill_process(process, Signal::KILL).is_ok()
}

/// The workers of a judge: the children of all its threads.
fn children(judge: &Child) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", judge.id()));
    let tasks = tasks.into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let ids = lists.flat_map(|list| {
        list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<i32>>()
    });
    ids.filter_map(Pid::from_raw).collect()
}
