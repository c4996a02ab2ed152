//! The template unit for systemd.

use crate::{HAND_BACK, PROGRAM, assert_understood, need, number_after, program, read, text};

const UNIT: &str = "systemd/judge-worker@.service";

/// The unit's path of the program.
const PLACE: &str = "/usr/local/bin/judge-worker";

#[test]
fn the_systemd_unit_is_valid_and_confined() {
    let _ = need!(program("systemd-analyze"), "systemd-analyze");
    let folder = tempfile::tempdir().unwrap();
    let unit = folder.path().join("judge-worker@course.service");
    std::fs::write(&unit, read(UNIT).replace(PLACE, PROGRAM)).unwrap();
    for arguments in
        [&["verify", "--man=no"][..], &["security", "--offline=true", "--threshold=20"]]
    {
        let mut analyze = program("systemd-analyze").unwrap();
        let run = analyze.args(arguments).arg(&unit).output().unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", text(&run));
        assert!(arguments[0] != "verify" || text(&run).is_empty(), "{}", text(&run));
    }
}

#[test]
fn the_systemd_unit_starts_the_worker_with_known_options() {
    let unit = read(UNIT);
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let line = line.strip_prefix(PLACE).unwrap().replace("%H", "host").replace("%i", "course");
    assert_understood(line.split_whitespace());
    // Its only writable folder is its cache; it can create control groups for bots' processes.
    assert!(line.contains("--cache=/var/cache/judge-worker/course"), "{line}");
    assert!(unit.contains("\nCacheDirectory=judge-worker/%i\n"), "{unit}");
    assert!(unit.contains("\nDelegate=memory pids\n") && !unit.contains("\nProtectControlGroups"));
}

#[test]
fn the_systemd_unit_gives_a_worker_time_to_end() {
    let unit = read(UNIT);
    let (stop, grace) = (number_after(&unit, "TimeoutStopSec="), number_after(&unit, "--grace="));
    assert!(stop > grace + HAND_BACK, "{stop} {grace}");
    // Only the program gets the signal, not the processes that play.
    assert!(unit.contains("\nKillMode=mixed\n"));
}
