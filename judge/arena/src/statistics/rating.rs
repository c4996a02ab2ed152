//! Ratings of all players at once, by the model of Bradley and Terry ("Rank analysis of incomplete
//! block designs", 1952): the expected score of one against another depends on the difference of
//! their ratings alone. Unlike updates after each game (Elo, Glicko, Weng-Lin) the fit does not
//! depend on the order of the games, which means nothing here.

use super::interval::{Estimate, FOR_RATINGS, Sample, Z};

/// Points of rating for a chance of e to 1: 400 points are a chance of 10 to 1, as in chess.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Furthest that a rating moves in one step of the fit, so that it cannot overshoot for good.
const STRIDE: f64 = 2.0;

/// Two players, the later one first, and their pairs of games.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    /// Positions in the list of players.
    pub players: [usize; 2],
    /// Their pairs, as the first of the two sees it.
    pub sample: Sample,
}

/// The rating of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Above the first player of the list.
    pub rating: Estimate,
    /// Above the player before it in the list.
    pub step: Estimate,
}

/// Fits ratings to the meetings of so many players; the first player has 0.
///
/// Maximum likelihood over the samples with their virtual pairs, which keep it finite. The
/// intervals take the spread from the pairs as they came out, not from the model ("sandwich"), as
/// the games of a pair are not independent.
///
/// Players whom no chain of meetings joins to the first one are joined to it by virtual pairs
/// alone: they stand where it stands, give or take a lot.
pub fn fit(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let meetings = &[meetings, &links(players, meetings)].concat();
    let mut ratings = vec![0.0; players];
    for _ in 0..100 {
        let step = newton(&ratings, meetings);
        let furthest = step.iter().fold(0.0_f64, |most, change| most.max(change.abs()));
        let brake = (STRIDE / furthest).min(1.0);
        ratings.iter_mut().zip(&step).for_each(|(rating, change)| *rating += brake * change);
        if furthest < 1e-10 {
            break;
        }
    }
    let covariance = covariance(&ratings, meetings);
    let above = |one: usize, other: usize| {
        let variance =
            covariance[one][one] + covariance[other][other] - 2.0 * covariance[one][other];
        let value = ratings[one] - ratings[other];
        let margin = Z * variance.max(0.0).sqrt();
        let [value, low, high] = [value, value - margin, value + margin].map(|end| end * SCALE);
        Estimate { value, low, high }
    };
    (0..players)
        .map(|player| Rating {
            rating: above(player, 0),
            step: above(player, player.saturating_sub(1)),
        })
        .collect()
}

/// Meetings that join every group of players to the first player, each by its own first one.
fn links(players: usize, meetings: &[Meeting]) -> Vec<Meeting> {
    let mut groups: Vec<usize> = (0..players).collect();
    for meeting in meetings {
        let [one, other] = meeting.players.map(|player| groups[player]);
        let (low, high) = (one.min(other), one.max(other));
        groups.iter_mut().filter(|group| **group == high).for_each(|group| *group = low);
    }
    let sample = Sample::new(&[0; 5], FOR_RATINGS);
    let firsts = (1..players).filter(|player| groups[*player] == *player);
    firsts.map(|player| Meeting { players: [player, 0], sample }).collect()
}

/// Chance of the first of a meeting to win.
fn expected(ratings: &[f64], meeting: &Meeting) -> f64 {
    let [one, other] = meeting.players;
    1.0 / (1.0 + (ratings[other] - ratings[one]).exp())
}

/// What Newton's method adds to the ratings.
fn newton(ratings: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let mut gradient = vec![0.0; ratings.len()];
    for meeting in meetings {
        let pull = meeting.sample.pairs * (meeting.sample.mean - expected(ratings, meeting));
        gradient[meeting.players[0]] += pull;
        gradient[meeting.players[1]] -= pull;
    }
    let inverse = inverse_information(ratings, meetings);
    inverse.iter().map(|row| dot(row, &gradient)).collect()
}

/// Covariance of the ratings: the spread of the data between two inverse informations.
fn covariance(ratings: &[f64], meetings: &[Meeting]) -> Vec<Vec<f64>> {
    let inverse = inverse_information(ratings, meetings);
    let spread = laplacian(ratings.len(), meetings, |meeting| {
        meeting.sample.pairs * meeting.sample.variance
    });
    let half: Vec<Vec<f64>> =
        inverse.iter().map(|row| spread.iter().map(|column| dot(row, column)).collect()).collect();
    half.iter().map(|row| inverse.iter().map(|column| dot(row, column)).collect()).collect()
}

/// Inverse of the information matrix over all players but the first, whose rating is fixed.
fn inverse_information(ratings: &[f64], meetings: &[Meeting]) -> Vec<Vec<f64>> {
    let information = laplacian(ratings.len(), meetings, |meeting| {
        let chance = expected(ratings, meeting);
        meeting.sample.pairs * chance * (1.0 - chance)
    });
    invert_without_first(information)
}

/// The symmetric matrix of a graph with these weights. It is its own transpose.
fn laplacian(
    players: usize,
    meetings: &[Meeting],
    weight: impl Fn(&Meeting) -> f64,
) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    for meeting in meetings {
        let [one, other] = meeting.players;
        let weight = weight(meeting);
        matrix[one][one] += weight;
        matrix[other][other] += weight;
        matrix[one][other] -= weight;
        matrix[other][one] -= weight;
    }
    matrix
}

/// Inverse of a positive definite matrix without its first row and column, which are 0 in the
/// result (Gauss and Jordan; such a matrix needs no pivoting).
fn invert_without_first(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| f64::from(row == column && row > 0)).collect())
        .collect();
    for at in 1..size {
        let pivot = matrix[at][at];
        for side in [&mut matrix, &mut inverse] {
            side[at].iter_mut().for_each(|cell| *cell /= pivot);
        }
        for row in (1..size).filter(|row| *row != at) {
            let factor = matrix[row][at];
            for side in [&mut matrix, &mut inverse] {
                let from = side[at].clone();
                side[row].iter_mut().zip(&from).for_each(|(cell, value)| *cell -= factor * value);
            }
        }
    }
    inverse
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::{Purpose, Seed};

    fn meeting(players: [usize; 2], pairs: f64, mean: f64) -> Meeting {
        Meeting { players, sample: Sample { pairs, mean, variance: mean * (1.0 - mean) } }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.05, "{found} instead of {expected}");
    }

    #[test]
    fn two_players_have_the_rating_of_their_score() {
        let ratings = fit(2, &[meeting([1, 0], 100.0, 10.0 / 11.0)]);
        near(ratings[0].rating.value, 0.0);
        near(ratings[1].rating.value, 400.0);
        // Delta method: the error of the score over p(1 − p).
        let variance = (10.0 / 121.0) / 100.0 / (10.0_f64 / 121.0).powi(2);
        near(ratings[1].rating.high - 400.0, Z * variance.sqrt() * SCALE);
        assert_eq!(ratings[1].rating, ratings[1].step);
    }

    #[test]
    fn consistent_scores_are_fitted_exactly() {
        let score = |difference: f64| 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
        let truth: [f64; 4] = [0.0, 150.0, 120.0, 900.0];
        let meetings: Vec<Meeting> = (0..4)
            .flat_map(|one| (0..one).map(move |other| [one, other]))
            .map(|[one, other]| meeting([one, other], 50.0, score(truth[one] - truth[other])))
            .collect();
        for (rating, truth) in fit(4, &meetings).iter().zip(truth) {
            near(rating.rating.value, truth);
        }
        near(fit(4, &meetings)[2].step.value, -30.0);
    }

    #[test]
    fn a_chain_adds_up_and_so_do_its_errors() {
        let ratings = fit(3, &[meeting([1, 0], 100.0, 0.7), meeting([2, 1], 100.0, 0.7)]);
        near(ratings[2].rating.value, 2.0 * ratings[1].rating.value);
        let margins = [1, 2].map(|player| {
            let rating = ratings[player].rating;
            rating.high - rating.value
        });
        near(margins[1], margins[0] * 2.0_f64.sqrt());
        near(ratings[2].step.high - ratings[2].step.value, margins[0]);
    }

    #[test]
    fn one_sided_results_stay_finite() {
        let sweep = |players| Meeting {
            players,
            sample: Sample::new(&[0, 0, 0, 0, 1_000_000], FOR_RATINGS),
        };
        let ratings = fit(3, &[sweep([1, 0]), sweep([2, 0]), sweep([2, 1])]);
        assert!(ratings[1].rating.low > 0.0 && ratings[2].step.value > 0.0);
        assert!(ratings[2].rating.high.is_finite());
    }

    #[test]
    fn who_is_not_joined_to_the_first_is_anywhere() {
        let met = [meeting([1, 0], 100.0, 0.7), meeting([3, 2], 100.0, 0.7)];
        let ratings = fit(5, &met);
        near(ratings[1].rating.value, fit(2, &met[..1])[1].rating.value);
        near(ratings[2].rating.value, 0.0);
        near(ratings[3].step.value, ratings[1].rating.value);
        for rating in &ratings[2..] {
            let margin = rating.rating.high - rating.rating.value;
            assert!(margin.is_finite() && margin > 600.0, "{rating:?}");
        }
    }

    #[test]
    fn the_interval_covers_95_of_100() {
        // Three players whose pairs are independent games at 10:1 and 2:1 odds.
        let chances = [([1, 0], 2.0 / 3.0), ([2, 1], 10.0 / 11.0), ([2, 0], 20.0 / 21.0)];
        let truth = SCALE * 20_f64.ln();
        let mut covered = 0;
        for seed in 0..1000 {
            let mut random = Seed(seed).random(Purpose::Chance);
            let meetings = chances.map(|(players, chance)| {
                let mut counts = [0; 5];
                for _ in 0..100 {
                    let won = |_| f64::from(random.below(1 << 20)) < chance * f64::from(1 << 20);
                    counts[(0..2).map(won).map(|won| 2 * usize::from(won)).sum::<usize>()] += 1;
                }
                Meeting { players, sample: Sample::new(&counts, FOR_RATINGS) }
            });
            let rating = fit(3, &meetings)[2].rating;
            covered += u32::from((rating.low..=rating.high).contains(&truth));
        }
        assert!((920..=985).contains(&covered), "{covered}");
    }
}
