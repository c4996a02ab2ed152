//! Rounds on several machines, which are processes here, by way of a PostgreSQL server that the tests
//! start. Whatever becomes of the machines, results are those of a run without them.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../../store/tests/support/postgres.rs"]
mod postgres;
mod scene;

use rustix::process::Signal;

use scene::Scene;

/// Waits for something.
pub(crate) fn run<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}

macro_rules! scene {
    () => {
        match Scene::new() {
            Some(scene) => scene,
            None => {
                println!("skipped: PostgreSQL is not installed");
                return;
            }
        }
    };
}

#[test]
fn four_machines_give_the_local_result() {
    let scene = scene!();
    let _machines: Vec<_> = (1..=4).map(|number| scene.machine(number)).collect();
    assert_eq!(scene.graded_elsewhere("a"), scene.graded_here());
}

#[test]
fn killed_machines_change_nothing() {
    let scene = scene!();
    let mut first = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere("a"));
        scene.wait_for_a_lease();
        first.signal(Signal::KILL);
        let _second = scene.machine(2);
        assert_eq!(graded.join().unwrap(), scene.graded_here());
    });
}

#[test]
fn a_machine_that_was_frozen_and_thaws_changes_nothing() {
    let scene = scene!();
    let mut first = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere("a"));
        scene.wait_for_a_lease();
        first.signal(Signal::STOP);
        let _second = scene.machine(2);
        assert_eq!(graded.join().unwrap(), scene.graded_here());
        first.signal(Signal::CONT);
    });
    assert_eq!(scene.count("alarm"), 0);
}

#[test]
fn nothing_is_left_when_a_run_is_over() {
    let scene = scene!();
    let _machine = scene.machine(1);
    scene.graded_elsewhere("a");
    assert_eq!((scene.count("run"), scene.count("batch"), scene.count("outcome")), (0, 0, 0));
}
