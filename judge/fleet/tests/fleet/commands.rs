//! The commands of `judge` with `--database`: the same bytes as without.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::need;
use crate::scene::{PROGRAM, Scene, sample};

/// `judge` with the feature `fleet`, built next to `judge-worker`.
fn judge(arguments: &[&str], folder: &Path) -> Command {
    let program = Path::new(PROGRAM).with_file_name("judge");
    let build = "cargo build -p judge-fleet -p judge --features judge/fleet";
    assert!(program.exists(), "build it first: `{build}`");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn done(mut command: Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let build = "cargo build -p judge-fleet -p judge --features judge/fleet";
    assert!(!said.contains("is not built in"), "build it first: `{build}`");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {said}");
    output
}

/// JSON without the lines about its duration and the number of workers.
fn without_times(bytes: &[u8]) -> Vec<u8> {
    let is_of_time = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line);
        ["_ms\": ", "_us\": ", "\"workers\": "].iter().any(|key| text.contains(key))
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !is_of_time(line)).collect::<Vec<_>>().concat()
}

/// All files in a folder, by their paths.
fn files(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>, root: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found, root);
        } else {
            let bytes = without_times(&std::fs::read(&path).unwrap());
            found.insert(path.strip_prefix(root).unwrap().to_owned(), bytes);
        }
    }
}

/// Asserts that a command writes the same files here and on machines.
fn same(scene: &Scene, arguments: &[&str]) {
    let made = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        done(judge(&[arguments, more].concat(), folder.path()));
        let mut found = BTreeMap::new();
        files(folder.path(), &mut found, folder.path());
        found
    };
    let here = made(&[]);
    let there = made(&["--database", &scene.database, "--audit", "10"]);
    let purpose = format!("judge {}", arguments[0]);
    let played = format!("SELECT COUNT(*) FROM judge_fleet.part WHERE purpose = '{purpose}'");
    assert!(scene.number(&played) > 0, "no machine has played for `{purpose}`");
    assert!(!here.is_empty());
    assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
    for (path, bytes) in &here {
        assert!(there[path] == *bytes, "{arguments:?}: `{}` differs", path.display());
    }
}

fn bots() -> [String; 2] {
    ["mahjong-distance", "mahjong-straightforward"].map(|name| sample(name).display().to_string())
}

#[test]
fn commands_write_the_same_bytes_with_a_fleet() {
    let scene = need!(Scene::new());
    let _machines = [scene.machine(1), scene.machine(2)];
    let [one, two] = &bots();
    same(&scene, &["grade", one, two, "--suite", "mahjong", "--json", "report.json"]);
    let contest = ["--seed", "7", "--rounds", "60", "--json", "result.json"];
    same(&scene, &[&["match", one, two, "--rounds-to", "rounds.csv"], &contest[..]].concat());
    same(
        &scene,
        &[&["tournament", one, two, "random", "--csv", "table.csv"], &contest[..]].concat(),
    );
    let players = format!("{one},random");
    same(&scene, &["record", "--players", &players, "--games", "50", "--out", "games"]);
}

/// Starts a command, and interrupts it once it writes its journal.
fn interrupted(mut command: Command, journal: &Path) {
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while std::fs::metadata(journal).map_or(0, |file| file.len()) < 20_000 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap();
}

#[test]
fn an_interrupted_run_continues_locally_or_on_machines() {
    let scene = need!(Scene::new());
    let _machine = scene.machine(1);
    let (folder, [one, two]) = (tempfile::tempdir().unwrap(), &bots());
    let contest = ["match", one, two, "--seed", "7", "--rounds", "1200"];
    let there = ["--database", &scene.database];
    let json = |name: &str, more: &[&str]| {
        let arguments = [&contest[..], more, &["--json", name]].concat();
        done(judge(&arguments, folder.path()));
        without_times(&std::fs::read(folder.path().join(name)).unwrap())
    };
    let whole = json("whole.json", &[]);
    for (name, then) in [("there", &there[..]), ("here", &[])] {
        let journal = folder.path().join(name);
        let first = [&contest[..], &there, &["--journal", name]].concat();
        interrupted(judge(&first, folder.path()), &journal);
        let more = [then, &["--journal", name, "--resume"]].concat();
        assert!(json(&format!("{name}.json"), &more) == whole, "{name}");
    }
    assert_eq!((scene.count("run"), scene.count("batch")), (0, 0), "nothing is left");
}

#[test]
fn a_missing_database_is_reported() {
    let (folder, [one, _]) = (tempfile::tempdir().unwrap(), &bots());
    let cases = [
        ("postgres://nobody@localhost:1/x", "the fleet's database fails"),
        ("nonsense", "`nonsense` is not the address of a PostgreSQL database"),
    ];
    for (database, message) in cases {
        let arguments = ["grade", one, "--suite", "mahjong", "--database", database];
        let output = judge(&arguments, folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(message) && said.contains("hint:"), "{said}");
        assert_eq!(output.status.code(), Some(3), "{said}");
    }
}
