//! Ratings of all players at once by score differences: the difference expected between two players
//! is that of their ratings, in points of score per round. All pairs are fitted by least squares
//! (Stefani, "Football and basketball predictions using least squares", 1977; Harville, "The use of
//! linear-model methodology to rate high school or college football teams", 1977), so that the
//! order of the pairs does not matter, as in [`Ratings`](super::Ratings).

mod faults;

use std::collections::{BTreeMap, BTreeSet};

use super::estimate::{Estimate, SCALE};
use super::knowledge::Knowledge;
use super::solve::Factor;
use super::student::student;
use faults::Faults;

/// Part of a virtual pair without a difference that each player has against the first one. It keeps
/// a rating finite that no real pair determines.
const HELD: f64 = 0.1;

/// Number of different starts from which the observed spread of a player's pairs is trusted.
const ENOUGH: usize = 20;

/// A round as ratings by score see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundScore {
    /// Played to its end: the first player's score minus the other's.
    Played(i64),
    /// Ended by a fault of that player, 0 or 1.
    Failed(usize),
}

/// A pair of rounds on one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoredPair {
    /// Positions in the list of players.
    pub players: [usize; 2],
    /// The start, which is equal for pairs that start alike.
    pub start: u64,
    /// Both rounds.
    pub rounds: [RoundScore; 2],
}

/// A pair that both players played to its end.
#[derive(Debug, Clone, Copy)]
struct Margin {
    players: [usize; 2],
    /// The number of its start.
    start: usize,
    /// Mean difference per round.
    difference: f64,
}

/// Ratings of all players by score, the first of whom has 0.
///
/// A pair with a fault says nothing about the strength of either player, so it is left out. The
/// player that failed is charged for it, and the other player gains nothing. The charged rating is
/// that of a fit, only for this player, in which it lost each such round by the largest difference
/// of any round. So failing never gives a player a higher rating than losing by a difference that
/// has occurred.
#[derive(Debug, Clone)]
pub struct ScoreRatings {
    margins: Vec<Margin>,
    starts: usize,
    /// For each player the number of different starts of its pairs.
    own_starts: Vec<usize>,
    faults: Vec<Faults>,
    values: Vec<f64>,
    factor: Option<Factor>,
    /// Variance of a pair's mean difference; infinite if there are too few pairs to estimate it.
    variance: f64,
}

impl ScoreRatings {
    /// Fits ratings to the pairs of `players` players.
    pub fn fit(players: usize, pairs: &[ScoredPair]) -> ScoreRatings {
        let mut pairs = pairs.to_vec();
        // Sums of floats depend on their order.
        pairs.sort_unstable();
        let (margins, starts) = margins(&pairs);
        let factor = Factor::new(laplacian(players, margins.iter().map(|one| one.players)));
        let values = factor
            .as_ref()
            .map_or_else(|| vec![0.0; players], |factor| factor.solve(&pull(players, &margins)));
        let fit = factor.as_ref().map(|factor| (factor, values.as_slice()));
        ScoreRatings {
            own_starts: own_starts(players, &margins),
            faults: faults::of_players(players, &pairs, fit),
            variance: variance(&values, &margins),
            margins,
            starts,
            values,
            factor,
        }
    }

    /// Distance of a player above the first one, per round.
    pub fn value(&self, player: usize) -> f64 {
        self.charged(player) - self.charged(0)
    }

    /// Distance of one player above another, with its interval: the spread of the starts
    /// ("sandwich"), for a player with few starts at least the variance of all pairs, and Student's
    /// t for its own starts.
    pub fn above(&self, one: usize, other: usize) -> Estimate {
        if one == other {
            return Estimate { value: 0.0, low: 0.0, high: 0.0 };
        }
        let value = self.charged(one) - self.charged(other);
        let margin = self.margin(one, other);
        Estimate { value, low: value - margin, high: value + margin }
    }

    /// Half the width of the interval of a distance; infinite if nothing is known.
    fn margin(&self, one: usize, other: usize) -> f64 {
        let fewest = self.own_starts[one].min(self.own_starts[other]);
        let Some(factor) = self.factor.as_ref().filter(|_| fewest >= 2) else {
            return f64::INFINITY;
        };
        let mut ends = vec![0.0; self.values.len()];
        (ends[one], ends[other]) = (1.0, -1.0);
        let contrast = factor.solve(&ends);
        let model = (contrast[one] - contrast[other]) * self.variance;
        if !model.is_finite() || model <= 0.0 {
            return f64::INFINITY;
        }
        let spread = self.spread(&contrast);
        let variance = if fewest < ENOUGH { spread.max(model) } else { spread };
        let faults: f64 = [one, other].map(|player| self.faults[player].variance()).iter().sum();
        student(fewest as i128 - 1) * (variance + faults).sqrt()
    }

    /// Variance of a distance by the spread of the starts.
    fn spread(&self, contrast: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.starts];
        for margin in &self.margins {
            let [one, other] = margin.players;
            sums[margin.start] +=
                (contrast[one] - contrast[other]) * residual(&self.values, margin);
        }
        // Each start pulled the fit towards itself, which makes its residual smaller.
        let starts = self.starts as f64;
        let larger = (starts / (starts - 1.0).max(1.0)).powi(2);
        let held = |(value, weight): (&f64, &f64)| HELD * (value * weight).powi(2);
        larger * sums.iter().map(|sum| sum * sum).sum::<f64>()
            + self.values.iter().zip(contrast).map(held).sum::<f64>()
    }

    fn charged(&self, player: usize) -> f64 {
        self.values[player] + self.faults[player].change
    }

    /// The difference that is as hard to see as one Elo point between equal players: a pair's
    /// deviation divided by that of a pair in the model of Bradley and Terry.
    pub fn point(&self) -> f64 {
        self.variance.sqrt() / (2.0 * SCALE)
    }

    /// The certainty of the ratings after these further pairs, independent of their results and in
    /// the unit of [`ScoreRatings::point`]. All pairs have equal weight.
    pub fn knowledge(&self, further: &[[usize; 2]]) -> Knowledge {
        let players = self.values.len();
        let pairs = self.margins.iter().map(|margin| &margin.players).chain(further);
        let mut information = laplacian(players, pairs.copied());
        // As much as a pair between equals in the model of Bradley and Terry.
        information.iter_mut().flatten().for_each(|cell| *cell /= 4.0);
        Knowledge::new(vec![0.0; players], information)
    }
}

/// The pairs without a fault, and the number of their starts.
fn margins(pairs: &[ScoredPair]) -> (Vec<Margin>, usize) {
    let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
    let mut margins = Vec::new();
    for pair in pairs {
        let [RoundScore::Played(one), RoundScore::Played(two)] = pair.rounds else { continue };
        let next = numbers.len();
        let start = *numbers.entry(pair.start).or_insert(next);
        let difference = (one as f64 + two as f64) / 2.0;
        margins.push(Margin { players: pair.players, start, difference });
    }
    (margins, numbers.len())
}

/// The matrix of the normal equations: the pairs, and the virtual ones with the first player.
fn laplacian(players: usize, pairs: impl Iterator<Item = [usize; 2]>) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    let mut add = |[one, other]: [usize; 2], weight: f64| {
        matrix[one][one] += weight;
        matrix[other][other] += weight;
        matrix[one][other] -= weight;
        matrix[other][one] -= weight;
    };
    pairs.for_each(|pair| add(pair, 1.0));
    (1..players).for_each(|player| add([player, 0], HELD));
    matrix
}

fn pull(players: usize, margins: &[Margin]) -> Vec<f64> {
    let mut pull = vec![0.0; players];
    for Margin { players: [one, other], difference, .. } in margins {
        pull[*one] += difference;
        pull[*other] -= difference;
    }
    pull
}

fn own_starts(players: usize, margins: &[Margin]) -> Vec<usize> {
    let mut starts = vec![BTreeSet::new(); players];
    for margin in margins {
        for player in margin.players {
            starts[player].insert(margin.start);
        }
    }
    starts.iter().map(BTreeSet::len).collect()
}

fn residual(values: &[f64], margin: &Margin) -> f64 {
    let [one, other] = margin.players.map(|player| values[player]);
    margin.difference - (one - other)
}

/// Variance of a pair around the fit; infinite without more pairs than ratings.
fn variance(values: &[f64], margins: &[Margin]) -> f64 {
    let players: BTreeSet<usize> = margins.iter().flat_map(|margin| margin.players).collect();
    let freedom = (margins.len() + 1).saturating_sub(players.len());
    let real: f64 = margins.iter().map(|margin| residual(values, margin).powi(2)).sum();
    let held: f64 = values.iter().map(|value| HELD * value * value).sum();
    if freedom == 0 { f64::INFINITY } else { (real + held) / freedom as f64 }
}

#[cfg(test)]
mod tests;
