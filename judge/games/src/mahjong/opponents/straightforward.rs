//! The most straightforward opponent: the base line of the original lab.

use super::{Strategy, Tile};
use crate::mahjong::Hand;

/// Throws the largest tile.
#[derive(Default)]
pub(super) struct Straightforward {
    hand: Hand,
}

impl Strategy for Straightforward {
    const CLAIMS: bool = true;

    fn drew(&mut self, tile: Tile) {
        let _ = self.hand.insert(tile);
    }

    fn throw(&mut self) -> Option<Tile> {
        self.hand.largest().filter(|tile| self.hand.remove(*tile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::tiles;

    #[test]
    fn straightforward_discards_the_largest_tile_first() {
        let mut player = Straightforward::default();
        tiles("5c 9b 1d 9b 3c").into_iter().for_each(|tile| player.drew(tile));
        let thrown: Vec<Tile> = std::iter::from_fn(|| player.throw()).collect();
        assert_eq!(thrown, tiles("1d 5c 3c 9b 9b"));
    }
}
