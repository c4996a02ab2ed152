//! A database that stops, loses its latest writes, or has no connection left.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::Duration;

use crate::need;
use crate::role::role;
use crate::scene::{Scene, digests, graded_here, run_here, suite, terms};

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
        let here = digests(&run_here(), &suite(400));
        assert_eq!(graded.join().unwrap(), here);
    });
}

#[test]
fn rows_lost_by_the_database_are_written_again() {
    let scene = need!(Scene::new());
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.batch");
        // Like a standby that was behind, it has neither run, batches nor modules.
        scene.sql("DELETE FROM judge_fleet.run; DELETE FROM judge_fleet.blob");
        let _machine = scene.machine(1);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

#[test]
fn a_machine_waits_until_the_tables_exist() {
    let scene = need!(Scene::new());
    scene.sql("DROP SCHEMA judge_fleet CASCADE");
    let _machine = scene.machine(1);
    while !scene.log_of(1).contains("run `judge-worker setup`; retrying soon") {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

#[test]
fn a_database_without_free_connections_delays_a_machine() {
    let scene = need!(Scene::new());
    let database = role(&scene, "crowded");
    scene.sql("ALTER ROLE crowded CONNECTION LIMIT 0");
    let _machine = scene.machine_at(&database, 1);
    while !scene.log_of(1).contains("retrying soon") {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(scene.count("machine"), 0);
    scene.sql("ALTER ROLE crowded CONNECTION LIMIT -1");
    assert_eq!(scene.graded_elsewhere(), graded_here());
}

#[test]
fn a_standby_that_lags_takes_over() {
    let (first, server) = need!(Scene::private());
    let standby = server.standby();
    // The folder in which clients look for the server.
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    let current = place.path().join("current");
    symlink(server.folder(), &current).unwrap();
    let own = |path: &Path| path.display().to_string().replace('/', "%2F");
    let database = first.database.replace(&own(server.folder()), &own(&current));
    let scene = Scene::at(database);
    let _machines = [scene.machine(1), scene.machine(2)];
    let suite = suite(500);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(terms(), &suite));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.outcome");
        let there = standby.address();
        // From here on it gets no updates.
        let deaf = "ALTER SYSTEM SET primary_conninfo = ''";
        first.try_sql(&there, deaf).unwrap();
        first.try_sql(&there, "SELECT pg_reload_conf()").unwrap();
        std::thread::sleep(Duration::from_millis(700));
        server.kill();
        first.try_sql(&there, "SELECT pg_promote()").unwrap();
        std::fs::remove_file(&current).unwrap();
        symlink(standby.folder(), &current).unwrap();
        let here = digests(&run_here(), &suite);
        assert_eq!(graded.join().unwrap(), here);
    });
    assert_eq!(scene.count("alarm"), 0);
}

#[test]
fn a_full_database_delays_a_run() {
    let scene = need!(Scene::new());
    scene.sql(
        "CREATE FUNCTION judge_fleet.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$; \
         CREATE TRIGGER full_outcome BEFORE INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.full(); \
         CREATE TRIGGER full_batch BEFORE INSERT ON judge_fleet.batch \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.full();",
    );
    let _machine = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        std::thread::sleep(Duration::from_millis(300));
        // The disk has room for batches, but still not for results.
        scene.sql("DROP TRIGGER full_batch ON judge_fleet.batch");
        scene.wait_for_a_lease();
        while !scene.log_of(1).contains("cannot write a result yet") {
            std::thread::sleep(Duration::from_millis(20));
        }
        scene.sql("DROP TRIGGER full_outcome ON judge_fleet.outcome");
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

/// Batches that machines hold.
const HELD: &str = "SELECT COUNT(*) FROM judge_fleet.batch WHERE lease_until > now()";
