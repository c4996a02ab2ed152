//! The player's knowledge of the round.

use judge_bot::mahjong::{Hand, Suit, Tile};

/// Tiles of a hand between its turns.
pub(crate) const HAND: usize = 13;

/// Turns that each side has at most.
pub(crate) const TURNS: usize = 41;

/// The own hand, and the possible places of the other tiles.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) hand: Hand,
    /// Copies of each kind that are neither in the hand nor thrown by a player: in the wall, or in
    /// the opponent's hand.
    pub(crate) unseen: [u8; Tile::KINDS],
    /// Tiles in the wall after the last own draw: an odd number.
    pub(crate) left: usize,
    /// Tiles of the deal that are still to come.
    to_deal: usize,
}

impl Default for View {
    fn default() -> View {
        View {
            hand: Hand::EMPTY,
            unseen: [Tile::COPIES; Tile::KINDS],
            left: 2 * TURNS + 1,
            to_deal: HAND,
        }
    }
}

impl View {
    /// A tile comes to the hand: of the deal first, then one a turn.
    pub(crate) fn draw(&mut self, tile: Tile) {
        self.see(tile);
        self.hand.insert(tile).expect("the judge deals at most four of a tile");
        if self.to_deal > 0 {
            self.to_deal -= 1;
        } else {
            // One for the opponent, one for the own draw.
            self.left = self.left.saturating_sub(2);
        }
    }

    /// A tile is seen.
    pub(crate) fn see(&mut self, tile: Tile) {
        self.unseen[tile.index()] = self.unseen[tile.index()].saturating_sub(1);
    }

    /// The same after a tile of the hand was thrown.
    pub(crate) fn without(&self, tile: Tile) -> View {
        let mut view = self.clone();
        assert!(view.hand.remove(tile), "only tiles of the hand are thrown");
        view
    }

    /// Own turns that are still to come after the present one.
    pub(crate) fn turns(&self) -> usize {
        (self.left / 2).min(TURNS - 1)
    }

    /// Number of tiles that the player has not seen.
    pub(crate) fn hidden(&self) -> f32 {
        (self.left + HAND) as f32
    }

    /// The part of a hand's tiles in these suits.
    pub(crate) fn within(&self, suits: &[Suit]) -> Hand {
        let tiles = self.hand.iter().filter(|tile| suits.contains(&tile.suit()));
        Hand::from_tiles(tiles).expect("a part of a hand is a hand")
    }
}

/// The kinds of these suits.
pub(crate) fn kinds_of(suits: &[Suit]) -> impl Iterator<Item = Tile> {
    Tile::ALL.into_iter().filter(move |tile| suits.contains(&tile.suit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_shrinks_by_two_a_turn() {
        let mut view = View::default();
        let hand: Hand = "1478b122367c138d".parse().expect("a hand");
        hand.iter().for_each(|tile| view.draw(tile));
        assert_eq!((view.left, view.turns()), (83, 40));
        let unseen: u8 = view.unseen.iter().sum();
        assert_eq!(unseen, 95);
        view.draw(Tile::ALL[8]);
        assert_eq!((view.left, view.turns(), view.hidden()), (81, 40, 94.0));
        assert_eq!(view.without(Tile::ALL[8]).hand, hand);
    }
}
