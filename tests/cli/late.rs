//! Late submissions: times from platforms' exports, due dates and rules from a file, and the points
//! that count in sheets and pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, write};

/// A suite worth 120 points that every submission passes, and submissions to it.
struct LateCourse(tempfile::TempDir);

const GRADESCOPE: &str = "---\nsubmission_12:\n  :submitters:\n  - :name: Ada King\n    :sid: '77'\n  \
     :created_at: 2026-11-23 14:59:00.999000000 -08:00\nsubmission_13:\n  :submitters:\n  - :name: \
     Bob\n    :sid: '78'\n  :created_at: 2026-11-25 09:00:00.000000000 +01:00\nsubmission_14:\n  \
     :submitters:\n  - :name: Cat\n    :sid: '79'\n";

const PER_DAY: &str = "policy = \"per_day\"\npercent_per_day = 10\n";

impl LateCourse {
    fn new(files: &[&str]) -> LateCourse {
        let course = LateCourse(tempfile::tempdir().unwrap());
        std::fs::create_dir(course.path("suite")).unwrap();
        std::fs::create_dir(course.path("in")).unwrap();
        write(&course.path("suite"), "suite.toml", "title = \"Lab 3\"\n");
        let case = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1]\n\
                    min_score = -1\npoints = 120\n[options]\nsize = 6\n";
        write(&course.path("suite"), "01.toml", case);
        files.iter().for_each(|name| course.submit(name));
        course
    }

    fn gradescope() -> LateCourse {
        let files = [12, 13, 14].map(|number| format!("submission_{number}/bot.wasm"));
        let course = LateCourse::new(&files.each_ref().map(String::as_str));
        write(&course.path("in"), "submission_metadata.yml", GRADESCOPE);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn submit(&self, name: &str) {
        let path = self.path("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::copy(sample("cc-runner"), path).unwrap();
    }

    fn list(&self, text: &str) -> String {
        write(self.0.path(), "list.csv", text).display().to_string()
    }

    /// Writes `late.toml`: rules, and further lines.
    fn rules(&self, rules: &str, more: &str) {
        let text = format!("due = \"2026-11-23 23:59 +01:00\"\n{more}\n[late]\n{rules}");
        write(self.0.path(), "late.toml", text);
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let paths = ["in", "suite", "out", "late.toml"].map(|name| self.path(name));
        let [submissions, suite, out, late] = paths.map(|path| path.display().to_string());
        let fixed = ["grade", &submissions, "--suite", &suite, "--out", &out, "--late", &late];
        run(fixed.iter().chain(more))
    }

    /// Grades into a new folder, and returns the marks.
    fn marks(&self, more: &[&str]) -> BTreeMap<String, [String; 3]> {
        let _ = std::fs::remove_dir_all(self.path("out"));
        let ran = self.grade(more);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        marks(&self.path("out"))
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("out").join(name)).unwrap()
    }
}

/// The rows of the mark sheet by the titles of their columns, in the order of the students.
fn rows(out: &Path) -> Vec<BTreeMap<String, String>> {
    let mut rows = table(&out.join("marks.csv"));
    rows.sort_by(|one, other| one["student"].cmp(&other["student"]));
    rows
}

fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Points, lateness and percentage by student.
fn marks(out: &Path) -> BTreeMap<String, [String; 3]> {
    let fields = ["points", "late", "late_percent"];
    let rows = rows(out).into_iter();
    rows.map(|row| (row["student"].clone(), fields.map(|key| row[key].clone()))).collect()
}

fn expect(found: &BTreeMap<String, [String; 3]>, expected: &[(&str, [&str; 3])]) {
    let owned = |(who, fields): &(&str, [&str; 3])| ((*who).to_owned(), fields.map(str::to_owned));
    assert_eq!(*found, expected.iter().map(owned).collect());
}

#[test]
fn each_late_policy_applies_to_times_of_a_gradescope_export() {
    let course = LateCourse::gradescope();
    let rules: [(&str, [[&str; 3]; 2]); 5] = [
        // 999 ms are a started day, and the second day began a minute earlier.
        (PER_DAY, [["108", "1 day late", "90"], ["96", "2 days late", "80"]]),
        (
            "policy = \"per_day\"\npercent_per_day = 60\nfree_days = 1\ngrace_minutes = 1\n",
            [["120", "", "100"], ["48", "2 days late", "40"]],
        ),
        ("policy = \"no_points\"\n", [["0", "1 day late", "0"], ["0", "2 days late", "0"]]),
        (
            "policy = \"refuse\"\n",
            [["0", "1 day late, not accepted", "0"], ["0", "2 days late, not accepted", "0"]],
        ),
        ("policy = \"refuse\"\ngrace_minutes = 2880\n", [["120", "", "100"], ["120", "", "100"]]),
    ];
    for (rules, [ada, bob]) in rules {
        course.rules(rules, "");
        let marks = course.marks(&[]);
        expect(&marks, &[("Ada King", ada), ("Bob", bob), ("Cat", ["120", "", "100"])]);
    }
}

#[test]
fn rank_points_are_added_after_the_late_deduction() {
    let course = LateCourse::gradescope();
    let rank = "title = \"Lab 3\"\n[rank]\ncurve = [[0, 10], [100, 100]]\n";
    write(&course.path("suite"), "suite.toml", rank);
    let refuse = "policy = \"refuse\"\n";
    for (rules, expected) in [
        (PER_DAY, [["55", "163"], ["10", "106"], ["100", "220"]]),
        // Cat is the only one in the field.
        (refuse, [["0", "0"], ["0", "0"], ["100", "220"]]),
        ("policy = \"no_points\"\n", [["0", "0"], ["0", "0"], ["100", "220"]]),
        // Ada has 48 points left, and Bob none.
        (
            "policy = \"per_day\"\npercent_per_day = 60\n",
            [["10", "58"], ["0", "0"], ["100", "220"]],
        ),
    ] {
        course.rules(rules, "");
        course.marks(&[]);
        let rows = rows(&course.path("out"));
        let found = rows.iter().map(|row| ["rank_points", "points"].map(|key| row[key].as_str()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{rules}");
        let out = course.path("out").display().to_string();
        let shown = run(["scoreboard", &out]);
        assert_eq!(shown.code, 0, "{}", shown.stderr);
    }
}

#[test]
fn pages_and_sheets_show_late_deductions_and_reports_do_not_change() {
    let course = LateCourse::gradescope();
    course.rules(PER_DAY, "");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("late: 2 students\n"), "{}", ran.stdout);
    let note = "1 submission has no known time and counts as on time; times are read from";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let text = "2 days late: 80 % of 120 points";
    let page = course.read("students/submission_13.html");
    assert!(page.contains(text) && page.contains("<b>96</b> of 120 points"), "{page}");
    assert!(!course.read("students/submission_14.html").contains("late:"));
    let scoreboard = course.read("scoreboard.html");
    assert!(scoreboard.contains(&format!("Accepted; {text}")), "{scoreboard}");
    let out = course.path("out").display().to_string();
    let shown = run(["scoreboard", &out]);
    assert!(shown.stdout.contains(text), "{}{}", shown.stdout, shown.stderr);
    let json = run(["scoreboard", &out, "--json", "-"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["students"][2]["late"]["percent"], 80, "{json}");
    let public = run(["scoreboard", &out, "--json", "-", "--pseudonyms=x"]).stdout;
    assert!(!public.contains("late"), "{public}");
    // A changed percentage contradicts the points.
    let sheet = course.read("marks.csv");
    write(&course.path("out"), "marks.csv", sheet.replace("2 days late,80", "2 days late,90"));
    let changed = run(["scoreboard", &out]);
    assert_eq!(changed.code, 3, "{}", changed.stdout);
    assert!(
        changed.stderr.contains("`points` is `96`; the report has `108`"),
        "{}",
        changed.stderr
    );
    let report = course.read("students/submission_13.json");
    std::fs::remove_file(course.path("in/submission_metadata.yml")).unwrap();
    course.rules(PER_DAY, "");
    course.marks(&[]);
    assert_eq!(course.read("students/submission_13.json"), report, "without a time");
}

#[test]
fn a_resumed_run_recounts_late_points_without_playing() {
    let course = LateCourse::gradescope();
    course.rules(PER_DAY, "");
    course.marks(&[]);
    let journal = |course: &LateCourse| {
        let text = course.read("journal.jsonl");
        text.lines().filter(|line| line.contains("\"round\"")).count()
    };
    let rounds = journal(&course);
    assert!(rounds > 0);
    course.rules("policy = \"no_points\"\n", "");
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let change = "Bob: points 96 -> 0, late_percent 80 -> 0";
    assert!(ran.stdout.contains(change), "{}", ran.stdout);
    let look_at = table(&course.path("out/look-at.csv"));
    let late = look_at.iter().filter(|row| row["why"].contains("late"));
    let late: Vec<_> = late.map(|row| ["who", "why"].map(|key| row[key].as_str())).collect();
    let expected = [
        ["submission_12", "1 day late: 0 % of 120 points"],
        ["submission_13", "2 days late: 0 % of 120 points"],
    ];
    assert_eq!(late, expected);
    assert_eq!(journal(&course), rounds, "no round is played again");
    // Without `--late` the journal's dates count.
    let paths = ["in", "suite", "out"].map(|name| course.path(name).display().to_string());
    let [submissions, suite, out] = paths;
    let ran = run(["grade", &submissions, "--suite", &suite, "--out", &out, "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(marks(&course.path("out"))["Bob"], ["0", "2 days late", "0"]);
}

#[test]
fn late_policies_that_need_a_time_are_refused_for_canvas() {
    let course = LateCourse::new(&["kingada_4711_9001_bot.wasm", "bob_LATE_4712_9002_bot.wasm"]);
    let bob = "bob_LATE_4712_9002_bot";
    for (rules, late) in [
        ("policy = \"refuse\"\n", ["0", "late, not accepted", "0"]),
        ("policy = \"no_points\"\n", ["0", "late", "0"]),
    ] {
        course.rules(rules, "");
        let marks = course.marks(&[]);
        expect(&marks, &[(bob, late), ("kingada_4711_9001_bot", ["120", "", "100"])]);
    }
    assert!(course.read("canvas.csv").contains(",4712,,0\n"), "{}", course.read("canvas.csv"));
    let more = "[extensions]\n4712 = \"2026-11-30 23:59 +01:00\"\n";
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let grace = "policy = \"no_points\"\ngrace_minutes = 15\n";
    for (rules, more) in [(PER_DAY, ""), ("policy = \"refuse\"\n", more), (grace, "")] {
        write(
            course.0.path(),
            "late.toml",
            format!("due = \"2026-11-23 23:59 +01:00\"\n[late]\n{rules}{more}"),
        );
        let ran = course.grade(&[]);
        assert_eq!(ran.code, 3, "{}", ran.stdout);
        let wrong = format!(
            "Canvas marks these submissions as late, but does not say by how much: `{bob}`"
        );
        assert!(ran.stderr.contains(&wrong), "{}", ran.stderr);
        assert!(ran.stderr.contains("for a grace period (`grace_minutes`)"), "{}", ran.stderr);
        assert!(ran.stderr.contains("`times = \"FILE\"` next to `due`"), "{}", ran.stderr);
        assert!(!course.path("out").exists(), "refused before anything is written");
    }
    let times = format!("submission,submitted\n{bob},2026-11-24 00:00 +01:00\n");
    write(course.0.path(), "times.csv", times);
    course.rules(PER_DAY, "times = \"times.csv\"");
    assert_eq!(course.marks(&[])[bob], ["108", "1 day late", "90"]);
}

#[test]
fn moodles_worksheet_has_times_in_the_offset_of_the_due_date() {
    let folder = |name: &str| format!("{name}_assignsubmission_file_/bot.wasm");
    let files = [folder("Ada King_1201"), folder("Bob_1202"), folder("Cat_1203")];
    let course = LateCourse::new(&files.each_ref().map(String::as_str));
    let head = "Identifier,Full name,\"Last modified (submission)\",\"Last modified (grade)\"\n";
    let row =
        |number: u32, name: &str, time: &str| format!("Participant {number},{name},\"{time}\",-\n");
    let rows = [
        row(1201, "Ada King", "Monday, 23 November 2026, 11:59 PM"),
        row(1202, "Bob", "Tuesday, 24 November 2026, 12:00 AM"),
        row(1203, "Cat", "Wednesday, November 25, 2026, 12:00 AM"),
        row(1204, "Dan", "-"),
    ];
    let list = course.list(&(head.to_owned() + &rows.concat()));
    course.rules(PER_DAY, "");
    let expected = [
        ("Ada King", ["120", "", "100"]),
        ("Bob", ["108", "1 day late", "90"]),
        ("Cat", ["96", "2 days late", "80"]),
        ("Dan", ["0", "", ""]),
    ];
    expect(&course.marks(&["--students", &list]), &expected);
    let moodle = course.read("moodle.csv");
    assert!(moodle.contains(",108,120,Accepted; 1 day late: 90 % of 120 points\n"), "{moodle}");
    // A list for all suites and one with the times of this suite.
    let times = write(course.0.path(), "times.csv", head.to_owned() + &rows.concat());
    course.rules(PER_DAY, &format!("times = \"{}\"", times.file_name().unwrap().display()));
    let plain = course.list("id,student\n1,Ada King\n2,Bob\n3,Cat\n4,Dan\n");
    expect(&course.marks(&["--students", &plain]), &expected);
    let german = "ID,\"Vollständiger Name\",\"Zuletzt geändert (Abgabe)\",\"Zuletzt geändert \
                  (Bewertung)\"\nTeilnehmer/in1202,Bob,\"Dienstag, 24. November 2026, 00:00\",-\n";
    let list = course.list(german);
    course.rules(PER_DAY, "");
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let ran = course.grade(&["--students", &list]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told =
        "1 time is not understood, such as `Dienstag, 24. November 2026, 00:00` of `Bob_1202";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert!(ran.stderr.contains("no submission has a known time, and all count"), "{}", ran.stderr);
    assert_eq!(marks(&course.path("out"))["Bob"], ["120", "", "100"]);
}

/// Clocks change between the due date and the extension.
#[test]
fn local_times_are_read_in_the_offset_of_the_extension() {
    let files = ["Ada_1201", "Bob_1202", "Cat_1203"]
        .map(|name| format!("{name}_assignsubmission_file_/bot.wasm"));
    let course = LateCourse::new(&files.each_ref().map(String::as_str));
    let list = course.list(
        "Identifier,Full name,Last modified (submission),Last modified (grade)\n\
         Participant 1201,Ada,\"Tuesday, 27 October 2026, 12:30 AM\",-\n\
         Participant 1202,Bob,\"Monday, 26 October 2026, 11:59 PM\",-\n\
         Participant 1203,Cat,\"Saturday, 24 October 2026, 11:59 PM\",-\n",
    );
    let extended = ["Ada", "Bob"].map(|who| format!("{who} = \"2026-10-26 23:59 +01:00\"\n"));
    let text = format!(
        "due = \"2026-10-24 23:59 +02:00\"\n[late]\n{PER_DAY}[extensions]\n{}",
        extended.concat()
    );
    write(course.0.path(), "late.toml", text);
    let on_time = ["120", "", "100"];
    expect(
        &course.marks(&["--students", &list]),
        &[("Ada", ["108", "1 day late", "90"]), ("Bob", on_time), ("Cat", on_time)],
    );
}

#[test]
fn lists_of_classrooms_and_spreadsheets_have_times_groups_and_extensions() {
    let course = LateCourse::new(&["lab3-ada-k.wasm", "lab3-bob.wasm", "lab3-cat.wasm"]);
    course.rules(PER_DAY, "");
    let grades = course.list(
        "assignment_name,github_username,roster_identifier,student_repository_name,\
         submission_timestamp,points_awarded\nLab 3,ada-k,0012345,lab3-ada-k,2026-11-23 22:59:00 \
         UTC,\nLab 3,bob,0012346,lab3-bob,2026-11-23 23:00,\nLab 3,cat,0012347,lab3-cat,,\n",
    );
    let on_time = ["120", "", "100"];
    let day_late = ["108", "1 day late", "90"];
    let classroom = [("lab3-ada-k", on_time), ("lab3-bob", day_late), ("lab3-cat", on_time)];
    expect(&course.marks(&["--students", &grades]), &classroom);
    let plain = "login,student,team,submitted\nada-k,Ada,,2026-11-24T23:59+01:00\nbob,Bob,red,\
                 2026-11-24T23:59:00.001+01:00\ncat,Cat,red,2026-11-23T22:59:00Z\n";
    let list = course.list(&plain.replace("team", "group"));
    let two_late = ["96", "2 days late", "80"];
    expect(
        &course.marks(&["--students", &list]),
        &[("Ada", day_late), ("Bob", two_late), ("Cat", on_time)],
    );
    let extended = |who: &str| {
        let more = format!("{PER_DAY}[extensions]\n\"{who}\" = \"2026-11-24 23:59 +01:00\"\n");
        course.rules(&more, "");
        course.marks(&["--students", &list])["Bob"].clone()
    };
    for who in ["bob", "Bob", "lab3-bob", "red"] {
        assert_eq!(extended(who), day_late, "{who}");
    }
    assert_eq!(extended("ada-k"), two_late);
    course.rules(&format!("{PER_DAY}[extensions]\nzed = \"2026-11-24 23:59 +01:00\"\n"), "");
    let ran = course.grade(&["--students", &list, "--resume"]);
    let told = "extensions without a student or submission: `zed`";
    assert!(ran.code == 0 && ran.stderr.contains(told), "{}", ran.stderr);
    let without = course.list(&plain.replace("22:59:00Z", "22:59:00"));
    let ran = course.grade(&["--students", &without, "--resume"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let told =
        "the time of the submission `lab3-cat`: `2026-11-23T22:59:00` has no offset from UTC";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: write a date with time and offset"), "{}", ran.stderr);
}

#[test]
fn a_group_has_the_latest_date_of_its_members_and_a_name_must_be_unique() {
    let course = LateCourse::new(&["red.wasm", "x.wasm", "y.wasm"]);
    let list = course.list(
        "submission,student,group,submitted\nred,Ada,red,2026-11-25 00:00 +01:00\n,Bob,red,\n\
         x,Yan,,2026-11-25 00:00 +01:00\ny,Yan,,\n",
    );
    let extensions = |who: &str| {
        course.rules(&format!("{PER_DAY}[extensions]\n{who} = \"2026-11-24 23:59 Z\"\n"), "");
    };
    extensions("Bob");
    let marks = course.marks(&["--students", &list]);
    assert_eq!([&marks["Ada"], &marks["Bob"]], [&["120", "", "100"]; 2]);
    extensions("Yan");
    let ran = course.grade(&["--students", &list, "--resume"]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let told = "the extension of `Yan` could be for 2 students";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    extensions("x");
    assert_eq!(course.grade(&["--students", &list, "--resume"]).code, 0);
}

#[test]
fn the_latest_of_a_groups_times_counts_and_is_reported() {
    let course = LateCourse::new(&["red.wasm", "blue.wasm"]);
    let text = "submission,student,group,submitted\nred,Ada,red,2026-11-23 20:00 +01:00\n\
                ,Bob,red,2026-11-24 23:00 +01:00\n,Cat,red,soon\nblue,Dan,blue,2026-11-23 \
                23:00 +01:00\n,Eve,blue,2026-11-23T22:00Z\n";
    let list = course.list(text);
    write(course.0.path(), "times.csv", text);
    let plain = write(
        course.0.path(),
        "plain.csv",
        "submission,student,group\nred,Ada,red\n,Bob,red\n,Cat,red\nblue,Dan,blue\n,Eve,blue\n",
    );
    for (list, times) in [(list, ""), (plain.display().to_string(), "times = \"times.csv\"")] {
        course.rules(PER_DAY, times);
        let _ = std::fs::remove_dir_all(course.path("out"));
        let ran = course.grade(&["--students", &list]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        let marks = marks(&course.path("out"));
        for who in ["Ada", "Bob", "Cat"] {
            assert_eq!(marks[who], ["108", "1 day late", "90"], "{who} {times}");
        }
        assert_eq!(marks["Dan"], ["120", "", "100"]);
        let told = "have different times in the list, and the latest counts: `red`\n";
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        let told = "1 time is not understood, such as `soon` of `red`";
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(ran.stderr.contains("another time counts instead for `red`\n"), "{}", ran.stderr);
        let journal = course.read("journal.jsonl");
        let resumed = course.grade(&["--resume"]);
        assert!(resumed.stderr.contains("the latest counts: `red`"), "{}", resumed.stderr);
        assert!(journal.contains("2026-11-24 23:00 +01:00"));
    }
}

#[test]
fn a_time_in_the_export_replaces_an_unreadable_one() {
    let course = LateCourse::gradescope();
    course.rules(PER_DAY, "");
    let list = course.list("submission,student,submitted\nsubmission_13,Bob,last Tuesday\n");
    let ran = course.grade(&["--students", &list]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(marks(&course.path("out"))["Bob"], ["96", "2 days late", "80"]);
    let told = "such as `last Tuesday` of `submission_13`";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let told = "another time counts instead for `submission_13`\n";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

#[test]
fn merged_parts_count_late_submissions_as_one_run_does() {
    let course = LateCourse::gradescope();
    course.rules(PER_DAY, "");
    course.marks(&[]);
    let whole = course.read("marks.csv");
    std::fs::rename(course.path("out"), course.path("whole")).unwrap();
    let mut parts = Vec::new();
    for part in ["1/2", "2/2"] {
        assert_eq!(course.grade(&["--shard", part]).code, 0);
        let folder = course.path(&format!("part{}", &part[..1]));
        std::fs::rename(course.path("out"), &folder).unwrap();
        parts.push(folder.display().to_string());
    }
    let out = course.path("out").display().to_string();
    let ran = run(["merge", &parts[0], &parts[1], "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.read("marks.csv"), whole);
    let page = std::fs::read(course.path("whole/students/submission_13.html")).unwrap();
    assert_eq!(course.read("students/submission_13.html").into_bytes(), page);
}

#[test]
fn mistakes_in_the_file_are_shown_at_their_places() {
    let course = LateCourse::gradescope();
    for (text, wrong) in [
        ("due = \"2026-11-23\"\n[late]\npolicy = \"refuse\"\n", "`2026-11-23` has no time of day"),
        ("due = \"2026-11-23 23:59\"\n[late]\npolicy = \"refuse\"\n", "has no offset from UTC"),
        ("due = \"2026-11-23 23:59 Z\"\n[late]\npolicy = \"no\"\n", "`no` is not a policy"),
        ("due = \"2026-11-23 23:59 Z\"\n", "late.toml` has no `late`"),
    ] {
        write(course.0.path(), "late.toml", text);
        let ran = course.grade(&[]);
        assert_eq!(ran.code, 3, "{}", ran.stdout);
        assert!(ran.stderr.contains(wrong), "{wrong}: {}", ran.stderr);
        assert!(!course.path("out").exists());
    }
    course.rules(PER_DAY, "times = \"list.csv\"");
    course.list("submission,time\nsubmission_12,x\n");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let wrong = "list.csv` has no column with the times of submissions";
    assert!(ran.stderr.contains(wrong), "{}", ran.stderr);
}
