//! A database that stops, that loses what was written last, or that has no connection left.

use std::time::Duration;

use crate::need;
use crate::role::role;
use crate::scene::{Scene, graded_here, suite, terms};

#[test]
fn a_database_that_stops_and_starts_delays_a_run() {
    let (scene, mut server) = need!(Scene::private());
    let _machines = [scene.machine(1), scene.machine(2)];
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(terms(), &suite(400)));
        for _ in 0..3 {
            while scene.number(HELD) == 0 && !graded.is_finished() {
                std::thread::sleep(Duration::from_millis(5));
            }
            server.stop();
            std::thread::sleep(Duration::from_millis(300));
            server.start();
        }
        let here = crate::scene::digests(&crate::scene::pool(), &suite(400));
        assert_eq!(graded.join().unwrap(), here);
    });
}

#[test]
fn what_a_database_has_lost_is_written_again() {
    let scene = need!(Scene::new());
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.batch");
        // As on a standby that was behind: neither run, batches nor modules.
        scene.sql("DELETE FROM judge_fleet.run; DELETE FROM judge_fleet.blob");
        let _machine = scene.machine(1);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

#[test]
fn a_database_without_free_connections_delays_a_machine() {
    let scene = need!(Scene::new());
    let database = role(&scene, "crowded");
    scene.sql("ALTER ROLE crowded CONNECTION LIMIT 0");
    let _machine = scene.machine_at(&database, 1);
    while !scene.log_of(1).contains("tried again soon") {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(scene.count("machine"), 0);
    scene.sql("ALTER ROLE crowded CONNECTION LIMIT -1");
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

/// Batches that machines hold.
const HELD: &str = "SELECT COUNT(*) FROM judge_fleet.batch WHERE lease_until > now()";
