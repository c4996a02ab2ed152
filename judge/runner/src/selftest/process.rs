//! One run of the judge as a process of its own, watched from outside: how long it takes, how much
//! memory it and its workers hold, and what it leaves behind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time between two looks.
const PERIOD: Duration = Duration::from_millis(2);

/// Time that processes have to end after the judge.
const GRACE: Duration = Duration::from_secs(2);

/// A run that has ended.
pub(super) struct Ran {
    /// The exit code; none when the process was killed.
    pub(super) code: Option<i32>,
    /// Its standard error.
    pub(super) stderr: String,
    /// Wall clock.
    pub(super) time: Duration,
    /// Most memory of the process and its children together, as far as it was seen; 0 where the
    /// system does not tell.
    pub(super) peak_kib: u64,
    /// Faults of any run: too slow, or something left behind.
    pub(super) wrong: Vec<String>,
}

/// Runs the judge with `arguments` in the empty folder `scratch`, which must stay empty; its standard
/// error goes to the folder `outputs`.
pub(super) fn run(
    judge: &Path,
    arguments: &[OsString],
    scratch: &Path,
    outputs: &Path,
    deadline: Duration,
) -> std::io::Result<Ran> {
    let said = outputs.join("stderr.txt");
    let begin = Instant::now();
    let mut child = Command::new(judge)
        .args(arguments)
        .current_dir(scratch)
        .env("TMPDIR", scratch)
        .env("TMP", scratch)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&said)?)
        .spawn()?;
    let mut watch = Watch::default();
    let code = watch.until_end(&mut child, begin + deadline)?;
    let time = begin.elapsed();
    watch.look_for_leftovers();
    if std::fs::read_dir(scratch)?.next().is_some() {
        watch.wrong.push("left files behind".to_owned());
    }
    let stderr = String::from_utf8_lossy(&std::fs::read(said)?).into_owned();
    Ok(Ran { code, stderr, time, peak_kib: watch.peak_kib, wrong: watch.wrong })
}

#[derive(Default)]
struct Watch {
    peak_kib: u64,
    /// Every descendant that was ever seen.
    descendants: BTreeSet<u32>,
    wrong: Vec<String>,
}

impl Watch {
    fn until_end(&mut self, child: &mut Child, end: Instant) -> std::io::Result<Option<i32>> {
        loop {
            let children = descendants(child.id());
            let memory = children.iter().chain([&child.id()]).map(|pid| memory_kib(*pid)).sum();
            self.peak_kib = self.peak_kib.max(memory);
            self.descendants.extend(children);
            if let Some(status) = child.try_wait()? {
                return Ok(status.code());
            }
            if Instant::now() > end {
                child.kill()?;
                self.wrong.push("took too long and was killed".to_owned());
                return Ok(child.wait()?.code());
            }
            std::thread::sleep(PERIOD);
        }
    }

    fn look_for_leftovers(&mut self) {
        let end = Instant::now() + GRACE;
        while self.descendants.iter().any(|pid| is_alive(*pid)) {
            if Instant::now() > end {
                self.wrong.push("left a process behind".to_owned());
                return;
            }
            std::thread::sleep(PERIOD);
        }
    }
}

/// The processes that a process started, and those that these started. None where `/proc` does not
/// tell.
fn descendants(pid: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let mut found: Vec<u32> = Vec::new();
    for list in lists {
        found.extend(list.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
    }
    let below: Vec<u32> = found.iter().flat_map(|pid| descendants(*pid)).collect();
    found.extend(below);
    found
}

/// The most memory that a process ever held, in KiB.
fn memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// True if a process exists and has not ended: one that waits to be reaped has.
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().map(str::trim_start).unwrap_or_default();
    !state.is_empty() && !state.starts_with('Z')
}
