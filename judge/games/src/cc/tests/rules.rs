//! Known counts, and invariants of the rules.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use judge_core::Seat;
use proptest::prelude::*;

use crate::cc::moves::has_move;
use crate::cc::position::all_squares;
use crate::cc::tests::{positions, set_up};
use crate::cc::{Path, Position, Square, changes, perft, perft_changes, visit_paths};

fn counts(size: u8, count: fn(&Position, u32) -> u64, depth: u32) -> Vec<u64> {
    let start = Position::start(size).expect("an allowed size");
    (1..=depth).map(|depth| count(&start, depth)).collect()
}

#[test]
fn perft_counts_of_the_start_match_the_rules() {
    assert_eq!(counts(6, perft, 4), [16, 257, 5075, 103_814]);
    assert_eq!(counts(6, perft_changes, 4), [16, 257, 4945, 98_494]);
    assert_eq!(counts(8, perft, 3), [24, 576, 18_706]);
    assert_eq!(counts(8, perft_changes, 3), [24, 576, 16_930]);
}

/// The paths of a position, as text.
fn listed(position: &Position) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let _ = visit_paths(position, |path, _| {
        assert!(paths.insert(path.to_string()), "{path} is listed twice");
        ControlFlow::Continue(())
    });
    paths
}

/// The legal moves of the side on turn, found by asking about every path of up to three squares.
fn accepted(position: &Position) -> BTreeSet<String> {
    let size = position.size();
    let squares: Vec<Square> = all_squares(size).collect();
    let legal = |text: &str| position.check(&text.parse().expect("a path")).is_ok();
    let mut paths = BTreeSet::new();
    for from in position.men(position.turn()).iter() {
        for via in &squares {
            let short = format!("{from}>{via}");
            if !legal(&short) {
                continue;
            }
            let longer = squares.iter().map(|to| format!("{short}>{to}"));
            paths.extend(longer.filter(|text| legal(text)));
            paths.insert(short);
        }
    }
    paths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Two independent ways, which share only the state of a chain: the list and the check.
    #[test]
    fn exactly_the_listed_moves_are_accepted(position in crate::cc::tests::positions()) {
        prop_assume!(position.ending().is_none() && position.size() <= 9);
        let mut listed = listed(&position);
        prop_assert!(listed.iter().all(|path| position.check(&path.parse().expect("a path")).is_ok()));
        listed.retain(|path| path.matches('>').count() <= 2);
        prop_assert_eq!(listed, accepted(&position));
    }

    #[test]
    fn a_move_moves_one_man_and_takes_at_most_one(position in crate::cc::tests::positions()) {
        let (own, other) = (position.turn(), position.turn().other());
        prop_assert_eq!(changes(&position).is_empty(), !has_move(&position));
        for change in changes(&position) {
            let next = position.after(change);
            prop_assert_eq!(next.turn(), other);
            prop_assert_eq!(next.men(own).len(), position.men(own).len());
            let taken = position.men(other).len() - next.men(other).len();
            prop_assert_eq!(taken, u32::from(change.captured.is_some()));
            prop_assert!(next.men(own).contains(change.to) && !next.men(own).contains(change.from));
            prop_assert!(next.men(own).iter().all(|square| !next.men(other).contains(square)));
        }
    }
}

/// The man that a path captures, and the enemy men after it.
fn taken(one: &[&str], two: &[&str], path: &str) -> (Option<String>, Vec<String>) {
    let position = set_up(8, one, two);
    let path: Path = path.parse().expect("a path");
    let change = position.check(&path).expect("a legal path");
    let mut listed = Vec::new();
    let _ = visit_paths(&position, |other, change| {
        listed.extend((*other == path).then_some(change));
        ControlFlow::Continue(())
    });
    assert_eq!(listed, [change], "the list says what the check says");
    let after = position.after(change);
    let men = after.men(Seat::Two).iter().map(|square| square.to_string());
    (change.captured.map(|square| square.to_string()), men.collect())
}

#[test]
fn a_chain_takes_the_first_enemy_and_leaves_the_others() {
    let one = ["0,0", "0,2"];
    let two = ["1,1", "3,3", "5,5", "7,0"];
    let left = |squares: &[&str]| squares.iter().map(|&square| square.to_owned()).collect();
    let first = Some("1,1".to_owned());
    for path in ["0,0>2,2", "0,0>2,2>4,4", "0,0>2,2>4,4>6,6"] {
        assert_eq!(
            taken(&one, &two, path),
            (first.clone(), left(&["3,3", "5,5", "7,0"])),
            "{path}"
        );
    }
    // Own men on the way are neither taken nor counted as the first.
    let own = ["0,0", "1,1", "5,5"];
    let two = ["3,3", "5,7", "7,0"];
    let middle = Some("3,3".to_owned());
    assert_eq!(taken(&own, &two, "0,0>2,2"), (None, left(&["3,3", "5,7", "7,0"])));
    assert_eq!(taken(&own, &two, "0,0>2,2>4,4>6,6"), (middle, left(&["5,7", "7,0"])));
}

proptest! {
    /// Therefore no position can show whether a captured man leaves the board during the chain or
    /// after it.
    #[test]
    fn no_chain_lands_on_a_square_that_it_can_jump_over(position in positions()) {
        let mut seen = 0;
        let _ = visit_paths(&position, |path, _| {
            let is_step = path.start().distance(path.end()) == 1 && path.squares().len() == 2;
            let parity = |square: &Square| (square.row() % 2, square.column() % 2);
            let start = parity(&path.start());
            assert!(is_step || path.squares().iter().all(|square| parity(square) == start));
            seen += 1;
            if seen < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
}
