//! Random draws: shares, noise, pairs of rounds.

use judge_core::{Purpose, Random, Seed};

/// Fractions of one.
const FINE: u32 = 1 << 30;

/// Random numbers of a run.
pub(super) struct Draw(Random);

impl Draw {
    pub(super) fn new(run: u64) -> Draw {
        Draw(Seed(run).random(Purpose::Chance))
    }

    /// Uniform between 0 and 1, both excluded.
    pub(super) fn part(&mut self) -> f64 {
        (f64::from(self.0.below(FINE)) + 0.5) / f64::from(FINE)
    }

    /// Logistic noise, like strength in the model of Bradley and Terry.
    pub(super) fn noise(&mut self) -> f64 {
        let part = self.part();
        (part / (1.0 - part)).ln()
    }

    /// A random index, by weights.
    pub(super) fn place(&mut self, weights: &[f64]) -> usize {
        let mut left = self.part() * weights.iter().sum::<f64>();
        let enough = |weight: &f64| {
            left -= weight;
            left < 0.0
        };
        weights.iter().position(enough).unwrap_or(weights.len() - 1)
    }

    /// Counts of `pairs` random pairs, by the weights of their half points.
    pub(super) fn counts(&mut self, weights: &[f64; 5], pairs: u64) -> [u64; 5] {
        let mut counts = [0; 5];
        (0..pairs).for_each(|_| counts[self.place(weights)] += 1);
        counts
    }
}
