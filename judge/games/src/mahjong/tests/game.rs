//! The registry entry.

use judge_core::{Options, Seed};

use crate::Game as _;
use crate::mahjong::GAME;

#[test]
fn unknown_options_are_refused_with_the_known_ones() {
    let options = Options::from([("joker".to_owned(), "true".to_owned())]);
    let error = GAME.start(&options, Seed(1)).err().expect("no such option").to_string();
    insta::assert_snapshot!(error, @"unknown option `joker`: mahjong has `void_suit`, `all_triplets`, `full_flush`, `seven_pairs`, `root`");
}

#[test]
fn options_reach_the_round() {
    let options = Options::from([("void_suit".to_owned(), "true".to_owned())]);
    let round = GAME.start(&options, Seed(1)).expect("a known option");
    assert!(round.facts().starts_with("void_suit=true "));
}
