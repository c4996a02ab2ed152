//! `judge compare`: two versions on the seeds and opponents of a suite.

use crate::support::{Ran, judge, run, sample, write};

const TESTCASE: &str =
    "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nmin_score = 100\npoints = 1\n";

/// A suite with a hidden testcase and without its key.
fn suite(folder: &std::path::Path) -> String {
    write(folder, "suite.toml", "title = \"x\"\n[hidden]\nkey = \"not-here\"\n");
    write(folder, "01-open.toml", format!("{TESTCASE}seeds = [1, 2]\n"));
    write(folder, "02-hidden.toml", format!("{TESTCASE}rounds = 4\nseat = 2\n"));
    folder.display().to_string()
}

#[test]
fn a_better_version_is_found_early_with_any_number_of_workers() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path());
    let [weak, strong] = ["mahjong-straightforward", "mahjong-distance"]
        .map(|name| sample(name).display().to_string());
    let compared = |old: &str, new: &str, jobs: &str| {
        let pages = folder.path().join("pages").display().to_string();
        run([
            "compare", old, new, "--suite", &suite, "--rounds", "160", "--json", "-", "--jobs",
            jobs, "--html", &pages,
        ])
    };
    let ran = compared(&weak, &strong, "2");
    assert_eq!(ran.code, 0, "{}{}", ran.stderr, ran.stdout);
    assert_eq!(compared(&weak, &strong, "1").stdout, ran.stdout, "workers change nothing");
    let found = ran.json();
    assert_eq!(found["answer"], "better");
    assert!(found["rounds"].as_u64().unwrap() < 160, "stops early: {found}");
    assert!(found["difference"]["low"].as_f64().unwrap() > 0.0);
    assert!(found["passed"][1].as_f64() > found["passed"][0].as_f64());
    assert_eq!(found["testcases"][1]["name"], "02-hidden");
    for page in found["worst"][0]["pages"].as_array().unwrap() {
        assert!(folder.path().join("pages").join(page.as_str().unwrap()).is_file(), "{page}");
    }
    let index = std::fs::read_to_string(folder.path().join("pages/index.html")).unwrap();
    assert!(index.contains("round-2.html"), "{index}");
    assert!(index.contains("Largest loss first") && !index.contains("Worst first"), "{index}");
    assert!(index.contains("the new version is better"), "{index}");
    let reversed = compared(&strong, &weak, "2");
    assert_eq!((reversed.code, &reversed.json()["answer"]), (1, &"worse".into()));
}

#[test]
fn comparing_a_program_with_itself_is_undecided() {
    let bot = sample("mahjong-distance").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let ran = run(["compare", &bot, &bot, "--suite", &suite(folder.path()), "--rounds", "10"]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(ran.stdout.contains("+0.00 (unknown) a round: undecided"), "{}", ran.stdout);
    assert!(ran.stdout.contains("10 rounds per testcase and version"), "{}", ran.stdout);
}

#[test]
fn compare_refuses_a_bot_that_no_testcase_admits() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.wasm", "no module").display().to_string();
    let bot = sample("mahjong-distance").display().to_string();
    let ran = run(["compare", &bot, &broken, "--suite", "mahjong"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn earlier_versions_are_stored_with_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path());
    let bot = folder.path().join("bot.wasm");
    let ran = |arguments: &[&str]| -> Ran {
        let mut command = judge();
        command.env("JUDGE_CACHE", folder.path().join("cache")).current_dir(folder.path());
        command.args(arguments).output().unwrap().into()
    };
    let compared =
        |old: &str| ran(&["compare", old, "bot.wasm", "--suite", &suite, "--rounds", "80"]);
    std::fs::copy(sample("mahjong-straightforward"), &bot).unwrap();
    ran(&["grade", "bot.wasm", "--testcase", "01-open.toml"]);
    let none = compared("previous");
    assert_eq!(none.code, 3, "{}", none.stderr);
    let told = "error: no version 1 before the present `bot.wasm` is kept\n\nhint: `judge build`, ";
    assert!(none.stderr.contains(told), "{}", none.stderr);
    std::fs::copy(sample("mahjong-distance"), &bot).unwrap();
    for old in ["previous", "@1"] {
        let better = compared(old);
        assert_eq!(better.code, 0, "{}", better.stderr);
        assert!(better.stdout.starts_with("new bot against old bot@1: "), "{}", better.stdout);
    }
    assert_eq!(compared("@2").code, 3);
    // The names also stand for opponents.
    let played = ran(&["play", "bot.wasm", "--against", "previous", "--seed", "5"]);
    assert!(played.stdout.contains("(bot@1)"), "{}{}", played.stdout, played.stderr);
    let matched = ran(&["match", "bot.wasm", "@1", "--rounds", "4", "--seed", "1"]);
    assert!(matched.stdout.contains("bot@1"), "{}{}", matched.stdout, matched.stderr);
    let none = ran(&["match", "bot.wasm", "@2", "--rounds", "4", "--seed", "1"]);
    assert!(none.stderr.contains("no version 2 before the present"), "{}", none.stderr);
}
