//! The certainty of ratings, and the next pair that would increase it most: one step of an
//! A-optimal design, which minimizes variances, in the model of Bradley and Terry.

use super::estimate::SCALE;
use super::solve::Factor;

/// Values of all players and their covariance, with the first player's value fixed.
#[derive(Debug, Clone)]
pub struct Knowledge {
    values: Vec<f64>,
    /// In natural logarithms; the first row and column are 0.
    covariance: Vec<Vec<f64>>,
}

impl Knowledge {
    /// Inverts the information matrix, or uses the identity if it is singular.
    pub(super) fn new(values: Vec<f64>, information: Vec<Vec<f64>>) -> Knowledge {
        let size = values.len();
        let covariance = match Factor::new(information) {
            None => (0..size).map(|row| unit(size, row)).collect(),
            Some(factor) => (0..size).map(|row| factor.solve(&unit(size, row))).collect(),
        };
        Knowledge { values, covariance }
    }

    /// Standard error of the distance between two players, in rating points, by the model.
    pub fn error(&self, one: usize, other: usize) -> f64 {
        self.variance(one, other).max(0.0).sqrt() * SCALE
    }

    /// The reduction of the variances of the targets, which are distances between players, by a
    /// pair of these two: their sum, in squares of natural logarithms. Never negative.
    pub fn gain(&self, [one, other]: [usize; 2], targets: &[[usize; 2]]) -> f64 {
        let chance = 1.0 / (1.0 + (self.values[other] - self.values[one]).exp());
        let weight = chance * (1.0 - chance);
        let row = |player: usize| &self.covariance[player];
        let (mine, its) = (row(one), row(other));
        let along = |player: usize| mine[player] - its[player];
        let square = |target: &[usize; 2]| (along(target[0]) - along(target[1])).powi(2);
        let squares: f64 = targets.iter().map(square).sum();
        weight * squares / (1.0 + weight * self.variance(one, other).max(0.0))
    }

    fn variance(&self, one: usize, other: usize) -> f64 {
        let cell = |row: usize, column: usize| self.covariance[row][column];
        cell(one, one) + cell(other, other) - 2.0 * cell(one, other)
    }
}

fn unit(size: usize, at: usize) -> Vec<f64> {
    let mut row = vec![0.0; size];
    // The first player is fixed.
    if at > 0 {
        row[at] = 1.0;
    }
    row
}

#[cfg(test)]
mod tests {
    use crate::{RatedMeeting, Ratings};

    fn meeting(players: [usize; 2], half_points: &[u8]) -> RatedMeeting {
        let base = 1000 * (players[0] as u64 * 10 + players[1] as u64);
        RatedMeeting { players, pairs: (base..).zip(half_points.iter().copied()).collect() }
    }

    /// Computes the variances before and after another pair.
    #[test]
    fn the_gain_is_the_decrease_of_variances() {
        let meetings = [
            meeting([0, 1], &[4, 2, 1, 3, 0, 2, 4]),
            meeting([1, 2], &[2, 2, 4, 0]),
            meeting([0, 3], &[1, 2]),
        ];
        let ratings = Ratings::fit_held(4, &meetings);
        let before = ratings.knowledge(&[]);
        let targets = [[1, 0], [2, 0], [3, 0]];
        for pair in [[0, 1], [0, 2], [1, 2], [2, 3], [3, 1]] {
            let after = ratings.knowledge(&[pair]);
            let square = |points: f64| (points / super::SCALE).powi(2);
            let lost = targets.map(|[one, other]| {
                square(before.error(one, other)) - square(after.error(one, other))
            });
            let (lost, told) = (lost.iter().sum::<f64>(), before.gain(pair, &targets));
            assert!((lost - told).abs() < 1e-9 && told > 0.0, "{pair:?}: {lost} {told}");
        }
    }

    #[test]
    fn the_gain_is_largest_for_the_least_known_player() {
        let close: Vec<u8> = [1, 2, 3, 2].repeat(20);
        let meetings = [meeting([0, 1], &close), meeting([1, 2], &close), meeting([0, 3], &[2])];
        let knowledge = Ratings::fit_held(5, &meetings).knowledge(&[]);
        let targets = [[1, 0], [2, 0], [3, 0], [4, 0]];
        let gain = |pair| knowledge.gain(pair, &targets);
        assert!(gain([0, 4]) > gain([0, 3]) && gain([0, 3]) > gain([0, 2]));
        assert!(gain([1, 4]) > gain([3, 4]), "a newcomer meets a known player first");
        // A pair in progress counts as played.
        let further = Ratings::fit_held(5, &meetings).knowledge(&[[0, 4]; 3]);
        assert!(further.gain([0, 4], &targets) < gain([0, 4]) / 4.0);
    }
}
