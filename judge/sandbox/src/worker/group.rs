//! Control groups of Linux (version 2). In them the kernel limits the memory and processes of each
//! worker, including its children. They need a group that the system has delegated to this program,
//! as systemd does with `Delegate=yes`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Memory limit of a worker's group, in bytes: half as much again as the worker's own limit, so
/// that a bot that gets a verdict never reaches this limit.
const MEMORY: u64 = 1536 << 20;

/// Limit on the processes and threads of a worker. It needs only a few.
const PROCESSES: u64 = 64;

/// Group that the program itself moves to: a group that contains others must have no processes.
const OWN: &str = "judge";

/// Prefix of the names of workers' groups.
const WORKER: &str = "worker-";

/// Longest wait for an ended process to leave its group, in milliseconds.
const EMPTY_MS: u32 = 2000;

/// The group that was delegated to this program; workers get groups inside it.
#[derive(Debug)]
pub struct ControlGroup {
    folder: PathBuf,
    next: AtomicU64,
}

/// The reason why there is no group for workers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no control group: {0}")]
pub struct NoGroup(String);

impl ControlGroup {
    /// Takes over the current group of this process, if it was delegated.
    ///
    /// # Errors
    /// When it was not delegated, or the system has no control groups.
    pub fn of_this_process() -> Result<ControlGroup, NoGroup> {
        let read = |path: &str| fs::read_to_string(path).map_err(|error| failed(path, &error));
        let (mounts, groups) = (read("/proc/self/mountinfo")?, read("/proc/self/cgroup")?);
        ControlGroup::take(own_folder(&mounts, &groups)?)
    }

    /// Takes over the group in `folder`. This process must be its only one.
    fn take(folder: PathBuf) -> Result<ControlGroup, NoGroup> {
        let told = |name: &str, error: io::Error| failed(folder.join(name).display(), &error);
        let name = "cgroup.controllers";
        let known = fs::read_to_string(folder.join(name)).map_err(|error| told(name, error))?;
        for needed in ["memory", "pids"] {
            if !known.split_whitespace().any(|one| one == needed) {
                return Err(NoGroup(format!("it has no control over `{needed}`")));
            }
        }
        sweep(&folder);
        let own = folder.join(OWN);
        make(&own).map_err(|error| told(OWN, error))?;
        let process = std::process::id().to_string();
        write(&own, "cgroup.procs", &process).map_err(|error| told("cgroup.procs", error))?;
        let name = "cgroup.subtree_control";
        write(&folder, name, "+memory +pids").map_err(|error| told(name, error))?;
        Ok(ControlGroup { folder, next: AtomicU64::new(0) })
    }

    /// Moves a process into a separate group, before it sees any submitted code.
    pub(super) fn enter(&self, process: u32) -> io::Result<Membership> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("{WORKER}{number}"));
        make(&folder)?;
        let member = Membership { folder };
        write(&member.folder, "memory.max", &MEMORY.to_string())?;
        write(&member.folder, "pids.max", &PROCESSES.to_string())?;
        // Some kernels lack some of these files, so failures are ignored.
        let _ = write(&member.folder, "memory.swap.max", "0");
        let _ = write(&member.folder, "memory.oom.group", "1");
        write(&member.folder, "cgroup.procs", &process.to_string())?;
        Ok(member)
    }
}

/// A worker's group, removed after its process has ended.
#[derive(Debug)]
pub(super) struct Membership {
    folder: PathBuf,
}

impl Drop for Membership {
    /// The process has already ended; the kernel may need a moment to notice.
    fn drop(&mut self) {
        for _ in 0..EMPTY_MS {
            match fs::remove_dir(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // The next start removes a remaining group.
                _ => return,
            }
        }
    }
}

fn failed(what: impl std::fmt::Display, error: &io::Error) -> NoGroup {
    NoGroup(format!("`{what}`: {error}"))
}

fn make(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Writes to a control file with a single write, as the kernel requires.
fn write(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    fs::write(folder.join(name), text)
}

/// Removes worker groups that a killed program left.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(WORKER) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Folder of this process's group, from the texts in `/proc` about mounts and groups.
fn own_folder(mounts: &str, groups: &str) -> Result<PathBuf, NoGroup> {
    let mount = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        (kind.split(' ').next() == Some("cgroup2")).then(|| place.split(' ').nth(4))?
    });
    let mount = mount.ok_or_else(|| NoGroup("version 2 is not mounted".to_owned()))?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"));
    match own.map(|own| own.trim_start_matches('/').trim_end_matches(&format!("/{OWN}"))) {
        None | Some("" | OWN) => Err(NoGroup("this program is not in one".to_owned())),
        Some(own) => Ok(Path::new(mount).join(own)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
        36 25 0:31 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_own_control_group_is_found_even_after_a_move() {
        let found = |groups: &str| own_folder(MOUNTS, groups);
        let folder = PathBuf::from("/sys/fs/cgroup/system.slice/judge-server.service");
        for ending in ["", "/judge"] {
            let line = format!("5:memory:/\n0::/system.slice/judge-server.service{ending}\n");
            assert_eq!(found(&line), Ok(folder.clone()), "{line}");
        }
        for none in ["0::/\n", "0::/judge\n", "5:memory:/x\n", ""] {
            assert!(found(none).is_err(), "{none}");
        }
        let old = MOUNTS.lines().next().expect("a line");
        let told = own_folder(old, "0::/x\n").expect_err("no version 2").to_string();
        assert_eq!(told, "no control group: version 2 is not mounted");
    }

    /// Ordinary folders and files instead of the kernel's.
    fn folder(controllers: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), "cgroup.controllers", controllers).expect("written");
        folder
    }

    #[test]
    fn a_worker_gets_bounds_before_it_is_in_its_group() {
        let place = folder("cpu memory pids\n");
        make(&place.path().join("worker-7")).expect("left by another");
        let group = ControlGroup::take(place.path().to_owned()).expect("it is ours");
        let text = |name: &str| fs::read_to_string(place.path().join(name)).expect(name);
        assert_eq!(text("judge/cgroup.procs"), std::process::id().to_string());
        assert_eq!(text("cgroup.subtree_control"), "+memory +pids");
        assert!(!place.path().join("worker-7").exists());
        let [first, second] = [group.enter(42), group.enter(43)].map(|one| one.expect("in"));
        assert_ne!(first.folder, second.folder);
        assert_eq!(text("worker-0/memory.max"), "1610612736");
        assert_eq!(text("worker-0/pids.max"), "64");
        assert_eq!(text("worker-1/cgroup.procs"), "43");
    }

    #[test]
    fn a_group_without_controllers_is_not_used() {
        let told = ControlGroup::take(folder("cpu io pids").path().to_owned()).expect_err("none");
        assert_eq!(told.to_string(), "no control group: it has no control over `memory`");
        assert!(ControlGroup::take("/nowhere".into()).is_err());
    }
}
