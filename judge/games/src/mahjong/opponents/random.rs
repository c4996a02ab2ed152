//! Throws any tile: the opponent of the original lab.

use super::{Strategy, Tile};

/// Holds its tiles one by one, so that each of two equal ones is as likely as any other tile.
pub(super) struct Random {
    tiles: [Tile; CAPACITY],
    len: usize,
    random: judge_core::Random,
}

const CAPACITY: usize = 14;

impl Random {
    pub(super) fn new(random: judge_core::Random) -> Random {
        Random { tiles: [Tile::ALL[0]; CAPACITY], len: 0, random }
    }
}

impl Strategy for Random {
    const CLAIMS: bool = false;

    fn drew(&mut self, tile: Tile) {
        if let Some(place) = self.tiles.get_mut(self.len) {
            *place = tile;
            self.len += 1;
        }
    }

    /// The last tile replaces the thrown one.
    fn throw(&mut self) -> Option<Tile> {
        let last = self.len.checked_sub(1)?;
        let at = self.random.below(self.len as u32) as usize;
        self.tiles.swap(at, last);
        self.len = last;
        Some(self.tiles[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::tiles;
    use judge_core::{Purpose, Seat, Seed};

    fn player(seed: u64) -> Random {
        Random::new(Seed(seed).random(Purpose::Opponent(Seat::Two)))
    }

    #[test]
    fn equal_tiles_count_one_by_one() {
        let mut player = player(1);
        let hand = tiles("1b 1b 1b 2c");
        hand.iter().for_each(|tile| player.drew(*tile));
        let mut ones = 0;
        for _ in 0..4000 {
            let thrown = player.throw().expect("four tiles");
            ones += u32::from(thrown == hand[0]);
            player.drew(thrown);
        }
        assert!((2850..3150).contains(&ones), "{ones}");
    }

    #[test]
    fn random_discards_every_held_tile_and_no_other() {
        let mut player = player(2);
        let hand = tiles("1b 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c 3c 4c 5c");
        hand.iter().for_each(|tile| player.drew(*tile));
        let mut thrown: Vec<Tile> = std::iter::from_fn(|| player.throw()).collect();
        assert_ne!(thrown, hand);
        thrown.sort_unstable();
        assert_eq!(thrown, hand);
    }
}
