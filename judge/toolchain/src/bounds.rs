//! Time and memory limits of compilers. A confined build lowers its own limits before it starts a
//! compiler; any other build starts compilers under these.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Processor time of each process of a build, in seconds.
pub(crate) const SECONDS: u64 = 60;

/// The same for a project with several packages.
pub(crate) const PROJECT_SECONDS: u64 = 5 * SECONDS;

/// Wall-clock limit of a confined build, as a multiple of its processor time. Only a very busy
/// machine reaches it first.
pub(crate) const PATIENCE: u64 = 5;

/// The bounds of builds with the user's privileges, for which no course waits.
const OWN_PATIENCE: u64 = 15;

/// Writable memory of each process, in bytes.
pub(crate) const MEMORY_BYTES: u64 = 2 << 30;

/// Seconds between the warning signal to a process that used up its time, and its end.
#[cfg(unix)]
pub(crate) const GRACE_SECONDS: u64 = 5;

/// True if this process has lowered its own limits.
static LOWERED: AtomicBool = AtomicBool::new(false);

/// Notes that this process has lowered its limits, and with them those of its children.
pub(crate) fn are_lowered() {
    LOWERED.store(true, Ordering::Relaxed);
}

pub(crate) fn were_lowered() -> bool {
    LOWERED.load(Ordering::Relaxed)
}

/// Wall-clock limit of a program; none if the parent of this process enforces one.
pub(crate) fn patience(seconds: u64) -> Option<Duration> {
    (!were_lowered()).then(|| Duration::from_secs(seconds * OWN_PATIENCE))
}

/// Lowers the limits, then runs the program. A lower limit stays, because raising it fails.
#[cfg(unix)]
const SCRIPT: &str = r#"{ ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -d "$3"; ulimit -f "$4"; } 2>/dev/null
shift 4
exec "$@""#;

/// Largest file, in blocks of the shell: 1 GiB.
#[cfg(unix)]
const FILE_BLOCKS: u64 = 2 << 20;

/// The same program and arguments, under limits.
#[cfg(unix)]
pub(crate) fn bounded(command: &Command, seconds: u64) -> Command {
    if were_lowered() {
        return same(command);
    }
    let mut bounded = Command::new("/bin/sh");
    let limits = [seconds, seconds + GRACE_SECONDS, MEMORY_BYTES >> 10, FILE_BLOCKS];
    bounded.args(["-c", SCRIPT, "judge-toolchain"]);
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
