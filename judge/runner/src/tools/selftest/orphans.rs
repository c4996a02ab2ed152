//! Processes that a run leaves behind. On Linux the process that observes runs adopts them.

/// Makes this process the parent of every descendant that loses its parent.
///
/// # Errors
/// When the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn adopt() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn adopt() -> std::io::Result<()> {
    Ok(())
}

/// True if this process has no child left. One that is about to end has time for that; any other is
/// killed.
#[cfg(target_os = "linux")]
pub(super) fn have_ended() -> bool {
    use std::time::{Duration, Instant};

    use rustix::process::{WaitOptions, wait};

    /// Time between two looks.
    const PAUSE: Duration = Duration::from_millis(5);
    /// Time that a killed worker has for giving back its memory.
    const GRACE: Duration = Duration::from_secs(10);

    let end = Instant::now() + GRACE;
    // The error is the lack of a child.
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

/// Kills all children, and those that take their place as they end.
#[cfg(target_os = "linux")]
fn kill_all() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    loop {
        let found = children(std::process::id());
        if found.is_empty() {
            return;
        }
        for child in found.into_iter().filter_map(|child| Pid::from_raw(child.cast_signed())) {
            // One that cannot be killed has ended.
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// The children of a process; none where the system does not report them.
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
