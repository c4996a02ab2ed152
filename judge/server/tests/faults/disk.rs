//! No room: files that may not grow, by a limit of the process that is lifted later. (A disk that
//! is really full needs a separate file system, which only root can make; SQLite distinguishes the
//! two only by the number of the error.)

use std::process::Command;

use rustix::process::{Resource, Rlimit, Signal, prlimit};

use crate::load::{hand_in, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::{PROGRAM, Server, bearer};

/// The program with files that may not grow beyond so many bytes.
fn with_little_room(kib: u64) -> Command {
    let mut shell = Command::new("sh");
    // Without the trap the process would be killed instead of getting an error. Only the lower of
    // both limits is set, so that any process may lift it again.
    let script = format!("trap '' XFSZ; ulimit -S -f {}; exec {PROGRAM} \"$@\"", kib * 2);
    shell.args(["-c", &script, "sh"]);
    shell
}

/// Lets the files of a running server grow.
fn lift(server: &Server) {
    let none = Rlimit { current: None, maximum: None };
    prlimit(Some(server.pid()), Resource::Fsize, none).unwrap();
}

/// The answer to a submission, and whether it is stored afterwards.
fn refused(server: &Server, scene: &Scene) -> (u16, String) {
    let path = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";
    let (status, _, text) = server.ask("POST", path, &[bearer(&scene.tokens[0])], &modules()[0].0);
    (status, text)
}

#[test]
fn without_room_nothing_is_accepted_everything_is_shown_and_nothing_is_given_up() {
    let scene = Scene::new();
    let head = [bearer(&scene.tokens[0])];
    // One is there before.
    let mut server = scene.start();
    let mut acknowledged: Vec<String> = hand_in(&server.host, &head, 1).into_iter().collect();
    wait_for_all(&server);
    assert!(server.signal(Signal::TERM).success());

    let mut refusals = 0;
    // What the database's log of changes may take.
    for kib in [64, 100, 160, 260] {
        scene.rejudge();
        let mut server = scene.start_by(with_little_room(kib));
        for which in 2..5 {
            acknowledged.extend(hand_in(&server.host, &head, which));
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
        let board = "/api/v1/courses/ai/suites/small/scoreboard";
        assert!(server.api(&scene.tokens[1], "GET", board, b"")["lines"].is_array());
        // With room everything continues, without a restart.
        lift(&server);
        acknowledged.extend(hand_in(&server.host, &head, 1));
        wait_for_all(&server);
        assert!(server.signal(Signal::TERM).success());
        scene.check(&acknowledged);
    }
    assert!(refusals > 1, "there was room: {refusals}");
}
