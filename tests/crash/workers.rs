//! `kill -9` of workers at any time, found in `/proc`.
#![cfg(target_os = "linux")]

use std::process::Child;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};

use crate::course::{CrashCourse, results};
use crate::kills::{kills, moment};

#[test]
fn killed_workers_change_no_result() {
    let course = CrashCourse::new();
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
