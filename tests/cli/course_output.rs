//! Outputs of a course for people: files to send over several suites, stable pseudonyms, and
//! effects of changes in `course.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::PathBuf;

use crate::support::{Ran, run, sample, says, write};

/// A course of two suites of one testcase each.
struct TwoSuites(tempfile::TempDir);

impl TwoSuites {
    fn new() -> TwoSuites {
        let course = TwoSuites(tempfile::tempdir().unwrap());
        for (lab, bots) in [
            ("lab1", &[("ada", "cc-flood"), ("bob", "cc-runner")][..]),
            ("lab2", &[("ada", "cc-flood")]),
        ] {
            let suite = course.path("suites").join(lab);
            std::fs::create_dir_all(&suite).unwrap();
            write(&suite, "suite.toml", format!("title = \"The {lab}\"\n"));
            let case = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1]\n\
                        min_score = -1000\npoints = 10\n[options]\nsize = 6\n";
            write(&suite, "01.toml", case);
            for (name, bot) in bots {
                let path = course.path("in").join(lab).join(name).with_extension("wasm");
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::copy(sample(bot), path).unwrap();
            }
        }
        let list = "submission,student,id,address\nada,Ada King,1,ada@uni.edu\nbob,Bob Doe,2,\n\
                    ,Kim,3,\n,Kim,4,\n";
        write(course.0.path(), "students.csv", list);
        course.describe(["30", "70"], "in/lab2");
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn describe(&self, weights: [&str; 2], place: &str) {
        let [one, two] = weights;
        let text = format!(
            "title = \"Programming\"\nstudents = \"students.csv\"\n\
             [[suite]]\nname = \"lab1\"\npath = \"suites/lab1/\"\nweight = {one}\n\
             [[suite]]\nname = \"lab2\"\npath = \"suites/lab2/\"\nweight = {two}\n\
             submissions = \"{place}\"\n"
        );
        write(self.0.path(), "course.toml", text);
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let [folder, file, out] =
            ["in", "course.toml", "out"].map(|name| self.path(name).display().to_string());
        run(["grade", &folder, "--course", &file, "--out", &out].iter().chain(more))
    }

    fn scoreboard(&self, more: &[&str]) -> Ran {
        let out = self.path("out/lab1").display().to_string();
        run(["scoreboard", &out].iter().chain(more))
    }

    fn read(&self, name: &str) -> String {
        let path = self.path("out").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// The files sent to a student, as text.
    fn sent(&self, name: &str) -> BTreeMap<String, String> {
        let file = std::fs::File::open(self.path("out/send").join(format!("{name}.zip"))).unwrap();
        let mut zip = zip::ZipArchive::new(file).unwrap();
        let count = zip.len();
        let read = |at: usize| {
            let mut entry = zip.by_index(at).unwrap();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (entry.name().unwrap().into_owned(), text)
        };
        (0..count).map(read).collect()
    }

    /// Students and pseudonyms, in the order of the list.
    fn pseudonyms(&self) -> Vec<(String, String)> {
        let mut reader = csv::Reader::from_path(self.path("out/lab1/pseudonyms.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        rows.map(|row| (row["student"].clone(), row["pseudonym"].clone())).collect()
    }
}

/// Targets of the links on a page in a folder.
fn targets(html: &str, folder: &str) -> Vec<String> {
    let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split(['"', '#']).next());
    let absolute = |link: &str| {
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in link.split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    };
    links.filter(|link| !link.is_empty()).map(absolute).collect()
}

#[test]
fn a_students_archive_has_all_suites_and_only_that_student() {
    let course = TwoSuites::new();
    let ran = course.grade(&["--pages", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stdout, &["to send, one file per student: "]);
    let sent = course.sent("ada");
    let names: BTreeSet<&str> = sent.keys().map(String::as_str).collect();
    let suite = |lab: &str| {
        ["result.html", "ada.json", "rounds/01-1.html", "rounds/01-1.jsonl"]
            .map(|name| format!("ada/{lab}/{name}"))
    };
    let expected = [suite("lab1"), suite("lab2")].concat();
    let expected: BTreeSet<&str> =
        expected.iter().map(String::as_str).chain(["ada/result.html"]).collect();
    assert_eq!(names, expected);
    for (name, text) in &sent {
        for other in ["Bob", "bob", "Kim"] {
            assert!(!text.contains(other), "{other} in {name}");
        }
        let folder = name.rsplit_once('/').unwrap().0;
        for target in targets(text, folder).iter().filter(|_| name.ends_with(".html")) {
            assert!(sent.contains_key(target), "{name} links to {target}");
        }
    }
    assert!(targets(&sent["ada/result.html"], "ada").len() == 2);
    let list = course.read("send.csv");
    says(&list, &["student,id,address,file\n", "Ada King,1,ada@uni.edu,send/ada.zip\n"]);
    assert_eq!(list.lines().count(), 5, "also who submitted nothing: {list}");
    says(
        &course.read("README.txt"),
        &["send/NAME.zip", "marks.csv", "course.json", "scoreboard.html"],
    );
    // A former student receives no more files.
    std::fs::remove_file(course.path("in/lab1/bob.wasm")).unwrap();
    write(course.0.path(), "students.csv", "submission,student,id\nada,Ada King,1\n");
    assert!(course.path("out/send/bob.zip").exists());
    assert_eq!(course.grade(&["--resume"]).code, 0);
    assert!(!course.path("out/send/bob.zip").exists());
}

#[test]
fn a_changed_weight_is_reported_with_the_changed_marks() {
    let course = TwoSuites::new();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.stdout.contains("changed since"), "{}", ran.stdout);
    let ran = course.grade(&["--resume"]);
    assert!(!ran.stderr.contains("weight") && !ran.stdout.contains("changed since"));
    course.describe(["40", "70"], "in/lab2");
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["course.toml`: suite `lab1`: `weight` 30 -> 40\n"]);
    says(
        &ran.stdout,
        &[
            "marks changed since the last run: 4 students\n",
            "  Bob Doe: points 30 -> 40, max_points",
        ],
    );
}

#[test]
fn a_missing_submission_folder_is_an_error() {
    let course = TwoSuites::new();
    course.describe(["30", "70"], "in/lab3");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["suite `lab2`: no submissions at `", "in/lab3", "make an empty folder"]);
    std::fs::create_dir(course.path("in/lab3")).unwrap();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stdout, &["no submissions yet, and left out of the sums: lab2"]);
}

#[test]
fn pseudonyms_without_a_secret_are_unique_and_kept() {
    let course = TwoSuites::new();
    assert_eq!(course.grade(&[]).code, 0);
    assert_eq!(course.scoreboard(&["--pseudonyms"]).code, 0);
    let first = course.pseudonyms();
    let names: BTreeSet<&String> = first.iter().map(|(_, pseudonym)| pseudonym).collect();
    assert_eq!((first.len(), names.len()), (4, 4), "two Kims are two: {first:?}");
    let ran = course.scoreboard(&["--pseudonyms", "--json", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.pseudonyms(), first, "they are kept");
    let scoreboard = ran.json();
    let shown = scoreboard["students"].as_array().unwrap().iter();
    let shown: BTreeSet<&str> = shown.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(shown, names.iter().map(|name| name.as_str()).collect());
    // A student who submits for the first time keeps the pseudonym; a new student gets one.
    std::fs::copy(sample("cc-runner"), course.path("in/lab1/kim3.wasm")).unwrap();
    let list = "submission,student,id,address\nada,Ada King,1,\nbob,Bob Doe,2,\nkim3,Kim,3,\n\
                ,Kim,4,\n,Zoe,5,\n";
    write(course.0.path(), "students.csv", list);
    assert_eq!(course.grade(&["--resume"]).code, 0);
    assert_eq!(course.scoreboard(&["--pseudonyms"]).code, 0);
    let second = course.pseudonyms();
    assert_eq!(second.len(), 5);
    assert!(first.iter().all(|line| second.contains(line)), "{first:?} {second:?}");
    assert_eq!(course.scoreboard(&["--pseudonyms=a long secret"]).code, 0);
    assert!(first.iter().all(|line| !course.pseudonyms().contains(line)), "a secret decides");
}

#[test]
fn a_pseudonym_secret_without_an_equals_sign_gets_a_hint() {
    let course = TwoSuites::new();
    assert_eq!(course.grade(&[]).code, 0);
    let ran = course.scoreboard(&["--pseudonyms", "a long secret"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    says(
        &ran.stderr,
        &["no results at `a long secret`", "is given with `=`: `--pseudonyms=\"a long secret\"`"],
    );
    assert!(!course.path("out/lab1/pseudonyms.csv").exists());
}
