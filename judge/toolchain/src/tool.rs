//! Finds programs in `PATH`, runs them and collects their output.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::scratch::{Running, Scratch};
use crate::{BuildError, bounds, environment};

/// A program with its first arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) program: PathBuf,
    pub(crate) first: Vec<OsString>,
}

/// Output and result of a program.
#[derive(Debug)]
pub(crate) struct ToolRun {
    pub(crate) success: bool,
    /// True if its exit status shows that it, or a program that it started, crashed.
    pub(crate) crashed: bool,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Tool {
    pub(crate) fn new(program: impl Into<PathBuf>) -> Tool {
        Tool { program: program.into(), first: Vec::new() }
    }

    pub(crate) fn with(mut self, first: &[&str]) -> Tool {
        self.first.extend(first.iter().map(OsString::from));
        self
    }

    /// Finds a program with one of these names in `PATH`.
    pub(crate) fn find(names: &[&str]) -> Option<Tool> {
        names.iter().find_map(|name| in_path(OsStr::new(name))).map(Tool::new)
    }

    /// A command from an environment variable, such as `zig c++`.
    pub(crate) fn of_variable(name: &str) -> Option<Tool> {
        let value = std::env::var(name).ok()?;
        let mut words = value.split_whitespace();
        let program = words.next()?;
        let found = in_path(OsStr::new(program))?;
        let rest: Vec<&str> = words.collect();
        Some(Tool::new(found).with(&rest))
    }

    /// A command to append arguments to.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.first);
        command
    }

    /// Its name in messages: `python3 -m ziglang c++`.
    pub(crate) fn name(&self) -> String {
        let stem = self.program.file_name().unwrap_or_default();
        let words = std::iter::once(stem).chain(self.first.iter().map(OsString::as_os_str));
        words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    /// The identity of the program's file, which differs between versions.
    pub(crate) fn stamp(&self) -> String {
        let found = std::fs::metadata(&self.program).ok();
        let time = found.as_ref().and_then(|found| found.modified().ok());
        let time = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let length = found.map(|found| found.len());
        format!("{} {:?} {length:?} {time:?}", self.program.display(), self.first)
    }
}

/// Most bytes of a program's output and of its messages: a source may make a compiler print
/// gigabytes.
const MOST: (u64, u64) = (64 << 20, 4 << 20);

/// Interval for checking whether a program has ended after it closed its output.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Runs a command within the bounds of a build of one file.
pub(crate) fn run(command: &Command) -> Result<ToolRun, BuildError> {
    run_within(command, bounds::SECONDS)
}

/// Runs a command until it ends, prints too much or uses up its time.
pub(crate) fn run_within(command: &Command, seconds: u64) -> Result<ToolRun, BuildError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| BuildError::Start { program: program.clone(), source };
    let temporary = Scratch::new("tmp-").map_err(BuildError::writing(&std::env::temp_dir()))?;
    let mut bounded = bounds::bounded(command, seconds);
    environment::apply(&mut bounded, command, temporary.path());
    bounded.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::start(&mut bounded).map_err(failed)?;
    let patience = bounds::patience(seconds);
    let printing = Printing::begin(&mut running);
    let Some((out, err)) = printing.end(patience) else {
        running.kill().map_err(failed)?;
        return Err(BuildError::OutOfTime { program });
    };
    let status = wait(&mut running, printing.begun, patience).map_err(failed)?;
    let Some(status) = status else { return Err(BuildError::OutOfTime { program }) };
    match ended_by(status) {
        Some(KILLED) => return Err(BuildError::Killed { program }),
        Some(OUT_OF_TIME) => return Err(BuildError::OutOfTime { program }),
        _ => {}
    }
    let ((out, all_of_out), (err, all_of_err)) = (out, err);
    Ok(ToolRun {
        success: status.success() && all_of_out && all_of_err,
        crashed: all_of_out && all_of_err && has_crashed(status),
        out,
        err: String::from_utf8_lossy(&err).into_owned(),
    })
}

/// The printed bytes, and whether they are all of them.
type Printed = (Vec<u8>, bool);

/// Both outputs of a program, read concurrently: a program that blocks on one of them would not
/// continue with the other.
struct Printing {
    begun: Instant,
    outputs: [Receiver<Printed>; 2],
}

impl Printing {
    fn begin(running: &mut Running) -> Printing {
        let (out, err) = (running.child.stdout.take(), running.child.stderr.take());
        Printing { begun: Instant::now(), outputs: [listen(out, MOST.0), listen(err, MOST.1)] }
    }

    /// The output; none if the program still prints when its time is over.
    fn end(&self, patience: Option<Duration>) -> Option<(Printed, Printed)> {
        let receive = |output: &Receiver<Printed>| match patience {
            Some(patience) => {
                output.recv_timeout(patience.saturating_sub(self.begun.elapsed())).ok()
            }
            None => output.recv().ok(),
        };
        let [out, err] = self.outputs.each_ref().map(receive);
        Some((out?, err?))
    }
}

/// Reads one output on a separate thread.
fn listen(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Printed> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // After a timeout the receiver is gone.
        let _ = sender.send(printed(pipe, most));
    });
    receiver
}

/// Reads one output up to `most` bytes, then closes the pipe, which ends the program.
fn printed(pipe: Option<impl Read>, most: u64) -> Printed {
    let mut bytes = Vec::new();
    let read = pipe.map(|pipe| pipe.take(most).read_to_end(&mut bytes));
    let all = read.is_some_and(|read| read.is_ok_and(|read| (read as u64) < most));
    (bytes, all)
}

/// Waits for the end of a program that closed its output; none if its time is over.
fn wait(
    running: &mut Running,
    begun: Instant,
    patience: Option<Duration>,
) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = running.try_wait()? {
            return Ok(Some(status));
        }
        if patience.is_some_and(|patience| begun.elapsed() > patience) {
            running.kill()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Signals that end a program: from outside, for example when the system runs out of memory; and at
/// the limit of its processor time. The numbers are those of Linux and macOS.
const KILLED: i32 = 9;
const OUT_OF_TIME: i32 = 24;

#[cfg(unix)]
fn ended_by(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn ended_by(_status: ExitStatus) -> Option<i32> {
    None
}

/// Exit code of clang after an internal error.
const FATAL: i32 = 70;

/// True for a program that did not finish. Drivers such as clang turn the signal of a child
/// process, or of their own crash recovery, into a code above 128. No source can choose the exit
/// code of its compiler.
fn has_crashed(status: ExitStatus) -> bool {
    ended_by(status).is_some() || status.code().is_some_and(|code| code > 128 || code == FATAL)
}

/// A path that no program takes for an option or a response file.
pub(crate) fn as_a_file(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// The first line of a program's version output.
pub(crate) fn version(tool: &Tool, arguments: &[&str]) -> Option<String> {
    let ran = run(tool.command().args(arguments)).ok().filter(|ran| ran.success)?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

/// The file of a program: in `PATH`, with the endings of Windows, or at its own path.
fn in_path(name: &OsStr) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    let path = Path::new(name);
    if path.components().count() > 1 {
        // A command may run in another folder.
        let whole = std::path::absolute(path).ok()?;
        let mut places = vec![whole.clone()];
        places.extend(
            whole
                .parent()
                .into_iter()
                .flat_map(|folder| names(folder, whole.file_name().unwrap_or_default())),
        );
        return places.into_iter().find(|place| place.is_file());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let candidates = std::env::split_paths(&folders).flat_map(|folder| names(&folder, name));
    candidates.filter(|path| path.is_absolute()).find(|path| is_program(path))
}

/// The possible spellings of a name in a folder.
fn names(folder: &Path, name: &OsStr) -> Vec<PathBuf> {
    let with = |ending: &&str| {
        let mut whole = name.to_owned();
        whole.push(ending);
        folder.join(whole)
    };
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    endings.iter().map(with).collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_program_is_described() {
        let ended = |script: &str| run(Command::new("/bin/sh").args(["-c", script]));
        assert!(matches!(ended("kill -KILL $$"), Err(BuildError::Killed { .. })));
        assert!(matches!(ended("kill -XCPU $$"), Err(BuildError::OutOfTime { .. })));
        assert!(ended("kill -TERM $$").is_ok_and(|ran| !ran.success));
        assert!(ended("echo out").is_ok_and(|ran| ran.success && ran.out == b"out\n"));
    }

    #[test]
    fn a_crash_is_recognised_only_by_the_exit_status() {
        let words = "echo 'clang: error: unable to execute command: Killed' >&2";
        for (end, crashed) in [
            ("exit 1", false),
            ("exit 127", false),
            ("exit 70", true),
            ("exit 134", true),
            ("exit 254", true),
            ("kill -ABRT $$", true),
        ] {
            let ran = run(Command::new("/bin/sh").args(["-c", &format!("{words}; {end}")]));
            assert_eq!(ran.expect("run").crashed, crashed, "{end}");
        }
    }

    #[test]
    fn every_program_has_limits() {
        let script = "ulimit -S -t; ulimit -H -t; ulimit -d; ulimit -c; pwd";
        let mut command = Command::new("/bin/sh");
        let ran = run(command.args(["-c", script]).current_dir("/")).expect("run");
        assert_eq!(String::from_utf8_lossy(&ran.out), "60\n65\n2097152\n0\n/\n");
        let ended = run_within(Command::new("/bin/sleep").arg("1000"), 0);
        assert!(matches!(ended, Err(BuildError::OutOfTime { .. })), "{ended:?}");
    }

    #[test]
    fn a_compiler_starts_with_an_empty_environment() {
        let ran = run(Command::new("/usr/bin/env").env("OWN", "1")).expect("run");
        let text = String::from_utf8_lossy(&ran.out).into_owned();
        let names = text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name);
        // The test runs under cargo, which sets many variables; none may remain.
        assert!(!names.clone().any(|name| name.starts_with("CARGO")), "{text}");
        assert!(text.contains("OWN=1\n") && text.contains("SOURCE_DATE_EPOCH=0\n"), "{text}");
    }
}
