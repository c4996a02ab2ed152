//! Submissions and their names: no student replaces another one, and none delays the course.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::support::{Ran, judge, run, sample, write};

/// Longer than any step here, but not forever.
const LONG: Duration = Duration::from_secs(60);

struct SubmittedCourse(tempfile::TempDir);

impl SubmittedCourse {
    fn new() -> SubmittedCourse {
        let course = SubmittedCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        write(&course.path("suite"), "suite.toml", "title = \"x\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                    min_score = 1\npoints = 10\n";
        write(&course.path("suite"), "01.toml", case);
        course.submit("ada.wasm");
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn submit(&self, name: impl AsRef<OsStr>) {
        let path = self.path("in").join(name.as_ref());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(sample("mahjong-distance"), path).unwrap();
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let submissions = self.path("in").display().to_string();
        self.grade_these(&[&submissions], more)
    }

    fn grade_these(&self, paths: &[&str], more: &[&str]) -> Ran {
        let (suite, out) = (self.path("suite"), self.path("out"));
        let mut command = judge();
        command.arg("grade").args(paths).arg("--suite").arg(suite).arg("--out").arg(out);
        let begun = Instant::now();
        let ran = command.args(more).output().unwrap().into();
        assert!(begun.elapsed() < LONG, "it waited for something");
        ran
    }

    /// The mark sheet by submission's file.
    fn marks(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize().map(|row| row.unwrap());
        rows.map(|row: BTreeMap<String, String>| (row["report"].clone(), row)).collect()
    }

    fn row(&self, student: &str) -> BTreeMap<String, String> {
        let marks = self.marks();
        let row = marks.values().find(|row| row["student"] == student);
        row.unwrap_or_else(|| panic!("no `{student}` in {marks:?}")).clone()
    }

    /// Checks that the rest of the course is complete: each line has a report, and it is the one of
    /// the line's submission.
    fn is_whole(&self, submissions: usize) {
        let mut marks = self.marks();
        // A student without a module has no report.
        marks.remove("");
        assert_eq!(marks.len(), submissions, "{marks:?}");
        for (report, row) in marks {
            let path = self.path("out").join(&report);
            let text = std::fs::read_to_string(&path).unwrap();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            // Without readable input there is nothing to hash.
            let sha256 = json["bots"][0]["bot"]["sha256"].as_str().unwrap();
            let sha256 = if sha256 == judge_core::digest(b"").to_string() { "" } else { sha256 };
            assert_eq!(sha256, row["sha256"], "{report}");
            assert_eq!(json["bots"][0]["digest"], row["digest"], "{report}");
            assert!(path.with_extension("html").is_file(), "{report}");
        }
        assert!(self.path("out/scoreboard.html").is_file());
    }
}

/// Two names that would have the same report file name, because their hashes begin alike.
fn alike() -> [String; 2] {
    let mut seen = BTreeMap::new();
    for number in 0_u32.. {
        let bits = (0..24).map(|bit| if number >> bit & 1 == 1 { '+' } else { '!' });
        let name: String = bits.collect();
        let short = judge_core::digest(name.as_bytes()).short();
        if let Some(before) = seen.insert(short, name.clone()) {
            return [before, name];
        }
    }
    unreachable!("there are fewer short hashes than numbers")
}

#[test]
fn names_with_equal_short_hashes_keep_separate_reports() {
    let course = SubmittedCourse::new();
    let names = alike();
    for (name, bot) in std::iter::zip(&names, ["mahjong-distance", "cc-runner"]) {
        std::fs::copy(sample(bot), course.path("in").join(format!("{name}.wasm"))).unwrap();
    }
    let ran = course.grade(&["--pages", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    course.is_whole(3);
    assert_eq!(course.row("ada")["report"], "students/ada.json", "as it always was");
    // The same with parts, and for a resumed run.
    let before = course.marks();
    assert_eq!(course.grade(&["--resume"]).code, 0);
    assert_eq!(course.marks(), before);
    std::fs::rename(course.path("out"), course.path("whole")).unwrap();
    for shard in ["1/2", "2/2"] {
        assert_eq!(course.grade(&["--shard", shard]).code, 0);
        let part = course.path(&format!("part-{}", &shard[..1]));
        std::fs::rename(course.path("out"), part).unwrap();
    }
    let [one, two, out] =
        ["part-1", "part-2", "out"].map(|part| course.path(part).display().to_string());
    let merged = run(["merge", &one, &two, "--out", &out]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    assert_eq!(course.marks(), before);
    course.is_whole(3);
}

#[test]
fn two_submissions_with_one_name_are_both_graded() {
    let course = SubmittedCourse::new();
    course.submit("x.wasm");
    course.submit("x/bot.wasm");
    course.submit("y.WASM");
    course.submit("y.wasm");
    let bytes = |name: &[u8]| OsStr::from_bytes(name).to_owned();
    course.submit(bytes(b"z\xff.wasm"));
    course.submit(bytes(b"z\xfe.wasm"));
    let list = "submission,student\nx,Xaver\nada,Ada\n";
    let list = write(course.0.path(), "students.csv", list).display().to_string();
    let ran = course.grade(&["--students", &list]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("2 submissions are called `x`: `"), "{}", ran.stderr);
    for name in ["`x/`", "`x.wasm`", "`z\\xff.wasm`", "`y.WASM`", "; remove what"] {
        assert!(ran.stderr.contains(name), "`{name}` in {}", ran.stderr);
    }
    for name in ["x/", "x.wasm", "y.WASM", "y.wasm", "z\\xff.wasm", "z\\xfe.wasm", "Ada"] {
        assert_eq!(course.row(name)["points"], "10", "{name}");
    }
    assert_eq!(course.row("Xaver")["worst_verdict"], "No submission", "nobody knows which it is");
    std::fs::remove_file(course.path("in/x.wasm")).unwrap();
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.row("Xaver")["points"], "10");
    assert!(!course.marks().values().any(|row| row["student"] == "x/"));
}

#[test]
fn the_same_file_is_not_graded_twice() {
    let course = SubmittedCourse::new();
    let folder = course.path("in").display().to_string();
    let file = course.path("in/../in/ada.wasm").display().to_string();
    for paths in [[&folder, &folder], [&folder, &file]] {
        let ran = course.grade_these(&paths.map(String::as_str), &[]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("is named twice"), "{}", ran.stderr);
    }
}

#[test]
fn names_that_clash_on_some_systems_get_separate_files() {
    let course = SubmittedCourse::new();
    let long = "n".repeat(240);
    let names = ["Ada", "con", "CON.x", "nul.x", "aux.", "b ", "b.", "b", &long, "a:b", "PRN"];
    for name in names {
        course.submit(format!("{name}.wasm"));
    }
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    course.is_whole(names.len() + 1);
    let reports = course.marks();
    let files: Vec<String> = reports.keys().map(|path| path.to_lowercase()).collect();
    for file in &files {
        let stem = file.strip_prefix("students/").unwrap().split('.').next().unwrap();
        assert!(!["con", "nul", "aux", "prn"].contains(&stem), "{file}");
        assert!(!file.contains([' ', ':']) && !file.contains("..json"), "{file}");
        assert_eq!(files.iter().filter(|other| *other == file).count(), 1, "{file}");
    }
}

#[test]
fn links_and_devices_are_refused_and_the_course_continues() {
    let course = SubmittedCourse::new();
    let path = |name: &str| course.path("in").join(name);
    course.submit("real/bot.wasm");
    for (to, name) in [
        ("ada.wasm", "thief.wasm"),
        ("/dev/zero", "endless.wasm"),
        ("nowhere", "dangling.wasm"),
        ("loop.wasm", "loop.wasm"),
        ("real", "folder"),
        ("gone", "was-folder"),
        ("../suite/01.toml", "notes.txt"),
    ] {
        symlink(to, path(name)).unwrap();
    }
    let pipe = |path: &Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe(&path("pipe.wasm"));
    let _listener = std::os::unix::net::UnixListener::bind(path("socket.wasm")).unwrap();
    for folder in ["linked", "piped", "round"] {
        std::fs::create_dir(path(folder)).unwrap();
    }
    symlink("../ada.wasm", path("linked/bot.wasm")).unwrap();
    pipe(&path("piped/bot.wasm"));
    symlink(".", path("round/again")).unwrap();
    symlink("..", path("round/up.wasm")).unwrap();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let links = ["thief", "endless", "dangling", "loop", "folder", "was-folder", "linked", "round"];
    let others = ["pipe", "socket", "piped"];
    for (name, why) in (links.map(|name| (name, " is a link")).into_iter())
        .chain(others.map(|name| (name, "it is not a readable file")))
    {
        let row = course.row(name);
        assert_eq!((&*row["points"], &*row["worst_verdict"]), ("0", "Invalid module"), "{name}");
        let report = std::fs::read_to_string(course.path("out").join(&row["report"])).unwrap();
        assert!(report.contains(why), "{name}: {report}");
    }
    for name in ["ada", "real"] {
        assert_eq!(course.row(name)["points"], "10");
    }
    assert_eq!(course.row("notes")["worst_verdict"], "Not a module");
    course.is_whole(links.len() + others.len() + 2);
}

#[test]
fn a_linked_file_is_refused_and_a_linked_folder_is_accepted() {
    let course = SubmittedCourse::new();
    symlink("ada.wasm", course.path("in/eve.wasm")).unwrap();
    symlink("none", course.path("in/gone.wasm")).unwrap();
    symlink("in", course.path("current")).unwrap();
    // Like a shell expands `in/*.wasm`.
    let files =
        ["ada", "eve", "gone"].map(|name| course.path("in").join(name).with_extension("wasm"));
    let files = files.map(|path| path.display().to_string());
    let ran = course.grade_these(&files.each_ref().map(String::as_str), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let points = ["ada", "eve", "gone"].map(|name| course.row(name)["points"].clone());
    assert_eq!(points, ["10", "0", "0"]);
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let current = course.path("current").display().to_string();
    let ran = course.grade_these(&[&current], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.marks().len(), 3);
    // The user named the bot, so its link is followed.
    let linked = course.path("in/eve.wasm").display().to_string();
    let suite = course.path("suite").display().to_string();
    let ran = run(["grade", &linked, "--suite", &suite]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Panics if a terminal or a reader would misread the text.
fn is_harmless(what: &str, text: &str) {
    let stray = text.chars().find(|c| !"\n\t".contains(*c) && judge_core::steers(*c));
    assert_eq!(stray, None, "{what}: {text:?}");
}

#[test]
fn invisible_characters_in_names_are_shown_in_every_output() {
    let course = SubmittedCourse::new();
    let marks =
        "\u{61c}\u{ad}\u{200b}\u{202e}\u{2066}\u{2060}\u{feff}\u{fe0f}\u{e0041}\u{fff9}\u{2065}";
    course.submit(format!("bob{marks}.wasm"));
    course.submit(format!("cat{marks}.wasm"));
    course.submit(format!("cat{marks}/bot.wasm"));
    std::fs::write(course.path("in/ada.wasm"), "no module").unwrap();
    let list = format!("submission,student,id\nada,Ada{marks},{marks}\n");
    let list = write(course.0.path(), "students.csv", list).display().to_string();
    let case = std::fs::read_to_string(course.path("suite/01.toml")).unwrap();
    let case = case.replace("\"x\"", &format!("\"x{marks}\"")).replace("= 1\n", "= 9999\n");
    std::fs::write(course.path(&format!("suite/01{marks}.toml")), case).unwrap();
    let head = format!("title = \"x{marks}\"\n");
    std::fs::write(course.path("suite/suite.toml"), head).unwrap();
    let ran = course.grade(&["--students", &list, "--pages", "worst"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    is_harmless("stdout", &ran.stdout);
    is_harmless("stderr", &ran.stderr);
    let mut pages = 0;
    let mut folders = vec![course.path("out")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            is_harmless("a name", &path.file_name().unwrap().to_string_lossy());
            match path.extension().and_then(OsStr::to_str) {
                _ if path.is_dir() => folders.push(path),
                Some("html" | "csv") => {
                    is_harmless("a page", &std::fs::read_to_string(&path).unwrap());
                    pages += 1;
                }
                _ => {}
            }
        }
    }
    assert!(pages > 8, "{pages}");
    let out = course.path("out").display().to_string();
    let bot = course.path("in").join(format!("bob{marks}.wasm")).display().to_string();
    let suite = course.path("suite").display().to_string();
    for arguments in [
        &["scoreboard", &out][..],
        &["report", &out, "--to", "markdown"],
        &["report", &out, "--to", "junit"],
        &["report", &out, "--to", "csv"],
        &["grade", &bot, "--suite", &suite],
        &["grade", &bot, "--suite", &suite, "--report", "github"],
        &["calibrate", &bot, "--suite", &suite, "--rounds", "10"],
        &["play", &bot, "--seed", "1"],
        &["grade", &format!("none{marks}"), "--suite", &suite],
        &["grade", &bot, "--suite", &format!("none{marks}")],
        &["grade", &bot, "--suite", &format!("./none{marks}")],
        &["verify", &bot],
        &["merge", &bot, "--out", &bot],
    ] {
        let ran = run(arguments);
        is_harmless(arguments[0], &ran.stdout);
        is_harmless(arguments[0], &ran.stderr);
    }
    let broken = course.path("suite").join(format!("02{marks}.toml"));
    for text in ["", &format!("title = \"{marks}\"\n{marks} = 3\n")] {
        std::fs::write(&broken, text).unwrap();
        let ran = run(["grade", &bot, "--suite", &suite]);
        assert_eq!(ran.code, 3);
        is_harmless("a broken testcase", &ran.stderr);
    }
}
