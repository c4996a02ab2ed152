//! Sampled walls: possible orders of the tiles that are hidden from the player.
//!
//! The opponent throws at random, so that his throws are as good as random hidden tiles: an order
//! is a throw of his, an own draw, a throw of his, and so on. All candidates for a decision are
//! compared over the same orders, so that luck affects all of them alike.

use judge_bot::mahjong::Tile;

use crate::view::View;

/// Tiles examined for one candidate, over all orders: they bound the cost of a decision.
const TILES: usize = 14_000;

/// Most orders for a decision. With fewer, the candidate that is best by luck wins too often.
const ORDERS: usize = 500;

/// Orders of hidden tiles.
pub(crate) struct Futures {
    tiles: Vec<u8>,
    /// Tiles of each order: all tiles left in the wall.
    len: usize,
}

impl Futures {
    /// Orders for the rest of the round; equal rounds have equal ones.
    pub(crate) fn new(view: &View) -> Futures {
        let len = view.left;
        let mut hidden: Vec<u8> = Vec::with_capacity(108);
        for (kind, copies) in (0..).zip(view.unseen) {
            hidden.extend(std::iter::repeat_n(kind, usize::from(copies)));
        }
        let len = len.min(hidden.len());
        let mut random = Random::new(len as u64);
        let mut tiles = Vec::with_capacity(TILES);
        for _ in 0..ORDERS.min(TILES / len.max(1)) {
            for at in 0..len {
                let other = at + random.below(hidden.len() - at);
                hidden.swap(at, other);
            }
            tiles.extend_from_slice(&hidden[..len]);
        }
        Futures { tiles, len }
    }

    /// Mean of `score` over the orders, each as indices of tiles ([`Tile::index`]).
    pub(crate) fn mean(&self, score: impl Fn(&[u8]) -> f32) -> f32 {
        let orders = self.tiles.chunks_exact(self.len.max(1));
        let count = orders.len().max(1);
        orders.map(score).sum::<f32>() / count as f32
    }
}

/// A small random source (xorshift): good enough for samples, and the same everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

/// The kind of an index in an order, as a rank from 0 within a suit.
pub(crate) fn rank_in(suit: usize, kind: u8) -> Option<usize> {
    let first = suit * Tile::KINDS / 3;
    usize::from(kind).checked_sub(first).filter(|rank| *rank < Tile::KINDS / 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_bounded_and_made_of_hidden_tiles() {
        let mut view = View::default();
        let hand = "1122335577899c".parse::<judge_bot::mahjong::Hand>().expect("a hand");
        hand.iter().for_each(|tile| view.draw(tile));
        for left in [81, 41, 1] {
            view.left = left;
            let futures = Futures::new(&view);
            assert!(futures.tiles.len() <= TILES && futures.tiles.len() / left <= ORDERS);
            for order in futures.tiles.chunks_exact(left) {
                let count = |kind: u8| order.iter().filter(|tile| **tile == kind).count();
                assert!(
                    (0..27).all(|kind| count(kind) <= usize::from(view.unseen[usize::from(kind)]))
                );
            }
        }
    }

    #[test]
    fn every_kind_is_drawn_equally_often() {
        let mut view = View::default();
        view.left = 40;
        let futures = Futures::new(&view);
        let mean = futures.mean(|order| order.iter().filter(|kind| **kind < 9).count() as f32);
        assert!((12.8..13.8).contains(&mean), "{mean} of 40 in one of three suits");
    }
}
