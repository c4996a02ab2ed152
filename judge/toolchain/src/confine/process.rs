//! The parent's side of a worker: its folder, its start, its bounded reply, and its end.

use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::idle::IdleWatch;
use super::protocol::{ChildReply, LARGEST_MODULE, LONGEST_WAIT, Task};
use super::toolchain::Toolchain;
use super::{Confined, ConfinedFailure, Staged};
use crate::Language;
use crate::bounds::PATIENCE;
use crate::scratch::{Running, Scratch};

/// Most bytes of a reply before its module.
const LARGEST_HEAD: usize = 1 << 20;

/// Most bytes of all files of a build, and the interval between counts.
const LARGEST_FOLDER: u64 = 1 << 30;
const COUNTED: Duration = Duration::from_millis(500);

/// Free space below which a build may have failed because of it.
#[cfg(unix)]
const ROOM: u64 = 64 << 20;

/// Folder of one build, removed on drop.
pub(super) struct BuildFolder(Scratch);

impl BuildFolder {
    /// Creates the folder with a source, and a copy of its compiler's warm cache.
    pub(super) fn new(
        staged: &Staged,
        toolchain: &Toolchain,
    ) -> Result<BuildFolder, ConfinedFailure> {
        let failed = |error: std::io::Error| ConfinedFailure::Machine {
            what: format!("cannot create a build folder: {error}"),
            hint: Some("free disk space, or set `TMPDIR` to another folder".to_owned()),
        };
        let place = BuildFolder(Scratch::new("build-").map_err(failed)?);
        for folder in ["source", "home", "tmp", "bin"] {
            std::fs::create_dir(place.path().join(folder)).map_err(failed)?;
        }
        let cache = place.path().join("cache");
        match toolchain.warm.as_deref() {
            Some(warm) => copy(warm, &cache).map_err(failed)?,
            None => std::fs::create_dir(&cache).map_err(failed)?,
        }
        for program in &toolchain.programs {
            place.link(program).map_err(failed)?;
        }
        for (path, bytes) in &staged.files {
            place.put(path, bytes).map_err(|error| match error.kind() {
                ErrorKind::InvalidFilename => too_long(path),
                _ => failed(error),
            })?;
        }
        if toolchain.language == Some(Language::Go) {
            // Only this keeps Go from starting a telemetry program.
            let folder = place.path().join("home/.config/go/telemetry");
            std::fs::create_dir_all(&folder).map_err(failed)?;
            std::fs::write(folder.join("mode"), "off").map_err(failed)?;
        }
        Ok(place)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// True if the largest file of a build no longer fits.
    #[cfg(unix)]
    pub(super) fn is_full(&self) -> bool {
        let found = rustix::fs::statvfs(self.path());
        found.is_ok_and(|found| found.f_bavail.saturating_mul(found.f_frsize) < ROOM)
    }

    #[cfg(not(unix))]
    pub(super) fn is_full(&self) -> bool {
        false
    }

    /// Links a program into the folder for `PATH`.
    #[cfg(unix)]
    fn link(&self, program: &Path) -> std::io::Result<()> {
        let name = program.file_name().unwrap_or_default();
        std::os::unix::fs::symlink(program, self.path().join("bin").join(name))
    }

    /// Without links, the compiler has to find its linker itself.
    #[cfg(not(unix))]
    fn link(&self, _program: &Path) -> std::io::Result<()> {
        Ok(())
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain {
            return Err(std::io::Error::other("a path that leads out of the source"));
        }
        let file = self.path().join("source").join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(&file))?;
        std::fs::write(file, bytes)
    }
}

fn too_long(path: &Path) -> ConfinedFailure {
    let text = path.display().to_string();
    let begin: String = text.chars().take(60).collect();
    ConfinedFailure::Source {
        what: format!("`{begin}…` is too long for the path of a file"),
        hint: Some("submit fewer folders within each other, with shorter names".to_owned()),
    }
}

/// Bytes of all files below a folder, as far as they are readable, because it may change meanwhile.
/// Only one folder is open at a time, at any depth.
fn size(folder: &Path) -> u64 {
    let (mut folders, mut bytes) = (vec![folder.to_owned()], 0_u64);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => folders.push(entry.path()),
                Ok(found) => bytes = bytes.saturating_add(found.len()),
                Err(_) => {}
            }
            if bytes > LARGEST_FOLDER {
                return bytes;
            }
        }
    }
    bytes
}

/// Copies a folder recursively; it contains no links.
pub(super) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

impl Confined {
    /// Starts a worker, sends it the task, and reads its reply.
    pub(super) fn ask(
        &self,
        place: &BuildFolder,
        task: &Task,
        toolchain: &Toolchain,
    ) -> Result<ChildReply, ConfinedFailure> {
        let failed = |error: std::io::Error| ConfinedFailure::Machine {
            what: format!("cannot run the judge's own worker: {error}"),
            hint: None,
        };
        let line = serde_json::to_string(task).map_err(|error| failed(error.into()))?;
        let mut running = Running::start(&mut self.command(place, toolchain)).map_err(failed)?;
        if let Some(mut input) = running.child.stdin.take() {
            // The exit status says why a worker has ended already.
            let _ = writeln!(input, "{line}");
        }
        let group = running.child.id();
        let answer = self.wait(&listen(&mut running.child), group, place);
        // This includes all its children, because none can leave its group.
        let status = running.kill().map_err(failed)?;
        Ok(answer
            .map_or_else(|why| why, |bytes| read(&bytes).unwrap_or_else(|| without_answer(status))))
    }

    /// Waits for the worker's output; on a timeout, too many files or a build that only waits,
    /// returns the reason to stop it.
    fn wait(
        &self,
        answers: &Receiver<Vec<u8>>,
        group: u32,
        place: &BuildFolder,
    ) -> Result<Vec<u8>, ChildReply> {
        let (begun, longest) =
            (Instant::now(), Duration::from_secs(LONGEST_WAIT.min(self.seconds)));
        let mut watch = IdleWatch::new(group, longest);
        let patience = Duration::from_secs(self.seconds * PATIENCE);
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            match answers.recv_timeout(left.min(COUNTED)) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
                Err(_) => return Err(ChildReply::Stopped),
            }
            if size(place.path()) > LARGEST_FOLDER {
                return Err(ChildReply::TooLarge);
            }
            if watch.is_idle() {
                return Err(ChildReply::Waited);
            }
        }
    }

    fn command(&self, place: &BuildFolder, toolchain: &Toolchain) -> Command {
        let own = |name: &str| place.path().join(name);
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().current_dir(own("source"));
        command.env("HOME", own("home")).env("TMPDIR", own("tmp")).env("LANG", "C.UTF-8");
        command.env("GOCACHE", own("cache/go")).env("GOPATH", own("home/go"));
        command.env("PATH", own("bin")).envs(toolchain.variables.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// Reads the worker's output, up to the largest reply.
fn listen(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let most = (LARGEST_HEAD + LARGEST_MODULE) as u64;
            let _ = output.take(most).read_to_end(&mut bytes);
            // After a timeout the receiver is gone.
            let _ = sender.send(bytes);
        });
    }
    receiver
}

fn read(bytes: &[u8]) -> Option<ChildReply> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let answer = serde_json::from_slice(&bytes[..end]).ok()?;
    match answer {
        // A shorter module comes from a worker that was killed while it wrote.
        ChildReply::Built { bytes: announced, .. } => {
            let module = bytes[end + 1..].to_vec();
            (module.len() == announced).then_some(ChildReply::Built { bytes: announced, module })
        }
        answer => Some(answer),
    }
}

/// A worker that ended by a signal without a reply used up its time or memory, or was killed from
/// outside. Any other end is a failure.
#[cfg(unix)]
fn without_answer(status: ExitStatus) -> ChildReply {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;

    let signal = |signal: Signal| Some(signal.as_raw());
    match status.signal() {
        ended if ended == signal(Signal::XCPU) => ChildReply::TooLong,
        ended if ended == signal(Signal::KILL) => {
            ChildReply::Interrupted { what: "the worker that builds was killed".to_owned() }
        }
        Some(_) => ChildReply::BrokeDown,
        None => exited(),
    }
}

#[cfg(not(unix))]
fn without_answer(_status: ExitStatus) -> ChildReply {
    exited()
}

fn exited() -> ChildReply {
    ChildReply::Machine { what: "the build worker exited without an answer".to_owned(), hint: None }
}

/// The folders of source and cache in a build's folder.
pub(super) fn parts(folder: &Path) -> [PathBuf; 2] {
    ["source", "cache"].map(|name| folder.join(name))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The reply if the worker is this shell script.
    fn asked(script: &str) -> ChildReply {
        let folder = tempfile::tempdir().expect("a folder");
        let confined = Confined {
            program: "/bin/sh".into(),
            arguments: ["-c", script].map(Into::into).into(),
            walls: false,
            seconds: 60,
            cache: crate::Cache::at(folder.path()),
            known: std::sync::Mutex::default(),
        };
        let (staged, mut toolchain) = (Staged::default(), Toolchain::of_the_system());
        toolchain.programs.clear();
        let place = BuildFolder::new(&staged, &toolchain).expect("a place");
        let task = confined.task(&place, &staged, &toolchain);
        confined.ask(&place, &task, &toolchain).expect("asked")
    }

    #[test]
    fn a_build_that_fills_the_disk_is_stopped() {
        // Sets only their lengths, without writing.
        let write = |size: &str, seconds: u64| {
            let each = format!("for n in 1 2 3 4 5 6 7 8 9; do truncate -s {size} deep/$n; done");
            asked(&format!("PATH=/usr/bin:/bin; mkdir deep; {each}; sleep {seconds}"))
        };
        let answer = write("128M", 100);
        assert!(matches!(answer, ChildReply::TooLarge), "{answer:?}");
        let answer = write("100M", 1);
        assert!(matches!(answer, ChildReply::Machine { .. }), "{answer:?}");
    }

    #[test]
    fn an_incomplete_module_is_a_judge_error() {
        let built = |bytes: usize| {
            let announced = serde_json::json!({"Built": {"bytes": bytes}});
            asked(&format!("echo '{announced}'; printf wasm"))
        };
        assert!(matches!(built(4), ChildReply::Built { module, .. } if module == b"wasm"));
        assert!(matches!(built(5), ChildReply::Machine { .. }), "cut off");
        assert!(matches!(asked("exit 101"), ChildReply::Machine { .. }), "a panic");
        assert!(matches!(asked("kill -ABRT $$"), ChildReply::BrokeDown), "no memory");
        assert!(matches!(asked("kill -KILL $$"), ChildReply::Interrupted { .. }));
    }
}
