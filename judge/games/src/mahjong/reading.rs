//! The parts of a winning hand, for display.

use super::{Hand, HandForm, Tile};

/// The melds and the pair of a winning hand, or its pairs, in the order of their lowest tiles;
/// triplets rather than sequences where either would do.
pub(super) fn groups(hand: &Hand, form: HandForm) -> Vec<Vec<Tile>> {
    let mut groups = Vec::new();
    match form {
        HandForm::SevenPairs => {
            let pairs = hand.kinds().flat_map(|tile| (0..hand.count(tile) / 2).map(move |_| tile));
            groups.extend(pairs.map(|tile| vec![tile; 2]));
        }
        HandForm::Standard => {
            take_apart(*hand, true, &mut groups);
        }
    }
    groups
}

/// Adds the groups of a hand, with a pair among them if `pair`; false, and nothing is added, when
/// it cannot be taken apart.
fn take_apart(hand: Hand, pair: bool, groups: &mut Vec<Vec<Tile>>) -> bool {
    let Some(lowest) = hand.kinds().next() else { return !pair };
    let sequence = || (0..3).map(|more| Tile::new(lowest.suit(), lowest.rank() + more)).collect();
    let triplet = (Some(vec![lowest; 3]), pair);
    let twins = (pair.then(|| vec![lowest; 2]), false);
    let mut ways = [triplet, twins, (sequence(), pair)].into_iter();
    ways.any(|(group, pair)| {
        group.is_some_and(|group| {
            let mut rest = hand;
            if !group.iter().all(|tile| rest.remove(*tile)) {
                return false;
            }
            groups.push(group);
            let complete = take_apart(rest, pair, groups);
            if !complete {
                groups.pop();
            }
            complete
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::{each_one_suit_hand, hand};
    use crate::mahjong::{Rules, score};

    fn taken_apart(text: &str) -> String {
        let hand = hand(text);
        let form = score(&hand, &Rules::default()).expect("wins").form;
        let words = groups(&hand, form)
            .into_iter()
            .map(|group| Hand::from_tiles(group).expect("four at most").to_string());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_counting_reading_is_shown() {
        assert_eq!(taken_apart("11112345678999c"), "111c 123c 456c 789c 99c");
        assert_eq!(taken_apart("44455b111222333c"), "444b 55b 111c 222c 333c");
        assert_eq!(taken_apart("112233b44556677c"), "11b 22b 33b 44c 55c 66c 77c");
        assert_eq!(taken_apart("11112222333344d"), "11d 11d 22d 22d 33d 33d 44d");
        assert_eq!(taken_apart("12399b123456789c"), "123b 99b 123c 456c 789c");
    }

    #[test]
    fn groups_are_the_whole_hand() {
        let mut winning = 0;
        each_one_suit_hand(14, &mut |hand| {
            if let Some(score) = score(hand, &Rules::default()) {
                winning += 1;
                let groups = groups(hand, score.form);
                assert_eq!(groups.len(), if score.form == HandForm::Standard { 5 } else { 7 });
                assert_eq!(Hand::from_tiles(groups.into_iter().flatten()), Ok(*hand));
            }
        });
        assert_eq!(winning, 15_349);
    }
}
