//! Shared parts of this folder's tests: hands to try, and slow, plain ways to check them.

use proptest::prelude::*;

use crate::mahjong::{Hand, Round, Rules, Tile, Wall};
use crate::{GameState, Step};

/// Reads tiles in the notation, separated by spaces.
pub(in crate::mahjong) fn tiles(names: &str) -> Vec<Tile> {
    names.split_whitespace().map(|name| name.parse().expect("a tile")).collect()
}

/// Reads a hand.
pub(in crate::mahjong) fn hand(text: &str) -> Hand {
    text.parse().expect("a hand")
}

/// Hands drawn from the whole set.
pub(in crate::mahjong) fn hands(
    len: impl Into<proptest::sample::SizeRange>,
) -> impl Strategy<Value = Hand> {
    let set: Vec<Tile> = Tile::ALL.into_iter().flat_map(|tile| [tile; 4]).collect();
    proptest::sample::subsequence(set, len)
        .prop_map(|tiles| Hand::from_tiles(tiles).expect("four of each at most"))
}

/// Hands of `len` tiles from two suits' lower ranks, which are often near to winning.
pub(in crate::mahjong) fn dense_hands(len: usize) -> impl Strategy<Value = Hand> {
    let near = Tile::ALL.into_iter().filter(|tile| tile.index() < 14);
    let set: Vec<Tile> = near.flat_map(|tile| [tile; 4]).collect();
    proptest::sample::subsequence(set, len)
        .prop_map(|tiles| Hand::from_tiles(tiles).expect("four of each at most"))
}

/// Visits every hand of `len` bamboo tiles.
pub(in crate::mahjong) fn each_one_suit_hand(len: usize, visit: &mut impl FnMut(&Hand)) {
    fn extend(hand: Hand, at: usize, left: usize, visit: &mut impl FnMut(&Hand)) {
        if at == 9 {
            if left == 0 {
                visit(&hand);
            }
            return;
        }
        let mut more = hand;
        for taken in 0..=left.min(4) {
            extend(more, at + 1, left - taken, visit);
            if taken < 4 {
                more.add(Tile::ALL[at]);
            }
        }
    }
    extend(Hand::EMPTY, 0, len, visit);
}

/// Number of copies of each tile.
pub(in crate::mahjong) type Counts = [u8; Tile::KINDS];

/// The counts of a hand.
pub(in crate::mahjong) fn counts(hand: &Hand) -> Counts {
    Tile::ALL.map(|tile| hand.count(tile))
}

/// True if the tiles at `at` and the two above it are of one suit.
fn can_begin_sequence(at: usize) -> bool {
    at % 9 <= 6
}

/// True if the counts can be taken apart into melds and, if `pair`, one pair: tries everything.
pub(in crate::mahjong) fn splits(counts: &Counts, pair: bool) -> bool {
    let Some(at) = counts.iter().position(|count| *count > 0) else { return !pair };
    let without = |parts: &[usize]| {
        let mut left = *counts;
        parts
            .iter()
            .all(|part| left[*part].checked_sub(1).map(|n| left[*part] = n).is_some())
            .then_some(left)
    };
    let sequence = can_begin_sequence(at).then(|| without(&[at, at + 1, at + 2])).flatten();
    without(&[at; 3]).is_some_and(|left| splits(&left, pair))
        || sequence.is_some_and(|left| splits(&left, pair))
        || pair && without(&[at; 2]).is_some_and(|left| splits(&left, false))
}

/// The ordinary distance, by trying every way to take the tiles apart.
pub(in crate::mahjong) fn ordinary_distance(counts: &Counts) -> i32 {
    8 - most_gain(&mut counts.clone(), 0, 4, 1)
}

/// Most that the tiles from `at` on take off the distance with so many blocks and pairs.
fn most_gain(counts: &mut Counts, at: usize, blocks: i32, pairs: i32) -> i32 {
    let Some(at) = (at..counts.len()).find(|at| counts[*at] > 0) else { return 0 };
    let mut try_parts = |parts: &[usize], gain: i32, blocks: i32, pairs: i32| {
        let held = |counts: &Counts| {
            parts.iter().all(|part| {
                let wanted = parts.iter().filter(|other| *other == part).count();
                *part < counts.len() && part / 9 == at / 9 && usize::from(counts[*part]) >= wanted
            })
        };
        if blocks < 0 || pairs < 0 || !held(counts) {
            return 0;
        }
        parts.iter().for_each(|part| counts[*part] -= 1);
        let best = gain + most_gain(counts, at, blocks, pairs);
        parts.iter().for_each(|part| counts[*part] += 1);
        best
    };
    [
        try_parts(&[at], 0, blocks, pairs),
        try_parts(&[at; 3], 2, blocks - 1, pairs),
        try_parts(&[at, at + 1, at + 2], 2, blocks - 1, pairs),
        try_parts(&[at; 2], 1, blocks - 1, pairs),
        try_parts(&[at, at + 1], 1, blocks - 1, pairs),
        try_parts(&[at, at + 2], 1, blocks - 1, pairs),
        try_parts(&[at; 2], 1, blocks, pairs - 1),
    ]
    .into_iter()
    .max()
    .unwrap_or(0)
}

/// The distance of the rules, by trying everything.
pub(in crate::mahjong) fn plain_distance(counts: &Counts) -> i32 {
    let pairs: u8 = counts.iter().map(|count| count / 2).sum();
    ordinary_distance(counts).min(6 - i32::from(pairs))
}

/// A wall that first deals these hands to the seats and then has `draws`.
pub(in crate::mahjong) fn wall(hands: [&str; 2], draws: &str) -> Wall {
    let [one, two] = hands.map(hand);
    let mut order: Vec<Tile> = one.iter().zip(two.iter()).flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(order.len(), 26, "two hands of 13 tiles");
    order.extend(tiles(draws));
    order.reverse();
    Wall::explicit(&order).expect("four of each at most")
}

/// A round after the deal, from a wall like [`wall`].
pub(in crate::mahjong) fn dealt(rules: Rules, hands: [&str; 2], draws: &str) -> Round {
    let mut round = Round::new(rules, wall(hands, draws));
    for _ in 0..26 {
        assert!(matches!(next(&mut round).0, Step::Tell(_)));
    }
    round
}

/// The next step and its line.
pub(in crate::mahjong) fn next(round: &mut Round) -> (Step, String) {
    let mut line = String::new();
    (round.step(&mut line), line)
}
