//! The round: its lines, its options, its opening, its end.

use judge_core::{Options, RoundResult, Seat, Seed};

use super::START;
use crate::amazons::{GAME, Position, opened};
use crate::{Game as _, GameState, IllegalMove, Step};

fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn started(pairs: &[(&str, &str)]) -> Box<dyn GameState> {
    GAME.start(&options(pairs), Seed(1)).expect("allowed options")
}

fn refused(pairs: &[(&str, &str)]) -> String {
    GAME.start(&options(pairs), Seed(1)).err().expect("not allowed").to_string()
}

/// The next step with its line.
fn next(running: &mut dyn GameState) -> (Step, String) {
    let mut line = String::new();
    let step = running.step(&mut line);
    (step, line)
}

/// The lines of a round with these moves from the start, as `seat line -> answer`, up to the end or
/// the first question without an answer.
fn transcript(running: &mut dyn GameState, moves: &[&str]) -> String {
    let mut moves = moves.iter();
    let mut lines = Vec::new();
    loop {
        match next(running) {
            (Step::Tell(seat), line) => lines.push(format!("{seat} {line}")),
            (Step::Ask(seat), line) => {
                let Some(answer) = moves.next() else {
                    lines.push(format!("{seat} {line}"));
                    return lines.join("\n");
                };
                running.answer(answer).expect("a legal move");
                lines.push(format!("{seat} {line} -> {answer}"));
            }
            (Step::End(outcome), _) => {
                lines.push(format!("{outcome:?}"));
                return lines.join("\n");
            }
        }
    }
}

/// The shortest way to shut White in.
const SMALL: [(&str, &str); 4] =
    [("size", "4"), ("white", "a1"), ("black", "b1,b2,c3"), ("opening", "0")];

#[test]
fn a_match_has_the_recorded_lines() {
    let told = transcript(&mut *started(&SMALL), &["a1-a2/a1", "c3-b3/a3"]);
    insta::assert_snapshot!(told, @r#"
    1 move? 4/2b1/1b2/wb2 w -> a1-a2/a1
    2 opponent a1-a2/a1
    2 move? 4/2b1/wb2/xb2 b -> c3-b3/a3
    1 opponent c3-b3/a3
    RoundResult { scores: [0, 1], winner: Some(Two), reason: "no move" }
    "#);
}

#[test]
fn frames_show_the_board_and_the_last_move() {
    let mut running = started(&[("opening", "0")]);
    insta::assert_snapshot!(running.frame(crate::View::Everything), @r"
    10 . . . B . . B . . .
     9 . . . . . . . . . .
     8 . . . . . . . . . .
     7 B . . . . . . . . B
     6 . . . . . . . . . .
     5 . . . . . . . . . .
     4 W . . . . . . . . W
     3 . . . . . . . . . .
     2 . . . . . . . . . .
     1 . . . W . . W . . .
       a b c d e f g h i j
       White to move
    ");
    transcript(&mut *running, &["d1-d7/g7"]);
    insta::assert_snapshot!(running.frame(crate::View::Everything), @r"
    10 . . . B . . B . . .
     9 . . . . . . . . . .
     8 . . . . . . . . . .
     7 B . . W . . x . . B
     6 . . . . . . . . . .
     5 . . . . . . . . . .
     4 W . . . . . . . . W
     3 . . . . . . . . . .
     2 . . . . . . . . . .
     1 . . . . . . W . . .
       a b c d e f g h i j
       move 1, White: d1-d7/g7; Black to move
    ");
    let mut running = started(&SMALL);
    transcript(&mut *running, &["a1-a2/a1", "c3-b3/a3"]);
    insta::assert_snapshot!(running.frame(crate::View::Everything), @r"
    4 . . . .
    3 x B . .
    2 W B . .
    1 x B . .
      a b c d
      move 2, Black: c3-b3/a3; White cannot move: Black has won
    ");
}

#[test]
fn refused_answers_change_nothing() {
    let mut running = started(&[("opening", "0")]);
    let early = running.answer("d1-d7/g7");
    assert_eq!(early, Err(IllegalMove::nothing_asked()));
    next(&mut *running);
    let before = running.frame(crate::View::Everything);
    for malformed in ["", "pass", "d1-d7", "d1-d7/g7 ", "d1-d7/k7", "d1-d7/g11"] {
        let refusal = running.answer(malformed).expect_err("no move");
        assert!(matches!(refusal, IllegalMove::Malformed(_)), "{malformed}: {refusal:?}");
    }
    for forbidden in ["a7-a6/a5", "d1-d10/d9", "d1-e3/e4", "d1-d7/d7", "d1-d9/d10"] {
        let refusal = running.answer(forbidden).expect_err("not allowed");
        assert!(matches!(refusal, IllegalMove::Forbidden(_)), "{forbidden}: {refusal:?}");
    }
    assert_eq!(running.frame(crate::View::Everything), before);
    assert_eq!(next(&mut *running), (Step::Ask(Seat::One), format!("move? {START}")));
    running.answer("d1-d7/g7").expect("a legal move");
    let early = running.answer("d10-d9/d10");
    assert_eq!(early, Err(IllegalMove::nothing_asked()));
}

#[test]
fn a_failing_player_loses() {
    let outcome = started(&[]).forfeit(Seat::One);
    let expected =
        RoundResult { scores: [0, 1], winner: Some(Seat::Two), reason: "forfeit".to_owned() };
    assert_eq!(outcome, expected);
}

#[test]
fn the_facts_of_a_round_have_the_rules() {
    insta::assert_snapshot!(started(&[]).facts(), @"size=10 white=a4,d1,g1,j4 black=a7,d10,g10,j7 opening=2");
    let six = [("size", "6"), ("white", "f2,a2,b1,e1"), ("black", "b6,e6,a5,f5"), ("opening", "4")];
    insta::assert_snapshot!(started(&six).facts(), @"size=6 white=a2,b1,e1,f2 black=a5,b6,e6,f5 opening=4");
}

#[test]
fn standard_starts_match_the_rules() {
    for (size, start) in [
        ("4", "1b2/3b/w3/2w1 w"),
        ("5", "1b1b1/b3b/5/w3w/1w1w1 w"),
        ("6", "2b3/6/b5/5w/6/3w2 w"),
        ("8", "2b2b2/8/b6b/8/8/w6w/8/2w2w2 w"),
        ("10", START),
    ] {
        let mut running = started(&[("size", size), ("opening", "0")]);
        assert_eq!(next(&mut *running), (Step::Ask(Seat::One), format!("move? {start}")));
    }
}

#[test]
fn other_options_are_refused() {
    insta::assert_snapshot!(refused(&[("size", "3")]), @"option `size` is `3`: expected an integer from 4 to 16");
    insta::assert_snapshot!(refused(&[("size", "7")]), @"option `white` is `standard`: expected a list of squares: only sizes 4, 5, 6, 8 and 10 have a standard");
    insta::assert_snapshot!(refused(&[("black", "a7,a4")]), @"option `black` is `a7,a4`: expected `standard` or different squares of the board as `a4,d1,g1,j4`");
    insta::assert_snapshot!(refused(&[("opening", "3")]), @"option `opening` is `3`: expected 0, 2, 4, 6 or 8");
    insta::assert_snapshot!(refused(&[("komi", "1")]), @"unknown option `komi`: amazons has `size`, `white`, `black`, `opening`");
    for (key, value) in [
        ("size", "17"),
        ("size", "010"),
        ("size", "+9"),
        ("size", ""),
        ("white", ""),
        ("white", "a1,a1"),
        ("white", "a1,"),
        ("white", "k1"),
        ("white", "a1 b1"),
        ("black", "a11"),
        ("opening", "10"),
        ("opening", "-2"),
        ("opening", "00"),
    ] {
        refused(&[(key, value)]);
    }
    started(&[("size", "16"), ("white", "p16"), ("black", "a1"), ("opening", "8")]);
}

#[test]
fn openings_come_from_the_seed_and_end_no_game() {
    let start: Position = START.parse().expect("the start");
    let boards: std::collections::BTreeSet<String> =
        (0..50).map(|seed| opened(&start, 2, Seed(seed)).to_string()).collect();
    assert_eq!(boards.len(), 50);
    assert!(boards.iter().all(|board| board.matches('x').count() == 2 && board.ends_with(" w")));
    insta::assert_snapshot!(opened(&start, 2, Seed(2022)), @"6b3/10/10/b8b/10/8b1/w8w/5w1x2/8x1/6w3 w");
    assert_eq!(opened(&start, 0, Seed(1)), start);
    let narrow: Position = "4/4/xbxx/wx2 w".parse().expect("White is shut in");
    assert_eq!(opened(&narrow, 2, Seed(1)), narrow);
    let small: Position = "1b2/3b/w3/2w1 w".parse().expect("a start");
    assert!((0..200).all(|seed| opened(&small, 8, Seed(seed)).can_move()));
}
