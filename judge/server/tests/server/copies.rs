//! The commands that copy the database and restore it, and a database without its signing key.

use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;
use sqlx::{AnyConnection, Connection as _};

use crate::program::{bot, run_it};
use crate::support::running::{PROGRAM, Server, bearer, log_of, set_up};
use crate::support::{postgres, run};

struct CopyFolder(tempfile::TempDir);

impl CopyFolder {
    fn new() -> CopyFolder {
        CopyFolder(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command on a folder of data.
    fn run(&self, data: &str, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.0).arg("--data").arg(self.at(data)).args(arguments);
        let (status, out, errors) = run_it(&mut command);
        (status, out + &errors)
    }

    /// Runs a command that must succeed.
    fn succeed(&self, data: &str, arguments: &[&str]) -> String {
        let (status, text) = self.run(data, arguments);
        assert_eq!(status, Some(0), "{text}");
        text
    }

    /// A folder for a server with a known name, so that it does not print a link.
    fn fresh(&self, data: &str) -> PathBuf {
        std::fs::create_dir(self.at(data)).unwrap();
        std::fs::write(self.at(data).join("server-name"), "server-of-the-test\n").unwrap();
        self.at(data)
    }
}

fn key(server: &Server) -> (u16, String) {
    let (status, _, text) = server.ask("GET", "/api/v1/key", &[], b"");
    (status, text)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_backup_restores_into_its_folder_and_into_a_new_one() {
    let place = CopyFolder::new();
    let mut server = Server::start(&place.at("data"));
    let (token, own) = (set_up(&server), key(&server));
    let text = place.succeed("data", &["backup", "copy.db"]);
    assert!(text.contains("people: 1, submissions: 0"), "{text}");
    assert!(text.contains("the copy contains the signing key"), "{text}");
    assert_eq!(place.run("data", &["backup", "copy.db"]).0, Some(3), "nothing is overwritten");
    // A running server is not disturbed, whatever the working directory of the command.
    let (status, text) = place.run("data", &["restore", "copy.db"]);
    assert!(status == Some(3) && text.contains("in use by another process"), "{text}");
    std::fs::rename(place.at("data"), place.at("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.at("elsewhere"), place.at("data")).unwrap();
    assert_eq!(place.run("data", &["restore", "copy.db"]).0, Some(3));
    // More work after the copy, and then the server is killed.
    server.api(&token, "POST", SUBMIT, &std::fs::read(bot("mahjong-distance")).unwrap());
    server.signal(Signal::KILL);
    let text = place.succeed("data", &["restore", "copy.db"]);
    assert!(text.contains("the database that was there is now"), "{text}");
    let before = text.split_once("is now `").unwrap().1.split('`').next().unwrap().to_owned();
    let mut server = Server::start(&place.at("data"));
    assert_eq!(key(&server), own);
    let mine = server.api(&token, "GET", MINE, b"");
    assert_eq!(mine.as_array().map(Vec::len), Some(0), "{mine}");
    assert!(server.signal(Signal::TERM).success());
    let left = names(&place.at("data"));
    assert!(!left.iter().any(|name| name.ends_with("-wal") || name.ends_with("-shm")), "{left:?}");
    // Nothing was lost: the previous database can be restored as well.
    place.succeed("data", &["restore", &before]);
    let server = Server::start(&place.at("data"));
    let mine = server.api(&token, "GET", MINE, b"");
    assert_eq!(mine.as_array().map(Vec::len), Some(1), "{mine}");

    let fresh = place.fresh("fresh");
    let text = place.succeed("fresh", &["restore", "copy.db"]);
    assert!(text.contains("there was no database before"), "{text}");
    let server = Server::start(&fresh);
    assert_eq!(key(&server), own);
    assert_eq!(server.api(&token, "GET", "/api/v1/whoami", b"")["name"], "Tess");
}

const SUBMIT: &str = "/api/v1/courses/ai/suites/mahjong/submissions?name=bot.wasm";
const MINE: &str = "/api/v1/courses/ai/suites/mahjong/submissions";

#[test]
fn a_restore_on_a_full_disk_changes_nothing() {
    let place = CopyFolder::new();
    let mut server = Server::start(&place.at("data"));
    set_up(&server);
    assert!(server.signal(Signal::TERM).success());
    place.succeed("data", &["backup", "copy.db"]);
    let file = place.at("data").join("judge.db");
    let before = (std::fs::read(&file).unwrap(), names(&place.at("data")), names(place.0.path()));
    for kib in [0, 4, 100, 200] {
        for arguments in [["restore", "copy.db"], ["backup", "other.db"]] {
            let script = format!("trap '' XFSZ; ulimit -f {}; exec {PROGRAM} \"$@\"", kib * 2);
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, "sh", "--data"]).arg(place.at("data")).args(arguments);
            let (status, out, errors) = run_it(shell.current_dir(&place.0));
            assert_eq!(status, Some(3), "{kib} {arguments:?} {out}{errors}");
            // SQLite's empty log and its index may be new after the database was read.
            let mut there = names(&place.at("data"));
            there.retain(|name| !name.starts_with("judge.db-"));
            let after = (std::fs::read(&file).unwrap(), there, names(place.0.path()));
            assert!(after == before, "{kib} {arguments:?}: {:?} {errors}", (after.1, after.2));
        }
    }
}

#[test]
fn a_database_without_its_key_gives_a_warning_with_hints() {
    let place = CopyFolder::new();
    let data = place.at("data");
    let mut server = Server::start(&data);
    let (token, own) = (set_up(&server), key(&server));
    let module = std::fs::read(bot("mahjong-distance")).unwrap();
    let id = server.api(&token, "POST", SUBMIT, &module)["id"].as_str().unwrap().to_owned();
    server.result(&token, &id);
    let report = format!("/api/v1/submissions/{id}/report");
    let head = server.ask("GET", &report, &[bearer(&token)], b"").1;
    assert!(head.contains("judge-signature"), "{head}");
    assert!(server.signal(Signal::TERM).success());
    place.succeed("data", &["backup", "copy.db"]);
    run(async {
        sqlx::any::install_default_drivers();
        let url = format!("sqlite://{}", data.join("judge.db").display());
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        sqlx::raw_sql("DELETE FROM signing_key").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
    let text = place.succeed("data", &["backup", "without.db"]);
    assert!(text.contains("warning: the database has no signing key"), "{text}");
    // It starts with a warning each time, and does not silently create a key.
    for start in 1..=2 {
        let mut server = Server::start(&data);
        assert_eq!(key(&server).0, 404);
        let (status, head, _) = server.ask("GET", &report, &[bearer(&token)], b"");
        assert!(status == 200 && !head.contains("judge-signature"), "{status} {head}");
        let signature = format!("{report}?signature");
        assert_eq!(server.ask("GET", &signature, &[bearer(&token)], b"").0, 404);
        assert!(server.signal(Signal::TERM).success());
        let log = std::fs::read_to_string(log_of(&data)).unwrap();
        assert_eq!(log.matches("the database has no signing key").count(), start, "{log}");
        assert!(log.contains("restore COPY") && log.contains("new-key"), "{log}");
    }
    place.succeed("data", &["restore", "copy.db"]);
    let server = Server::start(&data);
    assert_eq!(key(&server), own);
    let text = place.succeed("data", &["new-key"]);
    assert!(text.contains("has a signing key already"), "{text}");
    assert_eq!(key(&server), own);
    drop(server);
    place.succeed("data", &["restore", "without.db"]);
    let server = Server::start(&data);
    let text = place.succeed("data", &["new-key"]);
    assert!(text.contains("a signing key was made"), "{text}");
    let (status, new) = key(&server);
    assert!(status == 200 && new != own.1, "{new}");
}

#[test]
fn backup_commands_name_the_programs_of_postgresql() {
    let Some(database) = postgres::database() else { return };
    let place = CopyFolder::new();
    std::fs::write(place.at("copy.db"), "").unwrap();
    for (command, name) in [("backup", "`pg_dump"), ("restore", "`pg_restore`")] {
        let (status, text) = place.run("data", &["--database", &database, command, "copy.db"]);
        assert!(status == Some(3) && text.contains(name), "{text}");
        assert!(!text.contains("postgres://"), "{text}");
    }
}
