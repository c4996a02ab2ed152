//! Temporary files of students: other users cannot open them, and none outlives the judge.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::course::ConfinedCourse;
use crate::support::{Ran, judge};

/// A source that keeps its compiler busy until it is stopped.
fn slow() -> String {
    let macros: String = (1..40).map(|n| format!("#define A{n} A{0} A{0}\n", n - 1)).collect();
    format!("#define A0 x;\n{macros}int x; int main(void) {{ A39 }}\n")
}

/// A judge that builds the source, in several ways.
fn start(course: &ConfinedCourse, temporary: &Path, how: &str) -> Child {
    let mut command = judge();
    command.env("TMPDIR", temporary).env("JUDGE_CACHE", course.path().join("cache"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let folder = course.path().join("in");
    match how {
        "course" => command.arg("grade").arg(course.path().join("all.zip")).arg("--build"),
        "single" => command.arg("grade").arg(folder.join("slow.c")).arg("--build"),
        "play" => command.arg("play").arg(folder.join("slow.c")),
        "watch" => command.arg("watch").arg(folder.join("slow.c")),
        _ => command.arg("build").arg(folder.join("slow.c")),
    };
    match how {
        "course" | "single" => command.arg("--suite").arg(course.path().join("suite")),
        "play" | "build" => command.args(["--game", "mahjong"]),
        _ => command.args(["--suite", "mahjong"]),
    };
    if how == "course" {
        command.arg("--out").arg(course.path().join("out"));
    }
    command.spawn().unwrap()
}

fn slow_course() -> ConfinedCourse {
    let course = ConfinedCourse::new();
    course.add("slow.c", slow());
    let file = std::fs::File::create(course.path().join("all.zip")).unwrap();
    let mut zip = zip::ZipWriter::new(file);
    zip.start_file("in/slow.c", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut zip, slow().as_bytes()).unwrap();
    zip.finish().unwrap();
    course
}

/// Number of live processes with the folder in their arguments.
fn processes(folder: &Path) -> usize {
    let folder = folder.display().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&folder)).count()
}

/// True if no process with the folder in its arguments remains. A killed process is listed until the
/// system has run it for the last time.
fn end_soon(folder: &Path) -> bool {
    let until = Instant::now() + Duration::from_secs(10);
    while processes(folder) > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    processes(folder) == 0
}

/// Waits until a compiler works on the source in a temporary folder.
fn is_compiling(child: &mut Child, temporary: &Path) -> PathBuf {
    loop {
        assert!(child.try_wait().unwrap().is_none(), "it ended before its compiler began");
        let entries = std::fs::read_dir(temporary).unwrap().flatten();
        let own = entries.map(|entry| entry.path()).find(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("judge-tmp-"))
        });
        if let Some(own) = own.filter(|own| processes(own) > 0) {
            return own;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// After any signal that ends the judge, neither files nor compilers remain.
pub(crate) fn nothing_is_left() {
    let signals = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT].into_iter().cycle();
    for (how, signal) in std::iter::zip(["course", "single", "play", "watch", "build"], signals) {
        let course = slow_course();
        let temporary = tempfile::tempdir_in(course.path()).unwrap();
        let mut child = start(&course, temporary.path(), how);
        let own = is_compiling(&mut child, temporary.path());
        assert_eq!(own.metadata().unwrap().mode() & 0o777, 0o700, "{how}");
        send(&child, signal);
        let status = child.wait().unwrap();
        let ended = std::os::unix::process::ExitStatusExt::signal(&status);
        assert_eq!(ended, Some(signal.as_raw()), "{how} ends as any program");
        assert!(is_empty(temporary.path()), "{how}, {signal:?}: {own:?} is left");
        assert!(end_soon(&own), "{how}: a compiler still runs");
    }
}

/// A judge that is killed by force cannot clean up, so the next one does.
pub(crate) fn is_cleared_later() {
    let course = slow_course();
    let temporary = tempfile::tempdir_in(course.path()).unwrap();
    let mut child = start(&course, temporary.path(), "build");
    let own = is_compiling(&mut child, temporary.path());
    let mut other = start(&course, temporary.path(), "single");
    while std::fs::read_dir(temporary.path()).unwrap().count() < 2 {
        assert!(other.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    assert!(own.is_dir(), "a folder in use stays");
    send(&child, Signal::KILL);
    child.wait().unwrap();
    assert!(own.is_dir());
    course.add("bot.c", crate::course::SOUND[0].2);
    let mut next = judge();
    next.env("TMPDIR", temporary.path()).env("JUDGE_CACHE", course.path().join("cache"));
    let ran = Ran::from(next.arg("build").arg(course.path().join("in/bot.c")).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!own.exists(), "the folder of the dead process is gone");
    assert!(!is_empty(temporary.path()), "that of the other one is not");
    send(&other, Signal::TERM);
    other.wait().unwrap();
    assert!(is_empty(temporary.path()));
}
