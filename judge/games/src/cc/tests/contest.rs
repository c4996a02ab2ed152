//! One game, line by line.

use judge_core::{Options, RoundResult, Seat};

use super::set_up;
use crate::cc::{Contest, Position, Rules};
use crate::{GameState as _, IllegalMove, Step};

fn contest(position: Position, max_plies: &str) -> Contest {
    let options = Options::from([("max_plies".to_owned(), max_plies.to_owned())]);
    Contest::new(Rules::from_options(&options).expect("allowed"), position)
}

/// The lines of a game with these answers, up to the first question without an answer or the end.
fn transcript(contest: &mut Contest, answers: &[&str]) -> String {
    let mut answers = answers.iter();
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        match contest.step(&mut line) {
            Step::Tell(seat) => lines.push(format!("{seat} {line}")),
            Step::Ask(seat) => {
                lines.push(format!("{seat} {line}"));
                let Some(answer) = answers.next() else { break };
                contest.answer(answer).expect("a legal answer");
                lines.push(format!("{seat} > {answer}"));
            }
            Step::End(outcome) => {
                lines.push(format!("{outcome:?}"));
                break;
            }
        }
    }
    lines.join("\n")
}

fn small() -> Position {
    set_up(5, &["3,2", "0,0"], &["2,4", "1,1"])
}

#[test]
fn the_last_move_is_sent_before_the_end() {
    let mut contest = contest(small(), "auto");
    insta::assert_snapshot!(transcript(&mut contest, &["3,2>3,3", "2,4>2,3", "3,3>4,4"]), @r#"
    1 move? 001000000000011000000000000001100000100000000000000
    1 > 3,2>3,3
    2 opponent 3,2>3,3
    2 move? 101000000000011000000000000001100000001000000000000
    2 > 2,4>2,3
    1 opponent 2,4>2,3
    1 move? 001000000000011000000000000110000000001000000000000
    1 > 3,3>4,4
    2 opponent 3,3>4,4
    RoundResult { scores: [2, 0], winner: Some(One), reason: "target" }
    "#);
}

#[test]
fn a_capture_that_leaves_one_man_wins() {
    let mut contest = contest(small(), "auto");
    insta::assert_snapshot!(transcript(&mut contest, &["0,0>2,2"]), @r#"
    1 move? 001000000000011000000000000001100000100000000000000
    1 > 0,0>2,2
    2 opponent 0,0>2,2
    RoundResult { scores: [2, 0], winner: Some(One), reason: "last man" }
    "#);
}

#[test]
fn the_limit_on_plies_draws_the_game() {
    let mut contest = contest(small(), "2");
    insta::assert_snapshot!(transcript(&mut contest, &["3,2>3,3", "2,4>2,3"]), @r#"
    1 move? 001000000000011000000000000001100000100000000000000
    1 > 3,2>3,3
    2 opponent 3,2>3,3
    2 move? 101000000000011000000000000001100000001000000000000
    2 > 2,4>2,3
    1 opponent 2,4>2,3
    RoundResult { scores: [1, 1], winner: None, reason: "ply limit" }
    "#);
    assert_eq!(contest.plies(), 2);
}

#[test]
fn a_win_on_the_last_ply_counts() {
    let mut contest = contest(small(), "1");
    let text = transcript(&mut contest, &["0,0>2,2"]);
    assert!(text.ends_with("winner: Some(One), reason: \"last man\" }"), "{text}");
}

#[test]
fn a_blocked_side_draws() {
    let mut contest = contest(set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]), "auto");
    insta::assert_snapshot!(transcript(&mut contest, &[]), @r#"RoundResult { scores: [1, 1], winner: None, reason: "blocked" }"#);
}

#[test]
fn a_refusal_names_the_reason_and_changes_nothing() {
    let mut contest = contest(small(), "auto");
    let unasked = contest.answer("0,0>0,1").expect_err("nothing was asked");
    assert_eq!(unasked, IllegalMove::nothing_asked());
    transcript(&mut contest, &[]);
    let before = (*contest.position(), contest.frame(crate::View::Everything));
    for (answer, malformed) in [
        ("", true),
        ("0,0", true),
        ("0,0>0,1 ", true),
        ("0,0>0,1\n", true),
        ("0,0 0,1", true),
        ("0,0>1,1", false),
        ("2,4>2,3", false),
        ("0,0>0,9", false),
    ] {
        let error = contest.answer(answer).expect_err("no move");
        assert_eq!(matches!(error, IllegalMove::Malformed(_)), malformed, "{answer}: {error}");
        assert_eq!((*contest.position(), contest.frame(crate::View::Everything)), before);
    }
    contest.answer("0,0>0,1").expect("a legal answer");
    contest.answer("0,1>0,2").expect_err("only one move");
}

#[test]
fn a_forfeit_gives_the_other_side_the_win() {
    let forfeit = contest(small(), "auto").forfeit(Seat::One);
    let expected =
        RoundResult { scores: [0, 2], winner: Some(Seat::Two), reason: "forfeit".into() };
    assert_eq!(forfeit, expected);
}
