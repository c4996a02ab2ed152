//! Rounds resumed from text: which states are restored, and which are refused.

use judge_core::{Options, Seat, Seed};
use proptest::prelude::*;

use super::{START, position};
use crate::amazons::opponents::OPPONENTS;
use crate::amazons::{GAME, Position};
use crate::conformance::play;
use crate::{Game as _, GameState, Step, View, next_question};

fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// The round at its first question, or at its end.
fn resumed(pairs: &[(&str, &str)], state: &str) -> (Box<dyn GameState>, Step) {
    let mut running = GAME.resume(&options(pairs), Seed(9), state).expect("a state");
    let step = running.step(&mut String::new());
    (running, step)
}

fn refused(pairs: &[(&str, &str)], state: &str) -> String {
    GAME.resume(&options(pairs), Seed(9), state).err().expect("no state").to_string()
}

/// The board of a frame, without the sentence on the last move below it.
fn board(running: &dyn GameState) -> String {
    let frame = running.frame(View::Everything);
    frame.trim_end().rsplit_once('\n').expect("more than a line").0.to_owned()
}

#[test]
fn a_match_can_be_resumed_at_every_question() {
    let golden = include_str!("../golden/playthrough.txt");
    let questions = golden.lines().filter_map(|line| line.split_once(" move? "));
    let mut original = GAME.start(&Options::new(), Seed(2022)).expect("default options");
    let mut asked = 0;
    for (seat, rest) in questions {
        while !matches!(original.step(&mut String::new()), Step::Ask(_)) {}
        let (state, answer) = rest.split_once(" -> ").expect("an answer");
        let (running, step) = resumed(&[], state);
        assert_eq!(step, Step::Ask(if seat == "1" { Seat::One } else { Seat::Two }));
        assert_eq!((running.state().as_str(), original.state().as_str()), (state, state));
        assert_eq!(running.legal(), original.legal());
        assert_eq!(running.standing(), original.standing());
        assert_eq!(board(&*running), board(&*original));
        original.answer(answer).expect("a legal move");
        asked += 1;
    }
    assert!(asked > 50, "{asked}");
}

#[test]
fn every_board_of_the_vectors_is_a_state() {
    let golden = include_str!("../golden/vectors.json");
    let texts = golden.split('"').filter(|text| text.parse::<Position>().is_ok());
    let mut count = 0;
    for text in texts {
        assert_eq!(resumed(&[], text).0.state(), text);
        count += 1;
    }
    assert!(count > 28, "{count}");
}

#[test]
fn a_position_without_a_move_is_the_end() {
    let (running, step) = resumed(&[], "wx2/xx2/4/3b w");
    let standing = running.standing();
    assert_eq!(Step::End(standing.outcome.expect("the end")), step);
    assert_eq!(standing.scores, [0, 1]);
    assert!(running.legal().is_empty());
}

#[test]
fn the_greeting_has_the_squares_of_the_state() {
    let (running, _) = resumed(&[], "4/2b1/wb2/xb2 b");
    insta::assert_snapshot!(running.facts(), @"size=4 white=a2 black=b1,b2,c3 opening=0");
    let given = [("size", "4"), ("black", "b1,b2,c3"), ("opening", "4")];
    let (running, _) = resumed(&given, "4/2b1/wb2/xb2 b");
    insta::assert_snapshot!(running.facts(), @"size=4 white=a2 black=b1,b2,c3 opening=0");
}

#[test]
fn a_malformed_state_is_refused_with_its_first_mistake() {
    insta::assert_snapshot!(refused(&[], ""), @"number of rows is 1: expected 4 to 16");
    insta::assert_snapshot!(refused(&[], &format!("move? {START}")), @"number of rows is 1: expected 4 to 16");
    insta::assert_snapshot!(refused(&[], &format!("{START} {START}")), @"side to move `w 3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 …`: expected `w` or `b` after the rows and one space");
    insta::assert_snapshot!(refused(&[], "3/3/3 w"), @"number of rows is 3: expected 4 to 16");
    insta::assert_snapshot!(refused(&[], "b3/4/3w/3w1 w"), @"row 1 has 5 squares: expected 4, as many as there are rows");
    insta::assert_snapshot!(refused(&[], "b3/2v1/9/w3 w"), @"row 3, after 2 squares: `v` is none of `w`, `b`, `x` and numbers of empty squares");
    insta::assert_snapshot!(refused(&[], "b3/1é2/4/w3 w"), @"row 3, after 1 square: `é` is none of `w`, `b`, `x` and numbers of empty squares");
    insta::assert_snapshot!(refused(&[], "b3/w12/4/4 w"), @"row 3 has 13 squares: expected 4, as many as there are rows");
    insta::assert_snapshot!(refused(&[], "b3/w0bb/4/4 w"), @"row 3, after 1 square: `0` is not a number of empty squares from 1 to 4");
    insta::assert_snapshot!(refused(&[], "b3/w3/4/4 x"), @"side to move `x`: expected `w` or `b` after the rows and one space");
    insta::assert_snapshot!(refused(&[], "4/4/xx2/2b1 w"), @"no amazon of White on the board");
    insta::assert_snapshot!(refused(&[], "w3/4/xx2/4 w"), @"no amazon of Black on the board");
}

#[test]
fn a_state_must_match_the_given_options() {
    let small = "1b2/3b/w3/2w1 w";
    insta::assert_snapshot!(refused(&[("size", "10")], small), @"number of rows is 4: the option `size` is 10");
    let white = [("size", "4"), ("white", "a1,b1,c1")];
    insta::assert_snapshot!(refused(&white, small), @"number of White's amazons on the board is 2: the option `white` has 3");
    insta::assert_snapshot!(refused(&[("black", "a7")], small), @"number of Black's amazons on the board is 2: the option `black` has 1");
    insta::assert_snapshot!(refused(&[("komi", "1")], small), @"unknown option `komi`: amazons has `size`, `white`, `black`, `opening`");
    insta::assert_snapshot!(refused(&[("size", "3")], small), @"option `size` is `3`: expected an integer from 4 to 16");
    resumed(&[("size", "4"), ("white", "a1,b1")], small);
}

proptest! {
    // A round is long, and its answers are many.
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_matches_can_be_resumed(seed in any::<u64>(), size in 0..5_usize, plies in 0..90_usize) {
        let size = ["4", "5", "6", "8", "10"][size];
        let mut original = GAME.start(&options(&[("size", size)]), Seed(seed)).expect("a size");
        let mut random = (OPPONENTS[0].create)(Seat::One, Seed(seed));
        let mut line = String::new();
        for _ in 0..2 * plies {
            line.clear();
            match original.step(&mut line) {
                Step::Tell(_) => {}
                Step::End(_) => break,
                Step::Ask(_) => {
                    let mut answer = String::new();
                    random.ask(&line, &mut answer).expect("sound");
                    original.answer(&answer).expect("legal");
                }
            }
        }
        let (running, step) = resumed(&[("size", size)], &original.state());
        next_question(&mut *original, &mut String::new());
        prop_assert_eq!(running.state(), original.state());
        prop_assert_eq!(running.legal(), original.legal());
        prop_assert_eq!(running.standing(), original.standing());
        prop_assert_eq!(board(&*running), board(&*original));
        prop_assert_eq!(matches!(step, Step::End(_)), running.standing().outcome.is_some());
    }

    #[test]
    fn an_accepted_state_prints_as_it_was_read(rows in proptest::collection::vec("[wbx1-4]{1,4}", 4..6)) {
        let state = rows.join("/") + " w";
        if let Ok(running) = GAME.resume(&Options::new(), Seed(1), &state) {
            prop_assert_eq!(running.state(), position(&state).to_string());
        }
    }
}

#[test]
fn a_resumed_match_can_be_played_to_its_end() {
    let state = "5x1b2/10/10/7xbb/5ww3/8b1/w8w/6xxx1/8x1/10 w";
    let mut running = GAME.resume(&Options::new(), Seed(1), state).expect("a state");
    let [mut one, mut two] = Seat::BOTH.map(|seat| (OPPONENTS[1].create)(seat, Seed(1)));
    let played = play(&mut *running, &mut [&mut one, &mut two]).expect("sound opponents");
    assert_eq!(played.exchanges[0].line, format!("move? {state}"));
    assert_eq!(running.standing().outcome, Some(played.outcome));
}
