//! The bound on a submission's processor time: the verdict is the same for any number of
//! interruptions, and for every copy of a module.

use std::path::Path;

use crate::support::{Ran, run, write};

/// A bot that spends its whole time in its first call.
const SPIN: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) (loop br 0) i32.const 0))"#;

/// A folder with a suite of two testcases in which [`SPIN`] uses all of `time_ms`
/// judge-milliseconds, which are a quarter to a half as many real ones.
fn folder(time_ms: u64) -> tempfile::TempDir {
    folder_of(2, time_ms)
}

/// The same with that many testcases.
fn folder_of(testcases: u64, time_ms: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["suite", "in"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    let suite = folder.path().join("suite");
    write(&suite, "suite.toml", "title = \"x\"");
    for seed in 1..=testcases {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [{seed}]\n\
             min_score = 0\npoints = 20\n[limits]\ntime_ms = {time_ms}\n"
        );
        write(&suite, &format!("{seed}.toml"), &text);
    }
    folder
}

fn grade(folder: &Path, bots: &[&str], seconds: &str, more: &[&str]) -> Ran {
    let paths = bots.iter().map(|bot| folder.join(bot).display().to_string());
    let mut arguments: Vec<String> = ["grade".to_owned()].into_iter().chain(paths).collect();
    let suite = folder.join("suite").display().to_string();
    arguments.extend(["--suite", &suite, "--submission-seconds", seconds].map(str::to_owned));
    arguments.extend(more.iter().map(|one| (*one).to_owned()));
    run(arguments)
}

/// True for each bot that was refused for its processor time.
fn refused(ran: &Ran) -> Vec<bool> {
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
    let bots = report["bots"].as_array().unwrap().iter();
    bots.map(|bot| bot["refused"]["verdict"] == "time-limit-exceeded").collect()
}

/// Processor time of both rounds of [`SPIN`] in that folder on this machine, in milliseconds.
fn measured(folder: &Path) -> u64 {
    write(folder, "measured.wasm", wat::parse_str(SPIN).unwrap());
    let journal = folder.join("measured.journal").display().to_string();
    let ran = grade(folder, &["measured.wasm"], "1000", &["--journal", &journal, "--json", "-"]);
    assert_eq!(refused(&ran), [false]);
    let lines = std::fs::read_to_string(&journal).unwrap();
    std::fs::remove_file(journal).unwrap();
    let took = lines.split(r#""processor_ms":"#).skip(1).map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    });
    took.sum()
}

/// A time limit, in judge-milliseconds, with which both rounds of [`SPIN`] take at least
/// `milliseconds` of real time on any machine; and their real time.
fn limit_taking(milliseconds: u64) -> (u64, u64) {
    let mut limit = milliseconds * 2;
    for _ in 0..8 {
        let took = measured(folder(limit).path());
        if took >= milliseconds {
            return (limit, took);
        }
        limit = limit * milliseconds * 5 / (took * 4).max(1);
    }
    panic!("no limit takes {milliseconds} ms");
}

/// Number of testcases of which 2 s are enough for a few, but not for all, even on a machine that
/// became three times as fast or as slow since it was measured.
const MANY: u64 = 24;

/// A folder with so many testcases.
fn folder_for_two_seconds() -> tempfile::TempDir {
    folder_of(MANY, limit_taking(600).0)
}

#[test]
fn rounds_from_a_journal_count_with_their_recorded_time() {
    let folder = folder(limit_taking(1200).0);
    write(folder.path(), "spin.wasm", wat::parse_str(SPIN).unwrap());
    let journal = folder.path().join("run.journal").display().to_string();
    let grade = |seconds, more: &[&str]| {
        let more = [&["--json", "-", "--journal", &journal], more].concat();
        refused(&grade(folder.path(), &["spin.wasm"], seconds, &more))
    };
    assert_eq!(grade("1000", &[]), [false]);
    let verified = || run(["verify", &journal]);
    let expected = "not checked: `spin`: that it went beyond the bounds of a submission; compiling";
    assert!(!verified().stdout.contains(expected), "{}", verified().stdout);
    assert_eq!(grade("1", &["--resume"]), [true], "nothing is played any more");
    let told = verified();
    assert_eq!(told.code, 5, "{}", told.stdout);
    assert!(told.stdout.contains(expected), "{}", told.stdout);
    assert_eq!(grade("1000", &["--resume"]), [false], "and the bound is all there is to it");
    // One round's line is lost, as if the judge had been killed before it was written.
    let lines = std::fs::read_to_string(&journal).unwrap();
    // The lines of the run, the suite, and a round.
    let kept: String = lines.split_inclusive('\n').take(3).collect();
    assert!(kept.contains(r#""processor_ms":"#), "{kept}");
    std::fs::write(&journal, kept).unwrap();
    assert_eq!(grade("1", &["--resume"]), [true], "half of it before, half of it now");
}

#[test]
fn rounds_removed_from_the_suite_do_not_count_towards_bounds() {
    let folder = folder_for_two_seconds();
    write(folder.path(), "spin.wasm", wat::parse_str(SPIN).unwrap());
    let journals = ["one", "two"].map(|name| folder.path().join(name).display().to_string());
    let grade = |journal: &str, seconds: &str, more: &[&str]| {
        // One round after the other: each line has the time of its round.
        let more = [&["--json", "-", "--jobs", "1", "--journal", journal], more].concat();
        refused(&grade(folder.path(), &["spin.wasm"], seconds, &more))
    };
    assert_eq!(grade(&journals[0], "1000", &[]), [false]);
    std::fs::copy(&journals[0], &journals[1]).unwrap();
    assert_eq!(grade(&journals[0], "2", &["--resume"]), [true]);
    for seed in 2..=MANY {
        std::fs::remove_file(folder.path().join(format!("suite/{seed}.toml"))).unwrap();
    }
    assert_eq!(grade(&journals[1], "2", &["--resume"]), [false]);
}

#[test]
fn copies_of_a_module_have_the_same_verdict() {
    let folder = folder_for_two_seconds();
    let names = ["in/ada.wasm", "in/bob.wasm", "in/cyd.wasm"];
    for name in names {
        write(folder.path(), name, wat::parse_str(SPIN).unwrap());
    }
    for jobs in ["1", "3"] {
        let together = ["--json", "-", "--jobs", jobs];
        assert_eq!(refused(&grade(folder.path(), &names, "2", &together)), [true; 3]);
        let out = folder.path().join(jobs).display().to_string();
        let ran = grade(folder.path(), &["in"], "2", &["--jobs", jobs, "--out", &out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let marks = std::fs::read_to_string(Path::new(&out).join("marks.csv")).unwrap();
        assert_eq!(marks.matches("Time limit exceeded").count(), 3, "{marks}");
        let report = std::fs::read_to_string(Path::new(&out).join("students/cyd.json")).unwrap();
        assert!(report.contains("the bound for a whole submission"), "{report}");
    }
}

/// A bot that fills its log in its first call, then traps.
const LOUD: &str = r#"(module
    (import "judge" "log" (func $log (param i32 i32)))
    (memory (export "memory") 2)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32)
        (memory.fill (i32.const 2048) (i32.const 97) (i32.const 60000))
        (call $log (i32.const 2048) (i32.const 60000))
        unreachable))"#;

/// A suite with only hidden testcases, of 16 rounds each.
fn hidden(folder: &Path) {
    let suite = folder.join("suite");
    let head = "title = \"x\"\n[hidden]\nkey = \"../key\"\nshows = \"points\"\n";
    write(&suite, "suite.toml", head);
    write(folder, "key", "0b".repeat(32));
    for name in ["1.toml", "2.toml"] {
        let text = std::fs::read_to_string(suite.join(name)).unwrap();
        let (before, after) = text.split_once("seeds").unwrap();
        let after = after.split_once('\n').unwrap().1;
        write(&suite, name, format!("{before}rounds = 16\n{after}"));
    }
}

/// Removes hashes, which differ between modules.
fn tame(text: &str) -> String {
    let hash = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(hash).fold(text.to_owned(), |text, hash| text.replace(hash, "#"))
}

/// All output to a student about a submission that exceeds its bounds in hidden rounds.
fn seen(module: &str, limit: u64) -> Vec<String> {
    let folder = folder(limit);
    hidden(folder.path());
    write(folder.path(), "in/ada.wasm", wat::parse_str(module).unwrap());
    let both = ["--submission-mib", "1"];
    let grade =
        |bot: &str, more: &[&str]| grade(folder.path(), &[bot], "1", &[&both, more].concat());
    let mut seen = Vec::new();
    for format in ["text", "json", "junit", "csv", "markdown", "gradescope"] {
        let ran = grade("in/ada.wasm", &["--for-student", "--verbose", "--report", format]);
        seen.push(format!("{} {}{}", ran.code, ran.stdout, ran.stderr));
    }
    let out = folder.path().join("out").display().to_string();
    assert_eq!(grade("in", &["--out", &out]).code, 0);
    for file in ["students/ada.json", "students/ada.html", "scoreboard.html", "marks.csv"] {
        seen.push(std::fs::read_to_string(Path::new(&out).join(file)).unwrap());
    }
    let whole = std::fs::read_to_string(Path::new(&out).join("full/ada.json")).unwrap();
    assert!(whole.contains("limit-exceeded"), "instructors see what it was: {whole}");
    let report = Path::new(&out).join("students/ada.json").display().to_string();
    let [bot, suite] =
        ["in/ada.wasm", "suite"].map(|it| folder.path().join(it).display().to_string());
    let ran = run(["verify", &report, &bot, "--suite", &suite]);
    assert!(ran.stdout.starts_with("NOT CHECKED"), "{}{}", ran.stdout, ran.stderr);
    let home = folder.path().display().to_string();
    seen.iter().map(|text| tame(&text.replace(&home, ""))).collect()
}

#[test]
fn reports_for_students_hide_which_bound_hidden_rounds_exceeded() {
    let (limit, _) = limit_taking(1500);
    let [slow, loud] = [SPIN, LOUD].map(|module| seen(module, limit));
    for (slow, loud) in std::iter::zip(slow, loud) {
        assert_eq!(slow, loud);
        assert!(!slow.contains("summed over them"), "{slow}");
        let kinds = ["imit exceeded", "limit-exceeded", "processor time", "MiB"];
        assert!(kinds.iter().all(|kind| !slow.contains(kind)), "{slow}");
    }
}
