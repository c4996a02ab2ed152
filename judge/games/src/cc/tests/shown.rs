//! The displays of a round in addition to its lines: legal answers, state, standing, counts.

use judge_core::{Options, Seed};
use proptest::prelude::*;

use super::set_up;
use crate::cc::{Contest, GAME, Path, Rules};
use crate::{Game as _, GameState, Standing, Step, View, next_question};

/// Continues to the next question; `false` at the end.
fn to_question(running: &mut dyn GameState) -> bool {
    matches!(next_question(running, &mut String::new()), Step::Ask(_))
}

/// The frame without the sentence on the last move, which the text of a state does not hold.
fn board(running: &dyn GameState) -> String {
    let frame = running.frame(View::Everything);
    frame.lines().filter(|line| !line.contains("seat")).collect()
}

/// Resumes the round from its text and compares the displays of both.
fn check_resumed(running: &dyn GameState, options: &Options) {
    let state = running.state();
    assert!(state.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{state}");
    let mut again = GAME.resume(options, Seed(9), &state).unwrap_or_else(|error| panic!("{error}"));
    assert!(again.legal().is_empty(), "nothing was asked yet");
    to_question(&mut *again);
    assert_eq!(again.state(), state);
    assert_eq!(again.facts(), running.facts());
    assert_eq!(again.legal(), running.legal());
    assert_eq!(again.standing(), running.standing());
    assert_eq!(board(&*again), board(running));
}

fn choices(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_golden_game_can_be_resumed_at_every_question() {
    let options = choices(&[("size", "6"), ("opening", "0")]);
    let mut running = GAME.start(&options, Seed(1)).expect("allowed options");
    for answer in include_str!("../golden/lookahead.txt").split_whitespace() {
        assert!(to_question(&mut *running));
        check_resumed(&*running, &options);
        assert!(running.legal().binary_search(&answer.to_owned()).is_ok(), "{answer}");
        running.answer(answer).expect("a legal answer");
        assert!(running.legal().is_empty(), "it was answered");
    }
    assert!(!to_question(&mut *running));
    check_resumed(&*running, &options);
}

#[test]
fn a_pasted_question_is_a_state() {
    let mut running = GAME.start(&Options::new(), Seed(7)).expect("default options");
    let mut line = String::new();
    running.step(&mut line);
    assert_eq!(line, format!("move? {}", running.state()));
    running.answer(&running.legal()[0]).expect("a legal answer");
    line.clear();
    running.step(&mut line);
    running.step(&mut line);
    assert!(line.ends_with(running.state().strip_suffix(" 1").expect("one ply")), "{line}");
}

/// A standing in one line.
/// The end of the README's example: one path takes a man, the others take none.
#[test]
fn a_capturing_path_names_the_captured_man() {
    let state = "001000000000011000000000000110000000001000000000000";
    let mut running = GAME.resume(&choices(&[]), Seed(1), state).expect("a state");
    assert!(to_question(&mut *running));
    let legal = running.legal();
    let expected = [
        ("0,0>2,2", "takes 1,1".to_owned()),
        ("0,0>2,2>2,4", "takes 1,1".to_owned()),
        ("0,0>2,2>2,4>4,2", "takes 1,1".to_owned()),
        ("0,0>2,2>4,4", "takes 1,1".to_owned()),
        ("3,3>1,3", "takes 2,3".to_owned()),
    ];
    let remarks = legal.iter().filter_map(|path| Some((path.as_str(), running.remark(path)?)));
    assert_eq!(remarks.collect::<Vec<_>>(), expected);
    assert_eq!(
        ["0,0>0,1", "0,0>9,9", "nonsense"].map(|text| running.remark(text)),
        [const { None }; 3]
    );
    let pointed = running.choices(&["0,0".to_owned()]).next;
    let words = pointed.iter().map(|choice| choice.words.as_str()).collect::<Vec<_>>();
    assert!(words.contains(&"go to 2,2, takes 1,1") && words.contains(&"go to 0,1"), "{words:?}");
}

#[test]
fn a_refused_square_beyond_the_edge_names_the_board_size() {
    for (size, last) in [("5", 4), ("6", 5), ("16", 15)] {
        let options = choices(&[("size", size), ("opening", "0")]);
        let mut running = GAME.start(&options, Seed(1)).expect("allowed options");
        assert!(to_question(&mut *running));
        for answer in ["0,1>x", "1,2>16,3", "0;1>0,2"] {
            let refusal = running.answer(answer).expect_err("no path").to_string();
            assert!(refusal.ends_with(&format!("each 0 to {last}")), "{refusal}");
        }
        if last < 15 {
            let beyond = format!("0,1>0,{}", last + 1);
            let refusal = running.answer(&beyond).expect_err("off the board").to_string();
            assert!(refusal.ends_with(&format!("rows and columns are 0 to {last}")), "{refusal}");
        }
    }
}

fn standing(running: &dyn GameState) -> String {
    let Standing { outcome, scores, terms } = running.standing();
    let terms: Vec<_> =
        terms.iter().map(|term| format!("{} {:?}", term.name, term.values)).collect();
    let reason = outcome.map_or("running".to_owned(), |outcome| outcome.reason);
    format!("{reason}: {scores:?}; {}", terms.join(", "))
}

#[test]
fn the_standing_has_the_values_that_decide() {
    let rules = Rules::from_options(&choices(&[("size", "5")])).expect("allowed options");
    let mut running = Contest::new(rules, set_up(5, &["3,2", "0,0"], &["2,4", "1,1", "4,3"]));
    insta::assert_snapshot!(standing(&running), @"running: [1, 1]; men [2, 3], steps to the corner [2, 1]");
    for answer in ["0,0>2,2", "2,4>1,4", "3,2>3,3", "4,3>4,2"] {
        assert!(to_question(&mut running));
        running.answer(answer).expect("a legal answer");
    }
    insta::assert_snapshot!(standing(&running), @"running: [1, 1]; men [2, 2], steps to the corner [1, 4]");
    assert!(to_question(&mut running));
    running.answer("3,3>4,4").expect("a legal answer");
    insta::assert_snapshot!(standing(&running), @"target: [2, 0]; men [2, 2], steps to the corner [0, 4]");
}

#[test]
fn perft_counts_answers_within_the_limit() {
    let count = |max_plies: &str, depth| {
        let options = choices(&[("size", "6"), ("opening", "0"), ("max_plies", max_plies)]);
        GAME.start(&options, Seed(1)).expect("allowed options").perft(depth)
    };
    assert_eq!([0, 1, 2, 3].map(|depth| count("auto", depth)), [1, 16, 257, 5075]);
    assert_eq!([0, 1, 2, 3].map(|depth| count("2", depth)), [1, 16, 257, 0]);
    let won = set_up(6, &["5,5", "0,0"], &["1,1", "2,2"]).to_string().replacen('0', "1", 1);
    let over = GAME.resume(&Options::new(), Seed(1), &won).expect("a state");
    assert_eq!([0, 1].map(|depth| over.perft(depth)), [1, 0]);
}

#[test]
fn of_very_many_answers_only_the_first_are_listed() {
    // Men on every second square of a diagonal grid leave ways without number.
    let grid = (0..9).flat_map(|row| (0..9).map(move |column| (row, column)));
    let grid = grid.filter(|(row, column)| (row + column) % 2 == 1).take(35);
    let men: Vec<String> = grid.map(|(row, column)| format!("{row},{column}")).collect();
    let men: Vec<&str> = std::iter::once("0,0").chain(men.iter().map(String::as_str)).collect();
    let full = set_up(16, &men, &["9,9", "15,15"]).to_string();
    let mut running = GAME.resume(&Options::new(), Seed(1), &full).expect("a state");
    to_question(&mut *running);
    let legal = running.legal();
    assert_eq!(legal.len(), crate::MAX_LISTED);
    assert!(legal.is_sorted());
}

/// A round at a question after some random answers, or at its end.
fn after(size: u8, choices: &[u16]) -> (Contest, Options) {
    let options = Options::from([("size".to_owned(), size.to_string())]);
    let rules = Rules::from_options(&options).expect("an allowed size");
    let mut running = Contest::new(rules, *rules.start());
    for choice in choices {
        if !to_question(&mut running) {
            break;
        }
        let legal = running.legal();
        running.answer(&legal[usize::from(*choice) % legal.len()]).expect("a legal answer");
    }
    to_question(&mut running);
    (running, options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_games_can_be_resumed(
        size in 5_u8..=9,
        choices in proptest::collection::vec(any::<u16>(), 0..30),
    ) {
        let (running, options) = after(size, &choices);
        check_resumed(&running, &options);
    }

    #[test]
    fn legal_answers_are_sorted_and_accepted(
        size in 5_u8..=9,
        choices in proptest::collection::vec(any::<u16>(), 0..30),
    ) {
        let (running, options) = after(size, &choices);
        let legal = running.legal();
        prop_assert!(legal.is_sorted_by(|one, next| one < next));
        prop_assert_eq!(legal.is_empty(), running.standing().outcome.is_some());
        for answer in &legal {
            let mut again = GAME.resume(&options, Seed(1), &running.state()).expect("a state");
            to_question(&mut *again);
            prop_assert_eq!(again.answer(answer), Ok(()));
            prop_assert!(answer.parse::<Path>().is_ok_and(|path| path.to_string() == *answer));
        }
        prop_assert_eq!(running.perft(1), legal.len() as u64);
    }
}
