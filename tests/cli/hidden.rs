//! Hidden testcases: committed, revealed and graded, without information for students.

use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, says, write};

struct Hidden(tempfile::TempDir);

impl Hidden {
    /// A suite with an open testcase, one with seeds from a key, and one in a secret folder.
    fn new() -> Hidden {
        let hidden = Hidden(tempfile::tempdir().unwrap());
        for folder in ["suite", "secret/cases", "in"] {
            std::fs::create_dir_all(hidden.path(folder)).unwrap();
        }
        let testcase = |seeds: &str| {
            format!(
                "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\n{seeds}\n\
                 min_score = 1\npoints = 10\n"
            )
        };
        let head =
            "title = \"Hidden\"\n[hidden]\nkey = \"../secret/key\"\nfolder = \"../secret/cases\"\n";
        write(&hidden.path("suite"), "suite.toml", head);
        write(&hidden.path("suite"), "01-open.toml", testcase("seeds = [1, 2]"));
        write(&hidden.path("suite"), "02-keyed.toml", testcase("rounds = 3"));
        write(&hidden.path("secret/cases"), "03-secret.toml", testcase("seeds = [424242]"));
        std::fs::copy(sample("mahjong-distance"), hidden.path("in/ada.wasm")).unwrap();
        let key = hidden.text("secret/key");
        assert_eq!(run(["commit", &hidden.text("suite"), "--new-key", &key]).code, 0);
        hidden
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let (bot, suite) = (self.text("in/ada.wasm"), self.text("suite"));
        run(["grade", &bot, "--suite", &suite].iter().chain(more))
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_commitment_can_be_made_kept_and_checked_without_the_key() {
    let hidden = Hidden::new();
    let (suite, promise, proof) =
        (hidden.text("suite"), hidden.text("promise.json"), hidden.text("proof.json"));
    assert_eq!(run(["commit", &suite, "--out", &promise]).code, 0);
    let before = std::fs::read(&promise).unwrap();
    let again = run(["commit", &suite, "--out", &promise]);
    assert_eq!(again.code, 3, "{}", again.stderr);
    assert!(again.stderr.contains("may be a promise that was published"), "{}", again.stderr);
    assert_eq!(std::fs::read(&promise).unwrap(), before);
    let key = read(&hidden.path("secret/key"));
    let promised = read(&hidden.path("promise.json"));
    assert!(promised.contains("02-keyed") && promised.contains("03-secret"), "{promised}");
    assert!(!promised.contains(key.trim()) && !promised.contains("424242"), "{promised}");
    assert_eq!(run(["reveal", &suite, "--promise", &promise, "--out", &proof]).code, 0);
    let kept = run(["reveal", &proof, "--promise", &promise]);
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert!(kept.stdout.contains("03-secret: seeds 424242"), "{}", kept.stdout);
    // A changed seed, then a changed threshold.
    let forged = write(
        hidden.0.path(),
        "forged.json",
        read(&hidden.path("proof.json")).replace("424242", "424243"),
    );
    let broken = run(["reveal", &forged.display().to_string(), "--promise", &promise]);
    assert_eq!(broken.code, 1);
    assert!(broken.stdout.starts_with("broken: the hash is"), "{}", broken.stdout);
    let case = hidden.path("suite/02-keyed.toml");
    std::fs::write(&case, read(&case).replace("min_score = 1", "min_score = 2")).unwrap();
    assert_eq!(run(["reveal", &suite, "--promise", &promise]).code, 1);
    let ran = run(["commit", &suite, "--new-key", &hidden.text("secret/key")]);
    assert_eq!(ran.code, 2, "a key is never overwritten: {}", ran.stdout);
    assert!(ran.stderr.contains("leave `--new-key` out"), "{}", ran.stderr);
    let another = hidden.text("secret/another");
    let ran = run(["commit", &suite, "--new-key", &another]);
    assert_eq!(ran.code, 2, "nothing would use it: {}", ran.stderr);
    assert!(!Path::new(&another).exists());
    assert_eq!(read(&hidden.path("secret/key")), key);
}

#[test]
fn without_the_key_hidden_testcases_are_skipped_and_listed() {
    let hidden = Hidden::new();
    let whole = hidden.grade(&[]);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert!(whole.stdout.contains("30/30"), "{}", whole.stdout);
    std::fs::remove_file(hidden.path("secret/key")).unwrap();
    let half = hidden.grade(&[]);
    assert!(half.stdout.contains("20/20") && half.stderr.contains("02-keyed"), "{}", half.stderr);
    let course = hidden.grade(&["--out", &hidden.text("out")]);
    assert_eq!(course.code, 2, "a course needs all of it: {}", course.stdout);
    assert!(course.stderr.contains("locked: 02-keyed"), "{}", course.stderr);
    std::fs::remove_dir_all(hidden.path("secret")).unwrap();
    let open = hidden.grade(&[]);
    assert_eq!(open.code, 0, "{}", open.stderr);
    assert!(open.stdout.contains("10/10") && open.stderr.contains("02-keyed"), "{}", open.stderr);
    let out = hidden.text("out");
    let course = hidden.grade(&["--out", &out]);
    assert_eq!(course.code, 2, "a course needs all of it: {}", course.stdout);
    assert!(course.stderr.contains("secret/cases` does not exist"), "{}", course.stderr);
}

#[test]
fn students_see_the_points_of_a_hidden_testcase_but_no_rounds() {
    let hidden = Hidden::new();
    let out = hidden.text("out");
    let ran = hidden.grade(&["--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (shown, full) = (hidden.text("out/students/ada.json"), hidden.text("out/full/ada.json"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let mode = std::fs::metadata(hidden.path("out/full")).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700, "no account of a student's can look into it");
    }
    let text = read(Path::new(&shown));
    assert!(!text.contains("424242") && !text.contains("--seed"), "{text}");
    assert!(read(Path::new(&full)).contains("424242"));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let testcases = report["bots"][0]["testcases"].as_array().unwrap();
    let points: Vec<_> = testcases.iter().map(|case| case["points"].as_u64().unwrap()).collect();
    assert_eq!(points, [10, 10, 10]);
    assert_eq!(testcases[0]["rounds"].as_array().unwrap().len(), 2, "the open one is whole");
    assert!(testcases[1..].iter().all(|case| case["rounds"].as_array().unwrap().is_empty()));
    let (bot, suite) = (hidden.text("in/ada.wasm"), hidden.text("suite"));
    for report in [&shown, &full] {
        let ran = run(["verify", report]);
        assert_eq!(ran.code, 5, "{report}: {}{}", ran.stdout, ran.stderr);
        let ran = run(["verify", report, &bot, "--suite", &suite]);
        assert_eq!(ran.code, 0, "{report}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = run(["verify", &shown]);
    assert!(ran.stdout.contains("their rounds are withheld"), "{}", ran.stdout);
    // A student has neither the key nor the folder, so only the open testcase is played again.
    std::fs::rename(hidden.path("secret"), hidden.path("put-away")).unwrap();
    let ran = run(["verify", &shown, &bot, "--suite", &suite]);
    assert_eq!(ran.code, 5, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("not checked: hidden testcases"), "{}", ran.stdout);
    let other = sample("mahjong-straightforward").display().to_string();
    assert_eq!(run(["verify", &shown, &other, "--suite", &suite]).code, 1);
    let ran = run(["verify", &full, &bot, "--suite", &suite]);
    assert_eq!(ran.code, 1, "a whole report needs the secrets: {}", ran.stdout);
    std::fs::rename(hidden.path("put-away"), hidden.path("secret")).unwrap();
    // Points that do not follow from the verdict are detected.
    let forged = text.replacen("\"points\": 10", "\"points\": 11", 3);
    let forged = write(hidden.0.path(), "forged.json", forged).display().to_string();
    assert_eq!(run(["verify", &forged]).code, 1);
}

#[test]
fn a_changed_key_is_reported_and_replays_only_hidden_rounds() {
    let hidden = Hidden::new();
    let out = hidden.text("out");
    assert_eq!(hidden.grade(&["--out", &out]).code, 0);
    let rounds = || {
        let journal = std::fs::read_to_string(hidden.path("out/journal.jsonl")).unwrap();
        journal.lines().filter(|line| line.starts_with("{\"entry\":{\"round\"")).count()
    };
    let before = rounds();
    std::fs::write(hidden.path("secret/key"), "ab".repeat(32)).unwrap();
    let ran = hidden.grade(&["--out", &out, "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "the key of the hidden testcases changed: their rounds are played again";
    assert!(ran.stderr.contains(told) && !ran.stderr.contains("abab"), "{}", ran.stderr);
    let played = rounds() - before;
    assert!((1..before).contains(&played), "{played} of {before}");
    std::fs::write(hidden.path("secret/key"), "no key").unwrap();
    let ran = hidden.grade(&[]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("expected 64 hex digits"), "{}", ran.stderr);
}

/// All data about hidden rounds in the whole report that students may not see.
fn secrets(hidden: &Hidden) -> Vec<String> {
    let whole = hidden.grade(&["--json", "-"]).json();
    let mut secrets = vec![read(&hidden.path("secret/key")).trim().to_owned()];
    let testcases = whole["bots"][0]["testcases"].as_array().unwrap();
    for case in testcases.iter().filter(|case| case["hidden"] == true) {
        secrets.push(case["sha256"].as_str().unwrap().to_owned());
        secrets.push(case["fuel"].to_string());
        for round in case["rounds"].as_array().unwrap() {
            secrets.push(round["digest"].as_str().unwrap().to_owned());
            // Seeds from a key have many digits; a short fuel could be a score.
            secrets.extend([round["seed"].to_string(), round["fuel"].to_string()]);
        }
    }
    secrets.push(whole["bots"][0]["digest"].as_str().unwrap().to_owned());
    assert!(secrets.iter().all(|secret| secret.len() > 4), "{secrets:?}");
    assert!(secrets.len() > 12, "{secrets:?}");
    secrets
}

#[test]
fn formats_for_students_have_no_hidden_rounds() {
    let hidden = Hidden::new();
    // Failed testcases have more secrets: the worst round, and the command that replays it.
    for case in ["suite/02-keyed.toml", "secret/cases/03-secret.toml"] {
        let text = read(&hidden.path(case)).replace("min_score = 1\n", "min_score = 9999\n");
        std::fs::write(hidden.path(case), text).unwrap();
    }
    let secrets = secrets(&hidden);
    let whole = hidden.text("whole.json");
    hidden.grade(&["--json", &whole]);
    let formats = "text json junit csv markdown github gradescope prairielearn joj3";
    let formats: Vec<&str> = formats.split(' ').collect();
    let mut leaks = 0;
    for format in &formats {
        let graded = hidden.grade(&["--for-student", "--report", format]);
        let later = run(["report", &whole, "--for-student", "--to", format]);
        assert_eq!((graded.code, later.code), (1, 0), "{format}: {}", later.stderr);
        for ran in [&graded, &later] {
            let text = ran.stdout.clone() + &ran.stderr;
            let found = secrets.iter().find(|secret| text.contains(secret.as_str()));
            assert_eq!(found, None, "{format}: {text}");
            assert!(text.contains("02-keyed") && !text.contains("hidden --seed"), "{format}");
        }
        // Without the option, for a user with the key, some formats show them.
        let open = hidden.grade(&["--report", format]).stdout;
        leaks += usize::from(secrets.iter().any(|secret| open.contains(secret.as_str())));
    }
    assert_eq!(leaks, 4, "text, json, csv and markdown are whole for whoever has the key");
    let tables = hidden.grade(&["--for-student"]);
    assert!(!secrets.iter().any(|secret| tables.stdout.contains(secret.as_str())));
    assert!(tables.stdout.contains("10/30"), "{}", tables.stdout);
    let shown = hidden.text("shown.json");
    hidden.grade(&["--for-student", "--json", &shown]);
    let timing = |path: &str| {
        let report = judge_core::GradeReport::from_json(&read(Path::new(path))).unwrap();
        report.timing
    };
    assert!(timing(&whole).bot_us > 0);
    assert_eq!(timing(&shown), judge_core::Timing::default(), "its sums hold the hidden rounds");
    let (bot, suite) = (hidden.text("in/ada.wasm"), hidden.text("suite"));
    let ran = run(["verify", &shown, &bot, "--suite", &suite]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_suite_with_only_hidden_testcases_asks_for_its_key() {
    let hidden = Hidden::new();
    std::fs::remove_file(hidden.path("suite/01-open.toml")).unwrap();
    std::fs::remove_dir_all(hidden.path("secret")).unwrap();
    // Long lines are wrapped for display.
    let told = || {
        let ran = hidden.grade(&[]);
        assert_eq!(ran.code, 3);
        ran.stderr.replace("\n  │", "")
    };
    assert!(told().contains("the key `../secret/key` does not exist"), "{}", told());
    std::fs::remove_file(hidden.path("suite/02-keyed.toml")).unwrap();
    assert!(told().contains("the folder `../secret/cases` does not exist"), "{}", told());
    write(&hidden.path("suite"), "suite.toml", "title = \"x\"\n");
    let keyed = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nrounds = 3\n\
                 min_score = 1\npoints = 10\n";
    write(&hidden.path("suite"), "02-keyed.toml", keyed);
    let text = told().split_whitespace().collect::<Vec<_>>().join(" ");
    says(&text, &["`rounds` in `02-keyed.toml` of `suite` needs a key", "names no key"]);
    says(&text, &["judge commit SUITE --new-key FILE"]);
    write(&hidden.path("suite"), "01-open.toml", keyed.replace("rounds = 3", "seeds = [1]"));
    let ran = hidden.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let expected = "testcases with `rounds` are not graded, as `suite.toml` names no key for their \
                    seeds: 02-keyed; ";
    says(&ran.stderr, &[expected]);
}

/// A bot for Mahjong that logs and traps.
const TRAPPING: &str = r#"(module
    (import "judge" "log" (func $log (param i32 i32)))
    (memory (export "memory") 1)
    (data (i32.const 8192) "panicked at bot.rs:7:1:\nno tile")
    (func $think (call $log (i32.const 8192) (i32.const 31)) unreachable)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) call $think i32.const 0))"#;

#[test]
fn students_do_not_see_the_end_of_a_hidden_round() {
    let hidden = Hidden::new();
    write(&hidden.path("in"), "ada.wasm", wat::parse_str(TRAPPING).unwrap());
    for format in ["json", "markdown", "junit", "gradescope"] {
        let places = |more: &[&str]| {
            let argument = format!("--report={format}");
            let ran = hidden.grade(&[more, &[argument.as_str()][..]].concat());
            assert_eq!(ran.code, 1, "{}", ran.stderr);
            ran.stdout.matches("panicked at bot.rs:7: no tile").count()
        };
        let students = places(&["--for-student"]);
        assert_eq!(students, 1, "{format}: the open testcase");
        if matches!(format, "json" | "markdown") {
            assert!(places(&[]) >= 2, "{format}");
        }
    }
}
