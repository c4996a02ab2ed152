//! `kill -9` of the server and of its workers at any moment.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::load::{Load, gradings, is_idle, submit, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::bearer;

/// Number of kills in a test: a few, or `all` in a full run.
pub(crate) fn kills(all: u32) -> u32 {
    let wanted = std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all");
    if wanted { all } else { all.min(24) }
}

/// Moments within a second and a half, never the same twice. After a start, the program is busy
/// with submissions for about that long.
pub(crate) fn moment(number: u32) -> Duration {
    // Steps of the golden ratio leave no gaps.
    Duration::from_millis(1500).mul_f64((f64::from(number) * 0.618_033_988_75).fract())
}

/// The running child processes of this process.
fn children(parent: Pid) -> Vec<Pid> {
    let own = parent.as_raw_nonzero().get();
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{own}/task")).into_iter().flatten().flatten() {
        let list = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        let pids = list.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        found.extend(pids);
    }
    found
}

/// Kills a server again and again under load, and checks its data in the end.
fn killed_again_and_again(scene: &Scene, kills: u32) {
    modules();
    let mut acknowledged = Vec::new();
    for number in 0..kills {
        let mut server = scene.start();
        let load = Load::begin(scene, &server, number as usize);
        std::thread::sleep(moment(number));
        server.signal(Signal::KILL);
        acknowledged.extend(load.end());
        if number % 8 == 7 {
            scene.rejudge();
        }
    }
    let mut server = scene.start();
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&acknowledged);
    let enough = kills as usize;
    assert!(acknowledged.len() > enough, "too few submissions: {acknowledged:?}");
}

#[test]
fn repeated_kills_lose_and_duplicate_no_result_on_sqlite() {
    killed_again_and_again(&Scene::new(), kills(200));
}

#[test]
fn repeated_kills_lose_and_duplicate_no_result_on_postgresql() {
    match Scene::on_postgres() {
        Some(scene) => killed_again_and_again(&scene, kills(50)),
        None => println!("skipped: PostgreSQL is not installed"),
    }
}

#[test]
fn killed_workers_change_no_result() {
    let scene = Scene::new();
    let (mut tries, mut killed, mut acknowledged) = (0, 0, Vec::new());
    while killed < kills(200) {
        let mut server = scene.start();
        if acknowledged.is_empty() {
            let head = [bearer(&scene.tokens[0])];
            let ids = (0..modules().len()).filter_map(|which| submit(&server.host, &head, which));
            acknowledged.extend(ids);
        }
        while !is_idle(&server) {
            let before = gradings(&server);
            // A grading takes a tenth of a second. A moment that comes too late is not tried again.
            std::thread::sleep(moment(tries) / 10);
            tries += 1;
            // It may have ended by itself. Three dead workers in a row would be reported as such.
            let child = children(server.pid()).into_iter().next_back();
            killed +=
                u32::from(child.is_some_and(|child| kill_process(child, Signal::KILL).is_ok()));
            while gradings(&server) == before && !is_idle(&server) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        assert!(server.signal(Signal::TERM).success());
        scene.check(&acknowledged);
        scene.rejudge();
    }
}
