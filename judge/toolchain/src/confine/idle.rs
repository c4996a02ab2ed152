//! Notices a build that waits: a source can make its compiler read its own output.

use std::time::{Duration, Instant};

/// Interval between two looks at all processes of the system.
const EVERY: Duration = Duration::from_secs(5);

/// The processor time of a group of processes, and the time of its last change.
pub(super) struct IdleWatch {
    group: u32,
    most: Duration,
    next: Instant,
    ticks: Option<u64>,
    since: Instant,
}

impl IdleWatch {
    /// Begins to watch the processes of a group, which may wait for that long. Even on a busy machine
    /// they compute for some of it.
    pub(super) fn new(group: u32, most: Duration) -> IdleWatch {
        let since = Instant::now();
        IdleWatch { group, most, next: since + EVERY, ticks: None, since }
    }

    /// True if no process of the group has used processor time for too long. False on systems
    /// without processor times of a group.
    pub(super) fn is_idle(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        self.next = Instant::now() + EVERY;
        let ticks = ticks_of(self.group);
        if ticks.is_none() || ticks != self.ticks {
            self.since = Instant::now();
        }
        self.ticks = ticks;
        self.since.elapsed() > self.most
    }
}

/// Sum of the processor times of a group, in ticks of the system; none without such a group. It
/// changes when a process computes, begins or ends.
fn ticks_of(group: u32) -> Option<u64> {
    let lines = std::fs::read_dir("/proc").ok()?.flatten().filter_map(|entry| {
        let is_process = entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
        is_process.then(|| std::fs::read_to_string(entry.path().join("stat")).ok())?
    });
    lines.filter_map(|line| ticks(&line, group)).reduce(u64::wrapping_add)
}

/// Processor time of a process and of its ended children, with its number so that another process
/// changes the sum; none if it is in another group. The second field is the name in parentheses, which
/// may contain anything.
fn ticks(line: &str, group: u32) -> Option<u64> {
    let (before, fields) = line.rsplit_once(')')?;
    let id: u64 = before.split_whitespace().next()?.parse().ok()?;
    let mut fields = fields.split_whitespace().skip(2);
    if fields.next()?.parse() != Ok(group) {
        return None;
    }
    let times = fields.skip(8).take(4).map(str::parse::<u64>);
    let times = times.sum::<Result<u64, _>>().ok()?;
    Some(times.wrapping_add(id << 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_times_of_the_group_are_added() {
        let line = "7 (a) b (c)) S 1 55 3 4 5 6 7 8 9 10 30 12 4 1 20 0 1 0 5 6";
        assert_eq!(ticks(line, 55), Some(47 + (7 << 32)));
        assert_eq!(ticks(line, 1), None);
        assert_eq!(ticks("7 (a) S 1 55", 55), Some(7 << 32));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_sleeps_is_idle_and_one_that_computes_is_not() {
        use std::os::unix::process::CommandExt as _;
        use std::process::Command;

        for (script, idle) in [("read line", true), ("while :; do :; done", false)] {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", script]).process_group(0).stdin(std::process::Stdio::piped());
            let mut child = shell.spawn().expect("a shell");
            std::thread::sleep(Duration::from_millis(300));
            let before = ticks_of(child.id());
            let mut looks = (0..100).map(|_| {
                std::thread::sleep(Duration::from_millis(20));
                ticks_of(child.id())
            });
            let changed = looks.any(|now| now != before);
            child.kill().expect("ended");
            child.wait().expect("ended");
            assert!(before.is_some() && changed != idle, "{script}");
            assert_eq!(ticks_of(child.id()), None);
        }
    }
}
