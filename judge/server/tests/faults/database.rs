//! A database that another process locks, or that is stopped and started while the server runs.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use sqlx::{AnyConnection, Connection as _};

use crate::load::{Load, figure_in, metrics, submit, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::postgres::Private;
use crate::support::run;
use crate::support::running::{Server, bearer};

/// Another program that holds a write transaction on SQLite's file.
async fn writer(scene: &Scene) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let address = format!("sqlite://{}", scene.data().join("judge.db").display());
    let mut other = AnyConnection::connect(&address).await.unwrap();
    sqlx::raw_sql("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    other
}

#[test]
fn a_locked_database_file_delays_writes_but_not_reads() {
    let scene = Scene::new();
    modules();
    let mut server = scene.start();
    wait_for_all(&server);
    let scoreboard = "/api/v1/courses/ai/suites/small/scoreboard";
    let (other, waits) = run(async {
        let other = writer(&scene).await;
        let (host, head) = (server.host.clone(), [bearer(&scene.tokens[0])]);
        (other, std::thread::spawn(move || submit(&host, &head, 0)))
    });
    // Readers do not wait for a writer. Repeated more often than the pool has connections.
    for turn in 0..30 {
        server.api(&scene.tokens[turn % 3], "GET", scoreboard, b"");
    }
    assert!(!waits.is_finished(), "a submission is confirmed only once it is stored");
    run(other.close()).unwrap();
    let id = waits.join().unwrap().expect("it was stored in the end");
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&[id]);
}

/// Waits until a monitoring page has the expected status.
fn wait_for(server: &Server, page: &str, expected: u16) {
    while server.ask("GET", page, &[], b"").0 != expected {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_server_survives_a_restart_of_postgresql() {
    let Some(mut database) = Private::new() else {
        println!("skipped: PostgreSQL is not installed");
        return;
    };
    let scene = Scene::on(Some(database.address()));
    modules();
    let mut server = scene.start();
    let mut acknowledged = Vec::new();
    for turn in 0..3 {
        let load = Load::begin(&scene, &server, turn);
        std::thread::sleep(Duration::from_millis(300));
        database.stop();
        wait_for(&server, "/readyz", 503);
        assert_eq!(server.ask("GET", "/healthz", &[], b"").0, 200, "it is alive");
        let (status, _, text) =
            server.ask("GET", "/api/v1/whoami", &[bearer(&scene.tokens[0])], b"");
        assert_eq!(status, 503, "{text}");
        assert_eq!(figure_in(&metrics(&server), "judge_database_up"), 0);
        database.start();
        wait_for(&server, "/readyz", 200);
        acknowledged.extend(load.end());
    }
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&acknowledged);
    assert!(acknowledged.len() > 3, "{acknowledged:?}");
}

/// Longest time until a request fails during an outage, with some slack for a busy machine.
const FAILS_WITHIN: Duration = Duration::from_millis(2500);

/// Checks that pages, the API and the readiness fail soon and with a sentence.
fn fails_at_once(scene: &Scene, server: &Server) {
    let session = ["Cookie: session=unknown".to_owned()];
    let token = [bearer(&scene.tokens[0])];
    for (page, head, told) in [
        ("/c/ai", &session, "database cannot be reached"),
        ("/api/v1/whoami", &token, "database cannot be reached"),
        ("/readyz", &session, ""),
    ] {
        // A killed server's processes may answer for a moment.
        let begin = Instant::now();
        let text = loop {
            let (status, _, text) = server.ask("GET", page, head, b"");
            assert!(begin.elapsed() < FAILS_WITHIN, "{page}: {status} {:?}", begin.elapsed());
            if status == 503 {
                break text;
            }
        };
        assert!(text.contains(told), "{page}: {text}");
    }
}

#[test]
fn requests_fail_within_two_seconds_while_postgresql_hangs_or_is_killed() {
    let Some(mut database) = Private::new() else {
        println!("skipped: PostgreSQL is not installed");
        return;
    };
    let scene = Scene::on(Some(database.address()));
    modules();
    let mut server = scene.start();
    let head = [bearer(&scene.tokens[0])];
    let mut accepted = vec![submit(&server.host, &head, 0).expect("accepted")];
    database.freeze();
    fails_at_once(&scene, &server);
    assert_eq!(submit(&server.host, &head, 1), None, "nothing is accepted");
    database.thaw();
    wait_for(&server, "/readyz", 200);
    accepted.push(submit(&server.host, &head, 2).expect("accepted"));
    database.kill();
    fails_at_once(&scene, &server);
    database.stop();
    database.start();
    wait_for(&server, "/readyz", 200);
    accepted.push(submit(&server.host, &head, 3).expect("accepted"));
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&accepted);
}
