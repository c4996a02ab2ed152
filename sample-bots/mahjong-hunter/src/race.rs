//! How soon a hand wins that is so many steps from it, as chances per turn.

use crate::pairs::TURNS;

/// Chance to win, and the tiles then left in the wall times that chance.
#[derive(Clone, Copy, Default)]
pub struct Finish {
    pub chance: f32,
    pub left: f32,
}

impl Finish {
    pub fn score(self, faan: f32) -> f32 {
        3.0 * faan * self.chance + self.left
    }

    pub fn add(&mut self, weight: f32, other: Finish) {
        self.chance += weight * other.chance;
        self.left += weight * other.left;
    }
}

/// Most outs in the table of waits.
const OUTS: usize = 33;

/// Steps in the table.
pub const STEPS: usize = 10;

/// Typical chance that a draw brings a hand nearer that is 1, 2, ... steps from ready.
pub const TYPICAL: [f32; STEPS] = [0.06, 0.17, 0.27, 0.38, 0.48, 0.55, 0.6, 0.6, 0.6, 0.6];

/// The tables, by turn: after the discard that leaves `2 * turn + 1` tiles.
pub struct Race {
    waits: Vec<[Finish; OUTS]>,
    steps: Vec<[Finish; STEPS]>,
}

impl Race {
    pub fn new() -> Race {
        let mut race = Race { waits: Vec::new(), steps: Vec::new() };
        for turn in 0..TURNS {
            let waits = std::array::from_fn(|outs| race.settle_wait(outs, turn));
            race.waits.push(waits);
            let mut steps = [Finish::default(); STEPS];
            steps[0] = race.waits[turn][6];
            for step in 1..STEPS {
                steps[step] = race.settle_step(TYPICAL[step], step, turn);
            }
            race.steps.push(steps);
        }
        race
    }

    fn settle_wait(&self, outs: usize, turn: usize) -> Finish {
        let unseen = (2 * turn + 14) as f32;
        let chance = outs as f32 / unseen;
        let left = (2 * turn) as f32;
        let mut finish = Finish { chance, left: chance * left };
        if turn > 0 {
            let again = (1.0 - chance) * outs as f32 / (unseen - 1.0);
            finish.add(again, Finish { chance: 1.0, left: left - 1.0 });
            finish.add(1.0 - chance - again, self.waits[turn - 1][outs]);
        }
        finish
    }

    fn settle_step(&self, chance: f32, step: usize, turn: usize) -> Finish {
        let mut finish = Finish::default();
        if turn > 0 {
            finish.add(chance, self.steps[turn - 1][step - 1]);
            finish.add(1.0 - chance, self.steps[turn - 1][step]);
        }
        finish
    }

    /// Ready with so many outs.
    pub fn wait(&self, outs: usize, turn: usize) -> Finish {
        self.waits[turn][outs.min(OUTS - 1)]
    }

    /// So many steps from ready; `chance` is that of a useful draw.
    pub fn approach(&self, steps: usize, chance: f32, turn: usize) -> Finish {
        let mut finish = Finish::default();
        let mut still = 1.0;
        for later in (0..turn).rev() {
            finish.add(still * chance, self.steps[later][steps - 1]);
            still *= 1.0 - chance;
        }
        finish
    }

    /// The chance that a useful draw comes, by what the hand is worth after it.
    pub fn advance(&self, outs: &[(f32, usize, f32)], unseen: f32, turn: usize) -> f32 {
        let all: f32 = outs.iter().map(|out| out.0).sum::<f32>() / unseen;
        let (mut value, mut still) = (0.0, 1.0);
        for later in (0..turn).rev() {
            for &(copies, wait, faan) in outs {
                value += still * copies / unseen * self.wait(wait, later).score(faan);
            }
            still *= 1.0 - all;
        }
        value
    }
}
