//! Bounds on the time and memory of compilers, for all builds. A confined build has lowered its limits
//! before it starts a compiler; any other one starts compilers under these.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Processor time of each process of a build, in seconds.
pub(crate) const SECONDS: u64 = 60;

/// The same for a project of several packages.
pub(crate) const PROJECT_SECONDS: u64 = 5 * SECONDS;

/// Wall-clock limit of a confined build, as a multiple of the processor time: it is reached first only on
/// a very busy machine.
pub(crate) const PATIENCE: u64 = 5;

/// The same for builds with the user's rights: no course waits for them.
const OWN_PATIENCE: u64 = 15;

/// Writable memory of each process, in bytes.
pub(crate) const MEMORY_BYTES: u64 = 2 << 30;

/// Seconds between the signal that a process has used its time and its end.
pub(crate) const GRACE_SECONDS: u64 = 5;

/// True in a process that has lowered its own limits.
static LOWERED: AtomicBool = AtomicBool::new(false);

/// Declares that this process, and so every process that it starts, has lower limits already.
pub(crate) fn are_lowered() {
    LOWERED.store(true, Ordering::Relaxed);
}

/// True in a process that has lowered its own limits.
pub(crate) fn were_lowered() -> bool {
    LOWERED.load(Ordering::Relaxed)
}

/// Wall-clock time of a program; none where the process that started this one watches over it.
pub(crate) fn patience(seconds: u64) -> Option<Duration> {
    (!were_lowered()).then(|| Duration::from_secs(seconds * OWN_PATIENCE))
}

/// Lowers limits and becomes the program. A limit that is lower already stays: raising it fails.
#[cfg(unix)]
const SCRIPT: &str = r#"{ ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -d "$3"; ulimit -f "$4"; } 2>/dev/null
shift 4
exec "$@""#;

/// Largest file, in the shell's blocks: 1 GiB.
#[cfg(unix)]
const FILE_BLOCKS: u64 = 2 << 20;

/// The command with the same program and arguments, under limits.
#[cfg(unix)]
pub(crate) fn bounded(command: &Command, seconds: u64) -> Command {
    if were_lowered() {
        return same(command);
    }
    let mut bounded = Command::new("/bin/sh");
    let limits = [seconds, seconds + GRACE_SECONDS, MEMORY_BYTES >> 10, FILE_BLOCKS];
    bounded.args(["-c", SCRIPT, "judge-build"]);
    bounded.args(limits.map(|limit| limit.to_string()));
    bounded.arg(command.get_program()).args(command.get_args());
    in_its_folder(bounded, command)
}

#[cfg(not(unix))]
pub(crate) fn bounded(command: &Command, _seconds: u64) -> Command {
    same(command)
}

fn same(command: &Command) -> Command {
    let mut same = Command::new(command.get_program());
    same.args(command.get_args());
    in_its_folder(same, command)
}

fn in_its_folder(mut to: Command, from: &Command) -> Command {
    if let Some(folder) = from.get_current_dir() {
        to.current_dir(folder);
    }
    to
}
