//! Keeps the hand as near to ready as it can, one discard at a time.

use super::{Strategy, Tile};
use crate::mahjong::{Hand, distance, useful_tiles};

/// Throws the tile whose loss leaves the least distance; among several, the one that leaves most
/// useful tiles unseen; among these, the largest.
pub(super) struct Nearest {
    hand: Hand,
    /// Copies of each tile that are neither in the hand nor in a river.
    unseen: [u8; Tile::KINDS],
}

impl Default for Nearest {
    fn default() -> Nearest {
        Nearest { hand: Hand::EMPTY, unseen: [Tile::COPIES; Tile::KINDS] }
    }
}

impl Nearest {
    fn see(&mut self, tile: Tile) {
        let unseen = &mut self.unseen[tile.index()];
        *unseen = unseen.saturating_sub(1);
    }

    /// Unseen copies of the tiles that would bring `hand` nearer.
    fn chances(&self, hand: &Hand) -> u8 {
        useful_tiles(hand).iter().map(|tile| self.unseen[tile.index()]).sum()
    }

    /// The best tile to throw.
    fn choice(&self) -> Option<Tile> {
        let without = |tile: Tile| {
            let mut hand = self.hand;
            hand.remove(tile).then_some(hand)
        };
        let nearest = self.hand.kinds().filter_map(without).map(|hand| distance(&hand)).min()?;
        self.hand
            .kinds()
            .filter_map(|tile| Some((tile, without(tile)?)))
            .filter(|(_, hand)| distance(hand) == nearest)
            .max_by_key(|(tile, hand)| (self.chances(hand), *tile))
            .map(|(tile, _)| tile)
    }
}

impl Strategy for Nearest {
    const CLAIMS: bool = true;

    fn drew(&mut self, tile: Tile) {
        self.see(tile);
        let _ = self.hand.insert(tile);
    }

    fn saw(&mut self, tile: Tile) {
        self.see(tile);
    }

    fn throw(&mut self) -> Option<Tile> {
        self.choice().filter(|tile| self.hand.remove(*tile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::{hand, tiles};

    /// The discard from this hand after the other side has thrown `seen`.
    fn thrown(text: &str, seen: &str) -> String {
        let mut player = Nearest::default();
        hand(text).iter().for_each(|tile| player.drew(tile));
        tiles(seen).into_iter().for_each(|tile| player.saw(tile));
        player.throw().expect("14 tiles").to_string()
    }

    #[test]
    fn nearest_keeps_the_smallest_distance() {
        assert_eq!(thrown("123456789b1239c1d", ""), "1d");
        assert_eq!(thrown("123456789b124c99d", "3c 3c 3c"), "4c");
    }

    #[test]
    fn the_most_useful_unseen_tiles_decide_between_equal_distances() {
        // Ready both ways: without 1c it waits for 2c and 5c, without 4c only for 2c.
        assert_eq!(thrown("123456789b134c99d", ""), "1c");
        // With every 5c gone both ways wait only for 2c, so the largest tile goes.
        assert_eq!(thrown("123456789b134c99d", "5c 5c 5c 5c"), "4c");
    }

    #[test]
    fn own_discards_count_as_seen() {
        let mut player = Nearest::default();
        for tile in tiles("5c 5c 5c 5c") {
            player.drew(tile);
            assert_eq!(player.throw(), Some(tile));
        }
        hand("123456789b134c99d").iter().for_each(|tile| player.drew(tile));
        assert_eq!(player.throw(), tiles("4c").pop());
    }

    #[test]
    fn the_largest_tile_decides_last() {
        assert_eq!(thrown("123456789b111c1d9d", ""), "9d");
        assert_eq!(thrown("123456789b111c1d9d", "9d"), "9d");
        assert_eq!(thrown("123456789b111c1d9d", "1d"), "1d");
    }
}
