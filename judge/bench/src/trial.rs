//! Compiles one module in a separate process, under the worker's memory limit.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::processor_time;
use judge_sandbox::{CompileError, Compiled, Sandbox};

/// The argument that makes the program compile its input instead of searching.
pub(crate) const COMPILE: &str = "--compile";

/// Processor time limit of a compilation, in seconds; beyond it, the result is the worst possible.
#[cfg(unix)]
const CPU_SECONDS: u64 = 60;

/// Writable memory of a worker.
#[cfg(target_os = "linux")]
const DATA_BYTES: u64 = 1 << 30;

/// The result of compiling a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trial {
    /// Intake refused it.
    Refused,
    Compiled {
        time: Duration,
        peak_kib: u64,
    },
    /// It exceeded the worker's memory, or took too long.
    Killed,
}

impl Trial {
    /// Processor time; the worst possible if it was killed.
    pub(crate) fn time(&self) -> Duration {
        match self {
            Trial::Refused => Duration::ZERO,
            Trial::Compiled { time, .. } => *time,
            Trial::Killed => Duration::MAX,
        }
    }

    /// Peak memory; the worst possible if it was killed.
    pub(crate) fn peak_kib(&self) -> u64 {
        match self {
            Trial::Refused => 0,
            Trial::Compiled { peak_kib, .. } => *peak_kib,
            Trial::Killed => u64::MAX,
        }
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trial::Refused => write!(f, "refused"),
            Trial::Compiled { time, peak_kib } => {
                write!(f, "{:.2} s, {} MiB", time.as_secs_f64(), peak_kib / 1024)
            }
            Trial::Killed => write!(f, "killed"),
        }
    }
}

/// Compiles a module in a child process.
pub(crate) fn run(module: &[u8]) -> std::io::Result<Trial> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(COMPILE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(module)?;
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(parse(&said).unwrap_or(Trial::Killed))
}

fn parse(said: &str) -> Option<Trial> {
    let mut words = said.split_whitespace();
    match words.next()? {
        "refused" => Some(Trial::Refused),
        micros => Some(Trial::Compiled {
            time: Duration::from_micros(micros.parse().ok()?),
            peak_kib: words.next()?.parse().ok()?,
        }),
    }
}

/// The child's side: compiles standard input, and reports its time and memory.
///
/// # Errors
/// When the engine rejects the module, or the system fails.
pub(crate) fn compile() -> Result<String, String> {
    let mut module = Vec::new();
    std::io::stdin().read_to_end(&mut module).map_err(|error| error.to_string())?;
    limit()?;
    let sandbox = Sandbox::new().map_err(|error| error.to_string())?;
    let begin = processor_time();
    match Compiled::new(&sandbox, &module) {
        Ok(_) => Ok(format!("{} {}", (processor_time() - begin).as_micros(), peak_kib())),
        Err(CompileError::Refused(_)) => Ok("refused".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Applies the worker's limits, as far as the system can.
#[cfg(unix)]
fn limit() -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let most = |value| Rlimit { current: Some(value), maximum: Some(value) };
    #[cfg(target_os = "linux")]
    setrlimit(Resource::Data, most(DATA_BYTES)).map_err(|error| error.to_string())?;
    setrlimit(Resource::Cpu, most(CPU_SECONDS)).map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn limit() -> Result<(), String> {
    Ok(())
}

/// Peak memory of this process; 0 if the system does not report it.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
