//! Hands as text: rank digits, then the letter of their suit (`1478b122367c1389d`).

use std::fmt;
use std::str::FromStr;

use super::{Hand, HandError, Suit, Tile};
use crate::text::excerpt;

impl FromStr for Hand {
    type Err = HandError;

    /// Suits may come in any order and more than once; the empty text is the empty hand.
    fn from_str(text: &str) -> Result<Hand, HandError> {
        let mut hand = Hand::EMPTY;
        each_tile(text, |tile| hand.insert(tile))?;
        Ok(hand)
    }
}

/// Visits the tiles of a text in its order, up to the first error.
pub(super) fn each_tile(
    text: &str,
    mut visit: impl FnMut(Tile) -> Result<(), HandError>,
) -> Result<(), HandError> {
    for run in text.split_inclusive(|letter| Suit::from_letter(letter).is_some()) {
        let ranks = run.trim_end_matches(|letter| Suit::from_letter(letter).is_some());
        if let Some(letter) = ranks.chars().find(|letter| !('1'..='9').contains(letter)) {
            return Err(HandError::Letter(letter));
        }
        let Some(suit) = run.chars().last().and_then(Suit::from_letter) else {
            return Err(HandError::NoSuit(excerpt(run)));
        };
        if ranks.is_empty() {
            return Err(HandError::NoRank(suit.letter()));
        }
        let tiles = ranks.bytes().filter_map(|digit| Tile::new(suit, digit - b'0'));
        tiles.into_iter().try_for_each(&mut visit)?;
    }
    Ok(())
}

impl fmt::Display for Hand {
    /// In the order bamboo, characters, dots; a suit without tiles is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.len() + Suit::ALL.len());
        for suit in Suit::ALL {
            let before = text.len();
            let ranks = self.iter().filter(|tile| tile.suit() == suit);
            text.extend(ranks.map(|tile| char::from(b'0' + tile.rank())));
            if text.len() > before {
                text.push(suit.letter());
            }
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn printed(text: &str) -> String {
        text.parse::<Hand>().expect("a hand").to_string()
    }

    fn refused(text: &str) -> String {
        text.parse::<Hand>().expect_err("no hand").to_string()
    }

    #[test]
    fn a_hand_prints_sorted_by_suit_and_rank() {
        assert_eq!(printed("122367c1478b1389d"), "1478b122367c1389d");
        assert_eq!(printed("111c222c333c444b55b"), "44455b111222333c");
        assert_eq!(printed("9d1d9d"), "199d");
        assert_eq!(printed(""), "");
        assert_eq!(format!("[{:>5}] {:?}", Hand::EMPTY, Hand::EMPTY), "[     ] ``");
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        insta::assert_snapshot!(refused("12x"), @"`x` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`");
        insta::assert_snapshot!(refused("10b"), @"`0` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`");
        insta::assert_snapshot!(refused("12b34"), @"ranks without a suit letter: `34`");
        insta::assert_snapshot!(refused("12bc"), @"suit letter `c` without ranks");
        insta::assert_snapshot!(refused("1b111c1b1b1b1b"), @"more than four of the tile `1b`");
        insta::assert_snapshot!(refused("1b é"), @"` ` among tiles: expected rank digits 1 to 9 and suit letters `b`, `c` or `d`");
    }

    proptest! {
        #[test]
        fn every_hand_reads_back(hand in crate::mahjong::tests::hands::hands(0..=40)) {
            prop_assert_eq!(hand.to_string().parse(), Ok(hand));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = text.parse::<Hand>();
        }
    }
}
