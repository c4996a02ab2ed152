//! A slow or interrupted network between a worker and the database: the worker is in a separate
//! network namespace, with one cable to a PostgreSQL server that listens at its other end. Only
//! root can run these tests.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod cable;
#[path = "../fleet/scene.rs"]
#[allow(dead_code, reason = "shared")]
mod scene;
mod server;
mod slow;
mod worker;

use judge_test_support::{postgres, run};
use std::time::Duration;

use judge_fleet::Terms;

use self::cable::Cable;
use self::scene::{Scene, digests, graded_here, run_here, suite, terms};
use self::server::Server;
use self::slow::Forwarder;
use self::worker::Worker;

/// Returns a tool of a test, or ends the test if it is not available.
macro_rules! need {
    ($thing:expr) => {
        match $thing {
            Ok(thing) => thing,
            Err(why) => {
                println!("skipped: {why}");
                return;
            }
        }
    };
}

/// Batches that machine 1 holds, without a result.
const HELD: &str = "SELECT COUNT(*) FROM judge_fleet.batch b WHERE holder = 'machine-1' \
    AND lease_until > now() \
    AND NOT EXISTS (SELECT 1 FROM judge_fleet.outcome o WHERE o.batch = b.id)";

/// Batches that machine 2 has taken over from another one.
const TAKEN_OVER: &str =
    "SELECT COUNT(*) FROM judge_fleet.batch WHERE holder = 'machine-2' AND tries > 1";

/// Results that were accepted beyond the first of a batch.
const ACCEPTED_TWICE: &str = "SELECT COUNT(*) - COUNT(DISTINCT batch) FROM accepted";

/// Records every accepted result, because runs delete their rows at the end.
fn note_results(scene: &Scene) {
    scene.sql(
        "CREATE TABLE accepted (batch TEXT NOT NULL, machine TEXT NOT NULL); \
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         INSERT INTO public.accepted VALUES (NEW.batch, NEW.machine); RETURN NEW; END $$; \
         CREATE TRIGGER note AFTER INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION note();",
    );
}

/// Results of a machine that were accepted.
fn accepted_of(scene: &Scene, machine: usize) -> i64 {
    scene.number(&format!("SELECT COUNT(*) FROM accepted WHERE machine = 'machine-{machine}'"))
}

fn assert_nothing_went_wrong(scene: &Scene) {
    assert_eq!(scene.number(ACCEPTED_TWICE), 0);
    assert_eq!(scene.count("alarm"), 0);
}

/// Cuts the cable while the worker holds a batch.
fn cut_in_mid_batch(scene: &Scene, cable: &Cable) {
    for _ in 0..1_000 {
        scene.wait_for(HELD);
        cable.cut();
        // Until no data from the worker is in transit any more.
        std::thread::sleep(Duration::from_millis(50));
        if scene.number(HELD) > 0 {
            return;
        }
        cable.mend();
    }
    panic!("the worker never holds a batch");
}

#[test]
fn a_worker_disconnected_beyond_its_lease_reconnects() {
    let cable = need!(Cable::new());
    let server = need!(Server::new(&cable));
    let scene = Scene::at(server.beside_the_cable());
    note_results(&scene);
    let mut worker = Worker::new(&cable, &server.over(&cable));
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(terms(), &suite(400)));
        cut_in_mid_batch(&scene, &cable);
        let _second = scene.machine(2);
        scene.wait_for(TAKEN_OVER);
        cable.mend();
        assert_eq!(graded.join().unwrap(), digests(&run_here(), &suite(400)));
    });
    assert_nothing_went_wrong(&scene);
    // The second machine has ended. The first continues without it.
    let before = accepted_of(&scene, 1);
    assert_eq!(scene.graded_elsewhere(), graded_here());
    assert!(accepted_of(&scene, 1) > before && worker.is_there(), "{}", worker.log());
    assert_nothing_went_wrong(&scene);
}

#[test]
fn a_distant_worker_gives_the_local_result() {
    let cable = need!(Cable::new());
    let server = need!(Server::new(&cable));
    let scene = Scene::at(server.beside_the_cable());
    note_results(&scene);
    let (database, _forwarder) = match cable.slow_down() {
        Ok(()) => (server.over(&cable), None),
        Err(why) => {
            println!("skipped: {why}; data is held up by a forwarder instead");
            let forwarder = Forwarder::new(cable.address(), server.port());
            (server.at(&cable, forwarder.port()), Some(forwarder))
        }
    };
    let mut worker = Worker::new(&cable, &database);
    let terms = Terms { batch: Duration::from_millis(200), ..terms() };
    assert_eq!(scene.graded_on(terms, &suite(40)), graded_here());
    assert!(accepted_of(&scene, 1) > 0 && worker.is_there(), "{}", worker.log());
    assert_nothing_went_wrong(&scene);
}
