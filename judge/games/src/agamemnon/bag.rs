//! A side's face-down tiles, and the tiles drawn from them for a turn. Drawing is documented in
//! `README.md`, so that it can be repeated in any language.

use judge_core::{Random, Seat};

use super::{Kind, Position};

/// The tiles that one side has still to draw, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bag {
    counts: [u8; Kind::COUNT],
}

impl Bag {
    /// All 15 tiles of a side.
    pub fn full() -> Bag {
        Bag { counts: Kind::ALL.map(Kind::supply) }
    }

    /// The tiles that a side has not placed in `position`; tiles drawn but not placed are still in
    /// it. A kind placed more often than there are tiles counts 0.
    pub fn from_position(position: &Position, seat: Seat) -> Bag {
        let mut bag = Bag::full();
        for placed in position.placed().filter(|placed| placed.seat == seat) {
            bag.take(placed.kind);
        }
        bag
    }

    /// Number of tiles of a kind.
    pub fn count(&self, kind: Kind) -> u8 {
        self.counts[kind.index()]
    }

    /// Number of tiles.
    pub fn len(&self) -> u32 {
        self.counts.iter().map(|count| u32::from(*count)).sum()
    }

    /// True if no tile is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes a given tile out; false when there is none.
    pub fn take(&mut self, kind: Kind) -> bool {
        let count = &mut self.counts[kind.index()];
        let there = *count > 0;
        *count = count.saturating_sub(1);
        there
    }

    /// Puts a tile back.
    pub fn put_back(&mut self, kind: Kind) {
        self.counts[kind.index()] += 1;
    }

    /// Draws a tile, each as likely as the others: number `below(tiles)` of the tiles in the order
    /// of their letters. `None` from an empty bag.
    pub fn draw(&mut self, random: &mut Random) -> Option<Kind> {
        self.draw_among(&Kind::ALL, random)
    }

    /// Draws a tile other than a Weft or Warp; `None` when there is none.
    pub fn draw_no_weaver(&mut self, random: &mut Random) -> Option<Kind> {
        self.draw_among(&Kind::ALL[..Kind::Weft.index()], random)
    }

    fn draw_among(&mut self, kinds: &[Kind], random: &mut Random) -> Option<Kind> {
        let tiles = kinds.iter().map(|kind| u32::from(self.count(*kind))).sum();
        let mut number = if tiles == 0 { return None } else { random.below(tiles) };
        let drawn = kinds.iter().copied().find(|kind| {
            let count = u32::from(self.count(*kind));
            let here = number < count;
            number = number.saturating_sub(count);
            here
        })?;
        self.take(drawn);
        Some(drawn)
    }
}

/// The one or two tiles drawn for a turn, in the order in which they were drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    first: Kind,
    second: Option<Kind>,
}

impl Draw {
    /// A draw of one tile, or of two.
    pub fn new(first: Kind, second: Option<Kind>) -> Draw {
        Draw { first, second }
    }

    /// The tile drawn first (`at` is 0) or second (1).
    pub fn get(&self, at: usize) -> Option<Kind> {
        if at == 0 { Some(self.first) } else { self.second.filter(|_| at == 1) }
    }

    /// The tiles in the order in which they were drawn.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// The same tiles in the other order; itself when there is one tile or both are alike.
    pub fn reversed(&self) -> Draw {
        match self.second {
            None => *self,
            Some(second) => Draw { first: second, second: Some(self.first) },
        }
    }

    /// Exchanges one tile of the draw for another.
    pub(super) fn replace(&mut self, at: usize, kind: Kind) {
        if at == 0 {
            self.first = kind;
        } else {
            self.second = Some(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::{Purpose, Seed};

    fn random(seed: u64) -> Random {
        Seed(seed).random(Purpose::Chance)
    }

    #[test]
    fn draws_empty_the_bag() {
        let (mut bag, mut random) = (Bag::full(), random(1));
        assert_eq!((bag.len(), bag.is_empty()), (15, false));
        let mut drawn: Vec<_> = std::iter::from_fn(|| bag.draw(&mut random)).collect();
        drawn.sort_unstable();
        let letters: String = drawn.iter().map(|kind| kind.letter()).collect();
        assert_eq!(letters, "abcdefffgghiijj");
        assert!(bag.is_empty());
    }

    #[test]
    fn each_tile_is_equally_likely() {
        let (mut random, mut counts) = (random(2), [0_u32; Kind::COUNT]);
        for _ in 0..15_000 {
            let drawn = Bag::full().draw(&mut random).expect("a full bag");
            counts[drawn.index()] += 1;
        }
        for kind in Kind::ALL {
            let expected = 1000 * u32::from(kind.supply());
            let found = counts[kind.index()];
            assert!(found.abs_diff(expected) < expected / 8, "{kind}: {found}");
        }
    }

    #[test]
    fn a_draw_can_leave_out_weavers() {
        let (mut bag, mut random) = (Bag::full(), random(3));
        let drawn: Vec<_> = std::iter::from_fn(|| bag.draw_no_weaver(&mut random)).collect();
        assert_eq!(drawn.len(), 11);
        assert_eq!((bag.count(Kind::Weft), bag.count(Kind::Warp)), (2, 2));
    }

    #[test]
    fn a_tile_can_be_put_back_and_taken() {
        let mut bag = Bag::full();
        assert!(bag.take(Kind::LeaderA) && !bag.take(Kind::LeaderA));
        bag.put_back(Kind::LeaderA);
        assert_eq!(bag, Bag::full());
    }
}
