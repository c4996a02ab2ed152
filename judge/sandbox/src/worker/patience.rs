//! Deadlines of a worker, counted in its processor time where the system reports it (Linux). On a
//! busy machine a worker gets little of that, which must not end a round.

use std::time::Duration;

/// Extra wall clock for a worker that got too little processor time: this multiple of the deadline,
/// and at most `LATE`.
const BUSY: u32 = 9;
const LATE: Duration = Duration::from_secs(600);

/// True if this system reports the processor time of a worker.
pub const COUNTS_PROCESSOR_TIME: bool = cfg!(target_os = "linux");

/// The state of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitState {
    /// The process may continue: the deadline is not used up, and the wall clock has not run out.
    Within,
    /// The process has used up the deadline in processor time.
    UsedUp,
    /// The wall clock ran out, and nothing proves that the process used that time.
    Late,
}

/// The state of a wait after `waited` of wall clock and, if known, `used` of processor time.
pub(super) fn standing(deadline: Duration, waited: Duration, used: Option<Duration>) -> WaitState {
    if waited < deadline {
        return WaitState::Within;
    }
    match used {
        Some(used) if used >= deadline => WaitState::UsedUp,
        Some(_) if waited < deadline + LATE.min(deadline * BUSY) => WaitState::Within,
        _ => WaitState::Late,
    }
}

/// Processor time of a process so far.
#[cfg(target_os = "linux")]
pub(super) fn processor_time(process: u32) -> Option<Duration> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks = ticks(&line)?;
    Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn processor_time(_process: u32) -> Option<Duration> {
    None
}

/// User and system time from a process's line in `/proc`. The second field is the program's name in
/// parentheses, which may contain anything.
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
    fn times_are_read_for_any_process_name() {
        let line = "7 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20 0 1 0 5 6";
        assert_eq!(ticks(line), Some(42));
        assert_eq!(ticks("7 (a) S 1 2"), None);
    }

    #[test]
    fn the_processor_time_of_this_process_is_read() {
        while processor_time(std::process::id()) == Some(Duration::ZERO) {}
        assert!(processor_time(std::process::id()).is_some());
        assert_eq!(processor_time(0), None);
    }

    #[test]
    fn processor_time_counts_and_every_wait_ends() {
        let seconds = Duration::from_secs;
        let after =
            |waited, used: Option<u64>| standing(seconds(30), seconds(waited), used.map(seconds));
        assert_eq!(after(10, None), WaitState::Within, "before the deadline nothing else counts");
        assert_eq!(after(30, None), WaitState::Late, "unknown: the wall clock counts");
        assert_eq!(after(30, Some(30)), WaitState::UsedUp, "it had its time");
        assert_eq!(after(30, Some(10)), WaitState::Within, "other processes used it");
        assert_eq!(after(299, Some(10)), WaitState::Within);
        assert_eq!(after(300, Some(0)), WaitState::Late, "it does nothing");
        let long = standing(seconds(400), seconds(1000), Some(seconds(0)));
        assert_eq!(long, WaitState::Late, "ten minutes beyond any deadline");
    }
}
