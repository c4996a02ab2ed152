//! Machines that come and go.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_arena::{Run, Stop};
use judge_core::Fingerprint;
use judge_runner::base::workers::fingerprint;
use rustix::process::Signal;

use crate::need;
use crate::scene::{
    LEASE, PROGRAM, Scene, digests, graded_here, run_here, suite, terms, try_digests, workers,
};

#[test]
fn four_machines_give_the_local_result() {
    let scene = need!(Scene::new());
    let _machines: Vec<_> = (1..=4).map(|number| scene.machine(number)).collect();
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

#[test]
fn a_run_waits_for_the_first_machine() {
    let scene = need!(Scene::new());
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.batch");
        let waiting = scene.status();
        assert!(waiting.waiting > 0 && waiting.machines.is_empty(), "{waiting:?}");
        let _machine = scene.machine(1);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

#[test]
fn killed_machines_change_no_result() {
    let scene = need!(Scene::new());
    let mut first = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for_a_lease();
        first.signal(Signal::KILL);
        let _second = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

#[test]
fn a_frozen_machine_that_continues_changes_no_result() {
    let scene = need!(Scene::new());
    let mut first = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for_a_lease();
        first.signal(Signal::STOP);
        let _second = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
        first.signal(Signal::CONT);
    });
    assert_eq!(scene.count("alarm"), 0);
}

#[test]
fn machines_killed_one_after_another_change_no_result() {
    let scene = need!(Scene::new());
    let (_steady, suite) = (scene.machine(1), suite(500));
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(terms(), &suite));
        for number in 2..8 {
            let mut machine = scene.machine(number);
            let holds =
                format!("SELECT COUNT(*) FROM judge_fleet.machine WHERE name = 'machine-{number}'");
            scene.wait_for(&holds);
            machine.signal(Signal::KILL);
        }
        let here = digests(&run_here(), &suite);
        assert_eq!(graded.join().unwrap(), here);
    });
    assert_eq!(scene.count("alarm"), 0);
}

#[test]
fn a_machine_ends_on_request_without_losing_rounds() {
    let scene = need!(Scene::new());
    let mut first = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for_a_lease();
        assert!(first.signal(Signal::TERM).unwrap().success(), "{}", scene.log_of(1));
        assert_eq!(scene.number(HELD), 0, "its batches were reported or returned");
        let _second = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

/// Batches of machines, without a result.
const HELD: &str = "SELECT COUNT(*) FROM judge_fleet.batch b WHERE lease_until > now() \
    AND NOT EXISTS (SELECT 1 FROM judge_fleet.outcome o WHERE o.batch = b.id)";

#[test]
fn a_finished_run_leaves_no_rows() {
    let scene = need!(Scene::new());
    let _machine = scene.machine(1);
    scene.graded_elsewhere();
    for table in ["run", "batch", "outcome", "afterthought", "alarm"] {
        assert_eq!(scene.count(table), 0, "{table}");
    }
    let status = scene.status();
    let [machine] = &status.machines[..] else { panic!("{status:?}") };
    assert_eq!((machine.name.as_str(), machine.slots, machine.is_ours), ("machine-1", 1, true));
}

#[test]
fn a_killed_machine_disappears_after_its_lease() {
    let scene = need!(Scene::new());
    let mut machine = scene.machine(1);
    let state = || {
        let mut status = Command::new(PROGRAM);
        let said = status.env("JUDGE_DATABASE", &scene.database).arg("status").output().unwrap();
        String::from_utf8(said.stdout).unwrap()
    };
    while !state().contains("machine-1") {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(state().contains("plays"), "{}", state());
    machine.signal(Signal::KILL);
    let begin = Instant::now();
    while !state().contains("gone") {
        assert!(begin.elapsed().as_secs() < 4 * LEASE, "{}", state());
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_machine_of_another_version_gets_nothing() {
    let scene = need!(Scene::new());
    let other = Fingerprint { judge: "0.0.1".to_owned(), ..fingerprint() };
    let fleet = scene.fleet_of(&other);
    let _ours = scene.machine(1);
    scene.graded_elsewhere();
    assert!(!scene.status_of(&fleet).machines[0].is_ours);
    // Batches of another version stay in the queue.
    let out = fleet.dispatch("another version", terms());
    let pool = workers().pool().with_machines(Some(Arc::new(out))).with_fingerprint(other);
    let stop = Stop::default();
    let run = Run::new(pool).with_stop(stop.clone());
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| try_digests(&run, &suite(4)));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.batch");
        // Our machine plays all the time.
        scene.graded_elsewhere();
        assert_eq!(scene.number("SELECT COALESCE(MAX(tries), 0)::int8 FROM judge_fleet.batch"), 0);
        stop.now();
        assert!(waits.join().unwrap().is_err());
    });
}
