//! `judge grade --watch` as a real process: submissions arrive, change and disappear.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{judge, run, sample, write};

/// Far longer than any step here on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// A judge that watches a folder.
struct Watching {
    folder: tempfile::TempDir,
    child: Child,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    fn begin() -> Watching {
        Watching::with_readme(Stdio::null())
    }

    /// A watch of a folder with only a readme.
    fn with_readme(stderr: Stdio) -> Watching {
        let folder = Watching::folder();
        write(&folder.path().join("in"), "readme.txt", "soon");
        Watching::start(folder, ["--suite", "suite"], Stdio::null(), stderr)
    }

    /// A watch of a course with the suites `one` and `two`, still without submissions.
    fn several_suites() -> Watching {
        let folder = Watching::folder();
        let suite = |name: &str| format!("[[suite]]\nname = \"{name}\"\npath = \"./suite\"\n");
        let course = format!("title = \"x\"\n{}{}", suite("one"), suite("two"));
        write(folder.path(), "course.toml", &course);
        Watching::start(folder, ["--course", "course.toml"], Stdio::piped(), Stdio::piped())
    }

    /// A folder with a suite and a folder for submissions.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["in", "suite"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        write(&folder.path().join("suite"), "suite.toml", "title = \"x\"\n");
        let testcase = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                        min_score = -1\npoints = 10\n[options]\nsize = 6\n";
        write(&folder.path().join("suite"), "01.toml", testcase);
        folder
    }

    fn start(
        folder: tempfile::TempDir,
        [option, file]: [&str; 2],
        stdout: Stdio,
        stderr: Stdio,
    ) -> Watching {
        let [submissions, file, out] = ["in", file, "out"].map(|name| folder.path().join(name));
        let mut command = judge();
        command.arg("grade").arg(submissions).arg(option).arg(file).arg("--out").arg(out);
        let child = command.arg("--watch").stdout(stdout).stderr(stderr).spawn().unwrap();
        Watching { folder, child }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Submits a bot in pieces, like an upload.
    fn submit(&self, name: &str, bot: &str) {
        let module = std::fs::read(sample(bot)).unwrap();
        let path = self.path("in").join(name);
        std::fs::write(&path, &module[..module.len() / 2]).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        std::fs::write(&path, &module).unwrap();
    }

    /// The mark sheet as soon as `wanted` holds.
    fn until(&mut self, wanted: &dyn Fn(&str) -> bool) -> String {
        let end = Instant::now() + LONG;
        loop {
            let sheet = std::fs::read_to_string(self.path("out/marks.csv")).unwrap_or_default();
            if wanted(&sheet) {
                return sheet;
            }
            assert!(self.child.try_wait().unwrap().is_none(), "it has ended: {sheet}");
            assert!(Instant::now() < end, "not so: {sheet}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Number of rounds in a journal.
fn rounds(journal: &Path) -> usize {
    let text = std::fs::read_to_string(journal).unwrap();
    text.lines().filter(|line| line.starts_with("{\"entry\":{\"round\"")).count()
}

#[test]
fn submissions_are_graded_once_as_they_arrive() {
    let mut watching = Watching::begin();
    watching.submit("ada.wasm", "cc-runner");
    watching.until(&|sheet| sheet.contains("ada,,ada.wasm,10,10,"));
    watching.submit("bob.wasm", "cc-flood");
    watching.until(&|sheet| sheet.contains("bob,,bob.wasm,10,10,"));
    assert_eq!(rounds(&watching.path("out/journal.jsonl")), 4);
    watching.submit("ada.wasm", "mahjong-distance");
    watching.until(&|sheet| sheet.contains("ada,,ada.wasm,0,10,"));
    std::fs::remove_file(watching.path("in/bob.wasm")).unwrap();
    watching.until(&|sheet| sheet.contains("ada") && !sheet.contains("bob"));
    // The scoreboard is the last file that is written.
    let end = Instant::now() + LONG;
    let scoreboard = watching.path("out/scoreboard.html");
    while std::fs::read_to_string(&scoreboard).unwrap().contains("bob") {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(50));
    }
    let renews = |name: &str| {
        let page = std::fs::read_to_string(watching.path(name)).unwrap();
        page.contains("<meta http-equiv=\"refresh\"")
    };
    assert!(renews("out/scoreboard.html") && renews("out/students/ada.html"));
    assert!(!watching.path("out/students/bob.html").exists());
    let [submissions, suite, out] =
        ["in", "suite", "out"].map(|name| watching.path(name).display().to_string());
    watching.child.kill().unwrap();
    watching.child.wait().unwrap();
    let ran = run(["grade", &submissions, "--suite", &suite, "--out", &out, "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(watching.path("out/scoreboard.html")).unwrap();
    assert!(!page.contains("http-equiv=\"refresh\""), "an ordinary run leaves ordinary pages");
}

#[test]
fn a_course_watch_without_submissions_or_out_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let input = folder.path().join("none").display().to_string();
    let ran = run(["grade", &input, "--suite", "cc", "--out", &out, "--watch"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(run(["grade", &input, "--suite", "cc", "--watch"]).code, 2, "without `--out`");
}

/// Reads on to a line with that text.
fn line_with(lines: &mut dyn Iterator<Item = String>, wanted: &str) -> String {
    let mut before = Vec::new();
    for line in lines {
        if line.contains(wanted) {
            return line;
        }
        before.push(line);
    }
    panic!("it has ended without `{wanted}`: {before:?}");
}

#[test]
fn a_watch_waits_for_a_submission_and_reports_suite_changes() {
    let mut watching = Watching::with_readme(Stdio::piped());
    let stderr = watching.child.stderr.take().unwrap();
    let mut lines = BufReader::new(stderr).lines().map(Result::unwrap);
    let waiting = line_with(&mut lines, "waiting for the first submission");
    assert!(waiting.contains("readme.txt"), "{waiting}");
    watching.submit("ada.wasm", "cc-runner");
    watching.until(&|sheet| sheet.contains("ada,,ada.wasm,10,10,"));
    for [from, to] in [["-1", "100"], ["100", "-1"], ["-1", "100"]] {
        let path = watching.path("suite/01.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let [old, new] = [from, to].map(|score| format!("min_score = {score}\n"));
        std::fs::write(&path, text.replace(&old, &new)).unwrap();
        let points = if to == "100" { "0" } else { "10" };
        watching.until(&|sheet| sheet.contains(&format!("ada,,ada.wasm,{points},10,")));
    }
    watching.submit("bob.wasm", "cc-runner");
    watching.until(&|sheet| sheet.contains("bob,,bob.wasm,0,10,"));
    watching.child.kill().unwrap();
    let rest: Vec<String> = lines.collect();
    let told = |line: &&String| line.contains("resuming") || line.contains("scored again");
    let told: Vec<&str> = rest.iter().filter(told).map(String::as_str).collect();
    let change = |[from, to]: [&str; 2]| {
        format!("note: `01.toml`: `min_score` {from} -> {to} (scored again)")
    };
    assert_eq!(told, [["-1", "100"], ["100", "-1"], ["-1", "100"]].map(change));
}

#[test]
fn a_file_that_keeps_changing_does_not_delay_other_submissions() {
    let mut watching = Watching::begin();
    let [growing, stop] = ["in/growing.log", "stop"].map(|name| watching.path(name));
    let end = stop.clone();
    let writer = std::thread::spawn(move || {
        for number in 0_u64.. {
            if end.exists() {
                return;
            }
            // First written under a hidden name in its folder, like by many programs.
            let hidden = growing.with_file_name(".growing");
            std::fs::write(&hidden, number.to_string()).unwrap();
            std::fs::rename(&hidden, &growing).unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    watching.submit("ada.wasm", "cc-runner");
    watching.until(&|sheet| sheet.contains("ada,,ada.wasm,10,10,"));
    watching.submit("bob.wasm", "cc-flood");
    watching.until(&|sheet| sheet.contains("bob,,bob.wasm,10,10,"));
    std::fs::write(&stop, "").unwrap();
    writer.join().unwrap();
}

#[test]
fn a_course_of_several_suites_is_graded_as_its_submissions_arrive() {
    let mut watching = Watching::several_suites();
    let [stdout, stderr] = [
        Box::new(watching.child.stdout.take().unwrap()) as Box<dyn std::io::Read + Send>,
        Box::new(watching.child.stderr.take().unwrap()),
    ];
    let [mut news, mut notes] =
        [stdout, stderr].map(|pipe| BufReader::new(pipe).lines().map(Result::unwrap));
    line_with(&mut notes, "no suite has submissions yet: one, two");
    std::fs::create_dir(watching.path("in/one")).unwrap();
    watching.submit("one/ada.wasm", "cc-runner");
    watching.until(&|sheet| sheet.contains("ada,,10,10,1,10,10,10,Accepted,,,,,"));
    std::fs::create_dir(watching.path("in/two")).unwrap();
    watching.submit("two/ada.wasm", "mahjong-distance");
    watching.until(&|sheet| sheet.contains("ada,,10,20,1,10,10,10,Accepted,0,10,0,"));
    line_with(&mut news, "`two`: ada: 0 of 10 points");
    assert_eq!(rounds(&watching.path("out/one/journal.jsonl")), 2, "nothing is played twice");
    // A mistake in the file of the course is reported with its place, and can be corrected.
    let path = watching.path("course.toml");
    let course = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{course}weight\n")).unwrap();
    let warning = line_with(&mut notes, "not graded");
    assert!(warning.contains("course.toml:8:"), "{warning}");
    std::fs::write(&path, course.replace("path =", "weight = 5\npath =")).unwrap();
    watching.until(&|sheet| sheet.contains("ada,,5,10,1,10,10,5,Accepted,0,10,0,"));
    std::fs::remove_file(watching.path("in/one/ada.wasm")).unwrap();
    watching.submit("one/bob.wasm", "cc-runner");
    line_with(&mut news, "`one`: ada: gone");
    let page = std::fs::read_to_string(watching.path("out/scoreboard.html")).unwrap();
    assert!(page.contains("<meta http-equiv=\"refresh\""));
}
