//! Real-world inputs of a course: downloads in all their forms, lists with mistakes, folders in
//! unusual places.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use crate::support::{Ran, run, sample, says, write};

/// Paths and their content: a module for a path with its ending, otherwise a text.
type Files<'a> = &'a [(&'a str, &'a str)];

/// A course on a suite of one testcase of Mahjong.
struct SmallCourse(tempfile::TempDir);

impl SmallCourse {
    fn new(more: &str) -> SmallCourse {
        let course = SmallCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        write(&course.path("suite"), "suite.toml", "title = \"x\"\n");
        let case = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
             min_score = 1\npoints = 10\n{more}"
        );
        write(&course.path("suite"), "01.toml", case);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn put(&self, files: Files<'_>) {
        for (name, content) in files {
            let path = self.path("in").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes(name, content)).unwrap();
        }
    }

    /// Grades the folder `in`.
    fn grade(&self, more: &[&str]) -> Ran {
        self.grade_at("in", "out", more)
    }

    fn grade_at(&self, submissions: &str, out: &str, more: &[&str]) -> Ran {
        let [submissions, suite, out] = [submissions, "suite", out].map(|name| self.text(name));
        let fixed = ["grade", &submissions, "--suite", &suite, "--out", &out];
        run(fixed.iter().chain(more))
    }

    /// The argument for a list of students.
    fn list(&self, text: &str) -> [String; 2] {
        let path = write(self.0.path(), "students.csv", text);
        ["--students".to_owned(), path.display().to_string()]
    }

    fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// Columns of the mark sheet by student.
    fn marks<const N: usize>(&self, keys: [&str; N]) -> BTreeMap<String, [String; N]> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        rows.map(|row| (row["student"].clone(), keys.map(|key| row[key].clone()))).collect()
    }
}

fn bytes(name: &str, content: &str) -> Vec<u8> {
    match name.ends_with(".wasm") && !content.is_empty() {
        true => std::fs::read(sample(content)).unwrap(),
        false => content.into(),
    }
}

fn zip(files: Files<'_>) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes(name, content)).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn refs(list: &[String; 2]) -> [&str; 2] {
    list.each_ref().map(String::as_str)
}

const BOT: &str = "mahjong-distance";
const OTHER: &str = "mahjong-straightforward";

#[test]
fn a_submission_without_one_module_has_no_hash_and_no_command() {
    let course = SmallCourse::new("");
    course.put(&[("ada.wasm", BOT), ("two/a.wasm", BOT), ("two/b.wasm", OTHER)]);
    assert_eq!(course.grade(&[]).code, 0);
    let marks = course.marks(["sha256", "worst_verdict", "digest"]);
    assert_eq!(marks["two"][..2], ["", "Invalid module"]);
    assert!(marks["ada"][0].len() == 64 && marks["two"][2].len() == 64, "{marks:?}");
    let page = course.read("out/students/two.html");
    // The hash of empty input.
    for wrong in ["e3b0c442", "judge verify", "SHA-256", "can be checked"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    says(&page, &["several <code>.wasm</code> files", "Digest of the result"]);
    says(&course.read("out/students/ada.html"), &["judge verify ada.json ada.wasm", "SHA-256"]);
}

#[test]
fn a_download_with_folders_and_a_flat_one_give_the_same_marks() {
    let part = "_assignsubmission_file_";
    let list = "submission,student,id\n,Ada King,s1\n,Cat van Dam,s3\n,Eve Ant,s5\n,Gus Lee,s6\n";
    let mut sheets = Vec::new();
    for separator in ["/", ""] {
        let course = SmallCourse::new("");
        let name = |who: &str, file: &str| format!("{who}{part}{separator}{file}");
        let files = [
            name("Ada King_11", "bot.wasm"),
            name("Cat van Dam_13", "main.cpp"),
            name("Cat van Dam_13", "notes.txt"),
            name("Gus Lee_16", "bot.zip"),
        ];
        course.put(&files.each_ref().map(|name| (name.as_str(), BOT)));
        let list = course.list(list);
        let ran = course.grade(&refs(&list));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(ran.stderr, "", "nobody is uncertain");
        says(
            &ran.stdout,
            &[
                "    1  No submission\n",
                "    2  Not a module\n",
                "list: 4 students, 3 of them without a module; 0 submissions match no student\n",
                "main.cpp",
                "bot.zip",
            ],
        );
        let marks = course.marks(["points", "worst_verdict", "report"]);
        assert_eq!(marks.len(), 4, "{marks:?}");
        let ada = marks["Ada King"].clone();
        sheets.push((
            course.read("out/moodle.csv"),
            [ada[..2].to_vec(), marks["Cat van Dam"].to_vec(), marks["Gus Lee"].to_vec()],
        ));
    }
    assert_eq!(sheets[0], sheets[1], "as folders and flat");
    assert_eq!(sheets[0].1[1], ["0", "Not a module", ""]);
    assert_eq!(sheets[0].0.matches("Participant 13,Cat van Dam,").count(), 1);
}

#[test]
fn a_module_with_a_hidden_file_name_is_reported() {
    let course = SmallCourse::new("");
    course.put(&[("ada.wasm", BOT), (".eve.wasm", BOT), ("._ada.wasm", ""), (".DS_Store", "x")]);
    course.put(&[("bob/.bot.wasm", BOT), ("bob/main.cpp", "x")]);
    let list = course.list("submission\nada\neve\nbob\n");
    let ran = course.grade(&refs(&list));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(
        &ran.stdout,
        &[
            "  eve: `.eve.wasm` is a module with a name that begins with a dot: rename it\n",
            "a folder without a `.wasm` file, but with `.bot.wasm`, `main.cpp`",
            "ignored: 2 files\n",
        ],
    );
    let marks = course.marks(["worst_verdict", "submission"]);
    assert_eq!(marks["eve"], ["Not a module", ".eve.wasm"]);
    assert_eq!(marks["bob"], ["Not a module", "bob"]);
}

#[test]
fn truncated_and_nested_archives_are_reported_with_a_hint() {
    let course = SmallCourse::new("");
    let whole = zip(&[("ada.wasm", BOT), ("bob.wasm", BOT)]);
    let grade = |bytes: &[u8]| {
        write(course.0.path(), "download.zip", bytes);
        course.grade_at("download.zip", "out", &[])
    };
    let ran = grade(&whole[..whole.len() / 2]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["download.zip`: the archive is cut off or damaged", "download or pack it"]);
    let ran = grade(&zip(&[("inner.zip", "PK\u{3}\u{4} a zip")]));
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["but `inner.zip`", "archives inside are not unpacked: unpack `inner.zip`"]);
    let mut twice = zip(&[("ada.wasm", BOT), ("bda.wasm", "mahjong-straightforward")]);
    for at in 0..twice.len() - 8 {
        if &twice[at..at + 8] == b"bda.wasm" {
            twice[at] = b'a';
        }
    }
    let ran = grade(&twice);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["`ada.wasm`: 2 entries have this name, and only the last one counts"]);
}

#[test]
fn mistakes_in_a_student_list_are_reported() {
    let course = SmallCourse::new("");
    course.put(&[("ada.wasm", BOT)]);
    let refuse = |text: &str, told: &[&str]| {
        let ran = course.grade(&refs(&course.list(text)));
        assert_eq!(ran.code, 3, "{text}: {}", ran.stderr);
        says(&ran.stderr, told);
        assert!(!course.path("out").exists(), "{text}");
    };
    refuse("submission,student\n", &["students.csv` lists no students"]);
    refuse(
        "Nam,Vermerk\nAda,7\n",
        &["no column identifies a student; the first line has `Nam`, `Vermerk`", "titles of the"],
    );
    refuse("Student,Student ID,Matrikel\nAda,7,8\n", &["2 columns could be the id: `Student ID`"]);
    let list = course.list("submission,studnet,group,adress\nada,Ada,1,a@b\n");
    let ran = course.grade(&refs(&list));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["the column `adress` is ignored; did you mean `address`?", "`studnet`"]);
    assert!(!ran.stderr.contains("group"), "{}", ran.stderr);
}

#[test]
fn matches_and_suggestions_ignore_ids_of_the_platform() {
    let course = SmallCourse::new("");
    let canvas = ["kingada", "doebob", "raycat", "rufdan"];
    let names: Vec<String> =
        (1..).zip(canvas).map(|(n, who)| format!("{who}_{n}_9_x.wasm")).collect();
    course.put(&names.iter().map(|name| (name.as_str(), BOT)).collect::<Vec<_>>());
    course.put(&[("Eve Antt_1201_assignsubmission_file_/bot.wasm", BOT)]);
    course.put(&[("Gus Lee_1202_assignsubmission_file_/bot.wasm", BOT)]);
    let list = course.list(
        "submission,student\n,Ada King\n,Bob Doe\n,Cat Ray\n,Dan Ruf\n,Eve Ant\n\
         Jane Roe_1203_assignsubmission_file_,\n",
    );
    let ran = course.grade(&refs(&list));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let warnings: Vec<&str> = ran.stderr.lines().filter(|l| l.contains("letters")).collect();
    assert_eq!(warnings.len(), 1, "{}", ran.stderr);
    says(warnings[0], &["4 submissions were matched by the letters of the name: `", "and 1 more"]);
    says(
        &ran.stdout,
        &["Antt_1201_assignsubmission_file_: matches no student on the list; did you mean `Eve"],
    );
    let gus = ran.stdout.lines().find(|line| line.contains("Gus Lee_1202")).unwrap();
    assert!(gus.ends_with("matches no student on the list"), "{gus}");
}

#[test]
fn results_inside_the_suite_folder_are_refused() {
    let course = SmallCourse::new("");
    course.put(&[("ada.wasm", BOT)]);
    let ran = course.grade_at("in", "suite/results", &[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    says(&ran.stderr, &["would be in the suite"]);
    let ran = course.grade_at("in", "in/..", &[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    says(&ran.stderr, &["is in the folder of the results"]);
    let text =
        format!("title = \"x\"\n[[suite]]\nname = \"a\"\npath = \"{}\"\n", course.text("suite"));
    let file = write(course.0.path(), "course.toml", text).display().to_string();
    std::fs::rename(course.path("in"), course.path("a")).unwrap();
    let [folder, out] = [course.text(""), course.text(".")];
    let ran = run(["grade", &folder, "--course", &file, "--out", &out]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    says(&ran.stderr, &["is in the folder of the results"]);
    assert!(!course.path("suite/results").exists() && !course.path("a/journal.jsonl").exists());
}

#[test]
fn grades_above_the_maximum_are_reported_once() {
    let course = SmallCourse::new("");
    let extra = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [3]\n\
                 min_score = -100\npoints = 5\nextra_credit = true\n";
    write(&course.path("suite"), "02.toml", extra);
    course.put(&[("Ada King_11_assignsubmission_file_/bot.wasm", BOT)]);
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "`moodle.csv`: 1 grade is above the maximum by extra credit";
    assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
    says(&course.read("out/moodle.csv"), &["Participant 11,Ada King,,15,10,"]);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_pipes_in_the_results_are_neither_written_nor_removed() {
        let course = SmallCourse::new("");
        course.put(&[("ada.wasm", BOT)]);
        assert_eq!(course.grade(&["--pages", "all"]).code, 0);
        let elsewhere = course.path("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        write(&elsewhere, "99-x-1.html", "precious");
        write(&elsewhere, "text", "precious");
        // A link, and a pipe without a reader, instead of output files.
        for name in ["marks.csv", "students/ada.html", "send/ada.zip", "README.txt"] {
            std::fs::remove_file(course.path("out").join(name)).unwrap();
        }
        symlink(elsewhere.join("text"), course.path("out/marks.csv")).unwrap();
        symlink(elsewhere.join("text"), course.path("out/send/ada.zip")).unwrap();
        for name in ["students/ada.html", "README.txt"] {
            let path = course.path("out").join(name);
            let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        }
        // A folder with rounds of no testcase.
        symlink(&elsewhere, course.path("out/rounds/zoe")).unwrap();
        let ran = course.grade(&["--resume"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        for name in ["marks.csv", "students/ada.html", "send/ada.zip", "README.txt"] {
            let found = std::fs::symlink_metadata(course.path("out").join(name)).unwrap();
            assert!(found.is_file(), "{name}");
        }
        assert_eq!(course.read("elsewhere/text"), "precious");
        assert!(elsewhere.join("99-x-1.html").exists());
        for name in ["students", "rounds", "send", "journal.jsonl"] {
            let path = course.path("out").join(name);
            let aside = course.path("aside");
            std::fs::rename(&path, &aside).unwrap();
            symlink(&aside, &path).unwrap();
            let ran = course.grade(&["--resume"]);
            assert_eq!(ran.code, 3, "{name}: {}", ran.stderr);
            says(&ran.stderr, &[name, "` is a link", "not written through links"]);
            std::fs::remove_file(&path).unwrap();
            std::fs::rename(&aside, &path).unwrap();
        }
    }
}
