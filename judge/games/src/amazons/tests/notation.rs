//! Text both ways.

use proptest::prelude::*;

use super::{START, chosen, position};
use crate::amazons::{Move, Position, Square};

fn refused<T: std::str::FromStr<Err: ToString> + std::fmt::Debug>(text: &str) -> String {
    match text.parse::<T>() {
        Ok(read) => panic!("`{text}` is read as {read:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn texts_read_back() {
    for text in [
        START,
        "1b2/3b/w3/2w1 w",
        "wx2/xx2/4/3b b",
        "16/16/16/16/16/16/16/16/16/16/16/x14b/16/16/16/w15 b",
        "x11/1w10/12/12/12/12/12/12/12/12/12/11b w",
    ] {
        assert_eq!(position(text).to_string(), text);
    }
    for text in ["d1-d7/g7", "a10-p16/a1"] {
        assert_eq!(chosen(text).to_string(), text);
    }
    assert_eq!(
        format!("{:?} {:?}", chosen("a1-b2/c3"), position("4/4/4/4 w")),
        "a1-b2/c3 `4/4/4/4 w`"
    );
}

#[test]
fn squares_have_one_spelling() {
    for text in ["", "a", "1a", "a0", "a01", "a17", "q1", "A1", "a1 ", "a20", "a111", "é1", "`1"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
    insta::assert_snapshot!(refused::<Square>("z99"), @"`z99` is not a square: expected a column from a to p and a row from 1 to 16");
}

#[test]
fn moves_have_one_spelling() {
    for text in [
        "",
        "d1-d7",
        "d1d7g7",
        "d1-d7/",
        "d1/d7-g7",
        "d1-d7/g7 ",
        " d1-d7/g7",
        "d1-d7/g7/g8",
        "d1-d7(g7)",
        "d1–d7/g7",
        "d1-d07/g7",
        "d1--d7/g7",
    ] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    insta::assert_snapshot!(refused::<Move>("d1 d7\tg7"), @r"`d1 d7\tg7` is not a move: expected one like `d1-d7/g7`");
    insta::assert_snapshot!(refused::<Move>(&"d".repeat(99)), @"`dddddddddddddddddddddddddddddddddddddddd…` is not a move: expected one like `d1-d7/g7`");
}

#[test]
fn error_messages_name_the_wrong_part_of_a_position() {
    insta::assert_snapshot!(refused::<Position>("4/4/4/3q w"), @"row 1, after 3 squares: `q` is none of `w`, `b`, `x` and numbers of empty squares");
    insta::assert_snapshot!(refused::<Position>("4/4/4/1é2 w"), @"row 1, after 1 square: `é` is none of `w`, `b`, `x` and numbers of empty squares");
    insta::assert_snapshot!(refused::<Position>("4/4/04/4 w"), @"row 2, at its start: `04` is not a number of empty squares from 1 to 4");
    insta::assert_snapshot!(refused::<Position>("4/4/17/4 w"), @"row 2, at its start: `17` is not a number of empty squares from 1 to 4");
    insta::assert_snapshot!(refused::<Position>("4/22/4/4 w"), @"row 3, at its start: `22` is not a number of empty squares from 1 to 4");
    insta::assert_snapshot!(refused::<Position>("4/3/4/4 w"), @"row 3 has 3 squares: expected 4, as many as there are rows");
    insta::assert_snapshot!(refused::<Position>("4/4/4/wwwww w"), @"row 1 has 5 squares: expected 4, as many as there are rows");
    insta::assert_snapshot!(refused::<Position>("3/3/3 w"), @"number of rows is 3: expected 4 to 16");
    insta::assert_snapshot!(refused::<Position>(&("4/".repeat(300) + "4 w")), @"number of rows is 301: expected 4 to 16");
    insta::assert_snapshot!(refused::<Position>("4/4/4/4"), @"side to move ``: expected `w` or `b` after the rows and one space");
    insta::assert_snapshot!(refused::<Position>("4/4/4/4 w "), @"side to move `w `: expected `w` or `b` after the rows and one space");
}

proptest! {
    #[test]
    fn no_text_panics(text in "[wbx0-9/ é]{0,40}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<Square>();
    }

    #[test]
    fn no_text_of_a_board_panics(rows in proptest::collection::vec("[wbx1-9]{0,20}", 0..20)) {
        let _ = (rows.join("/") + " w").parse::<Position>();
    }
}
