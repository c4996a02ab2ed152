//! A hand of one suit, played on over a sampled wall.
//!
//! The policy is quick rather than clever: keep every tile of the suit; of 14 throw the one with
//! the least loss in the table of [`Pairs`], among equals the one with fewest copies to come; win
//! unless the table promises more. It is good enough to compare candidates.

use judge_bot::mahjong::{Hand, Rules, Suit, Tile, faan, round_score};

use crate::futures::rank_in;
use crate::holding::Holding;
use crate::pairs::{Pairs, SUIT_KINDS};
use crate::view::{HAND, View};

/// The weight of a hidden copy in choosing among throws, as a part of the hand's value.
const COPY: f32 = 0.0125;

/// The hand in a simulated round.
#[derive(Clone)]
pub(crate) struct Flush<'a> {
    pairs: &'a Pairs,
    rules: &'a Rules,
    suit: usize,
    hand: Hand,
    holding: Holding,
    len: usize,
    counts: [u8; SUIT_KINDS],
    hidden: [u8; SUIT_KINDS],
}

impl<'a> Flush<'a> {
    /// The part of a hand in one suit.
    pub(crate) fn new(view: &View, suit: Suit, pairs: &'a Pairs, rules: &'a Rules) -> Flush<'a> {
        let hand = view.within(&[suit]);
        let first = suit as usize * SUIT_KINDS;
        Flush {
            pairs,
            rules,
            suit: suit as usize,
            hand,
            holding: Holding::from_hand(&hand, &[suit]),
            len: hand.len(),
            counts: std::array::from_fn(|rank| hand.count(Tile::ALL[first + rank])),
            hidden: std::array::from_fn(|rank| view.unseen[first + rank]),
        }
    }

    /// Score over a wall in this order: throws of the opponent and own draws in turn.
    pub(crate) fn play(&self, order: &[u8]) -> f32 {
        let mut hand = self.clone();
        for (slot, kind) in order.iter().enumerate() {
            let Some(rank) = rank_in(self.suit, *kind) else { continue };
            hand.hidden[rank] -= 1;
            let left = order.len() - 1 - slot;
            let won = if slot % 2 == 1 { hand.draw(rank, left) } else { hand.offered(rank, left) };
            if let Some(score) = won {
                return score;
            }
        }
        0.0
    }

    /// An own draw; the score when it wins.
    fn draw(&mut self, rank: usize, left: usize) -> Option<f32> {
        self.take(rank);
        if self.len <= HAND {
            return None;
        }
        let (thrown, otherwise) = self.throw(left / 2);
        let won = self.prize(left).filter(|prize| *prize >= otherwise);
        self.put(thrown);
        won
    }

    /// A throw of the opponent; the score when it wins.
    fn offered(&mut self, rank: usize, left: usize) -> Option<f32> {
        if self.len < HAND {
            return None;
        }
        // On to the next draw: the table's value before the throw just made is near enough.
        let otherwise =
            if left == 0 { 0.0 } else { self.pairs.value(self.holding, (left - 1) / 2) };
        self.take(rank);
        let won = self.prize(left).filter(|prize| *prize >= otherwise);
        self.put(rank);
        won
    }

    fn take(&mut self, rank: usize) {
        self.holding = self.holding.drawn(usize::from(self.counts[rank]));
        self.counts[rank] += 1;
        self.len += 1;
        self.hand.insert(self.tile(rank)).expect("a hidden copy is no fifth one");
    }

    fn put(&mut self, rank: usize) {
        self.holding = self.holding.thrown(usize::from(self.counts[rank]));
        self.counts[rank] -= 1;
        self.len -= 1;
        let held = self.hand.remove(self.tile(rank));
        debug_assert!(held, "only tiles of the hand are put away");
    }

    fn tile(&self, rank: usize) -> Tile {
        Tile::ALL[self.suit * SUIT_KINDS + rank]
    }

    /// Score of winning with these 14 tiles.
    fn prize(&self, left: usize) -> Option<f32> {
        if !self.pairs.may_win(self.holding) {
            return None;
        }
        match faan(&self.hand, self.rules) {
            0 => None,
            faan => Some(round_score(faan, left) as f32),
        }
    }

    /// The rank to throw, and the table's value of the hand after it.
    fn throw(&self, turns: usize) -> (usize, f32) {
        let values: [f32; 4] = std::array::from_fn(|at| match self.holding.0[at] {
            0 => f32::MIN,
            _ => self.pairs.value(self.holding.thrown(at + 1), turns),
        });
        let best = values.iter().copied().fold(0.0, f32::max);
        let merit = |rank: usize| {
            values[usize::from(self.counts[rank]) - 1] - COPY * best * f32::from(self.hidden[rank])
        };
        let ranks = (0..SUIT_KINDS).filter(|rank| self.counts[*rank] > 0);
        let thrown = ranks.max_by(|a, b| merit(*a).total_cmp(&merit(*b)));
        (thrown.unwrap_or(0), best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(hand: &str, order: &str) -> f32 {
        let mut view = View::default();
        let hand: Hand = hand.parse().expect("a hand");
        hand.iter().for_each(|tile| view.draw(tile));
        let rules = Rules::default();
        let pairs = Pairs::new(&rules, SUIT_KINDS);
        let order: Vec<u8> = order
            .split(' ')
            .map(|name| name.parse::<Tile>().expect("a tile").index() as u8)
            .collect();
        Flush::new(&view, Suit::Characters, &pairs, &rules).play(&order)
    }

    #[test]
    fn wins_by_draw_and_by_discard_are_found() {
        assert_eq!(score("1122334455667c", "7c 1b 2b"), 3.0 * 16.0 + 2.0);
        assert_eq!(score("1122334455667c", "1b 7c 2b"), 3.0 * 16.0 + 1.0);
        assert_eq!(score("1122334455667c", "1b 2b 3b"), 0.0);
    }

    #[test]
    fn missing_tiles_come_from_the_suit_of_the_flush() {
        assert_eq!(score("112233445566c7b", "7c 7c 7c"), 3.0 * 16.0);
        assert_eq!(score("112233445566c7b", "7c 1b 7c"), 0.0);
    }
}
