//! Processes that a run leaves behind. On Linux the observer process adopts them.

/// Makes this process the parent of every descendant that loses its parent.
///
/// # Errors
/// If the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn adopt() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() -> std::io::Result<()> {
    Ok(())
}

/// True if this process has no children left. A child that is about to end gets time for that; any
/// other is killed.
#[cfg(target_os = "linux")]
pub(super) fn have_ended() -> bool {
    use std::time::{Duration, Instant};

    use rustix::process::{WaitOptions, wait};

    /// Time between two checks.
    const PAUSE: Duration = Duration::from_millis(5);
    /// Time for a killed worker to release its memory.
    const GRACE: Duration = Duration::from_secs(10);

    let end = Instant::now() + GRACE;
    // An error means that no child is left.
    while let Ok(ended) = wait(WaitOptions::NOHANG) {
        if ended.is_some() {
            continue;
        }
        if Instant::now() > end {
            kill_all();
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}

/// Kills all children, and the children that these leave behind.
#[cfg(target_os = "linux")]
fn kill_all() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    loop {
        let found = children(std::process::id());
        if found.is_empty() {
            return;
        }
        for child in found.into_iter().filter_map(|child| Pid::from_raw(child.cast_signed())) {
            // A process that cannot be killed has ended.
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// The children of a process; empty if the system does not report them.
#[cfg(target_os = "linux")]
pub(super) fn children(process: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let lists = threads
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let numbers = |list: String| {
        list.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<u32>>()
    };
    lists.flat_map(numbers).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn have_ended() -> bool {
    true
}
