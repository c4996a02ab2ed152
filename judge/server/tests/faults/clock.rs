//! A clock that jumps while the server runs, by faketime, if that is installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;

use crate::load::{Load, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::PROGRAM;

/// The library that changes a program's clock.
fn library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    let places =
        folders.filter_map(|entry| Some(entry.ok()?.path().join("faketime/libfaketime.so.1")));
    places.chain([PathBuf::from("/usr/lib/faketime/libfaketime.so.1")]).find(|path| path.exists())
}

/// The program with a clock that is shifted by the content of that file.
fn with_clock(library: &Path, file: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", file);
    // The file may change at any time; the monotonic clock is not changed.
    command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    command.env("DONT_FAKE_MONOTONIC", "1");
    command
}

#[test]
fn a_clock_jump_of_a_day_loses_and_duplicates_no_result() {
    let Some(library) = library() else {
        println!("skipped: faketime is not installed (`apt-get install faketime`)");
        return;
    };
    let scene = Scene::new();
    modules();
    let file = scene.data().with_extension("clock");
    std::fs::write(&file, "+0").unwrap();
    let mut server = scene.start_by(with_clock(&library, &file));
    let mut acknowledged = Vec::new();
    for (turn, offset) in ["+1d", "-1d", "+0", "-2h", "+0"].into_iter().enumerate() {
        let load = Load::begin(&scene, &server, turn);
        std::thread::sleep(Duration::from_millis(300));
        std::fs::write(&file, offset).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        acknowledged.extend(load.end());
    }
    assert!(acknowledged.len() > 5, "{acknowledged:?}");
    let days = |id: &String| {
        let path = format!("/api/v1/submissions/{id}");
        let told = scene.tokens.iter().find_map(|token| {
            let head = [crate::support::running::bearer(token)];
            let (status, _, text) = server.ask("GET", &path, &head, b"");
            (status == 200).then_some(text)
        });
        let told: serde_json::Value = serde_json::from_str(&told.unwrap()).unwrap();
        told["received_at"].as_str().unwrap()[..10].to_owned()
    };
    let days: std::collections::BTreeSet<String> = acknowledged.iter().map(days).collect();
    assert!(days.len() > 1, "the clock did not jump: {days:?}");
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());
    scene.check(&acknowledged);
}
