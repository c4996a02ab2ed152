//! Hidden testcases do not leak: students see the same result for every kind of failure in them.

use std::path::{Path, PathBuf};

use crate::support::{Ran, SILENT_BOT, run, sample, write};

/// Bots that fail in different ways, with the verdict of each.
const FAILURES: [(&str, &str); 4] = [
    ("Protocol error", SILENT_BOT),
    (
        "Runtime error",
        r#"(module (memory (export "memory") 1)
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32) unreachable))"#,
    ),
    (
        "Time limit exceeded",
        r#"(module (memory (export "memory") 1)
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32) (loop br 0) i32.const 0))"#,
    ),
    (
        "Memory limit exceeded",
        r#"(module (memory (export "memory") 1)
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32)
                (drop (memory.grow (i32.const 60000))) unreachable))"#,
    ),
];

const FORMATS: [&str; 9] =
    ["text", "json", "junit", "csv", "markdown", "github", "gradescope", "prairielearn", "joj3"];

/// A suite with only hidden testcases, so that all output is about them.
struct HiddenCourse(tempfile::TempDir);

impl HiddenCourse {
    /// A suite with these lines under `[hidden]` after the key, and these thresholds.
    fn new(hidden: &str, thresholds: [i64; 2]) -> HiddenCourse {
        let course = HiddenCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "secret"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        let head = format!("title = \"Hidden\"\n[hidden]\nkey = \"../secret/key\"\n{hidden}\n");
        write(&course.path("suite"), "suite.toml", head);
        write(&course.path("secret"), "key", "0b".repeat(32));
        for (number, threshold) in (1..).zip(thresholds) {
            let text = format!(
                "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nrounds = 2\n\
                 min_score = {threshold}\npoints = 10\n[limits]\ntime_ms = 50\n"
            );
            write(&course.path("suite"), &format!("0{number}-hidden.toml"), text);
        }
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn submit(&self, module: &[u8]) -> String {
        let folder = self.path("in");
        let _ = std::fs::create_dir(&folder);
        write(&folder, "ada.wasm", module).display().to_string()
    }

    fn grade(&self, bot: &str, more: &[&str]) -> Ran {
        run([&["grade", bot, "--suite", &self.text("suite")], more].concat())
    }

    /// All output about a submission for a student: every format, made in both ways, and the files
    /// of a course.
    fn seen(&self, module: &[u8]) -> Vec<(String, String)> {
        let bot = self.submit(module);
        let whole = self.text("whole.json");
        self.grade(&bot, &["--json", &whole]);
        let mut seen = Vec::new();
        for format in FORMATS {
            let graded = self.grade(&bot, &["--for-student", "--report", format]);
            seen.push((format!("graded {format}"), shown(&graded)));
            let later = run(["report", &whole, "--for-student", "--to", format]);
            seen.push((format!("report {format}"), shown(&later)));
        }
        // Formats of course tools hide hidden testcases without an option.
        for format in &FORMATS[5..] {
            let later = run(["report", &whole, "--to", format]);
            seen.push((format!("tool {format}"), shown(&later)));
        }
        seen.push(("tables".to_owned(), tame(&self.grade(&bot, &["--for-student"]).stdout)));
        let out = self.text("out");
        let ran = run(["grade", &self.text("in"), "--suite", &self.text("suite"), "--out", &out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        for file in ["students/ada.json", "students/ada.html", "scoreboard.html", "marks.csv"] {
            let text = std::fs::read_to_string(Path::new(&out).join(file)).unwrap();
            seen.push((file.to_owned(), tame(&text)));
        }
        for more in [&["--json", "-"][..], &[]] {
            let scoreboard = run([&["scoreboard", &out][..], more].concat());
            assert_eq!(scoreboard.code, 0, "{}", scoreboard.stderr);
            seen.push((format!("board {more:?}"), tame(&scoreboard.stdout)));
        }
        std::fs::remove_dir_all(out).unwrap();
        seen
    }
}

/// Output of a command without hashes of the module.
fn shown(ran: &Ran) -> String {
    tame(&format!("{} {}{}", ran.code, ran.stdout, ran.stderr))
}

/// Removes SHA-256 hashes, which differ between modules.
fn tame(text: &str) -> String {
    let mut tame = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_hexdigit() {
            word.push(c);
            continue;
        }
        tame += if word.len() == 64 { "[hash]" } else { &word };
        word.clear();
        tame.push(c);
    }
    tame
}

fn assembled(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

/// The module without its custom sections, which name the author.
fn nameless(module: &[u8]) -> Vec<u8> {
    let (mut bare, mut at) = (module[..8].to_vec(), 8);
    while at < module.len() {
        let (mut size, mut next) = (0, at + 1);
        for shift in (0..).step_by(7) {
            let byte = module[next];
            size |= usize::from(byte & 0x7f) << shift;
            next += 1;
            if byte < 0x80 {
                break;
            }
        }
        if module[at] != 0 {
            bare.extend(&module[at..next + size]);
        }
        at = next + size;
    }
    bare
}

#[test]
fn students_see_the_same_for_every_hidden_failure_by_default() {
    for hidden in ["", "shows = \"passed\"", "shows = \"points\""] {
        let course = HiddenCourse::new(hidden, [9999, 9999]);
        // The reference: a bot that plays well, but scores below the threshold.
        let below = course.seen(&nameless(&std::fs::read(sample("mahjong-distance")).unwrap()));
        for (verdict, text) in FAILURES {
            let bot = assembled(text);
            let full = course.grade(&course.submit(&bot), &[]);
            assert!(full.stdout.contains(verdict), "{verdict}: {}", full.stdout);
            for ((place, one), (_, other)) in std::iter::zip(&below, course.seen(&bot)) {
                assert_eq!(*one, other, "{hidden}: {place} tells of `{verdict}`");
            }
        }
    }
}

#[test]
fn the_points_do_not_reveal_which_testcase_was_passed() {
    let bot = std::fs::read(sample("mahjong-distance")).unwrap();
    let [first, second] = [[1, 9999], [9999, 1]]
        .map(|thresholds| HiddenCourse::new("shows = \"points\"", thresholds).seen(&bot));
    for ((place, one), (_, other)) in std::iter::zip(first, second) {
        assert_eq!(one, other, "{place}");
        assert!(!one.contains("01-hidden") && !one.contains("9999"), "{place}: {one}");
    }
    let course = HiddenCourse::new("shows = \"points\"", [1, 9999]);
    let json = course.grade(&course.submit(&bot), &["--for-student", "--json", "-"]).json();
    let told = &json["bots"][0];
    assert_eq!((&told["points"], &told["max_points"]), (&10.into(), &20.into()));
    let cases = told["testcases"].as_array().unwrap();
    assert_eq!((cases.len(), &cases[0]["title"]), (1, &"2 testcases".into()));
    assert_eq!((&cases[0]["points"], &cases[0]["max_points"]), (&10.into(), &20.into()));
}

#[test]
fn a_suite_can_show_verdict_and_score_of_hidden_testcases() {
    let course = HiddenCourse::new("shows = \"verdict\"", [9999, 9999]);
    let crash = course.submit(&assembled(FAILURES[1].1));
    let text = course.grade(&crash, &["--for-student"]).stdout;
    assert!(text.contains("Runtime error") && !text.contains("unreachable"), "{text}");
    let bot = course.submit(&std::fs::read(sample("mahjong-distance")).unwrap());
    let json = course.grade(&bot, &["--for-student", "--json", "-"]).json();
    assert!(json["bots"][0]["score"].as_i64().unwrap() > 0, "{json:#}");
}

#[test]
fn a_suite_can_show_which_hidden_testcases_are_passed() {
    let course = HiddenCourse::new("", [1, 9999]);
    let bot = course.submit(&std::fs::read(sample("mahjong-distance")).unwrap());
    let text = course.grade(&bot, &["--for-student"]).stdout;
    assert!(
        text.contains("01-hidden  Passed ") && text.contains("02-hidden  Not passed"),
        "{text}"
    );
    assert!(text.contains("10/20"), "{text}");
    let json = course.grade(&bot, &["--for-student", "--json", "-"]).json();
    assert_eq!(json["bots"][0]["score"], 0, "sums hold nothing of what is hidden");
    let cases = &json["bots"][0]["testcases"];
    assert_eq!((&cases[0]["score"], &cases[0]["points"]), (&0.into(), &10.into()));
}

#[test]
fn verify_accepts_reports_for_students_at_every_visibility() {
    for hidden in ["", "shows = \"points\"", "shows = \"verdict\""] {
        let course = HiddenCourse::new(hidden, [1, 9999]);
        let bot = course.submit(&std::fs::read(sample("mahjong-distance")).unwrap());
        let (report, suite) = (course.text("shown.json"), course.text("suite"));
        course.grade(&bot, &["--for-student", "--json", &report]);
        let ran = run(["verify", &report, &bot, "--suite", &suite]);
        assert_eq!(ran.code, 0, "{hidden}: {}{}", ran.stdout, ran.stderr);
        let ran = run(["verify", &report, "--suite", &suite]);
        assert_eq!(ran.code, 5, "{hidden}: {}{}", ran.stdout, ran.stderr);
        // Converting it again reveals no more and no less.
        let again = run(["report", &report, "--for-student", "--to", "json"]).stdout;
        assert_eq!(again, std::fs::read_to_string(&report).unwrap(), "{hidden}");
        let forged = again.replacen("\"points\": 10,", "\"points\": 20,", 2);
        let forged = write(course.0.path(), "forged.json", forged).display().to_string();
        assert_eq!(run(["verify", &forged, &bot, "--suite", &suite]).code, 1, "{hidden}");
    }
}

#[test]
fn an_unknown_visibility_is_shown_with_its_line() {
    let course = HiddenCourse::new("shows = \"all\"", [1, 1]);
    let bot = course.submit(&std::fs::read(sample("mahjong-distance")).unwrap());
    let ran = course.grade(&bot, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    for word in ["`all` is not a valid value of `shows`", "suite.toml:4", "`passed`"] {
        assert!(ran.stderr.replace("\n  │ ", " ").contains(word), "{word}: {}", ran.stderr);
    }
}

#[test]
fn a_report_of_an_older_judge_shows_verdict_and_score() {
    let course = HiddenCourse::new("shows = \"verdict\"", [1, 9999]);
    let bot = course.submit(&std::fs::read(sample("mahjong-distance")).unwrap());
    let json = course.grade(&bot, &["--for-student", "--json", "-"]).stdout;
    let mut report = judge_core::GradeReport::from_json(&json).unwrap();
    report.bots[0].testcases.iter_mut().for_each(|case| case.shows = None);
    let old = report.sealed();
    let path = write(course.0.path(), "old.json", old.to_json()).display().to_string();
    let text = run(["report", &path, "--to", "text"]).stdout;
    assert!(text.contains("Accepted") && text.contains("Below threshold"), "{text}");
    let ran = run(["verify", &path, &bot, "--suite", &course.text("suite")]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    // A whole report without a setting shows students the default part.
    let mut whole =
        judge_core::GradeReport::from_json(&course.grade(&bot, &["--json", "-"]).stdout).unwrap();
    whole.bots[0].testcases.iter_mut().for_each(|case| case.shows = None);
    let path = write(course.0.path(), "old.json", whole.sealed().to_json()).display().to_string();
    let text = run(["report", &path, "--for-student", "--to", "text"]).stdout;
    assert!(text.contains("Not passed") && !text.contains("Below"), "{text}");
    let ran = run(["verify", &path, &bot, "--suite", &course.text("suite")]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}
