//! Other machines that play for a server, killed while they play, together with the server.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use crate::load::{Load, gradings, wait_for_all};
use crate::scene::{Scene, modules};
use crate::support::running::PROGRAM;

/// A machine process, killed on drop.
struct Machine(Child);

impl Machine {
    fn start(scene: &Scene, number: usize) -> Machine {
        let mut command = Command::new(program());
        command.env("JUDGE_DATABASE", scene.database.as_ref().unwrap());
        command.arg(format!("--name=machine-{number}")).args(["--jobs=1", "--lease=2"]);
        command.arg("--cache").arg(scene.data().join(format!("cache-{number}")));
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Machine(quiet.spawn().unwrap())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// `judge-worker`, built next to the server.
fn program() -> PathBuf {
    let program = Path::new(PROGRAM).with_file_name("judge-worker");
    assert!(program.exists(), "build it first: `cargo build -p judge-server -p judge-fleet`");
    program
}

#[test]
fn killed_machines_and_servers_lose_and_duplicate_no_result() {
    let Some(scene) = Scene::on_postgres() else {
        println!("skipped: PostgreSQL is not installed");
        return;
    };
    modules();
    let mut acknowledged = Vec::new();
    let mut machines: Vec<Machine> = Vec::new();
    for turn in 0..4 {
        let mut server = scene.start_with(Command::new(PROGRAM), &["--fleet", "--audit=20"]);
        while machines.len() < 4 {
            machines.push(Machine::start(&scene, 4 * turn + machines.len()));
        }
        let load = Load::begin(&scene, &server, turn);
        std::thread::sleep(Duration::from_millis(400));
        // Kills two of the four, and then the server.
        machines.drain(..2).for_each(drop);
        std::thread::sleep(Duration::from_millis(300));
        server.signal(Signal::KILL);
        acknowledged.extend(load.end());
    }
    machines.push(Machine::start(&scene, 100));
    scene.rejudge();
    let mut server = scene.start_with(Command::new(PROGRAM), &["--fleet", "--audit=100"]);
    wait_for_all(&server);
    assert!(gradings(&server) > 0);
    let (_, _, figures) = server.ask("GET", "/metrics", &[], b"");
    assert!(figures.contains("judge_fleet_distrusted 0\n"), "{figures}");
    assert!(server.signal(Signal::TERM).success());
    scene.check(&acknowledged);
}
