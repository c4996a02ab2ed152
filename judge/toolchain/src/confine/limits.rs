//! Operating system limits on a build's resources.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::bounds::{GRACE_SECONDS, MEMORY_BYTES};

/// Address space of each process, in bytes: runtimes reserve far more of it than they use.
#[cfg(target_os = "linux")]
const ADDRESS_BYTES: u64 = 64 << 30;

/// Largest file, in bytes.
const FILE_BYTES: u64 = 64 << 20;

/// Open files of each process.
const OPEN_FILES: u64 = 1024;

/// Processes and threads beyond the user's current ones, per processor: other builds run at the
/// same time, and runtimes start a thread per processor. (The system does not count those of the
/// superuser.)
#[cfg(target_os = "linux")]
const PROCESSES: u64 = 512;

/// Lowers the limits of this process permanently. It never raises a limit that is already lower.
pub(super) fn lower(seconds: u64) -> Result<(), String> {
    limit(Resource::Core, 0, 0)?;
    limit(Resource::Cpu, seconds, seconds + GRACE_SECONDS)?;
    limit(Resource::Fsize, FILE_BYTES, FILE_BYTES)?;
    limit(Resource::Nofile, OPEN_FILES, OPEN_FILES)?;
    limit(Resource::Data, MEMORY_BYTES, MEMORY_BYTES)?;
    #[cfg(target_os = "linux")]
    {
        limit(Resource::As, ADDRESS_BYTES, ADDRESS_BYTES)?;
        let processors = std::thread::available_parallelism().map_or(1, |many| many.get() as u64);
        let processes = threads_of_the_user() + PROCESSES * processors;
        limit(Resource::Nproc, processes, processes)?;
    }
    Ok(())
}

fn limit(resource: Resource, soft: u64, hard: u64) -> Result<(), String> {
    let present = getrlimit(resource).maximum;
    let lower = |value: u64| Some(present.map_or(value, |most| most.min(value)));
    let lowered = Rlimit { current: lower(soft), maximum: lower(hard) };
    setrlimit(resource, lowered).map_err(|error| error.to_string())
}

/// Number of the user's threads in all processes, ignoring those that end meanwhile.
#[cfg(target_os = "linux")]
fn threads_of_the_user() -> u64 {
    use std::os::unix::fs::MetadataExt as _;

    let own = rustix::process::getuid().as_raw();
    let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
    let of_user = entries.flatten().map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_process = name.bytes().all(|byte| byte.is_ascii_digit());
        is_process && std::fs::metadata(path).is_ok_and(|found| found.uid() == own)
    });
    let threads = |path: std::path::PathBuf| {
        std::fs::read_dir(path.join("task")).map_or(1, |tasks| tasks.count() as u64)
    };
    of_user.map(threads).sum()
}

/// Drops all capabilities, forbids new privileges, and ties the process to its parent.
#[cfg(target_os = "linux")]
pub(super) fn drop_rights() -> Result<(), String> {
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

    let failed = |error: rustix::io::Errno| error.to_string();
    let kill = Some(rustix::process::Signal::KILL);
    rustix::process::set_parent_process_death_signal(kill).map_err(failed)?;
    set_no_new_privs(true).map_err(failed)?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).map_err(failed)
}
