//! What a hand of 13 tiles is worth.

use judge_bot::mahjong::{Hand, Pattern, Rules, Suit, Tile, distance, faan_with, useful_tiles};

use crate::pairs::{Holding, Pairs, drawn};
use crate::race::Race;

/// What the player knows.
#[derive(Clone)]
pub struct View {
    pub hand: Hand,
    pub unseen: [u8; Tile::KINDS],
    /// Tiles in the wall.
    pub left: usize,
}

pub struct Plans {
    pub rules: Rules,
    race: Race,
    flush_pairs: Pairs,
    any_pairs: Pairs,
}

type Target = &'static [Suit];
const SUITS: [Target; 3] = [&[Suit::Bamboo], &[Suit::Characters], &[Suit::Dots]];
const TWO_SUITS: [Target; 3] = [
    &[Suit::Bamboo, Suit::Characters],
    &[Suit::Bamboo, Suit::Dots],
    &[Suit::Characters, Suit::Dots],
];
const ALL_SUITS: [Target; 1] = [&Suit::ALL];

fn within(hand: &Hand, target: Target) -> Hand {
    Hand::from_tiles(hand.iter().filter(|tile| target.contains(&tile.suit()))).expect("fewer")
}

impl Plans {
    pub fn new(rules: &Rules) -> Plans {
        Plans {
            rules: *rules,
            race: Race::new(),
            flush_pairs: Pairs::new(rules, 9),
            any_pairs: Pairs::new(rules, if rules.void_suit { 18 } else { 27 }),
        }
    }

    fn wide(&self) -> &'static [Target] {
        if self.rules.void_suit { &TWO_SUITS } else { &ALL_SUITS }
    }

    /// The hand has 13 tiles and the wall an odd number.
    pub fn value(&self, view: &View) -> f32 {
        let mut values: Vec<f32> = Vec::new();
        for target in SUITS {
            values.push(self.race(view, target));
            values.push(self.pairs(view, target, &self.flush_pairs));
        }
        for target in self.wide() {
            values.push(self.race(view, target));
            values.push(self.pairs(view, target, &self.any_pairs));
        }
        let best = values.iter().copied().fold(0.0, f32::max);
        let sum: f32 = values.iter().sum();
        best + 0.02 * sum
    }

    fn pairs(&self, view: &View, target: Target, pairs: &Pairs) -> f32 {
        let turn = view.left / 2;
        let mut n: Holding = [0; 4];
        for tile in view.hand.kinds().filter(|tile| target.contains(&tile.suit())) {
            n[usize::from(view.hand.count(tile)) - 1] += 1;
        }
        if turn == 0 {
            return 0.0;
        }
        let unseen = (view.left + 13) as f32;
        let (mut value, mut miss) = (0.0, 1.0);
        for tile in Tile::ALL.into_iter().filter(|tile| target.contains(&tile.suit())) {
            let copies = view.unseen[tile.index()];
            if copies > 0 {
                let chance = f32::from(copies) / unseen;
                let after = drawn(n, usize::from(view.hand.count(tile)));
                value += chance * pairs.after_draw(after, turn);
                if Pairs::is_complete(after) {
                    // It may come as a discard first.
                    let prize = pairs.prize(after) + view.left as f32 - 1.0;
                    value += chance * (prize - pairs.value(n, turn - 1)).max(0.0);
                }
                miss -= chance;
            }
        }
        value + miss * pairs.value(n, turn - 1)
    }

    fn race(&self, view: &View, target: Target) -> f32 {
        let held = within(&view.hand, target);
        let missing = 13 - held.len() as i32;
        let steps = distance(&held).max(missing).max(0) as usize;
        let turn = view.left / 2;
        match steps {
            0 => self.ready(&held, view, turn),
            1 => self.near(&held, view, target, turn),
            10.. => 0.0,
            _ => self.far(&held, view, target, steps, turn),
        }
    }

    /// Outs and mean Faan of a hand that is ready.
    fn waits(&self, held: &Hand, view: &View) -> (usize, f32) {
        let (mut outs, mut faan) = (0, 0);
        for tile in Tile::ALL {
            let copies = u32::from(view.unseen[tile.index()]);
            if copies > 0 {
                let each = faan_with(held, tile, &self.rules);
                if each > 0 {
                    outs += copies;
                    faan += copies * each;
                }
            }
        }
        (outs as usize, if outs == 0 { 0.0 } else { faan as f32 / outs as f32 })
    }

    fn ready(&self, held: &Hand, view: &View, turn: usize) -> f32 {
        let (outs, faan) = self.waits(held, view);
        self.race.wait(outs, turn).score(faan)
    }

    fn near(&self, held: &Hand, view: &View, target: Target, turn: usize) -> f32 {
        let mut list = Vec::with_capacity(27);
        let short = held.len() < 13;
        for tile in Tile::ALL.into_iter().filter(|tile| target.contains(&tile.suit())) {
            let copies = view.unseen[tile.index()];
            if copies == 0 || held.count(tile) == 4 {
                continue;
            }
            let mut with = *held;
            with.insert(tile).expect("checked");
            if distance(&with) > 0 {
                continue;
            }
            let (outs, faan) = if short { self.waits(&with, view) } else { self.best_wait(&with, view, turn) };
            list.push((f32::from(copies), outs, faan));
        }
        self.race.advance(&list, (view.left + 13) as f32, turn)
    }

    fn best_wait(&self, with: &Hand, view: &View, turn: usize) -> (usize, f32) {
        let mut best = (0, 0.0);
        let mut value = 0.0;
        for thrown in with.kinds() {
            let mut held = *with;
            assert!(held.remove(thrown));
            if distance(&held) > 0 {
                continue;
            }
            let (outs, faan) = self.waits(&held, view);
            let each = self.race.wait(outs, turn).score(faan);
            if each > value {
                (best, value) = ((outs, faan), each);
            }
        }
        best
    }

    fn far(&self, held: &Hand, view: &View, target: Target, steps: usize, turn: usize) -> f32 {
        let useful = useful_tiles(held);
        let short = (13 - held.len()) as i32 >= distance(held);
        let outs: u32 = Tile::ALL
            .iter()
            .filter(|tile| target.contains(&tile.suit()) && (short || useful.contains(**tile)))
            .map(|tile| u32::from(view.unseen[tile.index()]))
            .sum();
        let chance = outs as f32 / (view.left + 13) as f32;
        let faan = if target.len() == 1 { self.rules.factor(Pattern::FullFlush) as f32 } else { 1.3 };
        self.race.approach(steps, chance, turn).score(faan)
    }
}
