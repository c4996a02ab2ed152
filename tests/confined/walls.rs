//! The build worker, called directly: it builds nothing unless its walls are in force.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::judge;

/// Tests of the walls.
pub(crate) const TESTS: &[(&str, fn())] = &[
    ("a_worker_confines_itself_before_it_reads_a_source", confines_itself),
    ("a_worker_with_a_failing_wall_builds_nothing", leaks),
];

/// The worker's reply to a task, and the files in its folder.
fn ask(read: &[&str], source: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().canonicalize().unwrap().join("own");
    for name in ["source", "home", "tmp", "cache"] {
        std::fs::create_dir_all(own.join(name)).unwrap();
    }
    std::fs::write(own.join("source/bot.wat"), crate::support::SILENT_BOT).unwrap();
    std::fs::write(folder.path().join("outside.wat"), crate::support::SILENT_BOT).unwrap();
    let task = serde_json::json!({
        "folder": own, "source": source, "name": null, "read": read, "seconds": 60,
        "walls": true, "try_walls": false,
    });
    let mut command: Command = judge();
    command.args(["worker", "--build"]).current_dir(own.join("source"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{task}").unwrap();
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}

fn confines_itself() {
    let built = ask(&[], "bot.wat");
    let (head, module) = built.split_once('\n').expect("an answer and a module");
    assert!(head.starts_with("{\"Built\":{\"bytes\":") && module.starts_with("\0asm"), "{built}");
    let outside = ask(&[], "../../outside.wat");
    assert!(
        outside.starts_with("{\"Machine\":") && outside.contains("Permission denied"),
        "{outside}"
    );
}

/// The attempts find a gap that allowed paths leave.
fn leaks() {
    for (read, could) in
        [("/etc", "read `/etc/passwd`"), ("/proc", "read the environment of a process")]
    {
        let answer = ask(&[read], "bot.wat");
        assert!(answer.starts_with("{\"Machine\":") && answer.contains(could), "{read}: {answer}");
    }
}
