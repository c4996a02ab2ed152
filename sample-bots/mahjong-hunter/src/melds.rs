//! The chance that a hand of one suit is complete by its melds.

/// For each holding of 14 tiles of one suit that some such hand has (kinds held once, twice, three
/// and four times): of 1000 hands, how many are four melds and a pair. Counted over all hands but seven pairs.
#[rustfmt::skip]
pub(crate) const MELDS: [([usize; 4], u16); 32] = [
    ([0, 0, 2, 2], 167),
    ([0, 1, 4, 0], 1000),
    ([0, 2, 2, 1], 107),
    ([0, 4, 2, 0], 292),
    ([1, 0, 3, 1], 250),
    ([1, 1, 1, 2], 112),
    ([1, 2, 3, 0], 92),
    ([1, 3, 1, 1], 57),
    ([1, 5, 1, 0], 32),
    ([2, 0, 0, 3], 24),
    ([2, 0, 4, 0], 295),
    ([2, 1, 2, 1], 115),
    ([2, 2, 0, 2], 48),
    ([2, 3, 2, 0], 84),
    ([2, 4, 0, 1], 77),
    ([2, 6, 0, 0], 95),
    ([3, 0, 1, 2], 129),
    ([3, 1, 3, 0], 126),
    ([3, 2, 1, 1], 52),
    ([3, 4, 1, 0], 89),
    ([4, 0, 2, 1], 228),
    ([4, 1, 0, 2], 157),
    ([4, 2, 2, 0], 88),
    ([4, 3, 0, 1], 83),
    ([4, 5, 0, 0], 103),
    ([5, 0, 3, 0], 298),
    ([5, 1, 1, 1], 228),
    ([5, 3, 1, 0], 206),
    ([6, 0, 0, 2], 159),
    ([6, 1, 2, 0], 278),
    ([6, 2, 0, 1], 286),
    ([7, 0, 1, 1], 1000),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holding::Holding;
    use judge_bot::mahjong::{Hand, Rules, Tile, faan};
    use std::collections::BTreeMap;

    /// Calls `show` with every hand of so many tiles of one suit, from a rank up.
    fn each_hand(rank: usize, left: usize, hand: Hand, show: &mut dyn FnMut(&Hand)) {
        if left == 0 {
            return show(&hand);
        }
        let mut more = hand;
        for count in 0..=left.min(4) {
            if rank < 9 {
                each_hand(rank + 1, left - count, more, show);
                let _ = more.insert(Tile::ALL[rank]);
            }
        }
    }

    #[test]
    fn the_table_of_melds_matches_a_count() {
        let mut counted: BTreeMap<[usize; 4], [u32; 2]> = BTreeMap::new();
        each_hand(0, 14, Hand::EMPTY, &mut |hand| {
            let suit = [judge_bot::mahjong::Suit::Bamboo];
            let holding = Holding::from_hand(hand, &suit);
            // Seven pairs that are melds too are left out: they win in any case.
            let wins = !holding.is_complete() && faan(hand, &Rules::default()) > 0;
            let entry = counted.entry(holding.0).or_default();
            *entry = [entry[0] + 1, entry[1] + u32::from(wins)];
        });
        let expected: Vec<_> = counted
            .iter()
            .filter(|(_, [_, wins])| *wins > 0)
            .map(|(holding, [all, wins])| (*holding, ((2000 * wins + all) / (2 * all)) as u16))
            .collect();
        assert_eq!(MELDS.as_slice(), expected);
    }
}
