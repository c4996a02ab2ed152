//! The registry entry.

use judge_core::{Options, Seed};

use crate::Game as _;
use crate::patchwork::GAME;

#[test]
fn unknown_options_are_refused_with_the_known_ones() {
    let options = Options::from([("opening".to_owned(), "2".to_owned())]);
    let error = GAME.start(&options, Seed(1)).err().expect("no such option").to_string();
    insta::assert_snapshot!(error, @"unknown option `opening`: patchwork has `seven_by_seven`");
}

#[test]
fn options_reach_the_match() {
    let options = Options::from([("seven_by_seven".to_owned(), "true".to_owned())]);
    let running = GAME.start(&options, Seed(1)).expect("a known option");
    assert_eq!(running.facts(), "seven_by_seven=true");
}
