//! Known counts, and what the rules leave unchanged.

use crate::cc::{Position, perft, perft_changes};

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
