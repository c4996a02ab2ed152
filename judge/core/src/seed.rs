//! All randomness of a round: one seed, split into independent streams. `judge/docs/determinism.md`
//! documents the algorithm with golden values, so that other languages can reproduce a wall. Any
//! change here changes every recorded game.

use rand_core::Rng;
use rand_pcg::Lcg64Xsh32;
use serde::{Deserialize, Serialize};

use crate::Seat;

/// The number that determines all luck of a round. Bots never see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

/// The purpose of a stream of random numbers. Each purpose has a separate stream, so that a
/// player's choices never shift another player's luck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The game's own luck: wall, circle, order of tiles.
    Chance,
    /// The reference opponent in the given seat.
    Opponent(Seat),
    /// The short random opening of a game without luck.
    Opening,
    /// The random source of a bot in the given seat.
    Bot(Seat),
}

impl Purpose {
    /// Number of the stream: four times the purpose, plus the seat's index.
    fn stream(self) -> u64 {
        match self {
            Purpose::Chance => 0,
            Purpose::Opponent(seat) => 4 + seat.index() as u64,
            Purpose::Opening => 8,
            Purpose::Bot(seat) => 12 + seat.index() as u64,
        }
    }
}

impl Seed {
    /// The stream of random numbers for one purpose.
    ///
    /// PCG-XSH-RR 64/32 with output number `stream + 1` of SplitMix64, started at the seed, as its
    /// initial state, and `stream` as its stream selector.
    pub fn random(self, purpose: Purpose) -> Random {
        let stream = purpose.stream();
        Random(Lcg64Xsh32::new(split_mix_64(self.0, stream + 1), stream))
    }
}

impl std::fmt::Display for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Output number `n` (counted from 1) of SplitMix64 started at `seed`
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
fn split_mix_64(seed: u64, n: u64) -> u64 {
    let z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A reproducible stream of random numbers: PCG-XSH-RR 64/32
/// (O'Neill: "PCG: a family of simple fast space-efficient generators", 2014).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(Lcg64Xsh32);

impl Random {
    /// The next 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniformly distributed number in `0..bound`; `bound` must not be 0.
    ///
    /// Draws again while the 32 bits are below `2^32 mod bound`, then takes the remainder, so
    /// that every result is equally likely.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a random number below 0 does not exist");
        let reject = bound.wrapping_neg() % bound;
        loop {
            let bits = self.next_u32();
            if bits >= reject {
                return bits % bound;
            }
        }
    }

    /// Shuffles in place: Fisher–Yates from the last element down to the second, swapping
    /// element `i` with element `below(i + 1)`. At most 2^32 − 1 elements.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).expect("a deck has fewer than 2^32 cards");
            items.swap(last, self.below(bound) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_three(seed: u64, purpose: Purpose) -> [u32; 3] {
        let mut random = Seed(seed).random(purpose);
        std::array::from_fn(|_| random.next_u32())
    }

    #[test]
    fn split_mix_matches_the_published_sequence() {
        // First outputs of the reference implementation for seed 1234567.
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        for (n, value) in (1..).zip(expected) {
            assert_eq!(split_mix_64(1234567, n), value);
        }
    }

    #[test]
    fn pcg_matches_the_published_demo() {
        // `pcg32_srandom(42, 54)` of the reference implementation.
        let mut random = Random(Lcg64Xsh32::new(42, 54));
        let drawn: [u32; 6] = std::array::from_fn(|_| random.next_u32());
        assert_eq!(
            drawn,
            [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e]
        );
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let purposes = [
            Purpose::Chance,
            Purpose::Opponent(Seat::One),
            Purpose::Opponent(Seat::Two),
            Purpose::Opening,
            Purpose::Bot(Seat::One),
            Purpose::Bot(Seat::Two),
        ];
        let drawn: std::collections::BTreeSet<_> =
            purposes.iter().map(|&purpose| first_three(7, purpose)).collect();
        assert_eq!(drawn.len(), purposes.len());
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut random = Seed(1).random(Purpose::Chance);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn below_rejects_the_short_tail() {
        // 2^32 mod 3·2^30 = 2^30: a quarter of the draws is rejected.
        let bound = 3 << 30;
        let mut random = Seed(3).random(Purpose::Chance);
        let mut raw = random.clone();
        let accepted: Vec<u32> = (0..1000).map(|_| random.below(bound)).collect();
        let by_hand: Vec<u32> = std::iter::repeat_with(|| raw.next_u32())
            .filter(|bits| *bits >= 1 << 30)
            .map(|bits| bits % bound)
            .take(1000)
            .collect();
        assert_eq!(accepted, by_hand);
    }

    #[test]
    fn shuffle_reaches_every_order_equally_often() {
        let mut random = Seed(5).random(Purpose::Chance);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn seeds_give_the_documented_values() {
        assert_eq!(first_three(0, Purpose::Chance), GOLDEN_CHANCE_0);
        let mut items: [u8; 10] = std::array::from_fn(|i| i as u8);
        Seed(2022).random(Purpose::Chance).shuffle(&mut items);
        assert_eq!(items, GOLDEN_SHUFFLE_2022);
    }

    // Computed by another implementation of the documentation, in another language.
    const GOLDEN_CHANCE_0: [u32; 3] = [3234325189, 1963755818, 1465678534];
    const GOLDEN_SHUFFLE_2022: [u8; 10] = [8, 3, 5, 6, 0, 7, 9, 4, 1, 2];
}
