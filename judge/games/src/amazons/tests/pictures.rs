//! The pictures of a round: three of the golden playthrough as files, and properties of all.

use judge_core::{Options, Seed};

use crate::amazons::GAME;
use crate::{Game as _, GameState, Step, View};

/// The golden playthrough after so many moves, at its next question or its end.
fn after(moves: usize) -> Box<dyn GameState> {
    let golden = include_str!("../golden/playthrough.txt");
    let mut answers = golden.lines().filter_map(|line| line.split_once(" -> ")).take(moves);
    let mut running = GAME.start(&Options::new(), Seed(2022)).expect("default options");
    loop {
        match running.step(&mut String::new()) {
            Step::Tell(_) => {}
            Step::End(_) => return running,
            Step::Ask(_) => match answers.next() {
                Some((_, answer)) => running.answer(answer).expect("a legal move"),
                None => return running,
            },
        }
    }
}

#[test]
fn pictures_of_three_positions_are_unchanged() {
    insta::assert_snapshot!("start", after(0).svg(View::Everything));
    insta::assert_snapshot!("middle", after(52).svg(View::Everything));
    insta::assert_snapshot!("end", after(usize::MAX).svg(View::Everything));
}

/// Number of times that a text occurs in the elements of a picture: its style has classes too.
fn count(picture: &str, text: &str) -> usize {
    let (_, elements) = picture.split_once("</style>").expect("a style");
    elements.matches(text).count()
}

#[test]
fn a_picture_shows_every_piece_on_the_board() {
    for moves in [0, 1, 20, usize::MAX] {
        let running = after(moves);
        let (state, picture) = (running.state(), running.svg(View::Everything));
        let burnt = state.matches('x').count();
        // Each bar has an amazon too.
        assert_eq!(count(&picture, "#j-amazons-amazon"), 10, "{state}");
        assert_eq!(count(&picture, "j-amazons-white"), 5, "{state}");
        assert_eq!(count(&picture, "#j-amazons-fire"), moves.min(1), "{state}");
        assert_eq!(count(&picture, "#j-amazons-ashes"), burnt - moves.min(1), "{state}");
        assert_eq!(count(&picture, "j-amazons-last"), 2 * moves.min(1), "{state}");
        let territory = running.standing().terms[0].values;
        let tints = count(&picture, "j-amazons-tint") as i64;
        assert_eq!(tints - 2, territory.iter().sum::<i64>(), "{state}");
    }
}

#[test]
fn a_picture_has_whole_numbers_only() {
    for (size, state) in [
        (4, "1b2/3b/w3/2w1 w"),
        (7, "3b3/7/7/w5b/7/7/3w3 b"),
        (16, "16/16/16/16/16/16/16/16/16/16/16/x14b/16/16/16/w15 b"),
    ] {
        let mut running = GAME.resume(&Options::new(), Seed(1), state).expect("a state");
        running.step(&mut String::new());
        running.answer(&running.legal()[3]).expect("legal");
        let picture = running.svg(View::Everything);
        let (_, elements) = picture.split_once("</style>").expect("a style");
        let parts: Vec<&str> = elements.split('.').collect();
        let numbers =
            parts.windows(2).filter(|pair| pair[1].starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(numbers.count(), 0, "{picture}");
        assert_eq!(count(&picture, "<rect class=\"j-amazons-light\""), size * size / 2);
    }
}
