//! Operating system limits on a worker's resources.

use super::Wall;

/// Writable memory of the whole process, in bytes: enough to compile the largest module that intake
/// accepts, or to play one bot with all the memory that a testcase may give it; too little for a
/// compile bomb to hurt other processes.
#[cfg(target_os = "linux")]
const DATA_BYTES: u64 = 1 << 30;

/// Address space, in bytes: the engine reserves some 10 GiB of it without using them.
#[cfg(target_os = "linux")]
const ADDRESS_BYTES: u64 = 64 << 30;

/// Open files: the three pipes, and those for starting up.
#[cfg(unix)]
const OPEN_FILES: u64 = 16;

#[cfg(unix)]
pub(super) fn lower_limits(processor_seconds: u64) -> Vec<Wall> {
    use rustix::process::Resource;

    let mut walls = vec![
        Wall::new("no core dumps", limit(Resource::Core, 0)),
        Wall::new("no writing to files", limit(Resource::Fsize, 0)),
        Wall::new("16 open files", limit(Resource::Nofile, OPEN_FILES)),
        Wall::new("bounded processor time", limit(Resource::Cpu, processor_seconds)),
    ];
    #[cfg(target_os = "linux")]
    {
        let memory =
            limit(Resource::Data, DATA_BYTES).and_then(|()| limit(Resource::As, ADDRESS_BYTES));
        walls.push(Wall::new("1 GiB of memory", memory));
    }
    #[cfg(not(target_os = "linux"))]
    walls.push(Wall::new("1 GiB of memory", Err("only on Linux".to_owned())));
    walls
}

#[cfg(not(unix))]
pub(super) fn lower_limits(_processor_seconds: u64) -> Vec<Wall> {
    [
        "no core dumps",
        "no writing to files",
        "16 open files",
        "bounded processor time",
        "1 GiB of memory",
    ]
    .map(|name| Wall::new(name, Err("not on this system".to_owned())))
    .into()
}

/// Lowers a limit of the process permanently. It never raises a limit that is already lower.
#[cfg(unix)]
fn limit(resource: rustix::process::Resource, value: u64) -> Result<(), String> {
    let present = rustix::process::getrlimit(resource);
    let value = present.maximum.map_or(value, |maximum| maximum.min(value));
    let rlimit = rustix::process::Rlimit { current: Some(value), maximum: Some(value) };
    rustix::process::setrlimit(resource, rlimit).map_err(|error| error.to_string())
}

/// True if the memory limits are already lower.
#[cfg(target_os = "linux")]
pub(super) fn is_short_of_memory() -> bool {
    use rustix::process::{Resource, getrlimit};

    let lower = |resource, own| getrlimit(resource).maximum.is_some_and(|limit| limit < own);
    lower(Resource::Data, DATA_BYTES) || lower(Resource::As, ADDRESS_BYTES)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_short_of_memory() -> bool {
    false
}

/// Makes the system kill this process when its parent ends, however that ends.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent() -> Result<(), String> {
    let kill = Some(rustix::process::Signal::KILL);
    rustix::process::set_parent_process_death_signal(kill).map_err(|error| error.to_string())
}

/// Denies further privileges to this process and any program that it starts.
#[cfg(target_os = "linux")]
pub(super) fn no_new_privileges() -> Result<(), String> {
    rustix::thread::set_no_new_privs(true).map_err(|error| error.to_string())
}
