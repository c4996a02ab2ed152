//! Known counts, and what the rules leave unchanged.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;

use crate::cc::moves::has_move;
use crate::cc::position::all_squares;
use crate::cc::{Position, Square, changes, perft, perft_changes, visit_paths};

fn counts(size: u8, count: fn(&Position, u32) -> u64, depth: u32) -> Vec<u64> {
    let start = Position::start(size).expect("an allowed size");
    (1..=depth).map(|depth| count(&start, depth)).collect()
}

#[test]
fn perft_of_the_start() {
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

/// What the side on turn may do, found by asking about every path of up to three squares.
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

    /// Two programs that share only the state of a chain: the list and the check.
    #[test]
    fn what_is_listed_is_what_is_accepted(position in crate::cc::tests::positions()) {
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
