//! Pictures that a person has checked, and properties of all.

use judge_core::Seat;

use super::*;
use crate::GameState as _;
use crate::mahjong::tests::rounds::{each_question, resumed};

#[test]
fn pictures_are_unchanged() {
    let turn = "discard 1 9d 1112345678999c9d 1245789b147c147d 3d8c 4b5b ?";
    insta::assert_snapshot!("turn", resumed(turn).svg(View::Seat(Seat::One)));
    let offer = "win-discard 2 4c 1112356788899c 245789b1478c147d 3d7b6d 4b5b ?";
    insta::assert_snapshot!("offer", resumed(offer).svg(View::Everything));
    let won = "won-self 2 4d 245b1235678c579d 1122b3355c7788d4d 3d8c6d 4b5b ?";
    insta::assert_snapshot!("won", resumed(won).svg(View::Everything));
}

/// The values of an attribute.
fn values<'a>(svg: &'a str, attribute: &str) -> Vec<&'a str> {
    let mut parts = svg.split(attribute);
    parts.next();
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn a_picture_defines_exactly_the_used_tiles() {
    for view in [View::Everything, View::Seat(Seat::One)] {
        each_question(5, true, |round| {
            let svg = round.svg(view);
            let drawn = values(&svg, "id=\"");
            let mut used: Vec<&str> = values(&svg, "href=\"#");
            used.sort_unstable();
            used.dedup();
            let mut sorted = drawn.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, used);
        });
    }
}

#[test]
fn a_win_is_explained() {
    let flush = "won-discard 2 1c 1112345678999c 245789b247c1478d 3d7b6d 4b5b ?";
    let svg = resumed(flush).svg(View::Everything);
    assert!(svg.contains("3 × 8 faan (Full Flush × 4, Root × 2) + 76 tiles left = 100 points"));
    let hidden = resumed(flush).svg(View::Seat(Seat::Two));
    assert!(
        hidden.contains("3 × 8 faan + 76 tiles left = 100 points") && !hidden.contains("(Full")
    );
}
