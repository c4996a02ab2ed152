//! Seven pairs out of a set of kinds of tiles, as a small Markov decision process.

use judge_bot::mahjong::{Pattern, Rules};

/// How many kinds of the set are held once, twice, three and four times.
pub type Holding = [usize; 4];

/// Most kinds that a hand of 13 tiles can hold so many times, plus one.
const BOUNDS: Holding = [14, 7, 5, 4];

/// Discards that each side has at most.
pub const TURNS: usize = 41;

/// Tiles of a hand between its turns.
const HAND: usize = 13;

/// Unseen tiles when the first tile is drawn.
const UNSEEN: f32 = 95.0;

/// Expected score of each holding after each of the player's discards.
pub struct Pairs {
    kinds: usize,
    factor: f32,
    root: f32,
    slots: Vec<u16>,
    holdings: Vec<Holding>,
    values: Vec<f32>,
}

fn slot(n: Holding) -> usize {
    ((n[0] * BOUNDS[1] + n[1]) * BOUNDS[2] + n[2]) * BOUNDS[3] + n[3]
}

pub fn tiles(n: Holding) -> usize {
    n[0] + 2 * n[1] + 3 * n[2] + 4 * n[3]
}

/// One tile more of a kind that is held `count` times.
pub fn drawn(mut n: Holding, count: usize) -> Holding {
    if count > 0 {
        n[count - 1] -= 1;
    }
    n[count] += 1;
    n
}

/// One tile less of a kind that is held `count` times.
pub fn thrown(mut n: Holding, count: usize) -> Holding {
    n[count - 1] -= 1;
    if count > 1 {
        n[count - 2] += 1;
    }
    n
}

impl Pairs {
    pub fn new(rules: &Rules, kinds: usize) -> Pairs {
        let flush = if kinds == 9 { rules.factor(Pattern::FullFlush) } else { 1 };
        let mut holdings = Vec::new();
        let mut slots = vec![u16::MAX; BOUNDS.iter().product()];
        for s in 0..BOUNDS[0] {
            for p in 0..BOUNDS[1] {
                for t in 0..BOUNDS[2] {
                    for q in 0..BOUNDS[3] {
                        let n = [s, p, t, q];
                        if tiles(n) <= HAND && s + p + t + q <= kinds {
                            slots[slot(n)] = holdings.len() as u16;
                            holdings.push(n);
                        }
                    }
                }
            }
        }
        let mut table = Pairs {
            kinds,
            factor: 3.0 * (flush * rules.factor(Pattern::SevenPairs)) as f32,
            root: rules.factor(Pattern::Root) as f32,
            values: vec![0.0; holdings.len() * TURNS],
            slots,
            holdings,
        };
        for turn in 0..TURNS {
            for at in 0..table.holdings.len() {
                let value = table.settle(table.holdings[at], turn);
                table.values[turn * table.holdings.len() + at] = value;
            }
        }
        table
    }

    /// Expected score after the discard that leaves `2 * turn + 1` tiles in the wall.
    pub fn value(&self, n: Holding, turn: usize) -> f32 {
        let at = self.slots[slot(n)];
        self.values[turn * self.holdings.len() + usize::from(at)]
    }

    /// Three times the Faan of seven pairs.
    pub fn prize(&self, n: Holding) -> f32 {
        self.factor * self.root.powi(n[3] as i32)
    }

    pub fn is_complete(n: Holding) -> bool {
        n[0] == 0 && n[2] == 0 && tiles(n) == HAND + 1
    }

    fn settle(&self, n: Holding, turn: usize) -> f32 {
        let left = (2 * turn) as f32;
        let unseen = UNSEEN - (TURNS - turn) as f32;
        let after = if turn == 0 { 0.0 } else { self.before_draw(n, turn, unseen) };
        if tiles(n) == HAND && n[0] + n[2] == 1 {
            let count = if n[0] == 1 { 1 } else { 3 };
            let prize = self.prize(drawn(n, count)) + left;
            let seen = (TURNS - 1 - turn) as f32;
            let chance = (4 - count) as f32 / (unseen - seen);
            return after + chance * (prize - after).max(0.0);
        }
        after
    }

    fn before_draw(&self, n: Holding, turn: usize, unseen: f32) -> f32 {
        let held: usize = n.iter().sum();
        let mut miss = 1.0;
        let mut value = 0.0;
        for count in 0..4 {
            let kinds = if count == 0 { self.kinds - held } else { n[count - 1] };
            if kinds == 0 {
                continue;
            }
            let chance = (kinds * (4 - count)) as f32 / unseen;
            miss -= chance;
            value += chance * self.after_draw(drawn(n, count), turn);
        }
        value + miss * self.value(n, turn - 1)
    }

    /// After a draw; `turn` is that of the discard before it.
    pub fn after_draw(&self, n: Holding, turn: usize) -> f32 {
        if tiles(n) <= HAND {
            return self.value(n, turn - 1);
        }
        let mut best = if Pairs::is_complete(n) { self.prize(n) + (2 * turn - 1) as f32 } else { 0.0 };
        for count in 1..=4 {
            if n[count - 1] > 0 {
                best = best.max(self.value(thrown(n, count), turn - 1));
            }
        }
        best
    }
}
