//! Tiles: three suits, ranks 1 to 9, written rank digit then suit letter (`3b`).

use std::fmt;
use std::str::FromStr;

use crate::text::excerpt;

/// One of the three suits, in the order of the notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// `b`
    Bamboo,
    /// `c`
    Characters,
    /// `d`
    Dots,
}

impl Suit {
    /// All suits, in order.
    pub const ALL: [Suit; 3] = [Suit::Bamboo, Suit::Characters, Suit::Dots];

    /// The letter in every notation.
    pub const fn letter(self) -> char {
        match self {
            Suit::Bamboo => 'b',
            Suit::Characters => 'c',
            Suit::Dots => 'd',
        }
    }

    /// The suit of a letter.
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'b' => Some(Suit::Bamboo),
            'c' => Some(Suit::Characters),
            'd' => Some(Suit::Dots),
            _ => None,
        }
    }
}

/// A kind of tile; there are four copies of each. Ordered by suit, then rank.
///
/// ```
/// use judge_games::mahjong::Tile;
/// let tile: Tile = "3b".parse()?;
/// assert_eq!((tile.rank(), tile.index(), tile.to_int()), (3, 2, 3));
/// assert_eq!(tile.to_string(), "3b");
/// # Ok::<(), judge_games::mahjong::TileError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(
    // The suit in the high four bits and rank − 1 in the low four: hands find counters by shifts.
    u8,
);

impl Tile {
    /// Number of kinds.
    pub const KINDS: usize = 27;

    /// Copies of each kind.
    pub const COPIES: u8 = 4;

    /// Every kind, in order: 1b to 9b, 1c to 9c, 1d to 9d.
    pub const ALL: [Tile; Tile::KINDS] = {
        let mut all = [Tile(0); Tile::KINDS];
        let mut index = 0;
        while index < Tile::KINDS {
            all[index] = Tile((index / 9 * 16 + index % 9) as u8);
            index += 1;
        }
        all
    };

    /// The tile of a suit and a rank from 1 to 9.
    pub const fn new(suit: Suit, rank: u8) -> Option<Tile> {
        match rank {
            1..=9 => Some(Tile((suit as u8) << 4 | (rank - 1))),
            _ => None,
        }
    }

    /// The tile with that [`Tile::index`].
    pub const fn from_index(index: usize) -> Option<Tile> {
        if index < Tile::KINDS { Some(Tile::ALL[index]) } else { None }
    }

    /// The tile of a number as [`Tile::to_int`] makes it.
    pub const fn from_int(number: u8) -> Option<Tile> {
        match number / 10 {
            0 => Tile::new(Suit::Bamboo, number % 10),
            1 => Tile::new(Suit::Characters, number % 10),
            2 => Tile::new(Suit::Dots, number % 10),
            _ => None,
        }
    }

    /// The tile of a rank digit and a suit letter.
    pub const fn from_bytes([rank, letter]: [u8; 2]) -> Option<Tile> {
        let (rank, suit) = (rank.wrapping_sub(b'1'), letter.wrapping_sub(b'b'));
        if rank < 9 && suit < 3 { Some(Tile(suit << 4 | rank)) } else { None }
    }

    /// Its suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.suit_index()]
    }

    /// Its rank, 1 to 9.
    pub const fn rank(self) -> u8 {
        (self.0 & 15) + 1
    }

    /// Its place among all kinds: nine times the suit, plus rank − 1.
    pub const fn index(self) -> usize {
        self.suit_index() * 9 + (self.0 & 15) as usize
    }

    /// Ten times the suit, plus the rank: the numbers of the original lab (1 to 9, 11 to 19,
    /// 21 to 29).
    pub const fn to_int(self) -> u8 {
        (self.0 >> 4) * 10 + self.rank()
    }

    /// Its notation.
    pub fn name(self) -> &'static str {
        super::lines::NAMES[self.index()]
    }

    /// The suit as 0, 1 or 2.
    pub(super) const fn suit_index(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// Position of the tile's counter in the word of its suit.
    pub(super) const fn shift(self) -> u32 {
        (self.0 & 15) as u32 * 4
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that does not name a tile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a tile: expected a rank from 1 to 9 and a suit letter, as in `3b`")]
pub struct TileError(String);

impl FromStr for Tile {
    type Err = TileError;

    fn from_str(text: &str) -> Result<Tile, TileError> {
        <[u8; 2]>::try_from(text.as_bytes())
            .ok()
            .and_then(Tile::from_bytes)
            .ok_or_else(|| TileError(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_sorted_and_indexed() {
        assert!(Tile::ALL.is_sorted_by(|a, b| a < b));
        for (index, tile) in Tile::ALL.into_iter().enumerate() {
            assert_eq!(tile.index(), index);
            assert_eq!(Tile::from_index(index), Some(tile));
            assert_eq!(tile.suit() as usize, tile.suit_index());
        }
        assert_eq!(Tile::from_index(27), None);
    }

    #[test]
    fn every_notation_reads_back() {
        for tile in Tile::ALL {
            assert_eq!(tile.to_string().parse(), Ok(tile));
            assert_eq!(Tile::from_int(tile.to_int()), Some(tile));
            assert_eq!(Tile::new(tile.suit(), tile.rank()), Some(tile));
            let letter = tile.name().chars().nth(1).expect("names have two letters");
            assert_eq!(Suit::from_letter(letter), Some(tile.suit()));
            assert_eq!(tile.suit().letter(), letter);
        }
    }

    #[test]
    fn tiles_have_the_numbers_of_the_lab() {
        let numbers: Vec<u8> = Tile::ALL.iter().map(|tile| tile.to_int()).collect();
        let expected: Vec<u8> = (0..30).filter(|number| number % 10 != 0).collect();
        assert_eq!(numbers, expected);
        for number in [0, 10, 20, 30, 255] {
            assert_eq!(Tile::from_int(number), None);
        }
    }

    #[test]
    fn invalid_texts_are_not_tiles() {
        for text in ["", "3", "b3", "0b", "10b", "3e", "3a", "3B", " 3b", "3b ", "３b"] {
            assert!(text.parse::<Tile>().is_err(), "{text}");
        }
        let message = "7x".parse::<Tile>().expect_err("x is not a suit").to_string();
        assert_eq!(
            message,
            "`7x` is not a tile: expected a rank from 1 to 9 and a suit letter, as in `3b`"
        );
    }
}
