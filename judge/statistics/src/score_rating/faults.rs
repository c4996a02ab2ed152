//! The effect of faults on ratings by score: each player's rating if it had lost the rounds that it
//! failed in by the largest difference of any round.

use std::collections::BTreeMap;

use super::{RoundScore, ScoredPair};
use crate::solve::Factor;

/// Pairs of a player, with those that it failed in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Faults {
    pairs: u64,
    failed: u64,
    /// The change of the rating for all faults together.
    pub(super) change: f64,
}

impl Faults {
    fn share(self) -> f64 {
        self.failed as f64 / (self.pairs as f64).max(1.0)
    }

    /// Variance of the change: the share of pairs with a fault is that of few pairs.
    pub(super) fn variance(self) -> f64 {
        if self.failed == 0 {
            return 0.0;
        }
        let share = self.share();
        (self.change / share).powi(2) * share * (1.0 - share) / self.pairs as f64
    }
}

/// The faults of all players. `fit` has the pairs without a fault, and the ratings from them.
pub(super) fn of_players(
    players: usize,
    pairs: &[ScoredPair],
    fit: Option<(&Factor, &[f64])>,
) -> Vec<Faults> {
    let worst = largest_difference(pairs);
    let mut faults = vec![Faults::default(); players];
    let mut losses: BTreeMap<usize, Losses> = BTreeMap::new();
    for pair in pairs {
        for (side, player) in pair.players.into_iter().enumerate() {
            faults[player].pairs += 1;
            if let Some(difference) = loss(pair, side, worst) {
                faults[player].failed += 1;
                let sums = losses.entry(player).or_default();
                let (number, sum) = sums.entry(pair.players[1 - side]).or_default();
                (*number, *sum) = (*number + 1.0, *sum + difference);
            }
        }
    }
    for (player, losses) in &losses {
        // The ratings of the others are distances from the first player's, which no fit changes.
        let fit = fit.filter(|_| *player > 0);
        let change = fit.map(|(factor, values)| change(factor, values, *player, losses));
        faults[*player].change = change.unwrap_or(-worst * faults[*player].share());
    }
    faults
}

/// The number of pairs that a player failed in and the sum of their differences, by opponent.
type Losses = BTreeMap<usize, (f64, f64)>;

/// The mean difference of a pair for the player on that side, if it failed in a round.
fn loss(pair: &ScoredPair, side: usize, worst: f64) -> Option<f64> {
    pair.rounds.contains(&RoundScore::Failed(side)).then_some(())?;
    let difference = |round: &RoundScore| match round {
        RoundScore::Played(difference) if side == 0 => *difference as f64,
        RoundScore::Played(difference) => -(*difference as f64),
        // A fault of the opponent brings no gain, either.
        RoundScore::Failed(_) => -worst,
    };
    Some(pair.rounds.iter().map(difference).sum::<f64>() / 2.0)
}

/// The largest difference in a round without a fault.
fn largest_difference(pairs: &[ScoredPair]) -> f64 {
    let rounds = pairs.iter().flat_map(|pair| &pair.rounds);
    let differences = rounds.filter_map(|round| match round {
        RoundScore::Played(difference) => Some(difference.unsigned_abs()),
        RoundScore::Failed(_) => None,
    });
    differences.max().unwrap_or_default() as f64
}

/// The change of a player's rating by further pairs, without another fit of all players (formula of
/// Sherman, Morrison and Woodbury).
fn change(factor: &Factor, values: &[f64], player: usize, losses: &Losses) -> f64 {
    let ends = losses.keys().map(|opponent| {
        let mut ends = vec![0.0; values.len()];
        (ends[player], ends[*opponent]) = (1.0, -1.0);
        factor.solve(&ends)
    });
    let effects: Vec<Vec<f64>> = ends.collect();
    // The first row and column are not used.
    let size = losses.len() + 1;
    let (mut matrix, mut right) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    for (row, (opponent, (number, sum))) in (1..).zip(losses) {
        for (column, effect) in (1..).zip(&effects) {
            matrix[row][column] = effect[player] - effect[*opponent];
        }
        matrix[row][row] += 1.0 / number;
        right[row] = sum / number - (values[player] - values[*opponent]);
    }
    let Some(factor) = Factor::new(matrix) else { return 0.0 };
    let weights = factor.solve(&right);
    weights[1..].iter().zip(&effects).map(|(weight, effect)| weight * effect[player]).sum()
}
