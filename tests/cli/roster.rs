//! Lists of students as platforms and spreadsheets write them: what `judge roster` understands, and
//! the grading of a course with the same files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, root, run, sample, says, write};

const BOT: &str = "mahjong-distance";

/// The folder of the examples, relative to the repository.
const LISTS: &str = "tests/cli/lists";

/// The examples with names that begin with `wrong-`, or the others.
fn examples(wrong: bool) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(LISTS)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("wrong-") == wrong).collect();
    names.sort();
    assert!(names.len() > 9, "{names:?}");
    names
}

fn roster(name: &str, more: &[&str]) -> Ran {
    let path = format!("{LISTS}/{name}");
    run(["roster", &path].iter().chain(more))
}

#[test]
fn examples_of_all_platforms_are_understood() {
    for name in examples(false) {
        let ran = roster(&name, &[]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        let name = name.trim_end_matches(".csv").to_owned();
        insta::assert_snapshot!(name, format!("{}\n{}", ran.stdout, ran.stderr));
    }
}

#[test]
fn mistakes_in_a_list_are_printed_on_standard_error() {
    let mut told = String::new();
    for name in examples(true) {
        let ran = roster(&name, &[]);
        assert_eq!(ran.code, 3, "{name}: {}", ran.stderr);
        told.extend([name.as_str(), "\n", &ran.stderr, "\n"]);
        // Only lines that are wrong leave something to show.
        let is_partial = ["wrong-lines.csv", "wrong-open-quote.csv"].contains(&name.as_str());
        let has_some = ran.stdout.contains("\n  line  ");
        assert_eq!(has_some, is_partial, "{name}: {}", ran.stdout);
    }
    insta::assert_snapshot!(told);
    assert_eq!(roster("none.csv", &[]).code, 3);
}

#[test]
fn the_list_as_json_has_every_student_and_line() {
    let list = roster("canvas.csv", &["--json", "-"]).json();
    assert_eq!(list["origin"], "canvas");
    let lines = |key: &str| {
        let all = list[key].as_array().unwrap().iter();
        all.map(|one| one["line"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((lines("students"), lines("left_out")), (vec![4, 5], vec![2, 3, 6]));
    let ada = &list["students"][0];
    assert_eq!((&ada["student"], &ada["id"]), (&"Ada King".into(), &"0012345".into()));
    assert_eq!(list["columns"][0]["read_as"], "student");
    assert!(list["columns"][5]["read_as"].is_null() && ada.get("group").is_none(), "{list}");
    let ran = roster("wrong-lines.csv", &["--json", "-"]);
    assert_eq!((ran.code, ran.json()["wrong"].as_array().unwrap().len()), (3, 4));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.json").display().to_string();
    let ran = roster("canvas.csv", &["--json", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(written, list);
}

#[test]
fn a_long_list_shows_ten_students_or_all() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (1..=12).map(|number| format!("Student {number},s{number:03}\n"));
    let path =
        write(folder.path(), "list.csv", "student,id\n".to_owned() + &rows.collect::<String>());
    let path = path.display().to_string();
    let ran = run(["roster", &path]);
    says(&ran.stdout, &["\n12 students\n", "s010", "and 2 more: `--all` shows them\n"]);
    assert!(!ran.stdout.contains("s011"), "{}", ran.stdout);
    let ran = run(["roster", &path, "--all"]);
    assert!(ran.stdout.contains("s012") && !ran.stdout.contains("more"), "{}", ran.stdout);
}

#[test]
fn a_list_is_not_replaced_by_its_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "list.csv", "student\nAda\n").display().to_string();
    let ran = run(["roster", &path, "--json", &path]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "student\nAda\n");
}

/// A course on a suite of one testcase of Mahjong.
struct RosterCourse(tempfile::TempDir);

impl RosterCourse {
    /// A course with these submissions: a folder with a module for each name.
    fn new(submissions: &[&str]) -> RosterCourse {
        let course = RosterCourse(tempfile::tempdir().unwrap());
        let suite = course.path("suite");
        std::fs::create_dir(&suite).unwrap();
        write(&suite, "suite.toml", "title = \"Lab 1\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\n\
                    min_score = -1000\npoints = 10\n";
        write(&suite, "01.toml", case);
        for name in submissions {
            let folder = course.path("in").join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::copy(sample(BOT), folder.join("bot.wasm")).unwrap();
        }
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn grade(&self, list: &Path) -> Ran {
        let [submissions, suite, out] =
            ["in", "suite", "out"].map(|name| self.path(name).display().to_string());
        let list = list.display().to_string();
        run(["grade", &submissions, "--suite", &suite, "--out", &out, "--students", &list])
    }

    /// Id and verdict by student and submission.
    fn marks(&self) -> BTreeMap<[String; 2], [String; 2]> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        let pick =
            |row: &BTreeMap<String, String>, keys: [&str; 2]| keys.map(|key| row[key].clone());
        rows.map(|row| (pick(&row, ["student", "submission"]), pick(&row, ["id", "worst_verdict"])))
            .collect()
    }
}

/// Grades submissions with an example as the list; the marks must be these: student, submission,
/// id. An empty submission stands for none.
#[track_caller]
fn graded(list: &str, submissions: &[&str], expected: &[[&str; 3]]) -> (RosterCourse, Ran) {
    let course = RosterCourse::new(submissions);
    let ran = course.grade(&root().join(LISTS).join(list));
    assert_eq!(ran.code, 0, "{list}: {}", ran.stderr);
    let marks = course.marks();
    let rows = expected.iter().map(|[student, submission, id]| {
        let verdict = if submission.is_empty() { "No submission" } else { "Accepted" };
        ([*student, *submission].map(str::to_owned), [*id, verdict].map(str::to_owned))
    });
    assert_eq!(marks, rows.collect(), "{list}");
    (course, ran)
}

#[test]
fn a_moodle_worksheet_distinguishes_homonyms() {
    let names = [
        "Ada King_1201_assignsubmission_file_",
        "Ada King_1203_assignsubmission_file_",
        "Jürgen Müller_1202_assignsubmission_file_",
    ];
    let rows = [
        ["Ada King", names[0], "0012345"],
        ["Ada King", names[1], "0012347"],
        ["Jürgen Müller", names[2], "0012346"],
    ];
    let (course, ran) = graded("moodle-worksheet.csv", &names, &rows);
    says(&ran.stderr, &["moodle-worksheet.csv` was read as Moodle's grading worksheet; `judge ro"]);
    assert_eq!(ran.stderr.lines().count(), 1, "nothing is uncertain: {}", ran.stderr);
    let sheet = std::fs::read_to_string(course.path("out/moodle.csv")).unwrap();
    for number in ["Participant 1201,", "Participant 1202,", "Participant 1203,"] {
        assert!(sheet.contains(number), "{sheet}");
    }
}

#[test]
fn blind_submissions_belong_to_the_participants_of_the_worksheet() {
    let names = ["Participant_1201_assignsubmission_file_"];
    let rows = [["Participant 1201", names[0], ""], ["Participant 1202", "", ""]];
    let (course, _) = graded("moodle-worksheet-blind.csv", &names, &rows);
    let sheet = std::fs::read_to_string(course.path("out/moodle.csv")).unwrap();
    assert!(sheet.contains("\nParticipant 1201,Participant 1201,"), "{sheet}");
    // A worksheet of the time after identities were revealed.
    let names = ["Teilnehmerin_1201_assignsubmission_file_"];
    let rows = [["Ada King", names[0], "0012345"], ["Jürgen Müller", "", "0012346"]];
    let (_, ran) = graded("moodle-worksheet-german.csv", &names, &rows);
    assert_eq!(ran.stderr.lines().count(), 1, "nothing is uncertain: {}", ran.stderr);
}

#[test]
fn a_worksheet_of_another_assignment_matches_no_student_wrongly() {
    let names = ["Jürgen Müller_1201_assignsubmission_file_"];
    let rows = [
        ["Ada King", "", "0012345"],
        ["Ada King", "", "0012347"],
        ["Jürgen Müller", names[0], "0012346"],
    ];
    graded("moodle-worksheet.csv", &names, &rows);
}

#[test]
fn teams_of_moodle_have_a_copy_for_each_member_or_one_for_all() {
    let names = [
        "Team 1-Ada King_1201_assignsubmission_file_",
        "Team 1-Bob Stone_1202_assignsubmission_file_",
    ];
    let rows = |both: [&'static str; 2]| {
        [["Ada King", both[0], ""], ["Bob Stone", both[1], ""], ["Zoë Ångström", "", ""]]
    };
    let (_, ran) = graded("moodle-worksheet-teams.csv", &names, &rows(names));
    assert_eq!(ran.stderr.lines().count(), 1, "no remark on copies: {}", ran.stderr);
    let (_, ran) = graded("moodle-worksheet-teams.csv", &names[..1], &rows([names[0]; 2]));
    says(&ran.stderr, &["submissions that count for members of a group: `Team 1-Ada King_1201"]);
}

#[test]
fn canvas_users_are_matched_by_number_and_name() {
    let names = ["kingada_4711_9001_bot", "robertstone_LATE_4712_9002_bot"];
    let rows = [["Ada King", names[0], "0012345"], ["Bob Stone", names[1], "0012346"]];
    let (_, ran) = graded("canvas.csv", &names, &rows);
    says(
        &ran.stderr,
        &[
            "`robertstone_LATE_4712_9002_bot` was matched to `Bob Stone` by identifier only",
            "was read as Canvas's gradebook, without 3 lines that are not students",
        ],
    );
    assert!(!ran.stderr.contains("kingada"), "{}", ran.stderr);
}

#[test]
fn a_repository_belongs_to_the_login_at_the_end_of_its_name() {
    let names = ["lab4-ada-k", "lab4-0012346"];
    let rows = [["Ada King", names[0], "0012345"], [names[1], names[1], "0012346"]];
    let (_, ran) = graded("github-classroom.csv", &names, &rows);
    assert_eq!(ran.stderr.lines().count(), 1, "nothing is uncertain: {}", ran.stderr);
    let names = ["cs-fall-hello-ADA-K", "cs-fall-hello-bob2"];
    let rows = [["Ada King", names[0], "ada-k"], ["Bob Stone", names[1], "bob2"]];
    graded("classroom50.csv", &names, &rows);
}

#[test]
fn a_student_list_can_be_a_spreadsheet_of_any_format() {
    let both = ["Ada King", "Jürgen Müller"];
    let rows =
        |names: [&'static str; 2]| [[both[0], names[0], "0012345"], [both[1], names[1], "0012346"]];
    for (list, names) in [
        ("plain-semicolons.csv", ["ada@uni.example", "0012346"]),
        ("plain-tabs-utf16.csv", ["lab1-ada1", "jm"]),
        ("moodle-participants.csv", ["ada@uni.example", "Jürgen Müller"]),
        ("moodle-participants-german.csv", ["0012345", "lab1-0012346"]),
    ] {
        graded(list, &names, &rows(names));
    }
}
