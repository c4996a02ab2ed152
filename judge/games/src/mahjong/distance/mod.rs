//! Distance to ready: the number of tiles that a hand still needs until one more would win.
//!
//! The ordinary distance is 8 − 2 melds − partners − pair over the best way to take the hand
//! apart (at most four melds and partners together, at most one pair); for seven pairs it is
//! 6 − pairs. The smaller one counts: 0 is ready, −1 has won.

#[cfg(test)]
mod builder;
mod generated;
mod profile;

use super::hand::{ONES, held, unit};
use super::{Hand, Tile, TileSet};
use profile::Profile;

/// Distance of a hand of 13 or 14 tiles to ready; −1 when it has won.
///
/// By the formula only: it ignores that a hand may wait for a fifth copy of a tile, and the rule
/// switch `void_suit`.
///
/// ```
/// use judge_games::mahjong::{Hand, distance};
/// let hand: Hand = "122367c1478b1389d".parse()?;
/// assert_eq!(distance(&hand), 3);
/// # Ok::<(), judge_games::mahjong::HandError>(())
/// ```
pub fn distance(hand: &Hand) -> i32 {
    let [b, c, d] = hand.words().map(Profile::from_word);
    b.join(c).join(d).ordinary().min(6 - pairs(hand.words()))
}

/// The tiles that would bring the hand one step nearer. Tiles of which the hand holds all four
/// are not among them.
pub fn useful_tiles(hand: &Hand) -> TileSet {
    let words = hand.words();
    let [b, c, d] = words.map(Profile::from_word);
    let rest = [c.join(d), b.join(d), b.join(c)];
    let (ordinary, pairs) = (b.join(c).join(d).ordinary(), 6 - pairs(words));
    let now = ordinary.min(pairs);
    let mut useful = TileSet::EMPTY;
    for tile in Tile::ALL {
        let (word, count) = (words[tile.suit_index()], hand.count(tile));
        // A tile lowers either distance by one at most.
        let completes_pair = pairs == now && count % 2 == 1;
        let brings =
            || rest[tile.suit_index()].join(Profile::from_word(word + unit(tile))).ordinary();
        if count < Tile::COPIES
            && (completes_pair || ordinary == now && has_company(word, tile) && brings() < now)
        {
            useful.insert(tile);
        }
    }
    useful
}

/// True if the hand holds an equal tile or a neighbour at most two ranks away: without them the
/// tile is of no use.
fn has_company(word: u64, tile: Tile) -> bool {
    // The neighbourhood of rank 3, moved to the rank of the tile.
    let around = (0x1_1111_u128 << tile.shift() >> 8) as u64;
    held(word) & around != 0
}

/// Number of pairs; four equal tiles are two.
fn pairs([b, c, d]: [u64; 3]) -> i32 {
    let twos = |word: u64| word >> 1 & ONES;
    let fours = |word: u64| word >> 2 & ONES;
    // Each counter gets at most 6, so the nine of them can be added by one multiplication.
    let per_rank = twos(b) + twos(c) + twos(d) + 2 * (fours(b) + fours(c) + fours(d));
    const LOW: u64 = 0x0f_0f0f_0f0f;
    let per_two_ranks = (per_rank & LOW) + (per_rank >> 4 & LOW);
    (per_two_ranks.wrapping_mul(0x01_0101_0101) >> 32 & 0xff) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::{
        counts, dense_hands, each_one_suit_hand, hand, hands, ordinary_distance, plain_distance,
    };
    use crate::mahjong::{Rules, faan};
    use proptest::prelude::*;

    #[test]
    fn known_hands_have_their_distance() {
        for (text, expected) in [
            ("122367c1478b1389d", 3),
            ("1112345678999c", 0),
            ("11112345678999c", -1),
            ("11223344556677c", -1),
            ("1122b3355c77889d", 0),
        ] {
            assert_eq!(distance(&hand(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_hand_waiting_for_a_fifth_copy_has_no_useful_tiles() {
        let hand = hand("1111b456789c123d");
        assert_eq!(distance(&hand), 0);
        assert!(useful_tiles(&hand).is_empty());
    }

    #[test]
    fn distances_of_small_hands_of_one_suit_match_a_search() {
        for len in 0..=6 {
            each_one_suit_hand(len, &mut |hand| {
                let [word, ..] = hand.words();
                assert_eq!(
                    Profile::from_word(word).ordinary(),
                    ordinary_distance(&counts(hand)),
                    "{hand}"
                );
            });
        }
    }

    #[test]
    #[ignore = "minutes long: every suit that fits into a hand"]
    fn distances_of_all_hands_of_one_suit_match_a_search() {
        for len in 0..=14 {
            each_one_suit_hand(len, &mut |hand| {
                assert_eq!(distance(hand), plain_distance(&counts(hand)), "{hand}");
            });
        }
    }

    /// The same by trying every tile.
    fn useful_by_trying(hand: &Hand) -> TileSet {
        let mut useful = TileSet::EMPTY;
        for tile in Tile::ALL {
            let mut more = *hand;
            if more.insert(tile).is_ok() && distance(&more) < distance(hand) {
                useful.insert(tile);
            }
        }
        useful
    }

    proptest! {
        // Trying every tile is slow.
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn distances_match_an_exhaustive_search(
            hand in prop_oneof![hands(13..=14), dense_hands(13), dense_hands(14)],
        ) {
            prop_assert_eq!(distance(&hand), plain_distance(&counts(&hand)));
        }

        #[test]
        fn the_best_draw_lowers_the_distance_by_one(hand in prop_oneof![hands(13), dense_hands(13)]) {
            // The formula allows a fifth copy.
            let drawn = Tile::ALL.map(|tile| {
                let mut counts = counts(&hand);
                counts[tile.index()] += 1;
                plain_distance(&counts)
            });
            prop_assert_eq!(drawn.into_iter().min(), Some(distance(&hand) - 1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn distance_minus_one_is_a_win(hand in prop_oneof![hands(14), dense_hands(14)]) {
            prop_assert_eq!(distance(&hand) == -1, faan(&hand, &Rules::default()) > 0);
        }

        #[test]
        fn the_best_discard_keeps_the_distance(
            hand in prop_oneof![hands(14), dense_hands(14)],
        ) {
            let thrown = hand.kinds().map(|tile| {
                let mut rest = hand;
                assert!(rest.remove(tile));
                distance(&rest)
            });
            prop_assert_eq!(thrown.min(), Some(distance(&hand).max(0)));
        }

        #[test]
        fn exactly_the_useful_tiles_lower_the_distance(hand in prop_oneof![hands(13), dense_hands(13)]) {
            prop_assert_eq!(useful_tiles(&hand), useful_by_trying(&hand));
        }

        #[test]
        fn suits_can_be_joined_in_any_order(hand in hands(0..=20)) {
            let [b, c, d] = hand.words().map(Profile::from_word);
            prop_assert_eq!(b.join(c).join(d), b.join(c.join(d)));
            prop_assert_eq!(b.join(c), c.join(b));
        }
    }
}
