//! What it costs to have rounds played by a fleet, on one machine:
//! `cargo run --release -p judge-fleet --example measure`. It starts a PostgreSQL server of its own, and
//! `judge-worker` processes, which have to be built before: `cargo build --release -p judge-fleet`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that measures")]

#[path = "../../../store/tests/support/postgres.rs"]
mod postgres;
mod processor;
mod scene;
mod table;

use std::time::{Duration, Instant};

use judge_fleet::Terms;

use crate::scene::{Machine, Scene, local};
use crate::table::{Line, show};

/// Rounds of a measurement.
const ROUNDS: u64 = 60_000;

/// Jobs of the measurement of many small ones.
const SMALL: u64 = 20_000;

/// Waits for something.
pub(crate) fn run<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}

fn main() {
    let Some(scene) = Scene::new() else {
        println!("PostgreSQL is not installed");
        return;
    };
    let argument = std::env::args().nth(1);
    let wanted = |name: &str| argument.as_deref().is_none_or(|one| one == name);
    if wanted("throughput") {
        throughput(&scene);
    }
    if wanted("small") {
        small(&scene);
    }
    if wanted("recovery") {
        recovery(&scene);
    }
}

/// 1, 2, 4 and 8 machines against worker processes of this program.
fn throughput(scene: &Scene) {
    let alone = local(1, ROUNDS);
    let mut lines = vec![Line::local("this process, one worker", &alone, &alone)];
    lines.push(Line::local("this process, two workers", &local(2, ROUNDS), &alone));
    for many in [1, 2, 4, 8] {
        let machines: Vec<Machine> = (1..=many).map(|number| scene.machine(number)).collect();
        scene.wait_for_machines(many);
        let terms = Terms { audit: 0.0, ..Terms::default() };
        let figures = scene.played(terms, ROUNDS);
        lines.push(Line::of_fleet(many, &figures, &alone));
        drop(machines);
        scene.forget_machines();
    }
    show(&lines, &alone);
}

/// Many batches of one round: what a batch costs, and whether tables grow.
fn small(scene: &Scene) {
    let _machines = [scene.machine(1), scene.machine(2)];
    scene.wait_for_machines(2);
    let terms = Terms { audit: 0.0, batch: Duration::ZERO, ahead: Some(64), ..Terms::default() };
    println!("\n{SMALL} batches of one round, in four parts:");
    for part in 1..=4 {
        let figures = scene.played(terms, SMALL / 4);
        println!(
            "part {part}: {:.0} batches/s, {:.2} ms of the database for each, tables and queue {} KiB",
            figures.batches as f64 / figures.wall.as_secs_f64(),
            figures.database.as_secs_f64() * 1000.0 / figures.batches as f64,
            scene.table_bytes() >> 10,
        );
    }
    scene.forget_machines();
}

/// How long a run is delayed by a machine that is killed.
fn recovery(scene: &Scene) {
    println!("\na machine is killed in mid-batch, another one is there:");
    for lease in [2, 10, 60] {
        let (first, _second) = (scene.machine_with(1, lease), scene.machine_with(2, lease));
        scene.wait_for_machines(2);
        let terms = Terms { audit: 0.0, batch: Duration::from_millis(200), ..Terms::default() };
        let usual = scene.played(terms, ROUNDS / 4).wall;
        let begun = Instant::now();
        std::thread::scope(|scope| {
            let played = scope.spawn(|| scene.played(terms, ROUNDS / 4));
            scene.wait_for_a_lease_of(1);
            drop(first);
            played.join().unwrap();
        });
        let delay = begun.elapsed().saturating_sub(usual);
        println!("lease of {lease} s: done {:.1} s later than without", delay.as_secs_f64());
        scene.forget_machines();
    }
}
