//! Downloads of learning platforms, as folders and as archives: the owner of each submission, and
//! marks in the columns to upload.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use crate::support::{Ran, run, sample, says, write};

/// A download: paths and their content.
type Files<'a> = &'a [(&'a str, &'a str)];

const MOODLE: Files<'_> = &[
    ("Ada King_1201_assignsubmission_file_/bot.wasm", "mahjong-distance"),
    ("Ada King_1201_assignsubmission_onlinetext_/onlinetext.html", ""),
    ("Bob O'Neil_1202_assignsubmission_file_/build/my bot.wasm", "mahjong-straightforward"),
    ("Cat van Dam_1203_assignsubmission_file_/main.cpp", ""),
    ("Dan Ruf_1204_assignsubmission_file_/bot.wasm", "mahjong-hunter"),
];

const CANVAS: Files<'_> = &[
    ("kingada_4711_9001_bot.wasm", "mahjong-distance"),
    ("oneilbob_LATE_4712_9002_my_bot-1.wasm", "mahjong-straightforward"),
    ("vandamcat_4713_9003_main.cpp", ""),
];

const GRADESCOPE: Files<'_> = &[
    ("submission_12/bot.wasm", "mahjong-distance"),
    ("submission_13/bot.wasm", "mahjong-straightforward"),
    (
        "submission_metadata.yml",
        "---\nsubmission_12:\n  :submitters:\n  - :name: Ada King\n    :sid: '77'\n    :email: \
         a@uni.edu\n  :score: 0.0\nsubmission_13:\n  :submitters:\n  - :name: Robert\n    :sid: ''\n    \
         :email: Bob@uni.edu\n  - :name: Cat\n    :sid: ''\n    :email: c@uni.edu\n",
    ),
];

struct PlatformCourse(tempfile::TempDir);

impl PlatformCourse {
    fn new() -> PlatformCourse {
        let course = PlatformCourse(tempfile::tempdir().unwrap());
        std::fs::create_dir(course.path("suite")).unwrap();
        write(&course.path("suite"), "suite.toml", "title = \"Lab 3\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                    min_score = 1\npoints = 10\n";
        write(&course.path("suite"), "01.toml", case);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn as_folder(&self, files: Files<'_>) -> String {
        for (name, content) in files {
            let path = self.path("in").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes(name, content)).unwrap();
        }
        self.path("in").display().to_string()
    }

    /// The download as a zip file, with one folder around it if it has a name.
    fn as_zip(&self, files: Files<'_>, around: &str) -> String {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(format!("{around}{name}"), options).unwrap();
            zip.write_all(&bytes(name, content)).unwrap();
        }
        let packed = zip.finish().unwrap().into_inner();
        write(self.0.path(), "download.zip", packed).display().to_string()
    }

    fn grade(&self, submissions: &str, list: Option<&str>) -> Ran {
        let [suite, out] = ["suite", "out"].map(|name| self.path(name).display().to_string());
        if self.path("out").exists() {
            std::fs::remove_dir_all(self.path("out")).unwrap();
        }
        let mut arguments = vec!["grade", submissions, "--suite", &suite, "--out", &out];
        let list = list.map(|text| write(self.0.path(), "list.csv", text).display().to_string());
        if let Some(list) = &list {
            arguments.extend(["--students", list]);
        }
        run(arguments)
    }

    fn marks(&self) -> BTreeMap<String, [String; 3]> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize().map(|row| row.unwrap());
        let row = |row: BTreeMap<String, String>| {
            let fields = ["id", "points", "worst_verdict"].map(|key| row[key].clone());
            (row["student"].clone(), fields)
        };
        rows.map(row).collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("out").join(name)).unwrap()
    }
}

/// A module for the name of a sample bot, otherwise the text itself.
fn bytes(name: &str, content: &str) -> Vec<u8> {
    match name.ends_with(".wasm") {
        true => std::fs::read(sample(content)).unwrap(),
        false => content.into(),
    }
}

fn row(id: &str, points: &str, verdict: &str) -> [String; 3] {
    [id, points, verdict].map(str::to_owned)
}

#[test]
fn a_moodle_download_is_recognised_and_gets_a_worksheet() {
    let course = PlatformCourse::new();
    let list =
        "submission,student,id\n,Ada King,s1\n,Bob O'Neil,s2\n,Cat van Dam,s3\n,Eve Ant,s5\n";
    let folder = course.as_folder(MOODLE);
    let zip = course.as_zip(MOODLE, "");
    let mut sheets = Vec::new();
    for submissions in [&folder, &zip] {
        let ran = course.grade(submissions, Some(list));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let marks = course.marks();
        assert_eq!(marks["Ada King"], row("s1", "10", "Accepted"));
        assert_eq!(marks["Bob O'Neil"], row("s2", "10", "Accepted"));
        assert_eq!(marks["Cat van Dam"], row("s3", "0", "Not a module"));
        assert_eq!(marks["Eve Ant"], row("s5", "0", "No submission"));
        assert_eq!(marks["Dan Ruf"], row("1204", "10", "Accepted"), "the platform knows him");
        says(
            &ran.stdout,
            &["ignored: 2 files\n", "moodle.csv\n", "matches no student on the list"],
        );
        sheets.push([course.read("marks.csv"), course.read("moodle.csv")]);
    }
    assert_eq!(sheets[0], sheets[1], "packed or not");
    let expected = "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n\
                    Participant 1201,Ada King,,10,10,Accepted\n\
                    Participant 1202,Bob O'Neil,,10,10,Accepted\n\
                    Participant 1203,Cat van Dam,,0,10,Not a module\n\
                    Participant 1204,Dan Ruf,,10,10,Accepted\n";
    assert_eq!(sheets[0][1], expected);
}

/// Students submit their source together with the module, and some of them two modules.
#[test]
fn a_participant_has_one_row_in_the_gradebook() {
    let course = PlatformCourse::new();
    let folder = course.as_folder(&[
        ("Ada King_11_assignsubmission_file_bot.wasm", "mahjong-distance"),
        ("Ada King_11_assignsubmission_file_brain.cpp", "class MyBrain;"),
        ("Bob Doe_12_assignsubmission_file_old.wasm", "mahjong-distance"),
        ("Bob Doe_12_assignsubmission_file_new.wasm", "mahjong-distance"),
    ]);
    let ran = course.grade(&folder, None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let expected = "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n\
                    Participant 11,Ada King,,10,10,Accepted\n";
    assert_eq!(course.read("moodle.csv"), expected);
    assert_eq!(course.read("marks.csv").lines().count(), 4, "brain.cpp has no line");
    let look_at = course.read("look-at.csv");
    says(&look_at, &["brain.cpp", "next to the graded module", "several modules of one"]);
}

#[test]
fn a_canvas_download_is_recognised_and_gets_a_gradebook() {
    let course = PlatformCourse::new();
    let list = "submission,student,id\n,Ada King,4711\n,Bob O'Neil,\n,Cat van Dam,\n";
    for submissions in [course.as_folder(CANVAS), course.as_zip(CANVAS, "")] {
        let ran = course.grade(&submissions, Some(list));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let marks = course.marks();
        assert_eq!(marks["Ada King"], row("4711", "10", "Accepted"));
        assert_eq!(marks["Bob O'Neil"], row("", "10", "Accepted"));
        assert_eq!(marks["Cat van Dam"], row("", "0", "Not a module"));
        let guess = "2 submissions were matched by the letters of the name: \
                     `oneilbob_LATE_4712_9002_my_bot-1` to `Bob O'Neil`, `vandamcat_4713_9003_main` \
                     to `Cat van Dam`";
        says(&ran.stderr, &[guess]);
        let sheet = course.read("canvas.csv");
        let lines: Vec<&str> = sheet.lines().collect();
        assert_eq!(lines[..2], ["Student,ID,Section,Lab 3", "Points Possible,,,10"]);
        says(&sheet, &["Ada King,4711,,10\n", "Bob O'Neil,4712,,10\n", "Cat van Dam,4713,,0\n"]);
    }
}

#[test]
fn a_gradescope_export_names_its_submitters() {
    let course = PlatformCourse::new();
    let list = "submission,student,id,address\nx1,Ada King,77,\nx2,Bob,,bob@uni.edu\nx3,Cat,,\n";
    let folder = course.as_folder(GRADESCOPE);
    let zip = course.as_zip(GRADESCOPE, "assignment_5_export/");
    for submissions in [folder, zip] {
        let ran = course.grade(&submissions, Some(list));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let marks = course.marks();
        assert_eq!(marks["Ada King"], row("77", "10", "Accepted"));
        assert_eq!(marks["Bob"], row("", "10", "Accepted"));
        assert_eq!(marks["Cat"], row("", "10", "Accepted"), "of one group with Bob");
        let told =
            "`submission_13` was matched to `Bob` by address only: the person's name differs";
        says(&ran.stderr, &[told]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(!ran.stdout.contains("ignored"), "{}", ran.stdout);
        let ran = course.grade(&submissions, None);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(course.marks()["Ada King"], row("77", "10", "Accepted"));
        assert_eq!(course.marks()["Robert"], course.marks()["Cat"], "without a list, too");
        assert_eq!(course.marks().len(), 3);
    }
}

#[test]
fn members_of_a_group_without_a_module_have_a_row_each() {
    let course = PlatformCourse::new();
    let metadata = GRADESCOPE[2];
    let folder = course.as_folder(&[GRADESCOPE[0], ("submission_13/main.cpp", ""), metadata]);
    for list in [None, Some("submission,student,id,address\n,Bob,,bob@uni.edu\n,Cat,,C@uni.edu\n")]
    {
        let ran = course.grade(&folder, list);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let bob = if list.is_some() { "Bob" } else { "Robert" };
        for name in [bob, "Cat"] {
            assert_eq!(course.marks()[name], row("", "0", "Not a module"), "{name}");
        }
        assert_eq!(course.marks()["Ada King"], row("77", "10", "Accepted"));
        assert_eq!(course.marks().len(), 3);
    }
}

#[test]
fn a_download_can_be_resumed_and_merged_like_a_folder() {
    let course = PlatformCourse::new();
    let zip = course.as_zip(GRADESCOPE, "");
    let [suite, out] = ["suite", "out"].map(|name| course.path(name).display().to_string());
    let grade = |more: &[&str]| {
        let fixed = ["grade", &zip, "--suite", &suite, "--out", &out];
        let ran = run(fixed.iter().chain(more));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    grade(&[]);
    let before = course.read("marks.csv");
    assert_eq!(before.matches(",Accepted,").count(), 3, "{before}");
    grade(&["--resume"]);
    assert_eq!(course.read("marks.csv"), before);
    let parts = ["1/2", "2/2"].map(|shard| {
        std::fs::rename(&out, course.path(&format!("before-{}", &shard[..1]))).unwrap();
        grade(&["--shard", shard]);
        let part = course.path(&format!("part-{}", &shard[..1]));
        std::fs::rename(&out, &part).unwrap();
        std::fs::create_dir(&out).unwrap();
        part.display().to_string()
    });
    let ran = run(["merge", &parts[0], &parts[1], "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.read("marks.csv"), before);
}

#[test]
fn an_archive_that_is_damaged_or_empty_is_refused_with_its_name() {
    let course = PlatformCourse::new();
    let path =
        write(course.0.path(), "download.zip", b"PK\x03\x04 and nothing").display().to_string();
    let ran = course.grade(&path, None);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["download.zip`: "]);
    let empty = course.as_zip(&[("notes.txt", "x")], "");
    let ran = course.grade(&empty, None);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["no submissions in `", "download.zip`, but `notes.txt`"]);
    assert!(!course.path("out").exists());
}
