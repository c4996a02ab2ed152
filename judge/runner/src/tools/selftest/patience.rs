//! Waits for the end of a run, and decides whether to kill it before. The processor time counts
//! instead of the wall clock, so that a busy machine is not mistaken for a fault of the judge.

use std::process::Child;
use std::time::{Duration, Instant};

use wait4::{ResUse, Wait4 as _};

#[cfg(target_os = "linux")]
use super::orphans;

/// Maximum wall-clock time of a run, as a multiple of its processor time.
const PATIENCE: u32 = 10;

/// Minimum wall-clock time before a run that has not used its processor time is killed.
const LEAST: Duration = Duration::from_secs(5);

/// Minimum and maximum time between two checks for the end of a run.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// Minimum and maximum time between two checks of a late run's processes.
const LATE_PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// The reason why a run was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Killed {
    /// The run used up its processor time.
    Spent,
    /// The run's processes slept.
    Idle,
    /// The run's processes had work to do and got less processor time than this, if the system
    /// reports it.
    TooSlow { processor: Option<Duration> },
}

/// The state of all processes of a run.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux reports it"))]
struct Seen {
    /// Processor time used so far.
    processor: Duration,
    /// True if one of them had work to do: it ran, waited for a processor or disk, or was stopped.
    busy: bool,
}

/// Waits for the end of a run. Kills it when it has used `bound` of processor time, or does not end
/// within [`PATIENCE`] times that.
pub(super) fn wait(child: Child, bound: Duration) -> std::io::Result<(ResUse, Option<Killed>)> {
    wait_looking(child, bound, seen)
}

/// Waits as [`wait`] does, with the given function for checks of a late run's processes. These are
/// expensive for the system, so they are only made if a run is late.
fn wait_looking(
    mut child: Child,
    bound: Duration,
    look: impl Fn(u32) -> Option<Seen>,
) -> std::io::Result<(ResUse, Option<Killed>)> {
    let (begin, mut looks) = (Instant::now(), ProcessLooks::default());
    loop {
        if let Some(end) = child.try_wait4()? {
            return Ok((end, None));
        }
        let waited = begin.elapsed();
        let is_late = waited >= bound.max(looks.next);
        if is_late && let Some(killed) = looks.verdict(waited, bound, look(child.id())) {
            child.kill()?;
            return Ok((child.wait4()?, Some(killed)));
        }
        std::thread::sleep((waited / 16).clamp(PAUSES[0], PAUSES[1]));
    }
}

/// Checks of a run that is late by the wall clock.
#[derive(Debug, Default)]
struct ProcessLooks {
    /// Wall-clock time of the next check.
    next: Duration,
    /// Number of checks.
    all: u32,
    /// Number of checks in which the run had work to do.
    busy: u32,
}

impl ProcessLooks {
    /// The reason to kill the run now, if there is one.
    fn verdict(&mut self, waited: Duration, bound: Duration, seen: Option<Seen>) -> Option<Killed> {
        self.next = waited + (bound / 8).clamp(LATE_PAUSES[0], LATE_PAUSES[1]);
        self.all += 1;
        self.busy += u32::from(seen.is_none_or(|seen| seen.busy));
        let processor = seen.map(|seen| seen.processor);
        if processor.is_some_and(|processor| processor >= bound) {
            return Some(Killed::Spent);
        }
        if waited < LEAST.max(bound * PATIENCE) {
            return None;
        }
        let idle = 2 * self.busy < self.all;
        Some(if idle { Killed::Idle } else { Killed::TooSlow { processor } })
    }
}

/// The state of a process and all its descendants; none if the system does not report it.
#[cfg(target_os = "linux")]
fn seen(process: u32) -> Option<Seen> {
    let mut seen = look_at(process)?;
    for below in orphans::children(process).into_iter().filter_map(self::seen) {
        seen.processor += below.processor;
        seen.busy |= below.busy;
    }
    Some(seen)
}

#[cfg(not(target_os = "linux"))]
fn seen(_process: u32) -> Option<Seen> {
    None
}

/// The state of one process, including its children that have ended.
#[cfg(target_os = "linux")]
fn look_at(process: u32) -> Option<Seen> {
    parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// Parses the system's line about a process. The second field is the program's name in parentheses,
/// which may contain any characters.
#[cfg(target_os = "linux")]
fn parse(line: &str) -> Option<Seen> {
    let (_, fields) = line.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let mut ticks = 0;
    // User and system time, and those of children that have ended.
    for time in fields.get(11..15)? {
        ticks += time.parse::<u64>().ok()?;
    }
    let processor = Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second());
    Some(Seen { processor, busy: !matches!(fields[0], "S" | "Z" | "X" | "I") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// The decision after checks of such processes at these seconds.
    fn after(seconds: &[u64], processor: u64, busy: bool) -> Option<Killed> {
        let mut looks = ProcessLooks::default();
        let seen = Seen { processor: Duration::from_secs(processor), busy };
        let looked =
            seconds.iter().map(|at| looks.verdict(Duration::from_secs(*at), MINUTE, Some(seen)));
        looked.last().flatten()
    }

    #[test]
    fn processor_time_ends_a_run_before_the_wall_clock() {
        assert_eq!(after(&[60], 59, true), None, "others had the processor");
        assert_eq!(after(&[60], 60, true), Some(Killed::Spent));
        assert_eq!(after(&[60], 60, false), Some(Killed::Spent));
        assert_eq!(after(&[60, 599], 1, false), None);
        assert_eq!(after(&[60, 600], 1, false), Some(Killed::Idle));
        let processor = Some(Duration::from_secs(1));
        assert_eq!(after(&[60, 600], 1, true), Some(Killed::TooSlow { processor }));
    }

    #[test]
    fn a_run_that_mostly_sleeps_is_idle() {
        let second = Duration::from_secs(1);
        let mut looks = ProcessLooks::default();
        let mut look =
            |at, busy| looks.verdict(second * at, MINUTE, Some(Seen { processor: second, busy }));
        assert_eq!((look(60, true), look(300, false)), (None, None));
        assert_eq!(look(600, false), Some(Killed::Idle));
    }

    #[test]
    fn a_late_run_without_processor_times_is_not_a_failure() {
        let late = ProcessLooks::default().verdict(MINUTE * PATIENCE, MINUTE, None);
        assert_eq!(late, Some(Killed::TooSlow { processor: None }));
    }

    #[cfg(unix)]
    #[test]
    fn a_run_in_time_is_not_ended() {
        let shell = |text| std::process::Command::new("sh").args(["-c", text]).spawn().unwrap();
        let looked = |_| panic!("the run is in time");
        let (end, killed) = wait_looking(shell("sleep 0.1; exit 7"), MINUTE, looked).unwrap();
        assert_eq!((end.status.code(), killed), (Some(7), None));
        assert!(end.rusage.maxrss > 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn state_and_times_are_read_for_any_process_name() {
        let line = "7 (a) R (c)) S 1 2 3 4 5 6 7 8 9 10 30 12 5 3 20 0 1 0 5 6";
        let seen = parse(line).unwrap();
        let ticks = seen.processor.as_millis() as u64 * rustix::param::clock_ticks_per_second();
        assert_eq!((ticks / 1000, seen.busy), (50, false));
        for state in ["R", "D", "T"] {
            let line = line.replace(" S ", &format!(" {state} "));
            assert!(parse(&line).unwrap().busy, "{state}");
        }
        assert!(parse("7 (a) S 1 2").is_none());
    }
}
