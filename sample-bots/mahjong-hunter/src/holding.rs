//! Hands as seven pairs need them: the number of kinds held once, twice, three and four times.

use judge_bot::mahjong::{Hand, Suit};

use crate::view::HAND;

/// Number of kinds held once, twice, three and four times, in that order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Holding(pub(crate) [usize; 4]);

/// One more than the most kinds of which 14 tiles can hold so many copies.
const BOUNDS: [usize; 4] = [15, 8, 5, 4];

impl Holding {
    /// Bound of [`Holding::slot`].
    pub(crate) const SLOTS: usize = BOUNDS[0] * BOUNDS[1] * BOUNDS[2] * BOUNDS[3];

    /// The part of a hand's tiles in these suits.
    pub(crate) fn from_hand(hand: &Hand, suits: &[Suit]) -> Holding {
        let mut holding = Holding::default();
        for tile in hand.kinds().filter(|tile| suits.contains(&tile.suit())) {
            holding.0[usize::from(hand.count(tile)) - 1] += 1;
        }
        holding
    }

    /// Every holding of at most 13 tiles and at most so many kinds.
    pub(crate) fn all(kinds: usize) -> impl Iterator<Item = Holding> {
        (0..Holding::SLOTS)
            .map(Holding::from_slot)
            .filter(move |holding| holding.len() <= HAND && holding.kinds() <= kinds)
    }

    /// A different number for each holding of up to 14 tiles.
    pub(crate) fn slot(self) -> usize {
        let [singles, pairs, threes, fours] = self.0;
        ((singles * BOUNDS[1] + pairs) * BOUNDS[2] + threes) * BOUNDS[3] + fours
    }

    fn from_slot(slot: usize) -> Holding {
        let (rest, fours) = (slot / BOUNDS[3], slot % BOUNDS[3]);
        let (rest, threes) = (rest / BOUNDS[2], rest % BOUNDS[2]);
        Holding([rest / BOUNDS[1], rest % BOUNDS[1], threes, fours])
    }

    /// Number of tiles.
    pub(crate) fn len(self) -> usize {
        let [singles, pairs, threes, fours] = self.0;
        singles + 2 * pairs + 3 * threes + 4 * fours
    }

    /// Number of kinds.
    pub(crate) fn kinds(self) -> usize {
        self.0.iter().sum()
    }

    /// Number of fours.
    pub(crate) fn roots(self) -> i32 {
        self.0[3] as i32
    }

    /// One tile more of a kind that is held `count` times.
    pub(crate) fn drawn(mut self, count: usize) -> Holding {
        if count > 0 {
            self.0[count - 1] -= 1;
        }
        self.0[count] += 1;
        self
    }

    /// One tile less of a kind that is held `count` times.
    pub(crate) fn thrown(mut self, count: usize) -> Holding {
        self.0[count - 1] -= 1;
        if count > 1 {
            self.0[count - 2] += 1;
        }
        self
    }

    /// True if these are seven pairs.
    pub(crate) fn is_complete(self) -> bool {
        self.0[0] == 0 && self.0[2] == 0 && self.len() == HAND + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_convert_both_ways() {
        assert!((0..Holding::SLOTS).all(|slot| Holding::from_slot(slot).slot() == slot));
    }

    #[test]
    fn tiles_can_be_added_and_removed() {
        let hand: Hand = "112223333b45c".parse().expect("a hand");
        let holding = Holding::from_hand(&hand, &[Suit::Bamboo]);
        assert_eq!((holding, holding.len(), holding.roots()), (Holding([0, 1, 1, 1]), 9, 1));
        assert_eq!(holding.drawn(2), Holding([0, 0, 2, 1]));
        assert_eq!(holding.drawn(0).thrown(1), holding);
        assert!(Holding([0, 3, 0, 2]).is_complete() && !Holding([1, 3, 1, 1]).is_complete());
    }
}
