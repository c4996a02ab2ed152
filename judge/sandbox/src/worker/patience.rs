//! How long a worker is waited for. What counts is the processor time that it had, where the system
//! tells (Linux): on a busy machine a worker gets little of it, which must not end a match.

use std::time::{Duration, Instant};

/// How many times its deadline a worker may take by the wall clock, if it had less processor time
/// than that.
const BUSY: u32 = 10;

/// Least time until a worker is looked at again.
const PAUSE: Duration = Duration::from_millis(100);

/// One wait for one reply.
pub(super) struct Patience {
    process: u32,
    deadline: Duration,
    begin: Instant,
    used_before: Duration,
}

impl Patience {
    pub(super) fn new(process: u32, deadline: Duration) -> Patience {
        let used_before = processor_time(process).unwrap_or_default();
        Patience { process, deadline, begin: Instant::now(), used_before }
    }

    /// How long to wait before asking again; `None` when the wait is over.
    pub(super) fn left(&self) -> Option<Duration> {
        let waited = self.begin.elapsed();
        if waited < self.deadline {
            return Some(self.deadline - waited);
        }
        let used = processor_time(self.process)?.saturating_sub(self.used_before);
        let most = self.deadline * BUSY;
        let over = used >= self.deadline || waited >= most;
        (!over).then(|| (self.deadline - used).min(most - waited).max(PAUSE))
    }
}

/// Processor time that a process has had so far.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Option<Duration> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks = ticks(&line)?;
    Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_process: u32) -> Option<Duration> {
    None
}

/// User's and system's time out of the system's line on a process. The second field is the
/// program's name in parentheses, which may hold anything.
#[cfg(target_os = "linux")]
fn ticks(line: &str) -> Option<u64> {
    let (_, fields) = line.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(user + system)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let line = "7 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20 0 1 0 5 6";
        assert_eq!(ticks(line), Some(42));
        assert_eq!(ticks("7 (a) S 1 2"), None);
    }

    #[test]
    fn this_process_has_had_some_time() {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(50) {}
        assert!(processor_time(std::process::id()) > Some(Duration::ZERO));
        assert_eq!(processor_time(0), None);
    }

    #[test]
    fn who_did_nothing_is_waited_for_longer() {
        let deadline = Duration::from_millis(20);
        // The first process sleeps nearly always.
        let patience = Patience::new(1, deadline);
        std::thread::sleep(deadline);
        assert!(patience.left().is_some());
        std::thread::sleep(deadline * BUSY);
        assert_eq!(patience.left(), None);
        // One whose time nobody tells has the wall clock.
        let unknown = Patience::new(0, deadline);
        std::thread::sleep(deadline);
        assert_eq!(unknown.left(), None);
    }
}
