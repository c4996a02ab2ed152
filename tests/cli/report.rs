//! `judge grade --report` and `judge report`: formats, saved results, comparison of two runs.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, run, sample, write};

const TESTCASE: &str = r#"title = "Two rounds"
game = "mahjong"
opponent = "random"
seeds = [5, 6]
min_score = 30
points = 10
"#;

/// A folder with a suite of one testcase and the report of a bot that passes it.
struct Saved {
    folder: tempfile::TempDir,
    report: PathBuf,
}

impl Saved {
    fn new() -> Saved {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report.json");
        let saved = Saved { folder, report };
        saved.grade("mahjong-straightforward", TESTCASE, "report.json");
        saved
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Grades a bot on a testcase and stores the report.
    fn grade(&self, bot: &str, testcase: &str, name: &str) -> String {
        let testcase = write(self.folder.path(), "case.toml", testcase);
        let report = self.path(name);
        let bot = sample(bot);
        let arguments = ["grade", bot.to_str().unwrap(), "--testcase", testcase.to_str().unwrap()];
        let ran = run(arguments.into_iter().chain(["--json", &report]));
        assert!(ran.code < 2, "{}", ran.stderr);
        report
    }

    fn report(&self, more: &[&str]) -> Ran {
        run(["report", self.report.to_str().unwrap()].iter().chain(more))
    }
}

#[test]
fn a_saved_report_converts_to_every_format() {
    let saved = Saved::new();
    let bot = sample("mahjong-straightforward");
    for format in ["json", "junit", "csv", "markdown", "github", "gradescope", "joj3"] {
        let file = saved.path(format);
        let (bot, case) = (bot.to_str().unwrap(), saved.path("case.toml"));
        let target = format!("{format}={file}");
        let graded = run(["grade", bot, "--testcase", &case, "--report", &target]);
        assert_eq!(graded.code, 0, "{}", graded.stderr);
        assert!(graded.stdout.contains("total"), "the tables are still shown: {}", graded.stdout);
        let later = saved.report(&["--to", format]);
        assert_eq!(later.code, 0, "{}", later.stderr);
        let timeless = |text: &str| text.split("\"timing\"").next().unwrap().to_owned();
        assert_eq!(timeless(&later.stdout), timeless(&std::fs::read_to_string(&file).unwrap()));
    }
    let tables = saved.report(&[]);
    assert!(tables.stdout.starts_with("mahjong-straightforward, by judge\n"), "{}", tables.stdout);
}

#[test]
fn only_one_target_can_use_standard_output() {
    let saved = Saved::new();
    let results = saved.report(&["--to", "gradescope=-"]).json();
    assert_eq!(results["tests"][0]["status"], "passed");
    let both = saved.report(&["--to", "json", "--to", "junit=-"]);
    assert_eq!(both.code, 2);
    assert!(both.stderr.contains("`json` and `junit` cannot both go to standard output"));
    let file = saved.path("x");
    let both = saved.report(&["--to", &format!("csv={file}"), "--to", &format!("junit={file}")]);
    assert_eq!(both.code, 2, "one would overwrite the other");
    assert!(!Path::new(&file).exists());
}

#[test]
fn an_unknown_format_is_refused_with_the_known_ones() {
    let saved = Saved::new();
    for ran in [saved.report(&["--to", "html"]), run(["grade", "x.wasm", "--report", "html=x"])] {
        assert_eq!(ran.code, 2);
        let known = "unknown format `html`; there are text, json, junit, csv, markdown, github, \
                     classroom50, gradescope, prairielearn, joj3";
        assert!(ran.stderr.contains(known), "{}", ran.stderr);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_playing() {
    let saved = Saved::new();
    let target = format!("csv={}", saved.path("nowhere/x.csv"));
    let bot = sample("mahjong-straightforward");
    let graded = run(["grade", bot.to_str().unwrap(), "--report", &target]);
    assert_eq!((graded.code, graded.stdout.as_str()), (3, ""));
    assert!(graded.stderr.contains("nowhere/x.csv"), "{}", graded.stderr);
    assert_eq!(saved.report(&["--to", &target]).code, 3);
}

#[test]
fn github_gets_annotations_and_a_summary() {
    let saved = Saved::new();
    let failed =
        saved.grade("mahjong-straightforward", &TESTCASE.replace("30", "3000"), "bad.json");
    let summary = write(saved.folder.path(), "summary.md", "before\n");
    let mut command = judge();
    command.args(["report", &failed, "--to", "github"]).env("GITHUB_STEP_SUMMARY", &summary);
    let ran: Ran = command.output().unwrap().into();
    let commands: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("::")).collect();
    assert!(commands[0].starts_with("::error title=case%3A Below threshold::"), "{commands:?}");
    assert_eq!(commands[1], "::notice title=Autograding complete::Points 0/10");
    let points = r#"::notice title=Autograding report::{"totalPoints":0,"maxPoints":10}"#;
    assert_eq!(commands[2..], [points]);
    let text = std::fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("before\n## `testcases`\n"), "{text}");

    let ran: Ran = command.env("GITHUB_STEP_SUMMARY", "/no/summary").output().unwrap().into();
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("`/no/summary`"), "{}", ran.stderr);
}

#[test]
fn changed_reports_are_refused() {
    let saved = Saved::new();
    let text = std::fs::read_to_string(&saved.report).unwrap();
    let points = text.replacen("\"points\": 10", "\"points\": 11", 1);
    let name = text.replacen("mahjong-straightforward", "somebody-else", 1);
    for (changed, place) in [
        (points, "does not follow from the rest"),
        (name, "`seal` does not follow"),
        (text.replacen(": 1", ":  1", 1), "line 2, column"),
        (text.replacen("\"version\": 1", "\"version\": 9", 1), "its version is `9`"),
        ("{}".to_owned(), "its version is `0`"),
        ("GIF89a".to_owned(), "not a report"),
    ] {
        write(saved.folder.path(), "report.json", changed);
        let ran = saved.report(&["--to", "gradescope"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{place}");
        assert!(ran.stderr.contains(place), "{place}: {}", ran.stderr);
    }
}

#[test]
fn several_reports_merge_into_one_that_can_be_saved() {
    let saved = Saved::new();
    let other = saved.grade("mahjong-distance", TESTCASE, "other.json");
    let scoreboard = saved.report(&[&other]);
    assert_eq!(scoreboard.code, 0, "{}", scoreboard.stderr);
    assert!(scoreboard.stdout.contains("rank"), "{}", scoreboard.stdout);
    let whole = saved.path("whole.json");
    assert_eq!(saved.report(&[&other, "--to", &format!("json={whole}")]).code, 0);
    assert_eq!(run(["report", &whole]).stdout, scoreboard.stdout);
    assert_eq!(run(["verify", &whole, "--testcase", &saved.path("case.toml")]).code, 5);

    let twice = saved.report(&[saved.report.to_str().unwrap(), "--to", "csv"]);
    assert!(twice.stdout.contains("report.json)"), "namesakes are told apart: {}", twice.stdout);
    let refused = saved.report(&[&other, "--to", "gradescope"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let harder = saved.grade("mahjong-distance", &TESTCASE.replace("30", "40"), "harder.json");
    let refused = saved.report(&[&harder]);
    assert_eq!(refused.code, 3);
    assert!(refused.stderr.contains("are about different testcases"), "{}", refused.stderr);
}

#[test]
fn two_runs_are_compared_with_the_reason() {
    let saved = Saved::new();
    let same = saved.report.to_str().unwrap().to_owned();
    let ran = run(["report", "--compare", &same, &same]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "the same verdicts, scores and points\n"));
    let harder =
        saved.grade("mahjong-straightforward", &TESTCASE.replace("30", "3000"), "harder.json");
    let ran = run(["report", "--compare", &same, &harder]);
    assert_eq!(ran.code, 1);
    let expected = "mahjong-straightforward: points 10 -> 0 (-10)\n  why: other testcases\n  \
                    case: Accepted -> Below threshold, points 10 -> 0 (-10), \
                    needed 30 -> 3000 (+2970); another testcase file\n";
    assert_eq!(ran.stdout, expected);
    let other = saved.grade("mahjong-distance", TESTCASE, "other.json");
    let ran = run(["report", "--compare", &same, &other]);
    assert!(ran.stdout.contains("why: another module ("), "{}", ran.stdout);
}

/// Grades a folder of submissions as a course.
fn course(saved: &Saved, out: &str, submissions: &[(&str, &str)]) -> String {
    let (handed_in, suite) = (saved.path(&format!("in-{out}")), saved.path("suite"));
    std::fs::create_dir_all(&handed_in).unwrap();
    std::fs::create_dir_all(&suite).unwrap();
    for (student, bot) in submissions {
        let file = Path::new(&handed_in).join(student).with_extension("wasm");
        std::fs::copy(sample(bot), file).unwrap();
    }
    write(Path::new(&suite), "suite.toml", "title = \"Small\"\n");
    write(Path::new(&suite), "01-case.toml", TESTCASE);
    let out = saved.path(out);
    let ran = run(["grade", &handed_in, "--suite", &suite, "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    out
}

#[test]
fn courses_are_reported_and_compared() {
    let saved = Saved::new();
    let (better, worse) = ("mahjong-distance", "mahjong-straightforward");
    let old = course(&saved, "old", &[("ada", worse), ("bob", better), ("cy", better)]);
    let new = course(&saved, "new", &[("ada", better), ("bob", better), ("dan", worse)]);
    let rows = run(["report", &old, "--to", "csv"]).stdout;
    assert_eq!(rows.lines().count(), 4, "{rows}");
    let ran = run(["report", "--compare", &old, &new]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("cy: gone") && ran.stdout.contains("dan: new"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("1 new, 1 gone, 1 the same\n"), "{}", ran.stdout);
    assert_eq!(run(["report", "--compare", &old, &old]).stdout, "3 the same\n");

    let empty = saved.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let ran = run(["report", &empty]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("no reports in"), "{}", ran.stderr);
    assert_eq!(run(["report"]).code, 2);
}
