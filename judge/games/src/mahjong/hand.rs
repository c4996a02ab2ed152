//! Hands: the number of each tile, packed so that scoring takes only a few bit operations.

use super::{Suit, Tile};

/// The lowest bit of each of the nine counters of a suit.
pub(super) const ONES: u64 = 0x1_1111_1111;

/// Bits of the nine counters.
pub(super) const COUNTS: u64 = 0xf_ffff_ffff;

/// Position of the number of tiles of the suit, above the counters.
const LEN_SHIFT: u32 = 40;

/// A multiset of tiles, at most four of a kind.
///
/// ```
/// use judge_games::mahjong::{Hand, Tile};
/// let mut hand: Hand = "1389d1478b122367c".parse()?;
/// assert_eq!(hand.to_string(), "1478b122367c1389d");
/// let tile: Tile = "3d".parse()?;
/// assert!(hand.remove(tile) && !hand.contains(tile));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hand(
    // One word per suit: nine counters of four bits, and above them the number of tiles.
    [u64; 3],
);

impl Hand {
    /// No tiles.
    pub const EMPTY: Hand = Hand([0; 3]);

    /// A hand of these tiles.
    ///
    /// # Errors
    /// When there are more than four of a kind.
    pub fn from_tiles(tiles: impl IntoIterator<Item = Tile>) -> Result<Hand, HandError> {
        let mut hand = Hand::EMPTY;
        tiles.into_iter().try_for_each(|tile| hand.insert(tile)).map(|()| hand)
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| suit_len(*word)).sum()
    }

    /// True if the hand has no tiles.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 3]
    }

    /// Number of copies of this tile.
    pub fn count(&self, tile: Tile) -> u8 {
        (self.0[tile.suit_index()] >> tile.shift()) as u8 & 15
    }

    /// True if there is at least one of this tile.
    pub fn contains(&self, tile: Tile) -> bool {
        self.count(tile) > 0
    }

    /// Adds a tile.
    ///
    /// # Errors
    /// When there are four of it already; the hand is then unchanged.
    pub fn insert(&mut self, tile: Tile) -> Result<(), HandError> {
        if self.count(tile) >= Tile::COPIES {
            return Err(HandError::Fifth(tile));
        }
        self.add(tile);
        Ok(())
    }

    /// Takes a tile out; false when it is not there.
    #[must_use = "the tile may not be in the hand"]
    pub fn remove(&mut self, tile: Tile) -> bool {
        let held = self.contains(tile);
        if held {
            self.0[tile.suit_index()] -= unit(tile);
        }
        held
    }

    /// The words of the hand with one more tile. Each word is added to, if only 0: adding in place
    /// through an index costs ten times as much, because it waits for the store.
    pub(super) fn words_with(&self, tile: Tile) -> [u64; 3] {
        let added = |suit| if suit == tile.suit_index() { unit(tile) } else { 0 };
        [self.0[0] + added(0), self.0[1] + added(1), self.0[2] + added(2)]
    }

    /// Adds a tile of which there are fewer than four.
    pub(super) fn add(&mut self, tile: Tile) {
        self.0[tile.suit_index()] += unit(tile);
    }

    /// Every tile, in order, equal ones repeated.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + use<> {
        let hand = *self;
        self.kinds().flat_map(move |tile| (0..hand.count(tile)).map(move |_| tile))
    }

    /// The different tiles, in order.
    pub fn kinds(&self) -> impl Iterator<Item = Tile> + use<> {
        let words = self.0;
        Suit::ALL.into_iter().zip(words).flat_map(|(suit, word)| Kinds { suit, held: held(word) })
    }

    /// The last tile in order.
    pub fn largest(&self) -> Option<Tile> {
        let suit = *Suit::ALL.iter().rfind(|suit| self.0[**suit as usize] != 0)?;
        Tile::new(suit, rank(63 - (self.0[suit as usize] & COUNTS).leading_zeros()))
    }

    /// The words of the suits: nine counters of four bits each, rank 1 lowest.
    pub(super) fn words(&self) -> [u64; 3] {
        self.0
    }
}

/// One of a tile, as added to the word of its suit.
pub(super) const fn unit(tile: Tile) -> u64 {
    1 << tile.shift() | 1 << LEN_SHIFT
}

/// Number of tiles in the word of a suit.
pub(super) const fn suit_len(word: u64) -> usize {
    (word >> LEN_SHIFT) as usize
}

/// A bit at the counter of every held rank.
pub(super) const fn held(word: u64) -> u64 {
    (word | word >> 1 | word >> 2) & ONES
}

/// The rank with the counter of a bit.
const fn rank(bit: u32) -> u8 {
    (bit / 4 + 1) as u8
}

/// The different tiles of one suit.
struct Kinds {
    suit: Suit,
    held: u64,
}

impl Iterator for Kinds {
    type Item = Tile;

    fn next(&mut self) -> Option<Tile> {
        let bit = self.held.trailing_zeros();
        // Clears the lowest bit; without a bit the rank is 17, which is not a tile.
        self.held &= self.held.wrapping_sub(1);
        Tile::new(self.suit, rank(bit))
    }
}

/// The reason why tiles are not a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandError {
    /// There are only four copies of each tile.
    #[error("more than four of the tile `{0}`")]
    Fifth(Tile),
    /// A letter that is neither rank nor suit.
    #[error("`{}` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`", .0.escape_debug())]
    Letter(char),
    /// Ranks at the end, without a suit.
    #[error("ranks without a suit letter: `{0}`")]
    NoSuit(String),
    /// A suit letter that no rank precedes.
    #[error("suit letter `{0}` without ranks")]
    NoRank(char),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().expect("a tile")
    }

    #[test]
    fn tiles_can_be_added_and_removed() {
        let mut hand = Hand::EMPTY;
        assert!(hand.is_empty() && hand.largest().is_none());
        for tile in Tile::ALL {
            for count in 0..4 {
                assert_eq!(hand.count(tile), count);
                hand.insert(tile).expect("fewer than four");
            }
            assert_eq!(hand.insert(tile), Err(HandError::Fifth(tile)));
        }
        assert_eq!(hand.len(), 108);
        for tile in Tile::ALL {
            assert!((0..4).all(|_| hand.remove(tile)));
            assert!(!hand.remove(tile) && !hand.contains(tile));
        }
        assert_eq!(hand, Hand::EMPTY);
    }

    #[test]
    fn a_hand_iterates_in_order_with_repeats() {
        let tiles = ["1b", "9b", "9b", "9b", "9b", "2c", "2c", "1d", "9d"].map(tile);
        let hand = Hand::from_tiles(tiles.into_iter().rev()).expect("a hand");
        assert_eq!(hand.iter().collect::<Vec<_>>(), tiles);
        assert_eq!(hand.kinds().collect::<Vec<_>>(), ["1b", "9b", "2c", "1d", "9d"].map(tile));
        assert_eq!(hand.len(), tiles.len());
    }

    #[test]
    fn the_largest_tile_is_the_last() {
        for text in ["1b", "9b", "19b1c", "5b23c", "1d", "123456789d"] {
            let hand: Hand = text.parse().expect("a hand");
            assert_eq!(hand.largest(), hand.iter().last(), "{text}");
        }
    }

    #[test]
    fn a_fifth_tile_is_named_in_the_message() {
        let error = Hand::from_tiles([tile("3b"); 5]).expect_err("five");
        assert_eq!(error.to_string(), "more than four of the tile `3b`");
    }
}
