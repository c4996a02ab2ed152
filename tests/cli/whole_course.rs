//! `judge grade --course`: several suites, and the total marks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, write};

/// Two labs and a project without a submission.
struct TwoLabs(tempfile::TempDir);

impl TwoLabs {
    fn new() -> TwoLabs {
        let course = TwoLabs(tempfile::tempdir().unwrap());
        for (lab, points, min_score) in [("lab1", 3, 1), ("lab2", 7, 100_000)] {
            let folder = course.path("suites").join(lab);
            std::fs::create_dir_all(&folder).unwrap();
            write(&folder, "suite.toml", format!("title = \"The {lab}\"\n"));
            let testcase = |min_score: i64, points: u32| {
                format!(
                    "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                     min_score = {min_score}\npoints = {points}\n[options]\nsize = 6\n"
                )
            };
            write(&folder, "01-easy.toml", testcase(-1, points));
            write(&folder, "02-hard.toml", testcase(min_score, points));
        }
        course.submit("lab1/ada.wasm", "cc-flood");
        course.submit("lab1/bob.wasm", "cc-runner");
        course.submit("lab2/Ada King_77_assignsubmission_file_/bot.wasm", "cc-flood");
        course.file(
            "students.csv",
            "submission,student,id\nada,Ada King,1\nbob,Bob Doe,2\nzed,Zed,3\n",
        );
        course.describe("students = \"students.csv\"\n", ["weight = 30", "weight = 0.5"]);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn submit(&self, name: &str, bot: &str) {
        let path = self.path("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(sample(bot), path).unwrap();
    }

    /// Writes `course.toml`.
    fn describe(&self, more: &str, [one, other]: [&str; 2]) {
        let suite = |name: &str, path: &str, rest: &str| {
            format!("[[suite]]\nname = \"{name}\"\npath = \"{path}\"\n{rest}\n\n")
        };
        let project = if one.is_empty() { "" } else { "weight = 40" };
        let text = [
            format!("title = \"Programming <2>\"\n{more}\n"),
            suite("lab1", "suites/lab1/", &format!("{one}\ndue = \"2026-11-12 23:59 +01:00\"")),
            suite("lab2", "./suites/lab2", &format!("{other}\nsubmissions = \"in/lab2\"")),
            suite("project", "cc", project),
        ];
        self.file("course.toml", &text.concat());
    }

    fn grade(&self, more: &[&str]) -> Ran {
        self.grade_into("out", more)
    }

    fn grade_into(&self, out: &str, more: &[&str]) -> Ran {
        let [submissions, file, out] =
            ["in", "course.toml", out].map(|name| self.path(name).display().to_string());
        let fixed = ["grade", &submissions, "--course", &file, "--out", &out];
        run(fixed.iter().chain(more))
    }

    fn merge(&self, parts: &[&str], out: &str) -> Ran {
        let parts = parts.iter().map(|part| self.path(part).display().to_string());
        let out = self.path(out).display().to_string();
        run(["merge".to_owned()].into_iter().chain(parts).chain(["--out".to_owned(), out]))
    }

    fn marks(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        rows.map(|row| (row["student"].clone(), row)).collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("out").join(name)).unwrap()
    }
}

/// A common list has one time for each student, which cannot be that of every suite.
#[test]
fn submission_times_in_the_list_do_not_apply_to_several_suites() {
    let course = TwoLabs::new();
    let list = "submission,student,id,submitted\nada,Ada King,1,2026-11-13 08:00 +01:00\n\
                bob,Bob Doe,2,\n";
    course.file("students.csv", list);
    let late = |first: &str| {
        let more = "students = \"students.csv\"\n[late]\npolicy = \"no_points\"\n";
        course.describe(more, [first, "due = \"2026-12-12 23:59 +01:00\""]);
        course.file("course.toml", &course.read("course.toml").replace("weight = 40", ""));
    };
    late("");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    for lab in ["lab1", "lab2"] {
        let told = format!("`{lab}`: the times of submissions in the list of students are ignored");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    }
    let keys = ["id", "lab1_points", "lab1_late", "lab2_points", "lab2_late"];
    assert_eq!(fields(&course.marks()["Ada King"], keys), ["1", "6", "", "7", ""]);
    assert!(
        !course.text("lab1/journal.jsonl").contains("2026-11-13"),
        "a resumed run has no times"
    );
    course.file("times.csv", list);
    late("times = \"times.csv\"");
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stderr.contains("`lab1`: the times of submissions"), "{}", ran.stderr);
    let text = "1 day late: 0 % of 6 points";
    assert_eq!(fields(&course.marks()["Ada King"], keys), ["1", "0", text, "7", ""]);
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    found
}

/// All files below a folder except the journals, by their paths in it.
fn files_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let own = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
    let all = files(folder).into_iter().filter(|(path, _)| !path.ends_with("journal.jsonl"));
    all.map(|(path, bytes)| (own(&path), bytes)).collect()
}

fn fields(row: &BTreeMap<String, String>, keys: [&str; 5]) -> [String; 5] {
    keys.map(|key| row[key].clone())
}

#[test]
fn marks_over_all_suites_are_exact_and_complete() {
    let course = TwoLabs::new();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    for part in [
        "== lab1\n2 submissions graded on `lab1`",
        "== Programming <2>: 3 students\n",
        "no submissions yet, and left out of the sums: project\n",
    ] {
        assert!(ran.stdout.contains(part), "{part}{}", ran.stdout);
    }
    let marks = course.marks();
    assert_eq!(marks.len(), 3);
    let keys = ["id", "points", "max_points", "rank", "lab2_counts"];
    // All of lab 1 and half of lab 2: 30 and a quarter.
    assert_eq!(fields(&marks["Ada King"], keys), ["1", "30.25", "30.5", "1", "0.25"]);
    assert_eq!(fields(&marks["Bob Doe"], keys), ["2", "30", "30.5", "2", "0"]);
    assert_eq!(fields(&marks["Zed"], keys), ["3", "0", "30.5", "3", "0"]);
    let keys = [
        "lab1_points",
        "lab1_max_points",
        "lab1_worst_verdict",
        "lab2_worst_verdict",
        "project_points",
    ];
    assert_eq!(fields(&marks["Bob Doe"], keys), ["6", "6", "Accepted", "No submission", ""]);
}

#[test]
fn late_submissions_count_in_part_over_all_suites() {
    let course = TwoLabs::new();
    course.file(
        "students.csv",
        "submission,student,id,submitted\nada,Ada King,1,2026-11-13 08:00 +01:00\nbob,Bob Doe,2,\n",
    );
    let late = |rules: &str| {
        let more = format!("students = \"students.csv\"\n[late]\n{rules}");
        course.describe(&more, ["weight = 30", "weight = 0.5"]);
    };
    late("policy = \"per_day\"\npercent_per_day = 50\n");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let keys = ["points", "rank", "lab1_points", "lab1_counts", "lab1_late"];
    let marks = course.marks();
    let text = "1 day late: 50 % of 6 points";
    assert_eq!(fields(&marks["Ada King"], keys), ["15.25", "2", "3", "15", text]);
    assert_eq!(fields(&marks["Bob Doe"], keys), ["30", "1", "6", "30", ""]);
    assert!(!marks["Bob Doe"].contains_key("lab2_late"), "a suite without a due date");
    let page = course.text(&marks["Ada King"]["page"]);
    assert!(page.contains(&format!("<b>{text}.</b>")), "{page}");
    let scoreboard = course.text("scoreboard.html");
    assert_eq!(scoreboard.matches(text).count(), 2, "in both tabs: {scoreboard}");
    let report = course.text("lab1/students/ada.json");
    late("policy = \"no_points\"\n");
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let change = "suite `lab1`: `late` per_day, percent_per_day 50 -> no_points";
    assert!(ran.stderr.contains(change), "{}", ran.stderr);
    assert_eq!(course.marks()["Ada King"]["points"], "0.25");
    assert_eq!(course.text("lab1/students/ada.json"), report);
    // Without rules, the due date is only shown.
    course.describe("students = \"students.csv\"\n", ["weight = 30", "weight = 0.5"]);
    assert_eq!(course.grade(&["--resume"]).code, 0);
    assert_eq!(course.marks()["Ada King"]["points"], "30.25");
}

#[test]
fn every_link_between_pages_of_suites_has_a_target() {
    let course = TwoLabs::new();
    assert_eq!(course.grade(&[]).code, 0);
    let scoreboard = course.text("scoreboard.html");
    assert!(
        scoreboard.contains("id=\"suite-lab1\"") && scoreboard.contains("id=\"suite-project\"")
    );
    assert!(scoreboard.contains("due 2026-11-12 23:59 +01:00"), "{scoreboard}");
    let ada = course.marks()["Ada King"]["page"].clone();
    let page = course.text(&ada);
    assert!(page.contains("30.25") && !page.contains("Bob") && !page.contains("Zed"), "{page}");
    for (name, folder) in [("scoreboard.html", "out"), (ada.as_str(), "out/students")] {
        let text = course.text(name);
        let targets = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let targets: Vec<&str> = targets.filter(|target| !target.starts_with('#')).collect();
        assert!(targets.len() >= 2, "{name}: {targets:?}");
        for target in targets {
            let target = target.replace("%20", " ");
            assert!(course.path(folder).join(&target).is_file(), "{name}: {target}");
        }
    }
}

#[test]
fn each_suite_gets_the_same_result_as_when_graded_separately() {
    let course = TwoLabs::new();
    assert_eq!(course.grade(&[]).code, 0);
    let [submissions, suite, list, alone] =
        ["in/lab1", "suites/lab1", "students.csv", "alone"].map(|name| course.path(name));
    let ran = run([
        "grade".as_ref(),
        submissions.as_os_str(),
        "--suite".as_ref(),
        suite.as_os_str(),
        "--students".as_ref(),
        list.as_os_str(),
        "--out".as_ref(),
        alone.as_os_str(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for file in ["marks.csv", "scoreboard.html", "students/ada.json", "students/ada.html"] {
        let [one, other] = [course.path("out/lab1"), alone.clone()]
            .map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(one == other, "{file}");
    }
    let results = course.path("out").display().to_string();
    let scoreboard = run(["scoreboard", &results]);
    assert_eq!(scoreboard.code, 3, "{}", scoreboard.stderr);
    assert!(
        scoreboard.stderr.contains("holds a course of several suites"),
        "{}",
        scoreboard.stderr
    );
    assert_eq!(run(["scoreboard", &format!("{results}/lab1")]).code, 0);
}

#[test]
fn results_of_one_suite_and_of_several_are_not_mixed() {
    let course = TwoLabs::new();
    assert_eq!(course.grade(&[]).code, 0);
    let before = files(&course.path("out"));
    let [input, out, alone] =
        ["in/lab1", "out", "alone"].map(|name| course.path(name).display().to_string());
    for more in [&[][..], &["--resume"]] {
        let fixed = ["grade", &input, "--suite", "cc", "--out", &out];
        let ran = run(fixed.iter().chain(more));
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("of a course of several suites"), "{}", ran.stderr);
    }
    let part = course.path("part").display().to_string();
    assert_eq!(run(["grade", &input, "--suite", "cc", "--out", &part, "--shard", "1/1"]).code, 0);
    let ran = run(["merge", &part, "--out", &out]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("of a course of several suites"), "{}", ran.stderr);
    assert!(files(&course.path("out")) == before, "nothing was written");
    assert_eq!(run(["grade", &input, "--suite", "cc", "--out", &alone]).code, 0);
    let file = course.path("course.toml").display().to_string();
    let input = course.path("in").display().to_string();
    let ran = run(["grade", &input, "--course", &file, "--out", &alone, "--resume"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("holds the results of a single suite"), "{}", ran.stderr);
}

#[test]
fn a_resumed_course_grades_new_submissions() {
    let course = TwoLabs::new();
    assert_eq!(course.grade(&[]).code, 0);
    let before = files(&course.path("out"));
    let again = course.grade(&[]);
    assert_eq!(again.code, 2, "not by accident: {}", again.stderr);
    assert_eq!(course.grade(&["--resume"]).code, 0);
    assert!(files(&course.path("out")) == before, "the same bytes");
    course.submit("project/zed.wasm", "cc-runner");
    std::fs::remove_file(course.path("in/lab1/bob.wasm")).unwrap();
    course.file("students.csv", "submission,student,id\nada,Ada King,1\nzed,Zed,3\n");
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let marks = course.marks();
    assert_eq!(marks.keys().collect::<Vec<_>>(), ["Ada King", "Zed"]);
    assert_eq!(marks["Zed"]["max_points"], "70.5");
    let pages = std::fs::read_dir(course.path("out/students")).unwrap().count();
    assert_eq!(pages, 2, "no page of who is gone");
    std::fs::remove_dir_all(course.path("in/lab2")).unwrap();
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("the submissions of `lab2` are no longer in"), "{}", ran.stderr);
}

#[test]
fn a_course_without_list_and_weights_sums_plain_points() {
    let course = TwoLabs::new();
    course.describe("", ["", ""]);
    course.submit("lab1/Eve Ant_5_assignsubmission_file_/a.wasm", "cc-runner");
    course.submit("lab2/Eve Ant_9_assignsubmission_file_/b.wasm", "cc-runner");
    course.submit("lab2/Eve Ant_10_assignsubmission_file_/b.wasm", "cc-runner");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`lab2`: several submissions could be from `Eve Ant`"),
        "{}",
        ran.stderr
    );
    let sheet = course.text("marks.csv");
    assert_eq!(sheet.matches("Eve Ant,").count(), 3, "{sheet}");
    let bob = course.marks()["bob"].clone();
    assert_eq!([bob["points"].as_str(), bob["max_points"].as_str()], ["6", "20"]);
}

#[test]
fn mistakes_in_a_course_are_reported_before_playing() {
    let course = TwoLabs::new();
    let refuse = |code: i32, told: &str| {
        let ran = course.grade(&[]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
        assert!(!course.path("out").exists());
    };
    course.describe("", ["weight = 3", ""]);
    refuse(3, "`lab2` has no `weight`, but other suites do");
    course.describe("", ["weight = 1.23456", "weight = 1"]);
    refuse(3, "`1.23456` is not a weight");
    course.describe("", ["weight = 1", "weight = 1"]);
    let text = std::fs::read_to_string(course.path("course.toml")).unwrap();
    course.file("course.toml", &text.replace("./suites/lab2", "./suites/none"));
    refuse(3, "suite `lab2`: no folder `");
    std::fs::rename(course.path("in"), course.path("elsewhere")).unwrap();
    course.file("course.toml", &text);
    refuse(3, "suite `lab2`: no submissions at `");
    course.file("course.toml", &text.replace("submissions = \"in/lab2\"", ""));
    refuse(3, "no suite has submissions yet: lab1, lab2, project");
    let file = course.path("course.toml").display().to_string();
    let out = course.path("out").display().to_string();
    let ran = run(["grade", "--course", &file, "--out", &out]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("names no folder with the submissions of `lab1`"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(["grade", "--course", &file]).code, 2, "without `--out`");
}

#[test]
fn an_empty_folder_of_submissions_is_not_graded_yet() {
    let course = TwoLabs::new();
    std::fs::create_dir(course.path("in/project")).unwrap();
    course.file("in/project/.gitkeep", "");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "no submissions yet, and left out of the sums: project\n";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    assert_eq!(course.marks()["Ada King"]["project_points"], "");
    let lab = course.path("in/lab2");
    std::fs::remove_dir_all(&lab).unwrap();
    std::fs::create_dir(&lab).unwrap();
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("the submissions of `lab2` are no longer in"), "{}", ran.stderr);
}

#[test]
fn a_mistake_in_a_later_suite_is_refused_before_playing() {
    let course = TwoLabs::new();
    let refuse = |told: &str| {
        let ran = course.grade(&[]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
        assert!(!course.path("out").exists(), "nothing was played");
    };
    std::fs::create_dir(course.path("in/project")).unwrap();
    course.file("in/project/readme.txt", "soon");
    refuse("no submissions in");
    course.submit("project/somebody.wasm", "cc-runner");
    refuse("`project`: no student in");
    let list = course.path("students.csv").display().to_string();
    let anyway = ["--allow-unmatched", "--students", &list];
    assert_eq!(course.grade(&anyway).code, 0);
    // Existing results are found in time as well.
    std::fs::remove_dir_all(course.path("out/lab1")).unwrap();
    let ran = course.grade(&anyway);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("lab2/journal.jsonl"), "{}", ran.stderr);
    assert!(!course.path("out/lab1").exists(), "nothing was played");
}

#[test]
fn matching_without_a_student_list_is_reported_once() {
    let course = TwoLabs::new();
    course.describe("", ["weight = 30", "weight = 0.5"]);
    let told = "without a list of students, people are matched across suites by number or name";
    let ran = course.grade(&[]);
    assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let list = course.path("students.csv").display().to_string();
    for more in [&["--students", &list][..], &["--resume"]] {
        let ran = course.grade(more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("without a list"), "{}", ran.stderr);
    }
}

#[test]
fn parts_of_several_suites_join_to_the_bytes_of_the_whole() {
    let course = TwoLabs::new();
    assert_eq!(course.grade(&[]).code, 0);
    for (shard, part) in [("1/2", "part-1"), ("2/2", "part-2")] {
        let ran = course.grade_into(part, &["--shard", shard]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        let told = format!("== Programming <2>: part {shard}; `judge merge` joins all parts");
        assert!(ran.stdout.contains(&told), "{}", ran.stdout);
        assert!(!course.path(part).join("marks.csv").exists(), "no sums over a part");
    }
    let before = files_in(&course.path("part-1"));
    let ran = course.grade_into("part-1", &["--shard", "1/2", "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(files_in(&course.path("part-1")) == before, "the same bytes");
    let merged = course.merge(&["part-2", "part-1"], "merged");
    assert_eq!(merged.code, 0, "{}{}", merged.stdout, merged.stderr);
    assert!(merged.stdout.contains("== Programming <2>: 3 students\n"), "{}", merged.stdout);
    assert!(files_in(&course.path("merged")) == files_in(&course.path("out")), "the same bytes");
    let ran = course.merge(&["part-1"], "lone");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("the parts are 1/2; expected 1/2, 2/2"), "{}", ran.stderr);
    assert!(!course.path("lone").exists(), "nothing was written");
}

#[test]
fn parts_of_another_course_file_or_without_an_end_are_not_joined() {
    let course = TwoLabs::new();
    assert_eq!(course.grade_into("part-1", &["--shard", "1/2"]).code, 0);
    course.describe("students = \"students.csv\"\n", ["weight = 31", "weight = 0.5"]);
    assert_eq!(course.grade_into("part-2", &["--shard", "2/2"]).code, 0);
    let ran = course.merge(&["part-1", "part-2"], "merged");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("part-2`: this part was graded with another"), "{}", ran.stderr);
    std::fs::remove_file(course.path("part-1/part.json")).unwrap();
    let ran = course.merge(&["part-1", "part-2"], "merged");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("is not a finished part of a course"), "{}", ran.stderr);
    assert!(!course.path("merged").exists(), "nothing was written");
}
