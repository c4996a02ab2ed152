//! Cost of playing rounds on a fleet, on one machine: `cargo run --release -p judge-fleet --example
//! measure`. It starts a separate PostgreSQL server, and `judge-worker` processes, which have to be
//! built before: `cargo build --release -p judge-fleet`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that measures")]

mod processor;
mod scene;
mod table;

use judge_test_support::postgres;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use judge_fleet::Terms;

use crate::scene::{Machine, Scene, local};
use crate::table::{MeasureLine, show};

/// Rounds of a measurement.
const ROUNDS: u64 = 60_000;

/// Jobs of the measurement with many small jobs.
const SMALL: u64 = 100_000;

/// Jobs of the measurement with machines that come and go.
const CHURN: u64 = 10_000;

fn main() {
    let Some(scene) = Scene::new() else {
        println!("PostgreSQL is not installed");
        return;
    };
    let argument = std::env::args().nth(1);
    let wanted = |name: &str| argument.as_deref().is_none_or(|one| one == name);
    if wanted("throughput") {
        let rounds = std::env::args().nth(2).map(|rounds| rounds.parse().unwrap());
        throughput(&scene, rounds.unwrap_or(ROUNDS));
    }
    if wanted("small") {
        small(&scene);
    }
    if wanted("churn") {
        churn(&scene);
    }
    if wanted("recovery") {
        recovery(&scene);
    }
}

/// Compares 1, 2, 4 and 8 machines with worker processes of this program, at `rounds` rounds each.
fn throughput(scene: &Scene, rounds: u64) {
    let alone = local(1, rounds);
    let mut lines = vec![MeasureLine::local("this process, one worker", &alone, &alone)];
    lines.push(MeasureLine::local("this process, two workers", &local(2, rounds), &alone));
    for many in [1, 2, 4, 8] {
        let machines: Vec<Machine> = (1..=many).map(|number| scene.machine(number)).collect();
        scene.wait_for_machines(many);
        let terms = Terms { audit: 0.0, ..Terms::default() };
        let figures = scene.played(terms, rounds);
        lines.push(MeasureLine::of_fleet(many, &figures, &alone));
        drop(machines);
        scene.forget_machines();
    }
    show(&lines, &alone);
}

/// Measures the cost of a batch, and the growth of tables, with many batches of one round.
fn small(scene: &Scene) {
    let _machines = [scene.machine(1), scene.machine(2)];
    scene.wait_for_machines(2);
    let terms = Terms { audit: 0.0, batch: Duration::ZERO, ahead: Some(64), ..Terms::default() };
    println!("\n{SMALL} batches of one round, in ten parts:");
    for part in 1..=10 {
        let figures = scene.played(terms, SMALL / 10);
        println!(
            "part {part}: {:.0} batches/s, {:.2} ms of the database for each, tables and queue {} KiB",
            figures.batches as f64 / figures.wall.as_secs_f64(),
            figures.database.as_secs_f64() * 1000.0 / figures.batches as f64,
            scene.table_bytes() >> 10,
        );
    }
    scene.forget_machines();
}

/// Plays many batches of one round while machines come and go at random.
fn churn(scene: &Scene) {
    let alone = local(1, CHURN);
    let terms = Terms { batch: Duration::ZERO, ahead: Some(64), audit: 0.05, ..Terms::default() };
    let done = AtomicBool::new(false);
    let (figures, killed) = std::thread::scope(|scope| {
        let killed = scope.spawn(|| scene.come_and_go(&done));
        let figures = scene.played(terms, CHURN);
        done.store(true, Ordering::Relaxed);
        (figures, killed.join().unwrap())
    });
    assert_eq!(figures.digest, alone.digest, "other results");
    println!(
        "\n{CHURN} batches of one round, 5 % audited, {killed} machines killed on the way: {:.0} s, {} \
         results told, the digests are those of one worker here",
        figures.wall.as_secs_f64(),
        figures.batches,
    );
    scene.forget_machines();
}

/// Measures the time until another machine plays the rounds of a killed one.
fn recovery(scene: &Scene) {
    println!("\na machine is killed in mid-batch, another one is there:");
    for lease in [2, 10, 60] {
        let (first, _second) = (scene.machine_with(1, lease), scene.machine_with(2, lease));
        scene.wait_for_machines(2);
        let terms = Terms { audit: 0.0, batch: Duration::from_secs(2), ..Terms::default() };
        std::thread::scope(|scope| {
            let played = scope.spawn(|| scene.played(terms, ROUNDS / 4));
            let batch = scene.wait_for_a_long_batch_of(1);
            let begun = Instant::now();
            drop(first);
            scene.wait_for_result_of(&batch);
            let waited = begun.elapsed();
            played.join().unwrap();
            println!("lease of {lease} s: its batch is played {:.1} s later", waited.as_secs_f64());
        });
        scene.forget_machines();
    }
}
