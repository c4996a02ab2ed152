//! Private temporary folders for files of other users. They disappear with the process that created
//! them, however it ends.
//!
//! All folders of a process are in one folder with a lock. A signal handler clears it ([`clear`]).
//! After a forced kill its lock is free, and the next process removes it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

#[cfg(unix)]
use crate::bounds;

/// Start of the name of a process's folder.
const PREFIX: &str = "judge-tmp-";

/// Start of that name before its lock is held.
const UNLOCKED: &str = "judge-new-";

/// Name of the lock.
const LOCK: &str = "lock";

/// Folder of one task, removed on drop.
#[derive(Debug)]
pub struct Scratch {
    // The order of fields is the order of drops.
    folder: tempfile::TempDir,
    _root: Arc<Root>,
}

/// The folder of this process.
#[derive(Debug)]
struct Root {
    path: PathBuf,
    _lock: File,
}

struct ScratchState {
    root: Weak<Root>,
    /// Started process groups that have not ended.
    groups: BTreeSet<u32>,
    /// True after [`clear`]: nothing new may start.
    ended: bool,
}

static STATE: Mutex<ScratchState> =
    Mutex::new(ScratchState { root: Weak::new(), groups: BTreeSet::new(), ended: false });

fn state() -> MutexGuard<'static, ScratchState> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Scratch {
    /// Creates an empty folder with this prefix in its name.
    ///
    /// # Errors
    /// When it cannot be created, or the process is about to end.
    pub fn new(prefix: &str) -> io::Result<Scratch> {
        let mut state = state();
        if state.ended {
            drop(state);
            await_end();
            return Err(io::ErrorKind::Interrupted.into());
        }
        let root = match state.root.upgrade() {
            Some(root) => root,
            None => {
                let base = std::env::temp_dir().canonicalize()?;
                remove_stale(&base);
                let root = Arc::new(Root::new(&base)?);
                state.root = Arc::downgrade(&root);
                root
            }
        };
        let folder = private().prefix(prefix).tempdir_in(&root.path)?;
        Ok(Scratch { folder, _root: root })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Root {
    /// The folder gets its final name after the lock, so that no other process takes it for a stale
    /// one.
    fn new(base: &Path) -> io::Result<Root> {
        let folder = private().prefix(UNLOCKED).tempdir_in(base)?;
        let lock = File::create_new(folder.path().join(LOCK))?;
        lock.lock()?;
        if cfg!(not(unix)) {
            // Windows cannot rename a folder with an open file in it.
            return Ok(Root { path: folder.keep(), _lock: lock });
        }
        let name = folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = base.join(name.replacen(UNLOCKED, PREFIX, 1));
        std::fs::rename(folder.path(), &path)?;
        let _ = folder.keep();
        Ok(Root { path, _lock: lock })
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // After a failure, the next process removes it.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Builder of folders that only their owner can open from the start.
fn private() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "there are no such permissions"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder
}

/// Removes the folders of the user's killed processes.
#[cfg(unix)]
fn remove_stale(base: &Path) {
    use std::os::unix::fs::MetadataExt as _;

    let own = rustix::process::getuid().as_raw();
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // Check the entry itself: a link is not a folder.
        let is_own = entry
            .metadata()
            .is_ok_and(|found| found.is_dir() && found.uid() == own && found.mode() & 0o077 == 0);
        if is_own && is_unlocked(&entry.path().join(LOCK)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(not(unix))]
fn remove_stale(_base: &Path) {}

/// True if no process holds the lock. The lock is the first file in the folder and may be the first
/// one removed.
#[cfg(unix)]
fn is_unlocked(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => file.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// A program in a separate process group, which ends with this process.
#[derive(Debug)]
pub struct Running {
    /// The program.
    pub child: Child,
    ended: bool,
    #[cfg(unix)]
    guard: Option<Child>,
}

impl Running {
    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot start, or this process is about to end.
    pub fn start(command: &mut Command) -> io::Result<Running> {
        // Programs of a confined build stay in its group, which ends as a whole.
        #[cfg(unix)]
        if !bounds::were_lowered() {
            std::os::unix::process::CommandExt::process_group(command, 0);
        }
        let mut state = state();
        if state.ended {
            drop(state);
            await_end();
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.spawn()?;
        state.groups.insert(child.id());
        Ok(Running {
            #[cfg(unix)]
            guard: if bounds::were_lowered() { None } else { guard(child.id()).ok() },
            child,
            ended: false,
        })
    }

    /// Ends the guard of the group. Until then the group's number is not used again.
    fn end_guard(&mut self) {
        #[cfg(unix)]
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }

    /// The exit status, if it has ended.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        // After the wait, another process may have its id.
        let mut state = state();
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.ended = true;
            self.end_guard();
            state.groups.remove(&self.child.id());
        }
        if state.ended {
            drop(state);
            await_end();
        }
        Ok(status)
    }

    /// True if it has ended. It keeps its process id until [`Running::kill`].
    ///
    /// # Errors
    /// When the system does not report it.
    #[cfg(unix)]
    pub fn has_ended(&mut self) -> io::Result<bool> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let Some(id) = id.filter(|_| !self.ended) else { return Ok(true) };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(id), look)?.is_some())
    }

    /// True if it has ended.
    ///
    /// # Errors
    /// When the system does not report it.
    #[cfg(not(unix))]
    pub fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.try_wait()?.is_some())
    }

    /// Kills the program and its process group, and waits for it.
    ///
    /// # Errors
    /// When the system does not report its end.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        let mut state = state();
        if !self.ended {
            kill_group(self.child.id());
            let _ = self.child.kill();
            self.ended = true;
        }
        let status = self.child.wait();
        self.end_guard();
        state.groups.remove(&self.child.id());
        status
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            let _ = self.kill();
        }
    }
}

/// A shell in the group of this program. When this process dies, even by a signal that cannot be
/// caught, the system closes the shell's input, and the shell kills the group.
#[cfg(unix)]
fn guard(leader: u32) -> io::Result<Child> {
    use std::os::unix::process::CommandExt as _;
    use std::process::Stdio;

    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r line; kill -KILL 0"]).env_clear().current_dir("/");
    shell.process_group(i32::try_from(leader).map_err(io::Error::other)?);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};

    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// Waits for the end of this process, which a signal has announced: a compiler that was killed for it
/// has not failed.
fn await_end() {
    std::thread::sleep(Duration::from_secs(10));
}

/// Ends all builds of this process and removes its temporary folders, before a signal ends it. No
/// build can start afterwards.
pub fn clear() {
    let mut state = state();
    state.ended = true;
    std::mem::take(&mut state.groups).into_iter().for_each(kill_group);
    if let Some(root) = state.root.upgrade() {
        // A program that is ending may still create a file.
        let gone = || std::fs::remove_dir_all(&root.path).is_ok() || !root.path.exists();
        let _ = (0..20).any(|_| {
            gone() || {
                std::thread::sleep(Duration::from_millis(5));
                false
            }
        });
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn only_the_owner_can_open_a_folder() {
        let scratch = Scratch::new("x-").expect("created");
        let root = scratch.path().parent().expect("in the folder of the process").to_owned();
        for folder in [scratch.path(), &root] {
            let mode = folder.metadata().expect("there").mode();
            assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
        }
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn a_group_ends_with_the_process_that_started_it() {
        use std::os::unix::process::ExitStatusExt as _;

        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 600 & echo $!; wait"]).stdout(std::process::Stdio::piped());
        let mut running = Running::start(&mut command).expect("started");
        let mut output = io::BufReader::new(running.child.stdout.take().expect("piped"));
        let mut line = String::new();
        io::BufRead::read_line(&mut output, &mut line).expect("read");
        assert!(line.trim().parse::<u32>().is_ok(), "{line}");
        // The system closes it when the process dies.
        drop(running.guard.as_mut().expect("guarded").stdin.take());
        let status = running.child.wait().expect("waited");
        assert_eq!(status.signal(), Some(9));
        // The child of the program holds the other end.
        assert_eq!(io::Read::read(&mut output, &mut [0]).expect("read"), 0);
    }

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let base = tempfile::tempdir().expect("a folder");
        let alive = Root::new(base.path()).expect("created");
        let dead = base.path().join(format!("{PREFIX}dead"));
        std::fs::create_dir_all(dead.join("build/source")).expect("made");
        std::fs::write(dead.join(LOCK), "").expect("written");
        std::fs::set_permissions(&dead, std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .expect("set");
        let target = base.path().join("kept");
        std::fs::create_dir(&target).expect("made");
        let link = base.path().join(format!("{PREFIX}link"));
        std::os::unix::fs::symlink(&target, &link).expect("linked");
        let open = base.path().join(format!("{PREFIX}open"));
        std::fs::create_dir(&open).expect("made");
        std::fs::set_permissions(&open, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("set");
        remove_stale(base.path());
        assert!(!dead.exists());
        assert!(alive.path.is_dir() && target.is_dir() && link.exists() && open.is_dir());
        let path = alive.path.clone();
        drop(alive);
        assert!(!path.exists());
    }
}
