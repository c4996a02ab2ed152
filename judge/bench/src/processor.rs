//! Resource usage of processes: processor time, which other programs on a busy machine disturb less
//! than the wall clock, and memory.

use std::time::Duration;

/// Processor time of this process so far; the wall clock if the system does not report it.
pub fn processor_time() -> Duration {
    clock::process()
}

/// Processor time of this thread so far, which other load on the machine hardly affects; the wall
/// clock if the system does not report it.
pub fn thread_time() -> Duration {
    clock::thread()
}

#[cfg(unix)]
mod clock {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn process() -> Duration {
        clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
    }

    pub(super) fn thread() -> Duration {
        clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod clock {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(super) fn process() -> Duration {
        BEGIN.elapsed()
    }

    pub(super) fn thread() -> Duration {
        BEGIN.elapsed()
    }
}

/// Resident memory of a process without its children, in KiB.
pub fn resident_alone(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Resident memory of a process and its children, in KiB. Shared pages are counted once per
/// process, so this is an upper bound.
pub fn resident(pid: u32) -> u64 {
    let own = resident_alone(pid);
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let children =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let children: u64 = children
        .flat_map(|text| {
            text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
        })
        .map(resident)
        .sum();
    own + children
}
