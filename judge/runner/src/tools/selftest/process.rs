//! A run of the judge as a separate process: its verdicts, time and memory, and everything it
//! leaves behind.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::orphans;
use super::patience::{self, Killed};

/// A run to observe.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// The judge to run.
    pub(super) judge: OsString,
    /// The judge's arguments.
    pub(super) arguments: Vec<OsString>,
    /// The working folder, which must be empty before and after the run.
    pub(super) scratch: OsString,
    /// The folder for its standard error.
    pub(super) outputs: OsString,
    /// Processor time that the judge and its workers may use together.
    pub(super) processor: Duration,
}

/// A run that has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProcessRun {
    /// The exit code; none if the process was killed.
    pub(super) code: Option<i32>,
    /// The standard error.
    pub(super) stderr: String,
    /// Wall-clock time.
    pub(super) time: Duration,
    /// Processor time of judge and workers; on Windows only of the judge.
    pub(super) processor: Duration,
    /// Peak memory of the judge or one of its workers; on Windows only of the judge.
    pub(super) peak_kib: u64,
    /// General faults: too much processor time, or anything left behind.
    pub(super) wrong: Vec<String>,
    /// The reason why the machine could not finish the run, if any.
    pub(super) too_slow: Option<String>,
}

/// Runs and observes the judge. Every other child of this process counts as left behind by it.
pub(super) fn run(order: &Order) -> std::io::Result<ProcessRun> {
    let scratch = Path::new(&order.scratch);
    let said = Path::new(&order.outputs).join("stderr.txt");
    let begin = Instant::now();
    let child = Command::new(&order.judge)
        .args(&order.arguments)
        .current_dir(scratch)
        .env("TMPDIR", scratch)
        .env("TMP", scratch)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&said)?)
        .spawn()?;
    let (end, killed) = patience::wait(child, order.processor)?;
    let time = begin.elapsed();
    let processor = end.rusage.utime + end.rusage.stime;
    let (mut wrong, too_slow) = faults(killed, time, processor, order.processor);
    if !orphans::have_ended() {
        wrong.push("left a process behind".to_owned());
    }
    if std::fs::read_dir(scratch)?.next().is_some() {
        wrong.push("left files behind".to_owned());
    }
    let stderr = String::from_utf8_lossy(&std::fs::read(said)?).into_owned();
    let (code, peak_kib) = (end.status.code(), end.rusage.maxrss / 1024);
    Ok(ProcessRun { code, stderr, time, processor, peak_kib, wrong, too_slow })
}

/// The faults of the judge, and the fault of the machine.
fn faults(
    killed: Option<Killed>,
    time: Duration,
    processor: Duration,
    bound: Duration,
) -> (Vec<String>, Option<String>) {
    let (time, bound_seconds) = (time.as_secs_f64(), bound.as_secs_f64());
    let wrong = match killed {
        Some(Killed::Spent) => {
            format!("used {bound_seconds} s of processor time and was killed")
        }
        Some(Killed::Idle) => format!("did nothing, and was killed after {time:.0} s"),
        Some(Killed::TooSlow { processor }) => {
            return (Vec::new(), Some(too_slow(time, processor, bound_seconds)));
        }
        None if processor > bound => {
            format!("used {:.1} s of processor time", processor.as_secs_f64())
        }
        None => return (Vec::new(), None),
    };
    (vec![wrong], None)
}

fn too_slow(time: f64, processor: Option<Duration>, bound: f64) -> String {
    let had = processor.map_or_else(String::new, |processor| {
        format!(": it gave the judge {:.1} s of processor time", processor.as_secs_f64())
    });
    format!(
        "this machine is too slow or too busy{had}; killed after {time:.0} s; the limit is \
         {bound} s of processor time"
    )
}
