//! `judge grade --out` and `judge merge`: a folder of submissions in, marks and reports out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, write};

/// Submissions, a suite with points by rank, and a folder for results.
struct GradedCourse(tempfile::TempDir);

impl GradedCourse {
    fn new() -> GradedCourse {
        let course = GradedCourse(tempfile::tempdir().unwrap());
        std::fs::create_dir(course.path("suite")).unwrap();
        std::fs::create_dir_all(course.path("in/dan")).unwrap();
        let suite = "title = \"Small\"\n[rank]\nmin_points = 10\ncurve = [[0, 0], [100, 50]]\n";
        write(&course.path("suite"), "suite.toml", suite);
        let testcase = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\n\
                        seeds = [1, 2, 3]\nmin_score = 1\npoints = 10\n";
        write(&course.path("suite"), "01-only.toml", testcase);
        for (name, bot) in [
            ("ada", "mahjong-distance"),
            ("bob", "mahjong-straightforward"),
            ("=cat", "cc-runner"),
            ("dan/my bot", "mahjong-distance"),
        ] {
            let path = course.path("in").join(format!("{name}.wasm"));
            std::fs::copy(sample(bot), path).unwrap();
        }
        write(&course.path("in"), "eve.wasm", "not a module");
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn grade(&self, out: &str, more: &[&str]) -> Ran {
        let paths = [self.path("in"), self.path("suite"), self.path(out)];
        let [submissions, suite, out] = paths.map(|path| path.display().to_string());
        let fixed = ["grade", &submissions, "--suite", &suite, "--out", &out];
        run(fixed.iter().chain(more))
    }

    fn marks(&self, out: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path(out).join("marks.csv")).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }
}

/// All files in a results folder except the journal, by name.
fn results(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let folders = [out.to_owned(), out.join("students")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path()).filter(|path| {
        path.is_file() && path.file_name().is_none_or(|name| name != "journal.jsonl")
    });
    let relative = |path: &Path| path.strip_prefix(out).unwrap().to_owned();
    files.map(|path| (relative(&path), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn the_mark_sheet_has_points_per_student_and_testcase() {
    let course = GradedCourse::new();
    let list = "submission,student,id\nada,\"Ada, Countess\",1\neve,Eve,2\nzed,Zed,3\n";
    let students = write(course.0.path(), "students.csv", list).display().to_string();
    let ran = course.grade("out", &["--students", &students]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for line in ["5 submissions graded on `suite`", "3  Accepted", "1  No submission", "marks.csv"]
    {
        assert!(ran.stdout.contains(line), "`{line}` in {}", ran.stdout);
    }
    let marks = course.marks("out");
    let row = |student: &str| {
        marks.iter().find(|row| row["student"] == student).unwrap_or_else(|| panic!("{marks:?}"))
    };
    let fields = |student: &str| {
        let row = row(student);
        ["points", "rank", "rank_points", "01-only", "worst_verdict"].map(|key| row[key].clone())
    };
    // Ada and Dan submitted the same bot: equal, each beats Bob and half of the other.
    assert_eq!(fields("Ada, Countess"), ["47", "1", "37", "10", "Accepted"]);
    assert_eq!(fields("dan"), ["47", "1", "37", "10", "Accepted"]);
    assert_eq!(fields("bob"), ["10", "3", "0", "10", "Accepted"]);
    assert_eq!(fields("'=cat"), ["0", "4", "0", "0", "Protocol error"]);
    assert_eq!(fields("Eve"), ["0", "4", "0", "0", "Invalid module"]);
    assert_eq!(fields("Zed"), ["0", "6", "", "0", "No submission"]);
    assert_eq!(row("Ada, Countess")["id"], "1");
    assert_eq!(row("Ada, Countess")["max_points"], "60");
    let report = course.path("out").join(&row("dan")["report"]).display().to_string();
    let verified = run(["verify", &report]);
    assert_eq!(verified.code, 5, "{}{}", verified.stdout, verified.stderr);
    let dan = course.path("in/dan/my bot.wasm").display().to_string();
    let suite = course.path("suite").display().to_string();
    let verified = run(["verify", &report, &dan, "--suite", &suite]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
}

#[test]
fn merged_parts_equal_one_run_byte_for_byte() {
    let course = GradedCourse::new();
    let list = write(course.0.path(), "students.csv", "submission,id\nada,1\nzed,3\n");
    let list = list.display().to_string();
    assert_eq!(course.grade("whole", &["--students", &list]).code, 0);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let out = format!("part-{}", &shard[..1]);
        let ran = course.grade(&out, &["--students", &list, "--shard", shard, "--jobs", "1"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        course.path(&out).display().to_string()
    });
    let merge = |parts: &[&String], out: &str| {
        let out = course.path(out).display().to_string();
        run(["merge"]
            .into_iter()
            .chain(parts.iter().map(|part| part.as_str()))
            .chain(["--out", &out]))
    };
    let merged = merge(&[&parts[2], &parts[0], &parts[1]], "merged");
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    assert!(merged.stdout.contains("5 submissions graded"), "{}", merged.stdout);
    assert_eq!(results(&course.path("merged")), results(&course.path("whole")));
    for wrong in [&[&parts[0], &parts[1]][..], &[&parts[0], &parts[1], &parts[1]]] {
        let ran = merge(wrong, "wrong");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("part-2` is named twice")
                || ran.stderr.contains("expected 1/3, 2/3, 3/3"),
            "{}",
            ran.stderr
        );
    }
    let whole = course.path("whole").display().to_string();
    let ran = merge(&[&whole], "wrong");
    assert!(ran.stderr.contains("not a part of a course"), "{}", ran.stderr);
}

#[test]
fn merge_refuses_an_unfinished_part() {
    let course = GradedCourse::new();
    for shard in ["1/2", "2/2"] {
        let out = format!("part-{}", &shard[..1]);
        assert_eq!(course.grade(&out, &["--shard", shard]).code, 0);
    }
    let journal = course.path("part-1/journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let at = text.lines().position(|line| line.starts_with("{\"entry\":{\"round\"")).unwrap();
    // The first round's line and all later ones are lost, except for the submissions' names.
    let whole: Vec<&str> = text.lines().take(at).collect();
    std::fs::write(&journal, whole.join("\n") + "\n").unwrap();
    let parts = ["part-1", "part-2"].map(|part| course.path(part).display().to_string());
    let out = course.path("merged").display().to_string();
    let ran = run(["merge", &parts[0], &parts[1], "--out", &out]);
    // The submissions of that part are unknown now, and none may be left out silently.
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("--resume"), "{}", ran.stderr);
}

#[test]
fn bad_arguments_are_refused_before_grading_starts() {
    let course = GradedCourse::new();
    let ran = course.grade("out", &["--shard", "0/2"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`1/4` to `4/4`"), "{}", ran.stderr);
    let empty = course.path("empty").display().to_string();
    std::fs::create_dir(&empty).unwrap();
    let ran = run(["grade", &empty, "--suite", "mahjong", "--out", &empty]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("no submissions in"), "{}", ran.stderr);
    let ran = run(["grade", &empty, "--out", &empty]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("a course needs a suite"), "{}", ran.stderr);
    let ran = run(["grade", &empty, "--resume"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("needs a journal"), "{}", ran.stderr);
}

#[test]
fn resume_keeps_the_student_list() {
    let course = GradedCourse::new();
    let list = "submission,student\nada,Ada\nzed,Zed\n";
    let students = write(course.0.path(), "students.csv", list).display().to_string();
    assert_eq!(course.grade("out", &["--students", &students]).code, 0);
    let before = results(&course.path("out"));
    let ran = course.grade("out", &["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(results(&course.path("out")), before);
    let names: Vec<String> = course.marks("out").iter().map(|row| row["student"].clone()).collect();
    assert!(names.contains(&"Zed".to_owned()), "{names:?}");
}

#[test]
fn a_result_folder_inside_the_submissions_is_refused() {
    let course = GradedCourse::new();
    std::fs::create_dir(course.path("in/deep")).unwrap();
    for out in ["in", "in/results", "in/deep/more", "suite/../in/results"] {
        let ran = course.grade(out, &[]);
        assert_eq!(ran.code, 2, "{out}: {}", ran.stderr);
        assert!(ran.stderr.contains("would be among the submissions"), "{out}: {}", ran.stderr);
    }
    assert!(!course.path("in/results").exists() && !course.path("in/journal.jsonl").exists());
    assert_eq!(course.grade("in-results", &[]).code, 0, "beside them is fine");
}

#[test]
fn no_output_replaces_a_module() {
    let course = GradedCourse::new();
    let bot = course.path("in/ada.wasm");
    let (name, before) = (bot.display().to_string(), std::fs::read(&bot).unwrap());
    let suite = course.path("suite").display().to_string();
    let other = course.path("in/bob.wasm").display().to_string();
    for (graded, why) in [
        (&name, "is an input of this command and would be overwritten"),
        (&other, "is a WebAssembly module, which would be lost"),
    ] {
        let ran = run(["grade", graded, "--suite", &suite, "--json", &name]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read(&bot).unwrap(), before);
}

#[test]
fn a_failed_submission_names_its_line_in_report_and_page() {
    let course = GradedCourse::new();
    let case = |more: &str| {
        format!(
            "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1, 2]\nmin_score = \
             1\npoints = 10\n{more}"
        )
    };
    write(&course.path("suite"), "01-only.toml", case(""));
    write(&course.path("suite"), "02-late.toml", case("hidden = true\n"));
    write(&course.path("in"), "fay.wasm", include_bytes!("../support/divides.wasm"));
    let read = |out: &str, file: &str| {
        std::fs::read_to_string(course.path(out).join(file)).unwrap_or_default()
    };
    let frame = "divide (divides.c:8)";
    assert_eq!(course.grade("whole", &[]).code, 0);
    for (file, times) in [("students/fay", 1), ("full/fay", 2), ("students/=cat", 0)] {
        let json = read("whole", &format!("{file}.json"));
        assert_eq!(json.matches(frame).count(), times, "{file}: {json}");
        let page = read("whole", &format!("{file}.html"));
        assert_eq!(page.matches(frame).count(), times.min(1), "{file}: the same fault is folded");
    }
    let before = results(&course.path("whole"));
    assert_eq!(course.grade("whole", &["--resume"]).code, 0);
    assert_eq!(results(&course.path("whole")), before);
    // Parts that were graded elsewhere, and merged without any module.
    let parts = ["1/2", "2/2"].map(|shard| {
        let out = format!("part-{}", &shard[..1]);
        let ran = course.grade(&out, &["--shard", shard]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        course.path(&out).display().to_string()
    });
    let merged = course.path("merged").display().to_string();
    let ran = run(["merge", &parts[0], &parts[1], "--out", &merged]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(read("merged", "full/fay.json"), read("whole", "full/fay.json"));
    assert_eq!(results(&course.path("merged")), before);
}
