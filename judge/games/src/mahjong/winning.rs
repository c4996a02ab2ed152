//! The check for winning hands: four melds and a pair, or seven pairs, seen in the packed counters.

use super::hand::{COUNTS, ONES, held, suit_len};

/// Bit `n` is set when `n` tiles of a suit can be melds and at most one pair: `n` mod 3 is not 1.
const LENGTHS: u64 = {
    let mut lengths = 0;
    let mut len = 0;
    while len <= 36 {
        lengths |= ((len % 3 != 1) as u64) << len;
        len += 1;
    }
    lengths
};

/// True if these 14 tiles are seven pairs.
#[inline]
pub(super) fn is_seven_pairs([b, c, d]: [u64; 3]) -> bool {
    (b | c | d) & ONES == 0
}

/// True unless a quick check shows that these 14 tiles are not four melds and a pair. Few other
/// hands pass; it has no branch, so it takes a few nanoseconds.
#[inline]
pub(super) fn may_be_standard([b, c, d]: [u64; 3]) -> bool {
    // With 14 tiles no length is 1 more than a multiple of 3, so one suit holds the pair.
    let lengths = LENGTHS >> suit_len(b) & LENGTHS >> suit_len(c) & LENGTHS >> suit_len(d) & 1;
    (misfits(b) | misfits(c) | misfits(d)) + (lengths ^ 1) == 0
}

/// True if 14 tiles that pass [`may_be_standard`] are four melds and a pair.
pub(super) fn is_standard(words: [u64; 3]) -> bool {
    words.into_iter().all(is_suit)
}

/// Tiles that cannot be in a triplet or pair by themselves (one or four of a kind) and for which
/// the hand has no sequence.
#[inline]
fn misfits(word: u64) -> u64 {
    let held = held(word);
    let starts = held & held >> 4 & held >> 8;
    let in_sequence = starts | starts << 4 | starts << 8;
    let single_or_four = (word & !(word >> 1) | word >> 2) & ONES;
    single_or_four & !in_sequence
}

/// True if one suit is melds, with a pair when its length requires one.
#[inline]
fn is_suit(word: u64) -> bool {
    let counts = word & COUNTS;
    if suit_len(word).is_multiple_of(3) { is_melds(counts) } else { is_melds_and_pair(counts) }
}

/// Tries every tile held at least twice as the pair.
fn is_melds_and_pair(counts: u64) -> bool {
    let mut candidates = (counts >> 1 | counts >> 2) & ONES;
    while candidates != 0 {
        let lowest = candidates & candidates.wrapping_neg();
        if is_melds(counts - 2 * lowest) {
            return true;
        }
        candidates ^= lowest;
    }
    false
}

/// True if the counters are triplets and sequences.
///
/// From the lowest rank up: three equal ones are a triplet (as good as three equal sequences), the
/// remaining tiles of the rank must begin sequences.
fn is_melds(mut counts: u64) -> bool {
    while counts != 0 {
        counts >>= counts.trailing_zeros() & !3;
        let sequences = (counts & 15) % 3;
        if (counts >> 4 & 15) < sequences || (counts >> 8 & 15) < sequences {
            return false;
        }
        counts = (counts >> 4) - sequences * 0x11;
    }
    true
}

/// True if a hand that wins consists of triplets and a pair.
///
/// Such a hand has only counts of three and one count of two, so no search is needed.
pub(super) fn is_all_triplets([b, c, d]: [u64; 3]) -> bool {
    let one_or_four = |word: u64| (word & !(word >> 1) | word >> 2) & ONES;
    let two = |word: u64| (!word & word >> 1 & ONES).count_ones();
    one_or_four(b) | one_or_four(c) | one_or_four(d) == 0 && two(b) + two(c) + two(d) == 1
}

/// Number of kinds with all four tiles in the hand.
pub(super) fn roots([b, c, d]: [u64; 3]) -> u32 {
    // The bits of `c` and `d` move to the other bits of the counters: one population count.
    let four = |word: u64| word >> 2 & ONES;
    (four(b) | four(c) << 1 | four(d) << 2).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::Hand;

    fn words(text: &str) -> [u64; 3] {
        text.parse::<Hand>().expect("a hand").words()
    }

    #[test]
    fn no_suit_of_a_winning_hand_leaves_one_tile() {
        for len in 0..=36 {
            assert_eq!(LENGTHS >> len & 1 == 1, len % 3 != 1, "{len}");
        }
    }

    #[test]
    fn melds_are_taken_from_the_lowest_rank() {
        for text in ["123b", "111b", "111222333b", "112233b", "1112345b678b", "233445b789b"] {
            let word = words(text)[0];
            assert_eq!(is_melds(word & COUNTS), suit_len(word).is_multiple_of(3), "{text}");
        }
        for text in ["112b", "124b", "89b1b", "1144b", "122b", "233b"] {
            assert!(!is_melds(words(text)[0] & COUNTS), "{text}");
        }
    }

    #[test]
    fn misfits_are_single_tiles_and_fours_without_neighbours() {
        assert_eq!(misfits(words("1b")[0]), 1);
        assert_eq!(misfits(words("1111b")[0]), 1);
        assert_eq!(misfits(words("1111234b")[0]), 0);
        assert_eq!(misfits(words("11333b")[0]), 0);
        assert_eq!(misfits(words("12457b")[0]), 0x101_1011 & ONES | 0x1 << 24);
    }

    #[test]
    fn roots_count_over_all_suits() {
        assert_eq!(roots(words("1111b111c1111d")), 2);
        assert_eq!(roots(words("9999b9999c9999d")), 3);
        assert_eq!(roots(words("11112222b3333c4444d")), 4);
        assert_eq!(roots(words("123456789b")), 0);
    }

    #[test]
    fn a_triplet_has_only_one_reading() {
        assert!(is_all_triplets(words("44455b111222333c")));
        assert!(!is_all_triplets(words("11112223b111222d")));
        assert!(!is_all_triplets(words("1122334455667d7d")));
    }
}
