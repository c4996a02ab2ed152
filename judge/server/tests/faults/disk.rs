//! A full disk, simulated by a limit on the process's file size that is lifted later. (A disk that
//! is really full needs a separate file system, which only root can create; SQLite distinguishes
//! the two only by the number of the error.)

use std::process::Command;

use rustix::process::{Resource, Rlimit, Signal, prlimit};

use crate::load::{submit, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::{PROGRAM, Server, bearer};

/// The program with a limit on its file size.
fn with_little_room(kib: u64) -> Command {
    let mut shell = Command::new("sh");
    // Without the trap, the process would be killed instead of getting an error. Only the soft
    // limit is set, so that any process may lift it again.
    let script = format!("trap '' XFSZ; ulimit -S -f {}; exec {PROGRAM} \"$@\"", kib * 2);
    shell.args(["-c", &script, "sh"]);
    shell
}

/// Lets the files of a running server grow.
fn lift(server: &Server) {
    let none = Rlimit { current: None, maximum: None };
    prlimit(Some(server.pid()), Resource::Fsize, none).unwrap();
}

/// Submits a module, and returns status and body of the answer.
fn refused(server: &Server, scene: &Scene) -> (u16, String) {
    let path = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";
    let (status, _, text) = server.ask("POST", path, &[bearer(&scene.tokens[0])], &modules()[0].0);
    (status, text)
}

#[test]
fn a_full_disk_stops_submissions_but_no_pages_and_no_grading() {
    let scene = Scene::new();
    let head = [bearer(&scene.tokens[0])];
    // One submission is stored before.
    let mut server = scene.start();
    let mut acknowledged: Vec<String> = submit(&server.host, &head, 1).into_iter().collect();
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());

    let mut refusals = 0;
    // Sizes that the database's log of changes may reach.
    for kib in [64, 100, 160, 260] {
        scene.rejudge();
        let mut server = scene.start_by(with_little_room(kib));
        for which in 2..5 {
            acknowledged.extend(submit(&server.host, &head, which));
        }
        let (status, text) = refused(&server, &scene);
        if status != 201 {
            assert_eq!(status, 507, "{text}");
            assert!(text.contains("\"error\":\"no_room\""), "{text}");
            refusals += 1;
        } else {
            let told: serde_json::Value = serde_json::from_str(&text).unwrap();
            acknowledged.push(told["id"].as_str().unwrap().to_owned());
        }
        // Stored data can be read.
        let id = &acknowledged[0];
        let told = server.api(&scene.tokens[0], "GET", &format!("/api/v1/submissions/{id}"), b"");
        assert_eq!(told["state"], "graded", "{told}");
        let scoreboard = "/api/v1/courses/ai/suites/small/scoreboard";
        assert!(server.api(&scene.tokens[1], "GET", scoreboard, b"")["lines"].is_array());
        // Once the disk has room, everything continues without a restart.
        lift(&server);
        acknowledged.extend(submit(&server.host, &head, 1));
        wait_for_all(&server);
        assert!(server.signal(Signal::TERM).success());
        scene.check(&acknowledged);
    }
    assert!(refusals > 1, "there was room: {refusals}");
}
