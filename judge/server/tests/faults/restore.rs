//! Copies of a busy server's database, and restores. Each copy restores the moment at which it was
//! made.

use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use sqlx::{AnyConnection, Connection as _, Row as _};

use crate::kills::moment;
use crate::load::{Load, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::{PROGRAM, Server};
use crate::support::{postgres, run};

/// Number of copies in a test: a few, or `all` in a full run.
fn tries(all: u32) -> u32 {
    let wanted = std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all");
    if wanted { all } else { all.min(4) }
}

/// Runs a command on the scene's data.
fn command(scene: &Scene, name: &str, file: &Path) -> String {
    let mut command = Command::new(PROGRAM);
    let output = command.arg("--data").arg(scene.data()).arg(name).arg(file).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{text}");
    text
}

const SUBMISSIONS: &str = "SELECT id FROM submission ORDER BY rowid";
const ROUNDS: &str = "SELECT run || ' ' || spec_key AS id FROM round ORDER BY rowid";
const RESULTS: &str = "SELECT submission || ' ' || generation AS id FROM result ORDER BY rowid";

/// The ids of the rows, in the order in which they were committed.
fn rows(file: &Path, query: &'static str) -> Vec<String> {
    sqlx::any::install_default_drivers();
    run(async {
        let address = format!("sqlite://{}", file.display());
        let mut connection = AnyConnection::connect(&address).await.unwrap();
        let rows = sqlx::query(query).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows.iter().map(|row| row.get("id")).collect()
    })
}

/// The public key of the server's signatures.
fn key(server: &Server) -> String {
    server.ask("GET", "/api/v1/key", &[], b"").2
}

#[test]
fn a_backup_restores_the_state_at_its_time() {
    modules();
    let scene = Scene::new();
    let mut present: Vec<String> = Vec::new();
    for number in 0..tries(50) {
        let mut server = scene.start();
        let load = Load::steady(&scene, &server, number as usize);
        std::thread::sleep(moment(number));
        let copy = scene.data().with_file_name(format!("copy-{number}.db"));
        present.extend(load.acknowledged());
        let text = command(&scene, "backup", &copy);
        assert!(text.contains("signing key"), "{text}");
        std::thread::sleep(moment(number + 1) / 3);
        let is_clean = number % 2 == 0;
        server.signal(if is_clean { Signal::TERM } else { Signal::KILL });
        assert_eq!(scene.data().join("judge.db-wal").exists(), !is_clean);
        let acknowledged = load.end();

        let text = command(&scene, "restore", &copy);
        let before = text.split_once("is now `").expect(&text).1.split('`').next().unwrap();
        let (old, new) = (Path::new(before), scene.data().join("judge.db"));
        for query in [SUBMISSIONS, ROUNDS, RESULTS] {
            let (old, new) = (rows(old, query), rows(&new, query));
            assert_eq!(new[..], old[..new.len()], "not the beginning: {query}");
        }
        let (old, new) = (rows(old, SUBMISSIONS), rows(&new, SUBMISSIONS));
        for id in &present {
            assert!(new.contains(id), "`{id}` was acknowledged before copy {number}, and is lost");
        }
        for id in &acknowledged {
            assert!(old.contains(id), "`{id}` was acknowledged, and is lost from `{before}`");
        }
        println!("copy {number}: {} of {} submissions", new.len(), old.len());
        present = new;
        std::fs::remove_file(copy).unwrap();
        std::fs::remove_file(before).unwrap();
    }
    let mut server = scene.start();
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&present);
}

#[test]
fn a_dump_of_postgresql_restores_its_state_and_the_key() {
    let Some(mut scene) = Scene::on_postgres() else {
        println!("skipped: PostgreSQL is not installed");
        return;
    };
    modules();
    let mut present: Vec<String> = Vec::new();
    for number in 0..tries(20) {
        let mut server = scene.start();
        let own = key(&server);
        let load = Load::steady(&scene, &server, number as usize);
        std::thread::sleep(moment(number + 1));
        present.extend(load.acknowledged());
        let copy = postgres::dump(scene.database.as_ref().unwrap());
        server.signal(if number % 2 == 0 { Signal::TERM } else { Signal::KILL });
        load.end();
        // As documented: into a new database, which the server then uses.
        let new = postgres::database().unwrap();
        postgres::restore(&new, &copy);
        scene.database = Some(new);
        let mut server = scene.start();
        assert_eq!(key(&server), own);
        wait_for_all(&server);
        assert!(server.signal(Signal::TERM).success());
        scene.check(&present);
    }
}
