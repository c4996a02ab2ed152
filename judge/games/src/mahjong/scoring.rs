//! Faan of a hand: the product of its patterns' factors, in the reading with the highest worth.

use super::hand::suit_len;
use super::winning::{is_all_triplets, is_seven_pairs, is_standard, may_be_standard, roots};
use super::{Hand, Pattern, Rules, Tile};

/// Tiles of a hand that can win.
const WINNING_LEN: usize = 14;

/// The reading of a winning hand's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandForm {
    /// Four melds and a pair.
    Standard,
    /// Seven pairs.
    SevenPairs,
}

impl HandForm {
    /// The form in words.
    pub fn name(self) -> &'static str {
        match self {
            HandForm::Standard => "standard",
            HandForm::SevenPairs => "seven pairs",
        }
    }
}

/// The worth of a winning hand, and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    /// The product of all factors.
    pub faan: u32,
    /// The reading that counts.
    pub form: HandForm,
    /// True if all tiles are of one suit.
    pub full_flush: bool,
    /// True if all melds of the reading are triplets.
    pub all_triplets: bool,
    /// Number of kinds with all four tiles in the hand.
    pub roots: u32,
}

impl Score {
    /// The patterns other than [`Pattern::Root`] that count, the flush first.
    pub fn patterns(&self) -> impl Iterator<Item = Pattern> + use<> {
        [
            (self.full_flush, Pattern::FullFlush),
            (self.all_triplets, Pattern::AllTriplets),
            (self.form == HandForm::SevenPairs, Pattern::SevenPairs),
        ]
        .into_iter()
        .filter_map(|(counts, pattern)| counts.then_some(pattern))
    }
}

/// Faan of a hand of 14 tiles; 0 when it does not win.
///
/// ```
/// use judge_games::mahjong::{Hand, Rules, faan};
/// let hand: Hand = "11112345678999c".parse()?;
/// assert_eq!(faan(&hand, &Rules::default()), 8);
/// # Ok::<(), judge_games::mahjong::HandError>(())
/// ```
#[inline]
pub fn faan(hand: &Hand, rules: &Rules) -> u32 {
    score_words(hand.words(), rules).map_or(0, |score| score.faan)
}

/// Faan of a hand of 13 tiles and one more; 0 when they do not win.
#[inline]
pub fn faan_with(hand: &Hand, tile: Tile, rules: &Rules) -> u32 {
    if hand.count(tile) >= Tile::COPIES {
        return 0;
    }
    score_words(hand.words_with(tile), rules).map_or(0, |score| score.faan)
}

/// The score of a hand of 14 tiles; `None` when it does not win.
pub fn score(hand: &Hand, rules: &Rules) -> Option<Score> {
    score_words(hand.words(), rules)
}

/// Rejects most hands at a glance.
#[inline]
fn score_words(words: [u64; 3], rules: &Rules) -> Option<Score> {
    let [b, c, d] = words;
    if is_seven_pairs(words) | may_be_standard(words) { taken_apart(b, c, d, rules) } else { None }
}

/// The score of a hand that passed the quick checks. Its words come one by one, in registers: an
/// array in memory would be written and read back even for every rejected hand.
#[inline(never)]
fn taken_apart(b: u64, c: u64, d: u64, rules: &Rules) -> Option<Score> {
    let words = [b, c, d];
    let pairs = is_seven_pairs(words);
    let standard = may_be_standard(words) && is_standard(words);
    let len: usize = words.into_iter().map(suit_len).sum();
    if !(pairs || standard) || len != WINNING_LEN {
        return None;
    }
    let suits = words.iter().filter(|word| **word != 0).count();
    if rules.void_suit && suits == 3 {
        return None;
    }
    Some(best_reading(words, pairs, standard, suits == 1, rules))
}

/// The score of a hand that wins as seven pairs, in the standard form, or both.
fn best_reading(
    words: [u64; 3],
    pairs: bool,
    standard: bool,
    full_flush: bool,
    rules: &Rules,
) -> Score {
    let roots = roots(words);
    let all_triplets = standard && is_all_triplets(words);
    let shared =
        factor_if(full_flush, rules, Pattern::FullFlush) * rules.factor(Pattern::Root).pow(roots);
    let as_pairs = if pairs { rules.factor(Pattern::SevenPairs) } else { 0 };
    let as_standard =
        if standard { factor_if(all_triplets, rules, Pattern::AllTriplets) } else { 0 };
    // With equal worth it counts as the ordinary hand.
    let form = if as_pairs > as_standard { HandForm::SevenPairs } else { HandForm::Standard };
    Score {
        faan: shared * as_pairs.max(as_standard),
        form,
        full_flush,
        all_triplets: all_triplets && form == HandForm::Standard,
        roots,
    }
}

/// The factor of a present pattern, or 1.
fn factor_if(there: bool, rules: &Rules, pattern: Pattern) -> u32 {
    if there { rules.factor(pattern) } else { 1 }
}

/// Score of a round for its winner: three times the Faan and one for each tile left in the wall.
pub fn round_score(faan: u32, wall_left: usize) -> i64 {
    match faan {
        0 => 0,
        _ => 3 * i64::from(faan) + wall_left as i64,
    }
}

/// Tiles left in the wall when both sides have their hands and the first tile is drawn.
const MOST_LEFT: usize = 108 - 2 * (WINNING_LEN - 1) - 1;

/// The highest score of a round: the hand with most Faan, complete at the first draw.
pub(super) fn max_round_score(rules: &Rules) -> i64 {
    let factor = |pattern| rules.factor(pattern);
    // Fourteen tiles have three roots at most, and four triplets and a pair have none.
    let rooted = factor(Pattern::Root).pow(3);
    let form = (factor(Pattern::SevenPairs) * rooted).max(rooted).max(factor(Pattern::AllTriplets));
    round_score(form * factor(Pattern::FullFlush), MOST_LEFT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::{
        counts, dense_hands, each_one_suit_hand, hand, hands, splits,
    };
    use proptest::prelude::*;

    fn rules(factors: [u32; 4]) -> Rules {
        Rules { factors, ..Rules::default() }
    }

    #[test]
    fn scores_of_all_hands_of_one_suit_match_a_search() {
        // A program in another language counted these numbers.
        let (mut hands, mut standard, mut winning, mut faan) = (0, 0, 0, 0);
        each_one_suit_hand(14, &mut |hand| {
            hands += 1;
            standard += u32::from(is_standard(hand.words()));
            if let Some(score) = score(hand, &Rules::default()) {
                winning += 1;
                faan += score.faan;
            }
        });
        assert_eq!((hands, standard, winning, faan), (118_800, 13_259, 15_349, 274_120));
    }

    #[test]
    fn the_largest_score_is_reached_and_not_exceeded() {
        for factors in [[2, 4, 4, 2], [64, 1, 1, 1], [1, 3, 1, 2], [5, 1, 7, 1]] {
            let mut rules = Rules::default();
            for (row, factor) in std::iter::zip(&crate::mahjong::PATTERNS, factors) {
                assert!(rules.set_factor(row.pattern, factor));
            }
            let mut best = 0;
            each_one_suit_hand(14, &mut |hand| {
                let faan = score(hand, &rules).map_or(0, |score| score.faan);
                best = best.max(round_score(faan, MOST_LEFT));
            });
            assert_eq!(best, max_round_score(&rules), "{factors:?}");
        }
        assert_eq!(max_round_score(&Rules::default()), 3 * 128 + 81);
    }

    #[test]
    fn the_most_valuable_reading_counts() {
        let both = hand("112233b44556677c");
        let reading = |rules: Rules| score(&both, &rules).expect("wins").form;
        assert_eq!(reading(Rules::default()), HandForm::SevenPairs);
        assert_eq!(reading(rules([2, 4, 1, 2])), HandForm::Standard);
        let only_pairs = hand("1122b3355c778899d");
        assert_eq!(
            score(&only_pairs, &rules([2, 4, 1, 2])).expect("wins").form,
            HandForm::SevenPairs
        );
    }

    #[test]
    fn every_factor_of_the_table_counts() {
        let rules = rules([3, 5, 7, 11]);
        for (text, expected) in [
            ("12399b123456789c", 1),
            ("44455b111222333c", 3),
            ("11123455678999c", 5),
            ("11133355577799c", 15),
            ("112233b11223344d", 7),
            ("11112233445566c", 5 * 7 * 11),
            ("11112222333344d", 5 * 7 * 11 * 11 * 11),
            ("11112345678999c", 5 * 11),
        ] {
            assert_eq!(faan(&hand(text), &rules), expected, "{text}");
        }
    }

    #[test]
    fn only_a_hand_of_14_tiles_wins() {
        for text in ["", "11b", "11122b", "112233445566c", "111222333444555b66c"] {
            assert_eq!(faan(&hand(text), &Rules::default()), 0, "{text}");
        }
    }

    #[test]
    fn a_hand_never_waits_for_a_fifth_copy() {
        let waiting = hand("1111b456789c123d");
        assert_eq!(faan_with(&waiting, "1b".parse().expect("a tile"), &Rules::default()), 0);
    }

    #[test]
    fn rounds_have_the_scores_of_the_rules() {
        assert_eq!(round_score(8, 14), 38);
        assert_eq!(round_score(1, 0), 3);
        assert_eq!(round_score(0, 0), 0);
    }

    /// True if a hand wins, by trying everything.
    fn wins(hand: &Hand) -> bool {
        let counts = counts(hand);
        splits(&counts, true) || counts.iter().all(|count| count % 2 == 0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn winning_hands_match_an_exhaustive_search(hand in dense_hands(14)) {
            prop_assert_eq!(score(&hand, &Rules::default()).is_some(), wins(&hand));
        }

        #[test]
        fn the_void_suit_rule_never_adds_points(hand in hands(14), void_suit: bool) {
            let rules = Rules::default().with_void_suit(void_suit);
            let suits = hand.words().iter().filter(|word| **word != 0).count();
            let expected = if void_suit && suits == 3 { 0 } else { faan(&hand, &Rules::default()) };
            prop_assert_eq!(faan(&hand, &rules), expected);
        }

        #[test]
        fn a_separate_winning_tile_gives_the_same_score(hand in dense_hands(14), at in 0..14_usize) {
            let tile = hand.iter().nth(at).expect("14 tiles");
            let mut rest = hand;
            prop_assert!(rest.remove(tile));
            let rules = Rules::default();
            prop_assert_eq!(faan_with(&rest, tile, &rules), faan(&hand, &rules));
        }
    }
}
