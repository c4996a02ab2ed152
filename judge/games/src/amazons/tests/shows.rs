//! Legal answers, the standing and the counts of a round.

use judge_core::{Options, Seed};
use proptest::prelude::*;

use crate::amazons::{GAME, Move, Square};
use crate::{Game as _, GameState, Standing, Step, Term};

fn asked(state: &str) -> Box<dyn GameState> {
    let mut running = GAME.resume(&Options::new(), Seed(1), state).expect("a state");
    assert!(matches!(running.step(&mut String::new()), Step::Ask(_)), "{state}");
    running
}

/// All squares of the four lowest rows and columns.
fn corner() -> impl Iterator<Item = Square> + Clone {
    (0..16_u8).filter_map(|at| Square::new(at % 4, at / 4))
}

#[test]
fn exactly_the_legal_answers_are_accepted() {
    for state in ["1b2/3b/w3/2w1 w", "1b2/3b/w3/2w1 b", "xb1x/1x2/w1wx/2x1 w", "b3/1x2/4/w3 w"] {
        let legal = asked(state).legal();
        assert!(legal.is_sorted_by(|one, two| one < two), "{legal:?}");
        let mut taken = Vec::new();
        for from in corner() {
            for (to, arrow) in corner().flat_map(|to| corner().map(move |arrow| (to, arrow))) {
                let answer = Move { from, to, arrow }.to_string();
                if asked(state).answer(&answer).is_ok() {
                    taken.push(answer);
                }
            }
        }
        taken.sort();
        assert_eq!(legal, taken, "{state}");
    }
}

#[test]
fn answers_are_sorted_as_text() {
    insta::assert_debug_snapshot!(asked("xxxx/xxxx/xxxb/w2x w").legal(), @r#"
    [
        "a1-b1/a1",
        "a1-b1/c1",
        "a1-c1/a1",
        "a1-c1/b1",
    ]
    "#);
    let start = asked(super::START).legal();
    assert_eq!(start.len(), 2176);
    assert_eq!([&start[0], &start[2175]], ["a4-a1/a2", "j4-j6/j5"]);
}

#[test]
fn no_answer_is_legal_without_a_pending_question() {
    let mut running = GAME.start(&Options::new(), Seed(1)).expect("default options");
    assert!(running.legal().is_empty());
    running.step(&mut String::new());
    let legal = running.legal();
    assert!(!legal.is_empty());
    running.answer(&legal[0]).expect("legal");
    assert!(running.legal().is_empty(), "the notice comes first");
    running.step(&mut String::new());
    assert!(running.legal().is_empty(), "then the question");
    running.step(&mut String::new());
    assert!(!running.legal().is_empty());
}

/// A standing as text: the scores, and a line for each term.
fn told(standing: &Standing) -> String {
    let [one, two] = standing.scores;
    let terms = standing.terms.iter().map(|Term { name, values }| format!("\n{name}: {values:?}"));
    format!("{one}:{two}") + &terms.collect::<String>()
}

#[test]
fn a_standing_lists_its_terms() {
    insta::assert_snapshot!(told(&asked("w1x1/1xx1/xxxx/3b w").standing()), @r"
    0:0
    own territory: [2, 3]
    open to both: [0, 0]
    reached first: [2, 3]
    squares in one move: [2, 3]
    ");
    insta::assert_snapshot!(told(&asked(super::START).standing()), @r"
    0:0
    own territory: [0, 0]
    open to both: [92, 92]
    reached first: [22, 22]
    squares in one move: [80, 80]
    ");
}

#[test]
fn perft_counts_from_the_current_position() {
    let mut running = asked("1b2/3b/w3/2w1 w");
    assert_eq!([0, 1, 2].map(|depth| running.perft(depth)), [1, 122, 10282]);
    let after: u64 = running
        .legal()
        .iter()
        .map(|answer| {
            let mut next = asked("1b2/3b/w3/2w1 w");
            next.answer(answer).expect("legal");
            next.perft(1)
        })
        .sum();
    assert_eq!(after, 10282);
    running.answer("a2-a1/a2").expect("legal");
    assert_eq!(running.perft(1), asked("1b2/3b/x3/w1w1 b").legal().len() as u64);
}

proptest! {
    #[test]
    fn a_state_of_any_size_counts_its_answers(
        size in 4..=16_u8,
        places in proptest::collection::btree_map((0..16_u8, 0..16_u8), 0..3_usize, 2..30),
    ) {
        let mut rows = vec![vec!['1'; usize::from(size)]; usize::from(size)];
        for ((column, row), letter) in places {
            rows[usize::from(row % size)][usize::from(column % size)] = ['w', 'b', 'x'][letter];
        }
        let text = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>();
        // Neighbouring numbers have to be joined: every row is written again.
        let text: Vec<String> = text.iter().map(|row| joined(row)).collect();
        if let Ok(mut running) = GAME.resume(&Options::new(), Seed(1), &(text.join("/") + " b")) {
            running.step(&mut String::new());
            prop_assert_eq!(running.legal().len() as u64, running.perft(1));
        }
    }
}

/// A row with each empty square as a `1`, with the runs as one number.
fn joined(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars() {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        text.push(letter);
    }
    if empty > 0 { text + &empty.to_string() } else { text }
}
