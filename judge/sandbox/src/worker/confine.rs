//! The worker takes rights away from itself before it looks at a stranger's module.
//! Best effort per system; which layers exist where is listed in `judge/docs/security.md`.

/// Writable memory of the whole process, in bytes: enough to compile the largest module that
/// intake lets through, too little for a compile bomb to hurt its neighbours.
#[cfg(target_os = "linux")]
const DATA_BYTES: u64 = 1 << 30;

/// A right could not be given up.
#[derive(Debug, thiserror::Error)]
#[error("cannot confine the worker process: {layer}: {reason}")]
pub(super) struct ConfineError {
    layer: &'static str,
    reason: String,
}

/// Gives up what a worker never needs: core dumps, new files, memory without end, outliving its
/// parent.
#[cfg(unix)]
pub(super) fn confine() -> Result<(), ConfineError> {
    use rustix::process::Resource;

    limit(Resource::Core, 0, "core dumps")?;
    limit(Resource::Fsize, 0, "file size")?;
    #[cfg(target_os = "linux")]
    {
        limit(Resource::Data, DATA_BYTES, "memory")?;
        let kill = Some(rustix::process::Signal::KILL);
        rustix::process::set_parent_process_death_signal(kill)
            .map_err(|error| failed("parent death signal", error))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn confine() -> Result<(), ConfineError> {
    Ok(())
}

/// Lowers a limit of the process for good, never raising one that is lower already.
#[cfg(unix)]
fn limit(
    resource: rustix::process::Resource,
    value: u64,
    layer: &'static str,
) -> Result<(), ConfineError> {
    let present = rustix::process::getrlimit(resource);
    let value = present.maximum.map_or(value, |maximum| maximum.min(value));
    let rlimit = rustix::process::Rlimit { current: Some(value), maximum: Some(value) };
    rustix::process::setrlimit(resource, rlimit).map_err(|error| failed(layer, error))
}

#[cfg(unix)]
fn failed(layer: &'static str, error: rustix::io::Errno) -> ConfineError {
    ConfineError { layer, reason: error.to_string() }
}
