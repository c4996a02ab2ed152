//! Forbidden advantages: recognising a round under another name, a friendly opponent, an endless
//! game, a testcase without rounds.

use std::collections::BTreeSet;

use crate::support::{root, run, write};

fn case(name: &str) -> String {
    let path = root().join("judge/hostile-corpus").join(name).join("bot.wasm");
    path.to_str().unwrap().to_owned()
}

fn testcase(opponent: &str, seeds: &[u64]) -> String {
    format!(
        "title = \"Fair rounds\"\ngame = \"mahjong\"\nopponent = \"{opponent}\"\nseeds = {seeds:?}\n\
         min_score = 1\npoints = 1\n"
    )
}

/// F07: hands of small seeds, which are published, and of large ones, which may be hidden, have
/// nothing in common: no two begin alike.
#[test]
fn different_seeds_deal_different_first_hands() {
    let published = 1..=300;
    let hidden = (1..=300).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1);
    let seeds: Vec<u64> = published.chain(hidden).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "hands.toml", testcase("random", &seeds));
    let bot = case("f07-tells-its-hand");
    let report = run(["grade", &bot, "--testcase", file.to_str().unwrap(), "--json", "-"]).json();
    let rounds = report["bots"][0]["testcases"][0]["rounds"].as_array().unwrap();
    let hands: Vec<&str> = rounds
        .iter()
        // The judge quotes the answer, which is the hand.
        .map(|round| round["fault"]["detail"].as_str().unwrap().split('`').nth(1).unwrap())
        .collect();
    assert_eq!(hands.len(), seeds.len());
    // Six tiles of 27 kinds: about one pair in 400 million is alike by chance, of 180,000 pairs.
    let beginnings: BTreeSet<&str> = hands.iter().map(|hand| &hand[..12]).collect();
    assert_eq!(beginnings.len(), seeds.len());
}

/// F09: points are given only against the judge's own opponents, so that no friendly bot can lose
/// on purpose.
#[test]
fn a_testcase_with_a_submission_as_opponent_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let friend = case("f09-loses-on-purpose");
    let file = write(folder.path(), "friend.toml", testcase(&friend, &[1]));
    let ran = run(["grade", &friend, "--testcase", file.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("unknown opponent `"), "{}", ran.stderr);
}

/// F12: the rules stop two bots that make no progress, even under the largest limit, within the
/// time of a testcase.
#[test]
fn two_stalling_bots_reach_the_limit_on_moves() {
    let staller = case("f12-staller");
    for plies in ["auto", "10000"] {
        let limit = format!("max_plies={plies}");
        let options = ["--option", "opening=0", "--option", &limit];
        let mut arguments = vec!["play", &staller, "--game", "cc", "--against", &staller];
        arguments.extend(options);
        let ran = run(arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("\ndraw 1:1 (ply limit)\n"), "{}", ran.stdout);
    }
}

/// F13: without rounds a bot cannot lose.
#[test]
fn a_testcase_without_rounds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "empty.toml", testcase("random", &[]));
    let bot = case("f09-loses-on-purpose");
    let ran = run(["grade", &bot, "--testcase", file.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("0 seeds: expected 1 to"), "{}", ran.stderr);
}
