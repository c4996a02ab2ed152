//! Texts that are refused as states, and the messages.

use judge_core::Seed;
use proptest::prelude::*;

use crate::Game as _;
use crate::agamemnon::tests::games::set;
use crate::agamemnon::{Edge2428, GAME, Mapping, STANDARD_EDGES, loom_edges};

/// The message that refuses a text under these options.
fn refused_under(options: &[(&str, &str)], text: &str) -> String {
    GAME.resume(&set(options), Seed(1), text).err().expect("no state").to_string()
}

fn refused(text: &str) -> String {
    refused_under(&[], text)
}

/// Drawn and placed tiles on the standard board.
fn standard(words: &str) -> String {
    format!("{words} {STANDARD_EDGES}")
}

/// The standard board with some edges changed.
fn changed(words: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(standard(words), |text, (old, new)| text.replace(old, new))
}

#[test]
fn malformed_words_are_refused() {
    insta::assert_snapshot!(refused(""), @"word 1 is empty: words are separated by one space, and `-` stands for nothing");
    insta::assert_snapshot!(refused("fg"), @"a tile string of 2 characters: expected four for each tile");
    insta::assert_snapshot!(refused("d - S0001S0004F0105…S2930S3031"), @"the text is shortened (`…`): a state has every tile and every edge");
    insta::assert_snapshot!(refused("hj Od28... S0001..."), @"the text is shortened (`…`): a state has every tile and every edge");
    insta::assert_snapshot!(refused("f - S0001 redraw:1 x y"), @"expected drawn tiles, tile string and edge string, perhaps `redraw:1`, found words: `6`");
    insta::assert_snapshot!(refused(&standard("fgh -")), @"`fgh` is not a draw: expected one or two letters `a` to `j`, or `-` for none");
    insta::assert_snapshot!(refused(&standard("k -")), @"`k` is not a draw: expected one or two letters `a` to `j`, or `-` for none");
    insta::assert_snapshot!(refused(&standard("f ")), @"word 2 is empty: words are separated by one space, and `-` stands for nothing");
    insta::assert_snapshot!(refused("f - S0001 redraw:1"), @"edges: `1`, but the standard board has `49`");
}

#[test]
fn malformed_tiles_are_refused() {
    insta::assert_snapshot!(refused(&standard("ff Oa1")), @"a tile string of 3 characters: expected four for each tile");
    insta::assert_snapshot!(refused(&standard("ff OA14")), @"tile 1: expected `O` or `B`, a letter `a` to `j` and a node of two digits, found `OA14`");
    insta::assert_snapshot!(refused(&standard("ff Oa32")), @"tile 1 is on node `32`: the last one is `31`");
    insta::assert_snapshot!(refused(&standard("ff Oa14Bb14Bc15")), @"tile 2 is on node `14`, which is occupied");
    insta::assert_snapshot!(refused(&standard("ff Ba14")), @"tile 1 is of `B`, but `O` was on turn");
    insta::assert_snapshot!(refused(&standard("ff Oa14Bb15Bb16")), @"tile 3: its side has no `b` left");
}

#[test]
fn malformed_drawn_tiles_are_refused() {
    insta::assert_snapshot!(refused(&standard("ff -")), @"drawn tiles: `2`, but this turn takes `1`");
    insta::assert_snapshot!(refused(&standard("f Oa14")), @"drawn tiles: `1`, but this turn takes `2`");
    insta::assert_snapshot!(refused(&standard("ff Oa14Bb15")), @"drawn tiles: `2`, but the rest of this turn takes `1`");
    insta::assert_snapshot!(refused(&standard("fb Oa14Bb15Bc16Od17Oe18Bd19Bh20Of21Of22")), @"drawn tile 2: its side has no `b` left");
    insta::assert_snapshot!(refused(&standard("aa Oa14")), @"drawn tile 2: its side has no `a` left");
}

#[test]
fn malformed_edges_are_refused() {
    insta::assert_snapshot!(refused(&changed("f -", &[("F0105", "F0106")])), @"edge 3 joins `01` and `06`, but on the standard board `01` and `05`");
    insta::assert_snapshot!(refused(&changed("f -", &[("S3031", "")])), @"edges: `48`, but the standard board has `49`");
    insta::assert_snapshot!(refused(&changed("f -", &[("S3031", "S3031S0031")])), @"edges: `50`, but the standard board has `49`");
    insta::assert_snapshot!(refused(&changed("f -", &[("F0105", "X0105")])), @"edge 3: expected `S`, `L`, `F` or `E` and two nodes of two digits each, found `X0105`");
    insta::assert_snapshot!(refused(&changed("f -", &[("F0105", "S0001")])), @"edge 3 joins `00` and `01`, like an edge before it");
    let beyond = [("F0105", "F0140")];
    insta::assert_snapshot!(refused(&changed("f -", &beyond)), @"edge 3 ends at node `40`: the last one is `31`");
    insta::assert_snapshot!(refused_under(&[("board", "loom")], &changed("f -", &beyond)), @"edge 3 ends at node `40`: the last one is `32`");
    let many = STANDARD_EDGES.repeat(2);
    insta::assert_snapshot!(refused(&format!("f - {many}")), @"edges: `98`, but the standard board has `49`");
    let loom = loom_edges(Mapping::DEFAULT, Edge2428::A);
    insta::assert_snapshot!(refused(&format!("f - {loom}")), @"edge 2 joins `00` and `02`, but on the standard board `00` and `04`; under `board=loom` they fit");
    insta::assert_snapshot!(refused_under(&[("board", "loom")], &standard("f -")), @"edge 2 joins `00` and `04`, but on the loom board `00` and `02`; under `board=standard` they fit");
}

/// Only Warps change types, and only as far as the Warps on the board reach.
#[test]
fn malformed_types_of_edges_are_refused() {
    let swapped = [("F0105", "S0105"), ("S0001", "F0001")];
    insta::assert_snapshot!(refused(&changed("f -", &swapped)), @"edge 1 (`0001`) was of another type at the start, and the Warps cannot have made these changes");
    insta::assert_snapshot!(refused(&changed("ff Oj00", &swapped)), @"edge 1 (`0001`) was of another type at the start, and the Warps cannot have made these changes");
    insta::assert_snapshot!(refused(&changed("ff Oj01", &swapped[..1])), @"edge 3 (`0105`) was of another type at the start, and the Warps cannot have made these changes");
    assert!(GAME.resume(&set(&[]), Seed(1), &changed("ff Oj01", &swapped)).is_ok());
    let loom = loom_edges(Mapping::DEFAULT, Edge2428::A);
    let other = [("board", "loom"), ("mapping", "SLFE")];
    insta::assert_snapshot!(refused_under(&other, &format!("f - {loom}")), @"edge 1 (`0001`) was of another type at the start, and the Warps cannot have made these changes; under `mapping=LSEF` they fit");
    let any = [("board", "loom"), ("mapping", "seed")];
    assert!(GAME.resume(&set(&any), Seed(1), &format!("f - {loom}")).is_ok());
    insta::assert_snapshot!(refused_under(&any, &format!("f - {}", loom.replace("E0004", "S0004"))), @"no mapping and no Warps give these types of edges");
}

/// A state with either class of edge 2428 is read under its switch, and the error names it.
#[test]
fn a_wrong_class_of_edge_2428_is_refused() {
    let [a, b] = [Edge2428::A, Edge2428::B].map(|class| loom_edges(Mapping::DEFAULT, class));
    let switches = |class| [("board", "loom"), ("edge_2428", class)];
    for (class, edges) in [("a", &a), ("b", &b)] {
        let options = set(&switches(class));
        for state in [format!("f - {edges}"), format!("f Oa00Bf28 {edges}")] {
            assert!(GAME.resume(&options, Seed(1), &state).is_ok(), "{class}: {state}");
        }
        let [mut seeded] = [options];
        seeded.insert("mapping".to_owned(), "seed".to_owned());
        assert!(GAME.resume(&seeded, Seed(1), &format!("f - {edges}")).is_ok(), "{class}");
    }
    insta::assert_snapshot!(refused_under(&switches("a"), &format!("f - {b}")), @"edge 55 (`2428`) was of another type at the start, and the Warps cannot have made these changes; under `edge_2428=b` they fit");
    insta::assert_snapshot!(refused_under(&switches("b"), &format!("f - {a}")), @"edge 55 (`2428`) was of another type at the start, and the Warps cannot have made these changes; under `edge_2428=a` they fit");
    insta::assert_snapshot!(refused_under(&[("board", "loom"), ("mapping", "seed")], &format!("f - {b}")), @"no mapping and no Warps give these types of edges; under `edge_2428=b` they fit");
    insta::assert_snapshot!(refused(&format!("f - {b}")), @"edge 2 joins `00` and `02`, but on the standard board `00` and `04`; under `board=loom edge_2428=b` they fit");
    let other = loom_edges(Mapping::from_letters("SLFE").expect("a mapping"), Edge2428::B);
    insta::assert_snapshot!(refused_under(&switches("a"), &format!("f - {other}")), @"edge 1 (`0001`) was of another type at the start, and the Warps cannot have made these changes; under `mapping=SLFE edge_2428=b` they fit");
}

/// A chain of exchanges by all four Warps is found.
#[test]
fn exchanges_of_several_warps_are_found() {
    // 04 and 09 exchange their edges to 00 and 08, then 09 its edges to 04 and 11, and so on.
    let tiles = "Oa14Bj04Bj09Oj08Oj05Bb20Bc21";
    let state = |position: &str| format!("ff {tiles} {position}");
    let mut current = crate::agamemnon::State::parse("", STANDARD_EDGES).expect("a state");
    for action in ["Oa14", "Bj040208Bj090811", "Oj080405Oj050110", "Bb20Bc21"] {
        let action = action.parse().expect("an action");
        current.position.play_unchecked(&current.board, &action);
    }
    let options = set(&[("redraw", "never")]);
    assert!(GAME.resume(&options, Seed(1), &state(&current.edges_text())).is_ok());
    let unrelated = current.edges_text().replace("S3031", "F3031");
    assert!(GAME.resume(&options, Seed(1), &state(&unrelated)).is_err());
}

#[test]
fn malformed_redraws_are_refused() {
    insta::assert_snapshot!(refused(&(standard("i -") + " redraw")), @"expected `redraw:1` or `redraw:2`, found `redraw`");
    insta::assert_snapshot!(refused(&(standard("i -") + " redraw:2")), @"`redraw:2`: no drawn tile 2 that may be put back");
    insta::assert_snapshot!(refused(&(standard("- -") + " redraw:1")), @"`redraw:1`: no drawn tile 1 that may be put back");
    insta::assert_snapshot!(refused(&(standard("ai Of14") + " redraw:1")), @"`redraw:1`: no drawn tile 1 that may be put back");
    insta::assert_snapshot!(refused(&(standard("ij Oa14Bb15Bc16Od17Oe18Bd19Bh20") + " redraw:1")), @"`redraw:1`: no drawn tile 1 that may be put back");
    insta::assert_snapshot!(refused_under(&[("redraw", "never")], &(standard("i -") + " redraw:1")), @"`redraw:1`: no drawn tile 1 that may be put back");
    insta::assert_snapshot!(refused_under(&[("redraw", "auto")], &standard("i -")), @"drawn tile 1 is `i`, but with `redraw=auto` no weaver is drawn in the first two turns");
    insta::assert_snapshot!(refused_under(&[("redraw", "auto")], &standard("ff Oj14")), @"tile 1 is `j`, but with `redraw=auto` no weaver is drawn in the first two turns");
}

#[test]
fn a_state_after_the_end_is_refused() {
    let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                 Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12Bf01";
    insta::assert_snapshot!(refused(&standard(&format!("f {tiles}"))), @"drawn tiles: `1`, but this turn takes `0`");
    insta::assert_snapshot!(refused(&standard(&format!("- {tiles}Bf08"))), @"tile 31: its side has no `f` left");
}

proptest! {
    /// Any text gives an answer, and so does a state with a part of it replaced.
    #[test]
    fn no_text_panics(text in ".{0,40}", at in 0..280_usize, part in "[ -~]{0,6}") {
        let _ = GAME.resume(&set(&[]), Seed(1), &text);
        let mut state = standard("fj Oa14");
        let at = at.min(state.len());
        let end = (at + part.len()).min(state.len());
        state.replace_range(at..end, &part);
        let _ = GAME.resume(&set(&[("mapping", "seed")]), Seed(1), &state);
    }
}
