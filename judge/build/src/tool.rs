//! Programs: found in `PATH`, run to their end, and what they said.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::BuildError;

/// A program with the arguments that come before all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) program: PathBuf,
    pub(crate) first: Vec<OsString>,
}

/// What a program said, and whether it succeeded.
pub(crate) struct Ran {
    pub(crate) success: bool,
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

    /// A program of one of these names in `PATH`.
    pub(crate) fn find(names: &[&str]) -> Option<Tool> {
        names.iter().find_map(|name| in_path(OsStr::new(name))).map(Tool::new)
    }

    /// A command as somebody has written it into a variable: `zig c++`.
    pub(crate) fn of_variable(name: &str) -> Option<Tool> {
        let value = std::env::var(name).ok()?;
        let mut words = value.split_whitespace();
        let program = words.next()?;
        let found = in_path(OsStr::new(program))?;
        let rest: Vec<&str> = words.collect();
        Some(Tool::new(found).with(&rest))
    }

    /// A command that has these arguments at its end.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.first).stdin(Stdio::null());
        command
    }

    /// Its name for people: `python3 -m ziglang c++`.
    pub(crate) fn name(&self) -> String {
        let stem = self.program.file_name().unwrap_or_default();
        let words = std::iter::once(stem).chain(self.first.iter().map(OsString::as_os_str));
        words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    /// The program's identity as far as its file tells: another one has another.
    pub(crate) fn stamp(&self) -> String {
        let found = std::fs::metadata(&self.program).ok();
        let time = found.as_ref().and_then(|found| found.modified().ok());
        let time = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let length = found.map(|found| found.len());
        format!("{} {:?} {length:?} {time:?}", self.program.display(), self.first)
    }
}

/// Most bytes that are taken of what a program prints, and of its messages: a source may make a compiler
/// say gigabytes.
const MOST: (u64, u64) = (64 << 20, 4 << 20);

/// Runs a command to its end, or until it has printed too much.
pub(crate) fn run(command: &mut Command) -> Result<Ran, BuildError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| BuildError::Start { program: program.clone(), source };
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    // Both at once: a program that waits for the one to be read does not go on with the other.
    let messages = std::thread::spawn(move || printed(err, MOST.1));
    let (out, all_of_out) = printed(out, MOST.0);
    let (err, all_of_err) = messages.join().unwrap_or_default();
    let status = child.wait().map_err(failed)?;
    match ended_by(status) {
        Some(KILLED) => return Err(BuildError::Killed { program }),
        Some(OUT_OF_TIME) => return Err(BuildError::OutOfTime { program }),
        _ => {}
    }
    Ok(Ran {
        success: status.success() && all_of_out && all_of_err,
        out,
        err: String::from_utf8_lossy(&err).into_owned(),
    })
}

/// What a program prints, and whether that is all of it. The pipe is closed then, which ends the program.
fn printed(pipe: Option<impl Read>, most: u64) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let read = pipe.map(|pipe| pipe.take(most).read_to_end(&mut bytes));
    let all = read.is_some_and(|read| read.is_ok_and(|read| (read as u64) < most));
    (bytes, all)
}

/// Signals that end a program: from somebody else, as from the system when there is no memory left; and at the
/// limit of its processor time. The numbers are those of Linux and macOS.
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

/// A path that no program takes for an option, or for a file with a list of them.
pub(crate) fn as_a_file(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// The first line of what a program prints about its version.
pub(crate) fn version(tool: &Tool, arguments: &[&str]) -> Option<String> {
    let ran = run(tool.command().args(arguments)).ok().filter(|ran| ran.success)?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

/// The file of a program: in `PATH`, with the endings that Windows tries, or where its path says.
fn in_path(name: &OsStr) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    let path = Path::new(name);
    if path.components().count() > 1 {
        // A command may be run in another folder.
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

/// A name in a folder as it may be spelled there.
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
    fn how_a_program_was_ended_is_told() {
        let ended = |script: &str| run(Command::new("/bin/sh").args(["-c", script]));
        assert!(matches!(ended("kill -KILL $$"), Err(BuildError::Killed { .. })));
        assert!(matches!(ended("kill -XCPU $$"), Err(BuildError::OutOfTime { .. })));
        assert!(ended("kill -TERM $$").is_ok_and(|ran| !ran.success));
        assert!(ended("echo out").is_ok_and(|ran| ran.success && ran.out == b"out\n"));
    }
}
