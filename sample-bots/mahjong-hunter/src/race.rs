//! The speed of an ordinary hand: its chances per turn, summed over the turns to come.

use crate::view::TURNS;

/// Chance to win, and the tiles then left in the wall times that chance: with any Faan the
/// expected score follows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Finish {
    chance: f32,
    left: f32,
}

impl Finish {
    /// Expected score with this many Faan.
    pub(crate) fn score(self, faan: f32) -> f32 {
        3.0 * faan * self.chance + self.left
    }

    fn add(&mut self, weight: f32, other: Finish) {
        self.chance += weight * other.chance;
        self.left += weight * other.left;
    }
}

/// The winning tiles of a hand that is ready.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wait {
    /// Hidden copies that win.
    pub(crate) outs: usize,
    /// Their mean Faan.
    pub(crate) faan: f32,
}

/// Bound of the outs in the table.
const OUTS: usize = 33;

/// Bound of the distance: beyond it the expected score is 0.
pub(crate) const STEPS: usize = 10;

/// Outs of a typical hand that is ready.
const TYPICAL_OUTS: usize = 6;

/// Chance of a typical hand that a draw brings it nearer, by its distance. (A hand that is ready
/// is in another table.)
const TYPICAL: [f32; STEPS] = [0.0, 0.17, 0.27, 0.38, 0.48, 0.55, 0.6, 0.6, 0.6, 0.6];

/// Tables by the own turns to come, from after a throw on.
pub(crate) struct Race {
    waits: Vec<[Finish; OUTS]>,
    steps: Vec<[Finish; STEPS]>,
}

impl Race {
    pub(crate) fn new() -> Race {
        let mut race = Race { waits: Vec::new(), steps: Vec::new() };
        for turns in 0..TURNS {
            let waits = std::array::from_fn(|outs| race.solve_wait(outs, turns));
            let steps = std::array::from_fn(|steps| match steps {
                0 => waits[TYPICAL_OUTS],
                _ => race.solve_step(steps, turns),
            });
            race.waits.push(waits);
            race.steps.push(steps);
        }
        race
    }

    /// The opponent throws, then comes an own draw, then it begins again with one turn less.
    fn solve_wait(&self, outs: usize, turns: usize) -> Finish {
        let (hidden, left) = ((2 * turns + 14) as f32, (2 * turns) as f32);
        let thrown = outs as f32 / hidden;
        let mut finish = Finish { chance: thrown, left: thrown * left };
        if turns > 0 {
            let drawn = (1.0 - thrown) * outs as f32 / (hidden - 1.0);
            finish.add(drawn, Finish { chance: 1.0, left: left - 1.0 });
            finish.add(1.0 - thrown - drawn, self.waits[turns - 1][outs]);
        }
        finish
    }

    fn solve_step(&self, steps: usize, turns: usize) -> Finish {
        let mut finish = Finish::default();
        if turns > 0 {
            finish.add(TYPICAL[steps], self.steps[turns - 1][steps - 1]);
            finish.add(1.0 - TYPICAL[steps], self.steps[turns - 1][steps]);
        }
        finish
    }

    /// Expected score of a hand that is ready.
    pub(crate) fn wait(&self, wait: Wait, turns: usize) -> f32 {
        self.waits[turns][wait.outs.min(OUTS - 1)].score(wait.faan)
    }

    /// A hand so many steps from ready, one or more; `chance` is that of a useful draw.
    pub(crate) fn approach(&self, steps: usize, chance: f32, turns: usize) -> Finish {
        let (mut finish, mut still) = (Finish::default(), 1.0);
        for later in (0..turns).rev() {
            finish.add(still * chance, self.steps[later][steps - 1]);
            still *= 1.0 - chance;
        }
        finish
    }

    /// Expected score of a hand one step from ready, by its winning tiles after each useful draw
    /// and the chance of that draw.
    pub(crate) fn advance(&self, draws: &[(f32, Wait)], turns: usize) -> f32 {
        let chance: f32 = draws.iter().map(|(chance, _)| chance).sum();
        let (mut value, mut still) = (0.0, 1.0);
        for later in (0..turns).rev() {
            let now = draws.iter().map(|(chance, wait)| chance * self.wait(*wait, later));
            value += still * now.sum::<f32>();
            still *= 1.0 - chance;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_without_outs_wins_nothing_and_one_with_many_soon() {
        let race = Race::new();
        assert_eq!(race.wait(Wait { outs: 0, faan: 4.0 }, 40), 0.0);
        let soon = race.wait(Wait { outs: 32, faan: 1.0 }, 40);
        assert!((78.0..83.0).contains(&soon), "{soon}");
    }

    #[test]
    fn a_hand_one_step_nearer_is_worth_more() {
        let race = Race::new();
        let worth = |steps| race.approach(steps, 0.2, 30).score(1.0);
        assert!((1..STEPS - 1).all(|steps| worth(steps) > worth(steps + 1)));
    }
}
