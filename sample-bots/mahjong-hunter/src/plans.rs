//! The value of a hand: the best of several plans for it.

use judge_bot::mahjong::{Hand, Pattern, Rules, Suit, Tile, distance, faan_with, useful_tiles};

use crate::flush::Flush;
use crate::futures::Futures;
use crate::holding::Holding;
use crate::pairs::{Pairs, SUIT_KINDS};
use crate::race::{Race, STEPS, Wait};
use crate::view::{HAND, View, kinds_of};

/// Faan of a typical ordinary win.
const TYPICAL_FAAN: f32 = 1.3;

/// Weight of all plans together, in addition to the best one: a hand with several good plans can
/// change its mind.
const FLEXIBILITY: f32 = 0.01;

/// The weight of the sampled walls in the estimate of a full flush; the rest is the table's.
const SAMPLED: f32 = 0.7;

/// Candidates that are worth the cost of sampled walls.
const FINALISTS: usize = 3;

/// Sets of suits that may win together when a suit must be missing.
const TWO_SUITS: [&[Suit]; 3] = [
    &[Suit::Bamboo, Suit::Characters],
    &[Suit::Bamboo, Suit::Dots],
    &[Suit::Characters, Suit::Dots],
];

/// The plans under the rules of a round.
pub(crate) struct Plans {
    rules: Rules,
    race: Race,
    flush_pairs: Pairs,
    any_pairs: Pairs,
}

impl Plans {
    pub(crate) fn new(rules: &Rules) -> Plans {
        let kinds = if rules.void_suit { 2 * SUIT_KINDS } else { 3 * SUIT_KINDS };
        Plans {
            rules: *rules,
            race: Race::new(),
            flush_pairs: Pairs::new(rules, SUIT_KINDS),
            any_pairs: Pairs::new(rules, kinds),
        }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The best throw of a hand of 14 tiles, and the value of the hand after it.
    pub(crate) fn best_throw(&self, view: &View) -> (Tile, f32) {
        let rate = |tile: Tile| (tile, self.worth(&view.without(tile), None));
        let mut throws: Vec<(Tile, f32)> = view.hand.kinds().map(rate).collect();
        throws.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let Some(futures) = sampled(view) {
            throws.truncate(FINALISTS);
            for (tile, worth) in &mut throws {
                *worth = self.worth(&view.without(*tile), Some(&futures));
            }
        }
        let best = throws.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.expect("asked with 14 tiles")
    }

    /// Expected score of a hand of 13 tiles, by the tables only.
    pub(crate) fn value(&self, view: &View) -> f32 {
        self.worth(view, None)
    }

    fn worth(&self, view: &View, futures: Option<&Futures>) -> f32 {
        let flushes = Suit::ALL.iter().flat_map(|suit| {
            [self.fastest(view, std::slice::from_ref(suit)), self.flush(view, suit, futures)]
        });
        let wide: &[&[Suit]] = if self.rules.void_suit { &TWO_SUITS } else { &[&Suit::ALL] };
        let others = wide.iter().flat_map(|suits| {
            [self.fastest(view, suits), pairs_next(&self.any_pairs, view, suits)]
        });
        let (mut best, mut sum) = (0.0_f32, 0.0);
        for value in flushes.chain(others) {
            best = best.max(value);
            sum += value;
        }
        best + FLEXIBILITY * sum
    }

    /// Full flush of a suit, most likely of seven pairs.
    fn flush(&self, view: &View, suit: &Suit, futures: Option<&Futures>) -> f32 {
        let table = pairs_next(&self.flush_pairs, view, std::slice::from_ref(suit));
        let flush = || Flush::new(view, *suit, &self.flush_pairs, &self.rules);
        match futures {
            Some(futures) if suit_len(&view.hand, *suit) >= HAND => {
                let flush = flush();
                let mean = futures.mean(|order| flush.play(order));
                table + SAMPLED * (mean - table)
            }
            _ => table,
        }
    }

    /// The nearest win within these suits.
    fn fastest(&self, view: &View, suits: &[Suit]) -> f32 {
        let held = view.within(suits);
        let missing = HAND - held.len();
        let steps = usize::try_from(distance(&held)).unwrap_or(0).max(missing);
        match steps {
            0 => self.race.wait(self.wait(&held, view), view.turns()),
            1 => self.one_step(&held, view, suits),
            2..STEPS => self.many_steps(&held, view, suits, steps),
            _ => 0.0,
        }
    }

    /// The winning tiles of 13 tiles that are ready.
    fn wait(&self, held: &Hand, view: &View) -> Wait {
        let (mut outs, mut faan) = (0, 0);
        for tile in Tile::ALL {
            let copies = u32::from(view.unseen[tile.index()]);
            let each = if copies > 0 { faan_with(held, tile, &self.rules) } else { 0 };
            if each > 0 {
                outs += copies;
                faan += copies * each;
            }
        }
        Wait { outs: outs as usize, faan: faan as f32 / outs.max(1) as f32 }
    }

    fn one_step(&self, held: &Hand, view: &View, suits: &[Suit]) -> f32 {
        let mut draws = Vec::with_capacity(Tile::KINDS);
        for tile in kinds_of(suits).filter(|tile| view.unseen[tile.index()] > 0) {
            let mut hand = *held;
            if hand.insert(tile).is_ok() && distance(&hand) <= 0 {
                let chance = f32::from(view.unseen[tile.index()]) / view.hidden();
                draws.push((chance, self.best_wait(&hand, view)));
            }
        }
        self.race.advance(&draws, view.turns())
    }

    /// The best that a hand can wait for after a throw, if it needs one.
    fn best_wait(&self, hand: &Hand, view: &View) -> Wait {
        if hand.len() <= HAND {
            return self.wait(hand, view);
        }
        let without = |tile: Tile| {
            let mut held = *hand;
            (held.remove(tile) && distance(&held) <= 0).then_some(held)
        };
        let waits = hand.kinds().filter_map(without).map(|held| self.wait(&held, view));
        let value = |wait: &Wait| self.race.wait(*wait, view.turns());
        waits.max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or_default()
    }

    fn many_steps(&self, held: &Hand, view: &View, suits: &[Suit], steps: usize) -> f32 {
        let useful = useful_tiles(held);
        // While tiles of other suits have to go, every tile of these suits is useful.
        let short = HAND as i32 - held.len() as i32 >= distance(held);
        let copies = |tile: Tile| u32::from(view.unseen[tile.index()]);
        let outs: u32 =
            kinds_of(suits).filter(|tile| short || useful.contains(*tile)).map(copies).sum();
        let faan = match suits.len() {
            1 => self.rules.factor(Pattern::FullFlush) as f32,
            _ => TYPICAL_FAAN,
        };
        self.race.approach(steps, outs as f32 / view.hidden(), view.turns()).score(faan)
    }
}

/// Walls to play on over, if the hand of 14 tiles is of one suit: then every throw costs something.
fn sampled(view: &View) -> Option<Futures> {
    let flush = Suit::ALL.iter().any(|suit| suit_len(&view.hand, *suit) > HAND);
    flush.then(|| Futures::new(view))
}

fn suit_len(hand: &Hand, suit: Suit) -> usize {
    kinds_of(&[suit]).map(|tile| usize::from(hand.count(tile))).sum()
}

/// Seven pairs of these suits: the next turn over the copies that are really hidden, then the
/// table.
fn pairs_next(pairs: &Pairs, view: &View, suits: &[Suit]) -> f32 {
    let holding = Holding::from_hand(&view.hand, suits);
    let turns = view.turns();
    let Some(later) = turns.checked_sub(1) else { return pairs.value(holding, 0) };
    let passed = pairs.value(holding, later);
    let (mut value, mut miss) = (0.0, 1.0);
    for tile in kinds_of(suits).filter(|tile| view.unseen[tile.index()] > 0) {
        let chance = f32::from(view.unseen[tile.index()]) / view.hidden();
        let after = holding.drawn(usize::from(view.hand.count(tile)));
        value += chance * pairs.best_after_draw(after, turns);
        if after.len() > HAND {
            // The opponent may throw it first.
            value += chance * pairs.gain(after, (2 * turns) as f32, passed);
        }
        miss -= chance;
    }
    value + miss * passed
}
