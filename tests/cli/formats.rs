//! Formats of course tools that depend on options or the environment.

use serde_json::Value;

use crate::support::{Ran, judge, run, sample, write};

struct FormatFolder(tempfile::TempDir);

impl FormatFolder {
    /// A suite of two testcases, one of them hidden.
    fn new() -> FormatFolder {
        let place = FormatFolder(tempfile::tempdir().unwrap());
        let suite = place.0.path().join("suite");
        std::fs::create_dir(&suite).unwrap();
        write(&suite, "suite.toml", "title = \"Small\"\n[hidden]\nshows = \"passed\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                    min_score = 1\npoints = 10\n";
        write(&suite, "01-open.toml", case);
        write(&suite, "02-hidden.toml", format!("{case}hidden = true\n"));
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let (bot, suite) = (sample("mahjong-distance"), self.path("suite"));
        run([&["grade", bot.to_str().unwrap(), "--suite", &suite], more].concat())
    }

    fn json(&self, more: &[&str]) -> Value {
        let ran = self.grade(more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    }
}

/// The input of JOJ3's parser `sample`, by its declaration.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    score: i64,
    comment: String,
}

#[test]
fn the_report_for_joj3_has_one_score_and_one_comment() {
    let place = FormatFolder::new();
    let ran = place.grade(&["--report", "joj3"]);
    let sample: Sample = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(sample.score, 20);
    assert!(sample.comment.starts_with("**2 of 2 testcases passed**"), "{}", sample.comment);
}

const RUNNER: [(&str, &str); 6] = [
    ("CLASSROOM", "games"),
    ("ASSIGNMENT", "lab3"),
    ("USERNAME", "ada"),
    ("SUBMISSION_TAG", "submit/2026-06-01T14-32-05Z-a1b2c3d"),
    ("COMMIT_URL", "https://example.org/commit"),
    ("RELEASE_URL", "https://example.org/release"),
];

#[test]
fn the_report_for_classroom_50_has_the_submission_of_its_runner() {
    let place = FormatFolder::new();
    let (bot, suite) = (sample("mahjong-distance"), place.path("suite"));
    let ran = |variables: &[(&str, &str)], target: &str| -> Ran {
        let mut command = judge();
        for (name, _) in RUNNER {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied()).arg("grade").arg(&bot);
        command.args(["--suite", &suite, "--report", target]).output().unwrap().into()
    };
    let result: Value = serde_json::from_str(&ran(&RUNNER, "classroom50").stdout).unwrap();
    assert_eq!((&result["score"], &result["max-score"]), (&20.into(), &20.into()));
    assert_eq!((&result["classroom"], &result["owner"]), (&"games".into(), &"ada".into()));
    // Reported before anything is played or written.
    let elsewhere = ran(&RUNNER[..3], &format!("classroom50={}", place.path("result.json")));
    assert_eq!((elsewhere.code, elsewhere.stdout.as_str()), (2, ""));
    assert!(
        elsewhere.stderr.contains("is not set, which Classroom 50's runner"),
        "{}",
        elsewhere.stderr
    );
    assert!(!std::path::Path::new(&place.path("result.json")).exists());
}

#[test]
fn the_visibility_of_testcases_on_gradescope_can_be_set() {
    let place = FormatFolder::new();
    let seen = |results: &Value| {
        [0, 1].map(|at| results["tests"][at]["visibility"].as_str().unwrap().to_owned())
    };
    let usual = place.json(&["--report", "gradescope"]);
    assert_eq!(seen(&usual), ["visible", "after_published"]);
    assert!(usual["leaderboard"].is_array());
    let more = ["--visibility", "01-open=after_due_date", "--visibility=02-hidden=hidden"];
    let told = place.json(&[&["--report", "gradescope", "--no-leaderboard"], &more[..]].concat());
    assert_eq!(seen(&told), ["after_due_date", "hidden"]);
    assert_eq!(told.get("leaderboard"), None);
    for (value, expected) in [
        ("01-opem=hidden", "hint: did you mean `01-open`?"),
        ("zzz=hidden", "hint: its testcases are `01-open`, `02-hidden`"),
        ("01-open", "expected a testcase's name"),
        ("01-open=never", "expected `hidden`, `after_published`"),
    ] {
        let ran = place.grade(&["--report", "gradescope", "--visibility", value]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{value}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn junit_has_no_message_of_a_hidden_testcase() {
    let place = FormatFolder::new();
    let suite = place.0.path().join("suite");
    let case = std::fs::read_to_string(suite.join("02-hidden.toml")).unwrap();
    write(&suite, "02-hidden.toml", case.replace("min_score = 1", "min_score = 99999"));
    let junit = place.grade(&["--report", "junit"]).stdout;
    assert!(junit.contains("name=\"02-hidden\"") && junit.contains("<failure"), "{junit}");
    assert!(!junit.contains("99999") && !junit.contains("below the threshold"), "{junit}");
}

#[test]
fn spreadsheets_get_a_byte_order_mark_on_request() {
    let place = FormatFolder::new();
    std::fs::create_dir(place.0.path().join("in")).unwrap();
    std::fs::copy(sample("mahjong-distance"), place.path("in/Zoë.wasm")).unwrap();
    let out = place.path("out");
    let (handed_in, suite) = (place.path("in"), place.path("suite"));
    let ran = run(["grade", &handed_in, "--suite", &suite, "--out", &out, "--bom"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let marks = std::fs::read_to_string(place.path("out/marks.csv")).unwrap();
    assert!(marks.starts_with("\u{feff}student,id,submission,points"), "{marks}");
    // Other commands recognize the report.
    let scoreboard = run(["scoreboard", &out]);
    assert!(
        scoreboard.code == 0 && scoreboard.stdout.contains("Zoë"),
        "{}{}",
        scoreboard.stdout,
        scoreboard.stderr
    );
    let [plain, marked] = [&[][..], &["--bom"]]
        .map(|more| run([&["report", &out, "--to", "csv"][..], more].concat()).stdout);
    assert_eq!(marked.strip_prefix('\u{feff}'), Some(plain.as_str()));
    let names = std::fs::read_dir(place.path("out/students")).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.all(|name| name.starts_with("Zoë~")), "letters stay");
}
