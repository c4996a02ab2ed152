//! `judge new-suite`, `judge calibrate --write`, and remarks on likely mistakes in a suite.

use std::path::Path;

use crate::support::{Ran, run, sample, write};

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A new suite for that game in a separate folder.
fn new_suite(game: &str) -> (tempfile::TempDir, String, Ran) {
    let place = tempfile::tempdir().unwrap();
    let folder = shown(&place.path().join("lab 1"));
    let ran = run(["new-suite", &folder, "--game", game]);
    (place, folder, ran)
}

#[test]
fn a_new_suite_can_be_played_without_changes() {
    let (_place, folder, ran) = new_suite("cc");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains(&format!("judge grade BOT.wasm --suite '{folder}/'")));
    assert!(ran.stdout.contains("judge calibrate WEAK.wasm STRONG.wasm"), "{}", ran.stdout);
    let graded = run(["grade", &shown(&sample("cc-flood")), "--suite", &folder]);
    assert!([0, 1].contains(&graded.code), "{}{}", graded.stdout, graded.stderr);
    assert!(graded.stdout.contains("01-first-steps  Accepted"), "{}", graded.stdout);
    assert_eq!(graded.stderr.matches("warning:").count(), 0, "{}", graded.stderr);
}

#[test]
fn a_new_suite_overwrites_no_file() {
    let (_place, folder, _) = new_suite("cc");
    let before = std::fs::read(Path::new(&folder).join("suite.toml")).unwrap();
    let again = run(["new-suite", &folder, "--game", "mahjong"]);
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert!(again.stderr.contains("exists and is not empty"), "{}", again.stderr);
    assert_eq!(std::fs::read(Path::new(&folder).join("suite.toml")).unwrap(), before);
    let place = tempfile::tempdir().unwrap();
    let file = shown(&write(place.path(), "file", "x"));
    assert_eq!(run(["new-suite", &file, "--game", "cc"]).code, 3);
    let unknown = shown(&place.path().join("new"));
    assert_eq!(run(["new-suite", &unknown, "--game", "chess"]).code, 2);
    assert!(!Path::new(&unknown).exists());
    let empty = shown(&place.path().join("empty"));
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(run(["new-suite", &empty, "--game", "cc"]).code, 0, "an empty one will do");
}

/// A testcase of which only the threshold may change.
fn testcase(min_score: &str) -> String {
    format!(
        "# The first.\r\ntitle = \"x\" # a title\r\ngame = \"mahjong\"\nopponent = \"random\"\n\
         # min_score = 1\npoints = 10\nmin_score =  {min_score}   # to be chosen\nseeds = [ 1,2,\n3 ]\n"
    )
}

/// A suite with an open testcase and one in a hidden folder.
fn suite() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for folder in ["suite", "hidden"] {
        std::fs::create_dir(place.path().join(folder)).unwrap();
    }
    let head = "title = \"x\"\n[hidden]\nfolder = \"../hidden\"\n";
    write(&place.path().join("suite"), "suite.toml", head);
    write(&place.path().join("suite"), "01-open.toml", testcase("9_999_999"));
    write(&place.path().join("hidden"), "02-hidden.toml", testcase("-5"));
    place
}

fn calibrate(place: &Path, bots: &[&str], more: &[&str]) -> Ran {
    let suite = shown(&place.join("suite"));
    let fixed = ["calibrate", "--suite", &suite, "--rounds", "40", "--write"];
    let bots = bots.iter().map(|bot| shown(&sample(bot)));
    let more = more.iter().map(|one| (*one).to_owned());
    run(fixed.map(str::to_owned).into_iter().chain(bots).chain(more))
}

#[test]
fn calibrate_writes_only_thresholds() {
    let place = suite();
    let bots = ["mahjong-straightforward", "mahjong-distance"];
    let ran = calibrate(place.path(), &bots, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    let (open, hidden) = (read("suite/01-open.toml"), read("hidden/02-hidden.toml"));
    assert_eq!(open, hidden, "the same conditions");
    let (_, rest) = open.split_once("min_score =  ").unwrap();
    let (threshold, _) = rest.split_once(' ').unwrap();
    assert_eq!(open, testcase(threshold));
    for line in [
        format!("  01-open    9999999 -> {threshold}\n"),
        format!("  02-hidden  -5 -> {threshold}\n"),
    ] {
        assert!(ran.stdout.contains(&line), "{line}{}", ran.stdout);
    }
    let again = calibrate(place.path(), &bots, &["--json", "-"]).json();
    assert_eq!(again["changes"][0]["to"], again["changes"][0]["from"], "{again}");
    assert_eq!(read("suite/01-open.toml"), open);
    let left: Vec<_> = std::fs::read_dir(place.path().join("suite")).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn calibrate_writes_nothing_without_two_different_bots() {
    let place = suite();
    let one = calibrate(place.path(), &["mahjong-distance"], &[]);
    assert_eq!(one.code, 2, "{}", one.stderr);
    assert!(one.stderr.contains("`--write` needs 2 bots, found 1"), "{}", one.stderr);
    let bots = ["mahjong-distance", "mahjong-straightforward"].map(|bot| shown(&sample(bot)));
    let bundled = run(["calibrate", &bots[0], &bots[1], "--suite", "mahjong", "--write"]);
    assert_eq!(bundled.code, 2);
    assert!(bundled.stderr.contains("judge new-suite"), "{}", bundled.stderr);
    let before = std::fs::read_to_string(place.path().join("suite/01-open.toml")).unwrap();
    let twice = calibrate(place.path(), &["mahjong-distance", "mahjong-distance"], &[]);
    assert_eq!(twice.code, 2, "{}", twice.stderr);
    assert!(twice.stderr.contains("mahjong-distance.wasm` is named twice"), "{}", twice.stderr);
    // The same program under another name: custom sections do not count.
    let mut module = std::fs::read(sample("mahjong-distance")).unwrap();
    module.extend([0, 2, 1, b'x']);
    let copy = shown(&write(place.path(), "copy.wasm", module));
    let suite = shown(&place.path().join("suite"));
    let same = ["calibrate", &bots[0], &copy, "--suite", &suite, "--rounds", "10"];
    let told = "copy.wasm` are the same program";
    let refused = run([&same[..], &["--write"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains(told), "{}", refused.stderr);
    assert!(refused.stderr.contains("the bot that should fail and"), "{}", refused.stderr);
    let after = std::fs::read_to_string(place.path().join("suite/01-open.toml")).unwrap();
    assert_eq!(before, after);
    let warned = run(same);
    assert_eq!(warned.code, 0, "{}", warned.stderr);
    assert!(warned.stderr.contains(told), "{}", warned.stderr);
}

#[test]
fn calibrate_names_the_weaker_bot_and_a_bot_that_never_finishes() {
    let place = suite();
    let reversed = calibrate(place.path(), &["mahjong-distance", "mahjong-straightforward"], &[]);
    let told = "; the weaker bot here is mahjong-straightforward\n";
    assert_eq!(reversed.stdout.matches(told).count(), 2, "{}", reversed.stdout);
    let right = calibrate(place.path(), &["mahjong-straightforward", "mahjong-distance"], &[]);
    assert!(!right.stdout.contains("the weaker bot here"), "{}", right.stdout);
    let never = calibrate(place.path(), &["mahjong-distance", "cc-runner"], &[]);
    let told = ", as before: cc-runner played no round to its end\n";
    assert_eq!(never.stdout.matches(told).count(), 2, "{}", never.stdout);
}

#[test]
fn calibrate_writes_no_threshold_that_is_often_wrong() {
    let place = suite();
    let ran = calibrate(place.path(), &["mahjong-distance", "mahjong-hunter"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let advice = "rounds would separate the bots";
    let told = "no threshold separates mahjong-distance from mahjong-hunter: with ";
    assert_eq!(ran.stdout.matches(told).count(), 1, "{}", ran.stdout);
    let told = " was suggested, but would be wrong too often; ";
    assert_eq!(ran.stdout.matches(told).count(), 2, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches(advice).count(), 3, "{}", ran.stdout);
    let open = std::fs::read_to_string(place.path().join("suite/01-open.toml")).unwrap();
    assert_eq!(open, testcase("9_999_999"));
}

#[test]
fn calibrate_skips_curves_without_room_for_a_threshold() {
    let place = suite();
    let credit = |curve: &str, more: &str| {
        format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\ncredit = {curve}\n{more}\
             seeds = [1, 2, 3]\n"
        )
    };
    let folder = place.path().join("suite");
    let none = credit("[[0, 0], [400, 5]]", "");
    let low = credit("[[-9000, 0], [-8000, 5]]", "min_score = -8500\n");
    write(&folder, "03-curve.toml", &none);
    write(&folder, "04-low.toml", &low);
    let bots = ["mahjong-straightforward", "mahjong-distance"];
    let ran = calibrate(place.path(), &bots, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "`03-curve` has no `min_score`";
    assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
    for line in [
        "  01-open    9999999 -> ",
        "  02-hidden  -5 -> ",
        "  03-curve   400, as before: its file has no `min_score`\n",
        "  04-low     -8500, as before: all points are earned from -8000 on, and ",
    ] {
        assert!(ran.stdout.contains(line), "{line}{}", ran.stdout);
    }
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!([read("03-curve.toml"), read("04-low.toml")], [none.clone(), low]);
    for name in ["01-open.toml", "04-low.toml"] {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    std::fs::remove_file(place.path().join("hidden/02-hidden.toml")).unwrap();
    let ran = calibrate(place.path(), &bots, &[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("has a `min_score` to replace: 03-curve"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn likely_mistakes_in_a_suite_are_reported_once() {
    let place = tempfile::tempdir().unwrap();
    let suite = place.path().join("suite");
    std::fs::create_dir(&suite).unwrap();
    write(&suite, "suite.toml", "title = \"x\"\n");
    let testcase = |more: &str| {
        format!("title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\npoints = 1\n{more}\n")
    };
    write(&suite, "01.toml", testcase("seeds = [3, 3]\nmin_score = 5"));
    write(&suite, "02.toml", testcase("seeds = [1]\nmin_score = 3\nhidden = true"));
    write(&suite, "05.TOML", "");
    write(&suite, "notes.tml", "");
    let (bot, suite) = (shown(&sample("cc-runner")), shown(&suite));
    let warnings = |arguments: &[&str]| {
        let ran = run(arguments);
        let lines = ran.stderr.lines().filter(|line| line.starts_with("warning: "));
        (lines.map(str::to_owned).collect::<Vec<_>>(), ran)
    };
    let told = [
        "warning: `01`: no bot can pass: `min_score` is 5, its rounds score at most 4",
        "warning: `01`: seed 3 is listed more than once, so its round counts more than once",
        "warning: `02`: no bot can pass: `min_score` is 3, its rounds score at most 2",
        "warning: `05.TOML` looks like a testcase and is not read: rename it to end in `.toml`",
        "warning: `notes.tml` looks like a testcase and is not read: rename it to end in `.toml`",
    ];
    let (grade, graded) = warnings(&["grade", &bot, "--suite", &suite, "--json", "-"]);
    assert_eq!(grade, told);
    assert!(!graded.stdout.contains("looks like"), "{}", graded.stdout);
    let (calibrate, _) = warnings(&["calibrate", &bot, "--suite", &suite, "--rounds", "10"]);
    assert_eq!(calibrate, told);
    let out = shown(&place.path().join("out"));
    let (course, _) = warnings(&["grade", &bot, "--suite", &suite, "--out", &out]);
    assert_eq!(course, told);
    let (student, _) = warnings(&["grade", &bot, "--suite", &suite, "--for-student"]);
    assert_eq!(student, told[..2], "nothing of hidden testcases or of the folder");
    let (quiet, _) = warnings(&["grade", &bot, "--suite", "cc"]);
    assert_eq!(quiet, [""; 0]);
}
