//! `judge diff --moves`: where two versions of a bot part.

use std::path::Path;

use crate::support::{Ran, run, sample, write};

/// Plays a sample bot on seed 3, and returns the replay's path.
fn played(folder: &Path, bot: &str) -> String {
    played_on(folder, bot, "3")
}

fn played_on(folder: &Path, bot: &str, seed: &str) -> String {
    let path = folder.join(format!("{bot}-{seed}.jsonl")).display().to_string();
    let bot = sample(bot).display().to_string();
    let ran = run(["play", &bot, "--seed", seed, "--replay", &path]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    path
}

fn moves(one: &str, other: &str, more: &[&str]) -> Ran {
    run([&["diff", "--moves", one, other], more].concat())
}

#[test]
fn diff_stops_at_the_first_different_answer_and_ignores_fuel() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] =
        ["mahjong-distance", "mahjong-straightforward"].map(|bot| played(folder.path(), bot));
    let page = folder.path().join("difference.html");
    let ran = moves(&one, &other, &["--context", "1", "--html", page.to_str().unwrap()]);
    let expected =
        "call 30 (line 31), move 1:\n  1: draw 2c\n- 1: discard? -> 9c\n+ 1: discard? -> 9d\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (1, expected), "{}", ran.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("<svg").count(), 3);
    for text in ["Seat 1 drew 2c", "Seat 1 threw 9c", "Seat 1 threw 9d", "wins 33:0", "wins 41:0"] {
        assert!(html.contains(text), "{text}");
    }
    for number in [1, 2] {
        assert!(html.contains(&format!("difference-rounds/round-{number}.html#line-31")));
        assert!(folder.path().join(format!("difference-rounds/round-{number}.html")).exists());
    }
}

#[test]
fn rounds_with_equal_moves_are_equal_despite_different_fuel() {
    let folder = tempfile::tempdir().unwrap();
    let one = played(folder.path(), "mahjong-distance");
    let text = std::fs::read_to_string(&one).unwrap();
    let fuel = text.split("\"fuel\":").nth(40).unwrap().split(['}', ',']).next().unwrap();
    let [before, after] = [format!("\"fuel\":{fuel}"), "\"fuel\":7".to_owned()];
    let changed = text.replacen(&before, &after, 1);
    assert_ne!(changed, text);
    let changed = write(folder.path(), "changed.jsonl", changed).display().to_string();
    assert_eq!(run(["diff", &one, &changed]).code, 1);
    let page = folder.path().join("page.html");
    let ran = moves(&one, &changed, &["--html", page.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.ends_with("the same moves: 211 calls\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("no page: no call differs") && !page.exists(), "{}", ran.stderr);
}

#[test]
fn a_page_shows_a_common_position_only_if_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["3", "4"].map(|seed| played_on(folder.path(), "cc-flood", seed));
    let page = folder.path().join("page.html");
    let html = |one: &str, other: &str| {
        let ran = moves(one, other, &["--html", page.to_str().unwrap()]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        std::fs::read_to_string(&page).unwrap()
    };
    let seeds = html(&one, &other);
    assert_eq!((seeds.matches("<svg").count(), seeds.matches("In both rounds").count()), (2, 0));
    let text = std::fs::read_to_string(&one).unwrap();
    let answer = text.split("\"answer\":\"").nth(3).unwrap().split('"').next().unwrap();
    let changed = text.replacen(&format!("\"answer\":\"{answer}\""), "\"answer\":\"9 9\"", 1);
    let changed = write(folder.path(), "changed.jsonl", changed).display().to_string();
    let html = html(&one, &changed);
    assert!(html.contains("In both rounds"));
    assert_eq!(html.matches("changed after it was written").count(), 1);
    let mahjong = played(folder.path(), "mahjong-distance");
    std::fs::remove_file(&page).unwrap();
    let ran = moves(&one, &mahjong, &["--html", page.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let told = "a page cannot compare a round of `cc` with one of `mahjong`";
    assert!(ran.stderr.contains(told) && !page.exists(), "{}", ran.stderr);
}

#[test]
fn a_page_does_not_overwrite_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let one = played(folder.path(), "mahjong-distance");
    let before = std::fs::read(&one).unwrap();
    let ran = moves(&one, &one, &["--html", &one]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(std::fs::read(&one).unwrap(), before);
}
