//! The meaning of a suite's name: a bundled name means the bundled suite, whatever the current
//! folder contains.

use std::path::Path;

use crate::support::{Ran, judge, sample, write};

const CASE: &str = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\n\
                    min_score = 0\npoints = 160\n";

/// A folder with suites: one with a bundled name, and one with a new name.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["mahjong", "mine"] {
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        write(&folder, "suite.toml", "title = \"Generous\"\n");
        write(&folder, "01-free.toml", CASE);
    }
    std::fs::copy(sample("mahjong-straightforward"), place.path().join("bot.wasm")).unwrap();
    place
}

fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    judge().current_dir(folder).args(arguments).output().unwrap().into()
}

fn cases(ran: &Ran) -> usize {
    ran.json()["bots"][0]["testcases"].as_array().unwrap().len()
}

#[test]
fn the_name_of_a_bundled_suite_means_it_in_every_folder() {
    let place = place();
    let grade =
        |suite: &str| run_in(place.path(), &["grade", "bot.wasm", "--suite", suite, "--json", "-"]);
    let ran = grade("mahjong");
    assert_eq!((ran.code, cases(&ran)), (1, 8), "{}", ran.stderr);
    let note = "note: `mahjong` is the bundled suite, not the folder of that name; the folder is \
                `./mahjong`\n";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let absolute = place.path().join("mahjong").display().to_string();
    for folder in ["./mahjong", "mahjong/", "mahjong/.", "mine/../mahjong", &absolute] {
        let ran = grade(folder);
        assert_eq!((ran.code, cases(&ran)), (0, 1), "{folder}: {}", ran.stderr);
        assert!(!ran.stderr.contains("note:"), "{}", ran.stderr);
    }
    let (empty, bot) = (tempfile::tempdir().unwrap(), place.path().join("bot.wasm"));
    let bot = bot.display().to_string();
    let ran = run_in(empty.path(), &["grade", &bot, "--suite", "mahjong", "--json", "-"]);
    assert_eq!(cases(&ran), 8);
    assert!(!ran.stderr.contains("note:"), "no folder of that name lies there: {}", ran.stderr);
}

#[test]
fn only_a_path_chooses_a_suite_folder() {
    let place = place();
    for arguments in [
        &["grade", "bot.wasm", "--suite", "mine"][..],
        &["grade", "bot.wasm", "--suite", "mine", "--out", "out"],
        &["watch", "bot.wasm", "--suite", "mine"],
        &["calibrate", "bot.wasm", "--suite", "mine"],
        &["compare", "bot.wasm", "bot.wasm", "--suite", "mine"],
        &["export", "gradescope", "--suite", "mine", "--out", "x.zip"],
        &["commit", "mine"],
    ] {
        let ran = run_in(place.path(), arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("no bundled suite `mine`"), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.ends_with("hint: `./mine`\n"), "{arguments:?}: {}", ran.stderr);
    }
    let ran = run_in(place.path(), &["grade", "bot.wasm", "--suite", "./none"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no folder `./none`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: did you mean the folder `./mine`?"), "{}", ran.stderr);
}

#[test]
fn every_command_takes_the_bundled_suite_by_its_name() {
    let place = place();
    let ran = |arguments: &[&str]| run_in(place.path(), arguments);
    // A report on the generous suite is not one on the bundled suite.
    let graded = ran(&["grade", "bot.wasm", "--suite", "./mahjong", "--json", "generous.json"]);
    assert_eq!(graded.code, 0, "{}", graded.stderr);
    let shadowed = ran(&["verify", "generous.json", "bot.wasm", "--suite", "mahjong"]);
    assert_eq!(shadowed.code, 1, "{}{}", shadowed.stdout, shadowed.stderr);
    assert!(shadowed.stdout.contains("another suite was graded"), "{}", shadowed.stdout);
    let verified = ran(&["verify", "generous.json", "bot.wasm", "--suite", "mahjong/"]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    let calibrated =
        ran(&["calibrate", "bot.wasm", "--suite", "mahjong", "--rounds", "10", "--json", "-"]);
    assert_eq!(calibrated.json()["testcases"].as_array().unwrap().len(), 8);
    let committed = ran(&["commit", "mahjong"]);
    assert_eq!(committed.code, 2, "the bundled suite has no key: {}", committed.stdout);
    assert!(committed.stderr.contains("note: `mahjong` is the bundled suite"));
    std::fs::create_dir(place.path().join("in")).unwrap();
    std::fs::rename(place.path().join("bot.wasm"), place.path().join("in/ada.wasm")).unwrap();
    let course = ran(&["grade", "in", "--suite", "mahjong", "--out", "out"]);
    assert_eq!(course.code, 0, "{}", course.stderr);
    let page = std::fs::read_to_string(place.path().join("out/students/ada.html")).unwrap();
    assert!(page.contains("judge verify ada.json ada.wasm --suite mahjong<"), "{page}");
    assert!(page.contains("04-quick"), "{page}");
    // The command on a page means the graded suite, not a bundled one.
    let course = ran(&["grade", "in", "--suite", "./mahjong", "--out", "own"]);
    assert_eq!(course.code, 0, "{}", course.stderr);
    let page = std::fs::read_to_string(place.path().join("own/students/ada.html")).unwrap();
    assert!(page.contains("judge verify ada.json ada.wasm --suite mahjong/<"), "{page}");
}
