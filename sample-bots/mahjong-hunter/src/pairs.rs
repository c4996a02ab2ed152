//! Seven pairs out of a set of kinds of tiles, as a decision process solved backwards.
//!
//! The state is the [`Holding`] and the number of turns to come. It leaves out the kinds themselves
//! and the copies that have gone: every copy outside the hand counts as hidden still. That errs on
//! the bold side, which makes up for another simplification: a hand can switch to another plan at
//! any time. With one suit a hand also wins by melds now and then.

use judge_bot::mahjong::{Pattern, Rules};

use crate::holding::Holding;
use crate::melds::MELDS;
use crate::view::{HAND, TURNS};

/// Kinds of a suit.
pub(crate) const SUIT_KINDS: usize = 9;

/// Tiles that are hidden from the player after the deal.
const HIDDEN: f32 = 95.0;

/// The factor by which a hand of one suit is complete by melds more often than random tiles: of
/// several equal throws a player chooses the one that leaves more outs.
const SKILL: f32 = 1.5;

/// Expected scores of all holdings.
pub(crate) struct Pairs {
    kinds: usize,
    /// Points for the Faan of seven pairs, and of melds, without roots.
    seven_pairs: f32,
    melds: f32,
    all_triplets: f32,
    root: f32,
    /// By slot: the chance to be complete by melds.
    melds_chance: Vec<f32>,
    /// By slot: place of the holding in `values`.
    places: Vec<u16>,
    /// By turns to come, then by holding.
    values: Vec<Vec<f32>>,
}

impl Pairs {
    /// Solves for sets of so many kinds; nine are one suit.
    pub(crate) fn new(rules: &Rules, kinds: usize) -> Pairs {
        let flush = if kinds == SUIT_KINDS { rules.factor(Pattern::FullFlush) } else { 1 };
        let holdings: Vec<Holding> = Holding::all(kinds).collect();
        let mut places = vec![0; Holding::SLOTS];
        for (place, holding) in (0..).zip(&holdings) {
            places[holding.slot()] = place;
        }
        let mut pairs = Pairs {
            kinds,
            seven_pairs: (3 * flush * rules.factor(Pattern::SevenPairs)) as f32,
            melds: (3 * flush) as f32,
            all_triplets: rules.factor(Pattern::AllTriplets) as f32,
            root: rules.factor(Pattern::Root) as f32,
            melds_chance: melds_chances(kinds),
            places,
            values: Vec::new(),
        };
        for turns in 0..TURNS {
            let values = holdings.iter().map(|holding| pairs.solve(*holding, turns)).collect();
            pairs.values.push(values);
        }
        pairs
    }

    /// Expected score after a throw, with so many own turns to come.
    pub(crate) fn value(&self, holding: Holding, turns: usize) -> f32 {
        self.values[turns][usize::from(self.places[holding.slot()])]
    }

    /// Expected score after a draw that does not win or is declined.
    pub(crate) fn after_draw(&self, holding: Holding, turns: usize) -> f32 {
        if holding.len() <= HAND {
            return self.value(holding, turns);
        }
        let counts = (1..=4).filter(|count| holding.0[count - 1] > 0);
        counts.map(|count| self.value(holding.thrown(count), turns)).fold(0.0, f32::max)
    }

    /// True if a hand of 14 tiles like this may win.
    pub(crate) fn may_win(&self, holding: Holding) -> bool {
        holding.is_complete() || self.melds_chance[holding.slot()] > 0.0
    }

    /// The gain of the chance to win with 14 tiles over `otherwise`.
    pub(crate) fn gain(&self, holding: Holding, left: f32, otherwise: f32) -> f32 {
        let roots = self.root.powi(holding.roots());
        if holding.is_complete() {
            return (self.seven_pairs * roots + left - otherwise).max(0.0);
        }
        let chance = self.melds_chance[holding.slot()];
        if chance == 0.0 {
            return 0.0;
        }
        let triplets = if holding == Holding([0, 1, 4, 0]) { self.all_triplets } else { 1.0 };
        chance * (self.melds * triplets * roots + left - otherwise).max(0.0)
    }

    fn solve(&self, holding: Holding, turns: usize) -> f32 {
        // Own draws come from all tiles hidden at first, except the draws before them; the
        // opponent's throws are among the rest.
        let hidden = HIDDEN - (TURNS - turns) as f32;
        let left = (2 * turns) as f32;
        let passed = if turns == 0 { 0.0 } else { self.before_draw(holding, turns, hidden) };
        if holding.len() < HAND {
            return passed;
        }
        let hidden = hidden - (TURNS - 1 - turns) as f32;
        let gains = self
            .copies(holding)
            .map(|(count, copies)| copies / hidden * self.gain(holding.drawn(count), left, passed));
        passed + gains.sum::<f32>()
    }

    fn before_draw(&self, holding: Holding, turns: usize, hidden: f32) -> f32 {
        let (mut value, mut miss) = (0.0, 1.0);
        for (count, copies) in self.copies(holding) {
            let chance = copies / hidden;
            miss -= chance;
            value += chance * self.best_after_draw(holding.drawn(count), turns);
        }
        value + miss * self.value(holding, turns - 1)
    }

    /// Expected score after a draw that may win; `turns` include the one of the draw.
    pub(crate) fn best_after_draw(&self, holding: Holding, turns: usize) -> f32 {
        let otherwise = self.after_draw(holding, turns - 1);
        if holding.len() <= HAND {
            return otherwise;
        }
        otherwise + self.gain(holding, (2 * turns - 1) as f32, otherwise)
    }

    /// For each number of times that kinds are held: that number, and their copies elsewhere.
    fn copies(&self, holding: Holding) -> impl Iterator<Item = (usize, f32)> {
        let [singles, pairs, threes, _] = holding.0;
        [self.kinds - holding.kinds(), singles, pairs, threes]
            .into_iter()
            .enumerate()
            .filter(|(_, kinds)| *kinds > 0)
            .map(|(count, kinds)| (count, (kinds * (4 - count)) as f32))
    }
}

fn melds_chances(kinds: usize) -> Vec<f32> {
    let mut chances = vec![0.0; Holding::SLOTS];
    if kinds == SUIT_KINDS {
        for (holding, of_1000) in MELDS {
            chances[Holding(holding).slot()] = (f32::from(of_1000) / 1000.0 * SKILL).min(1.0);
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_and_earlier_pairs_are_worth_more() {
        let pairs = Pairs::new(&Rules::default(), SUIT_KINDS);
        let six = pairs.value(Holding([1, 6, 0, 0]), 20);
        assert!(six > pairs.value(Holding([3, 5, 0, 0]), 20));
        assert!(six > pairs.value(Holding([1, 6, 0, 0]), 10));
        assert!(pairs.value(Holding([1, 4, 0, 1]), 20) > six);
        assert_eq!(pairs.value(Holding([3, 1, 0, 0]), 0), 0.0);
    }

    #[test]
    fn factors_of_the_rules_count() {
        let mut rules = Rules::default();
        assert!(rules.set_factor(Pattern::SevenPairs, 1));
        let (dear, cheap) = (Pairs::new(&Rules::default(), 27), Pairs::new(&rules, 27));
        let six = Holding([1, 6, 0, 0]);
        assert!(dear.value(six, 20) > cheap.value(six, 20) + 5.0);
    }
}
