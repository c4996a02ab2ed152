//! States as text: a printed state is read back, and an impossible one is refused.

use std::collections::BTreeSet;

use judge_core::{Options, Seed};
use proptest::prelude::*;

use super::rounds::{each_question, refused, resumed};
use crate::mahjong::{GAME, Hand, Tile};
use crate::{Game as _, GameState, Step, View, next_question};

/// Seat 1 has drawn 9d and throws; 81 tiles are in the wall, in the order of the seed.
const OPEN: &str = "discard 1 9d 1112345678999c9d 1245789b147c147d - - ?";

/// `state` with the word at a place changed.
fn with(state: &str, at: usize, word: &str) -> String {
    let mut words: Vec<&str> = state.split(' ').collect();
    words[at] = word;
    words.join(" ")
}

/// All displays of a round.
fn shown(match_: &dyn GameState) -> (String, Vec<String>, crate::Standing, String) {
    let frame = match_.frame(View::Everything);
    (match_.state(), match_.legal(), match_.standing(), frame)
}

#[test]
fn every_question_of_every_kind_reads_back() {
    let mut kinds = BTreeSet::new();
    for seed in 0..40 {
        each_question(seed, seed % 2 == 1, |round| {
            let state = round.state();
            kinds.insert(state.split(' ').next().expect("a word").to_owned());
            assert_eq!(shown(&*resumed(&state)), shown(round), "`{state}`");
        });
    }
    let expected = ["discard", "empty", "win-discard", "win-self", "won-discard", "won-self"];
    assert_eq!(kinds, expected.map(str::to_owned).into());
}

#[test]
fn a_resumed_round_continues_like_the_original() {
    each_question(7, false, |round| {
        let (mut first, mut second) = (round.clone(), resumed(&round.state()));
        while let Some(answer) = first.legal().first() {
            first.answer(answer).expect("legal");
            second.answer(answer).expect("legal");
            assert_eq!(
                next_question(&mut first, &mut String::new()),
                next_question(&mut *second, &mut String::new())
            );
        }
        assert_eq!(second.legal(), [] as [&str; 0]);
    });
}

#[test]
fn between_questions_the_next_one_is_printed() {
    let mut round = GAME.start(&Options::new(), Seed(2022)).expect("default options");
    let at_the_start = round.state();
    insta::assert_snapshot!(at_the_start, @"discard 1 6d 23468b255c136789d 2389b134899c366d - - 5d6c7b7c4d3d5b3c4d8d4d3c1c5d8b5d2c9b7d6c4d9d6b1b7b8c1b9d8d8c9b9c2c6b2d8d2b6c2d3c9d2d6d6c4b2b4b1b5b4c5b1d3b1d2c1b5c9b7b6b9c3d7c5c1c4b8b1c7d8c1d7c4c7c2d5b5d7d7b3b4c");
    next_question(&mut *round, &mut String::new());
    assert_eq!(round.state(), at_the_start);
}

#[test]
fn a_state_may_begin_with_the_draw() {
    let state = "draw 2 - 1112345678999c 1245789b147c147d 9d - ?";
    let mut round = GAME.resume(&Options::new(), Seed(3), state).expect("a state");
    assert_eq!(round.legal(), [] as [&str; 0]);
    let mut line = String::new();
    assert_eq!(round.step(&mut line), Step::Tell(judge_core::Seat::Two));
    assert!(line.starts_with("draw "), "{line}");
}

#[test]
fn the_seed_orders_an_unknown_wall() {
    let state = |seed| {
        let round = GAME.resume(&Options::new(), Seed(seed), OPEN).expect("a state");
        round.state()
    };
    let wall = |seed| state(seed).split(' ').next_back().expect("a wall").to_owned();
    assert_eq!(wall(1), wall(1));
    assert_ne!(wall(1), wall(2));
    let tiles = |wall: &str| wall.parse::<Hand>().expect("tiles");
    assert_eq!(tiles(&wall(1)), tiles(&wall(2)));
    assert_eq!(tiles(&wall(1)).len(), 81);
    assert_eq!(shown(&*resumed(&state(5))).0, state(5));
}

#[test]
fn rows_can_omit_repeated_letters() {
    let state = "discard 1 1d 123c123d19b11234c1d 1245789b147c147d 9d8d 8c8b ?";
    let runs = "discard 1 1d 19b11122334c1123d 1245789b147c147d 98d 8c8b ?";
    assert_eq!(shown(&*resumed(state)), shown(&*resumed(runs)));
}

#[test]
fn options_decide_whether_a_state_is_possible() {
    let state = "win-self 1 1d 123b111c1145677d 1245789b147c258d - - ?";
    let void_suit = Options::from([("void_suit".to_owned(), "true".to_owned())]);
    let error = GAME.resume(&void_suit, Seed(1), state).err().expect("three suits");
    insta::assert_snapshot!(error, @"hand 1 with `1d` does not win");
    assert_eq!(resumed(state).legal(), ["no", "yes"]);
    let unknown = Options::from([("joker".to_owned(), "1".to_owned())]);
    let error = GAME.resume(&unknown, Seed(1), OPEN).err().expect("no such option");
    assert!(matches!(error, crate::ResumeError::Option(_)), "{error}");
}

#[test]
fn unknown_words_in_a_state_are_named() {
    insta::assert_snapshot!(refused(""), @"expected 8 words, with one space between them (question, seat on turn, tile, hand 1, hand 2, river 1, river 2, wall), found 1");
    insta::assert_snapshot!(refused(&format!("{OPEN} ")), @"expected 8 words, with one space between them (question, seat on turn, tile, hand 1, hand 2, river 1, river 2, wall), found 9");
    insta::assert_snapshot!(refused(&with(OPEN, 0, "throw")), @"question `throw`: expected `draw`, `win-self`, `discard`, `win-discard`, `won-self`, `won-discard` or `empty`");
    insta::assert_snapshot!(refused(&with(OPEN, 1, "3")), @"seat on turn `3`: expected `1` or `2`");
    insta::assert_snapshot!(refused(&with(OPEN, 2, "-")), @"tile: `-` is not a tile: expected a rank from 1 to 9 and a suit letter, as in `3b`");
    insta::assert_snapshot!(refused(&with(OPEN, 0, "draw")), @"tile `9d`: expected `-` with `draw`");
    insta::assert_snapshot!(refused(&with(OPEN, 3, "12x")), @"hand 1: `x` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`");
    insta::assert_snapshot!(refused(&with(OPEN, 4, "12b3\u{7}")), @r#"hand 2: `\u{7}` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`"#);
    insta::assert_snapshot!(refused(&with(OPEN, 5, "12")), @"river 1: ranks without a suit letter: `12`");
    insta::assert_snapshot!(refused(&with(OPEN, 7, "d")), @"wall: suit letter `d` without ranks");
}

/// 42 tiles that are not in a hand of [`OPEN`].
fn a_long_river() -> String {
    let wall = resumed(OPEN).state().split(' ').next_back().expect("a wall").to_owned();
    wall[..84].to_owned()
}

#[test]
fn impossible_states_are_refused() {
    insta::assert_snapshot!(refused(&with(OPEN, 3, "1112345678999c")), @"hand 1: number of tiles: expected 14, found 13");
    insta::assert_snapshot!(refused(&with(OPEN, 4, "-")), @"hand 2: number of tiles: expected 13, found 0");
    insta::assert_snapshot!(refused(&with(OPEN, 4, "1245789b147c1479d")), @"hand 2: number of tiles: expected 13, found 14");
    insta::assert_snapshot!(refused(&with(OPEN, 2, "8d")), @"tile `8d` was drawn, but is not in hand 1");
    insta::assert_snapshot!(refused(&with(OPEN, 5, "3d")), @"river 2: number of tiles: expected 1, found 0");
    insta::assert_snapshot!(refused(&with(OPEN, 6, "3d")), @"river 2: number of tiles: expected 0, found 1");
    insta::assert_snapshot!(refused(&with(OPEN, 7, "-")), @"wall: number of tiles: expected 81, found 0");
    insta::assert_snapshot!(refused(&with(OPEN, 7, "99999d")), @"wall: more than four of the tile `9d`");
    insta::assert_snapshot!(refused("draw 2 - 1112345678999c 1245789b147c147d - - ?"), @"river 1: number of tiles: expected 1 to 41, found 0");
    insta::assert_snapshot!(refused(&with(OPEN, 5, &a_long_river())), @"river 1: number of tiles: expected 0 to 41, found 42");
    insta::assert_snapshot!(refused("empty 1 - 1112345678999c 1245789b147c147d - - -"), @"question `empty`: tiles that are neither in a hand nor in a river: expected 0, found 82");
    insta::assert_snapshot!(refused("win-self 1 1d 1112345678999c 1245789b147c147d - - ?"), @"hand 1 with `1d` does not win");
    insta::assert_snapshot!(refused("won-discard 1 5c 1112345678999c 1245789b147c147d - - ?"), @"hand 2 with `5c` does not win");
    insta::assert_snapshot!(refused("win-self 1 1b 1111b456789c123d 1245789b147c147d - - ?"), @"hand 1: more than four of the tile `1b`");
}

/// Every text with the form of an answer.
fn well_formed() -> impl Iterator<Item = &'static str> {
    ["yes", "no"].into_iter().chain(Tile::ALL.map(Tile::name))
}

#[test]
fn exactly_the_legal_answers_are_accepted() {
    for seed in 0..10 {
        each_question(seed, seed % 2 == 1, |round| {
            let taken = |answer: &&str| round.clone().answer(answer).is_ok();
            let mut taken: Vec<&str> = well_formed().filter(taken).collect();
            taken.sort_unstable();
            assert_eq!(round.legal(), taken);
        });
    }
}

/// Sequences of answers, counted only by lines.
fn counted(round: &mut dyn GameState, depth: u32) -> u64 {
    next_question(round, &mut String::new());
    let state = round.state();
    if depth == 0 {
        return 1;
    }
    let after = |answer: String| {
        let mut next = resumed(&state);
        next.answer(&answer).expect("legal");
        counted(&mut *next, depth - 1)
    };
    round.legal().into_iter().map(after).sum()
}

#[test]
fn perft_counts_sequences_of_answers() {
    let perft = |seed, depth| {
        let mut round = GAME.start(&Options::new(), Seed(seed)).expect("default options");
        let found = round.perft(depth);
        assert_eq!(found, counted(&mut *round, depth), "seed {seed}, depth {depth}");
        found
    };
    let counts = [0, 1, 2, 3].map(|depth| perft(2022, depth));
    insta::assert_debug_snapshot!(counts, @r"
    [
        1,
        13,
        156,
        2040,
    ]
    ");
    // Seat 1 may win by seat 2's throw, or by drawing; after a win no question follows.
    let ready = "discard 2 9d 1112345678999c 1245789b147c147d9d 3d - ?";
    assert_eq!(resumed(ready).perft(3), counted(&mut *resumed(ready), 3));
    each_question(3, false, |round| {
        if round.standing().outcome.is_some() {
            assert_eq!([0, 1, 2].map(|depth| round.perft(depth)), [1, 0, 0]);
        }
    });
}

#[test]
fn the_standing_names_its_terms() {
    insta::assert_debug_snapshot!(resumed(OPEN).standing(), @r#"
    Standing {
        outcome: None,
        scores: [
            0,
            0,
        ],
        terms: [
            Term {
                name: "faan",
                values: [
                    0,
                    0,
                ],
            },
            Term {
                name: "tiles left in the wall",
                values: [
                    81,
                    81,
                ],
            },
            Term {
                name: "distance to ready",
                values: [
                    0,
                    4,
                ],
            },
        ],
    }
    "#);
    let won = "won-discard 2 6c 1112345678999c 1245789b147c147d 3d - ?";
    insta::assert_debug_snapshot!(resumed(won).standing(), @r#"
    Standing {
        outcome: Some(
            RoundResult {
                scores: [
                    92,
                    0,
                ],
                winner: Some(
                    One,
                ),
                reason: "discard",
            },
        ),
        scores: [
            92,
            0,
        ],
        terms: [
            Term {
                name: "faan",
                values: [
                    4,
                    0,
                ],
            },
            Term {
                name: "tiles left in the wall",
                values: [
                    80,
                    80,
                ],
            },
            Term {
                name: "distance to ready",
                values: [
                    0,
                    4,
                ],
            },
        ],
    }
    "#);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_panics(text in "(discard|win-self|draw|empty) [12] ([1-9][bcd]|-)( [1-9bcd?-]{0,40}){5}") {
        if let Ok(round) = GAME.resume(&Options::new(), Seed(1), &text) {
            prop_assert_eq!(resumed(&round.state()).state(), round.state());
        }
    }

    #[test]
    fn a_changed_state_is_refused_or_playable(seed in 0..50_u64, at in 0..400_usize, byte in b' '..b'~') {
        each_question(seed, false, |round| {
            let mut text = round.state().into_bytes();
            let at = at % text.len();
            text[at] = byte;
            let text = String::from_utf8(text).expect("ASCII");
            if let Ok(round) = GAME.resume(&Options::new(), Seed(1), &text) {
                assert_eq!(resumed(&round.state()).state(), round.state());
            }
        });
    }
}
