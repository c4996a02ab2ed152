//! Scores as differences of strength: Elo, normalized Elo, and how sure it is that there is one.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::interval::{Estimate, FOR_SCORES, Sample, pair_score};

/// Elo points for a chance of e to 1, twice: what normalized Elo is scaled with, so that for equal
/// players who never draw it is the same as Elo.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// The difference of strength that an expected score stands for: 400 points are 10 to 1. A score
/// of 0 or 1 is infinitely far away.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score of a player who is that much stronger.
pub fn score(elo: f64) -> f64 {
    // `exp` of `libm`, as the stop of a match depends on it.
    1.0 / (1.0 + libm::exp(-elo * (std::f64::consts::LN_10 / 400.0)))
}

/// What pairs of rounds say of the difference in strength between two players.
///
/// Values are of the pairs as they were. Intervals and likelihood have [`FOR_SCORES`] pairs won
/// and as many lost beside them, as those of [`pair_score`]: without, who wins every pair would be
/// stronger with certainty, and by an amount that is known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// Elo: what the score alone stands for.
    pub elo: Estimate,
    /// Normalized Elo: how far the score is from one half, measured in its own spread. It says how
    /// many rounds it takes to see the difference. None where the pairs have no spread.
    pub normalized_elo: Option<Estimate>,
    /// Likelihood of superiority: that the first player is the stronger one, as far as nothing
    /// else is known.
    pub superiority: f64,
}

impl Strength {
    /// Of the pairs counted by their half points, from 0 to 4.
    pub fn new(counts: &[u64; 5]) -> Strength {
        let estimate = pair_score(counts);
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(elo);
        let normalized_elo = normalized_elo(&estimate, &Sample::new(counts, 0.0));
        let superiority = superiority(&Sample::new(counts, FOR_SCORES));
        Strength { elo: Estimate { value, low, high }, normalized_elo, superiority }
    }
}

/// The score and its ends, measured in the spread of the pairs as they were.
fn normalized_elo(score: &Estimate, plain: &Sample) -> Option<Estimate> {
    let scaled = |score: f64| NORMALIZED * (score - 0.5) / (2.0 * plain.variance).sqrt();
    let [value, low, high] = [score.value, score.low, score.high].map(scaled);
    // No pairs, no spread: the comparison is false for it as well.
    (plain.variance > 0.0).then_some(Estimate { value, low, high })
}

fn superiority(sample: &Sample) -> f64 {
    let error = (sample.variance / sample.pairs).sqrt();
    Normal::standard().cdf((sample.mean - 0.5) / error)
}

#[cfg(test)]
mod tests {
    use super::super::interval::Z;
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-8, "{found} instead of {expected}");
    }

    /// Estimates as fishtest makes them, without virtual pairs, in 40 digits (mpmath):
    /// `mu ± z·sqrt(var/n)` put through `-400·log10(1/s - 1)` and `800/ln 10·(mu - 1/2)/sqrt(2·var)`.
    #[test]
    fn values_are_those_of_fishtest() {
        for (counts, mean, variance, points, normalized, likelihood) in [
            (
                [10, 50, 200, 60, 15],
                0.514925373134,
                0.0389563377144,
                10.3742936378,
                18.5778493457,
                0.916831725429,
            ),
            (
                [17, 2004, 6178, 2040, 21],
                0.501072124756,
                0.0255592793984,
                0.744989726715,
                1.64751858395,
                0.751517722829,
            ),
            (
                [40, 1, 0, 3, 5],
                0.15306122449,
                0.114327363599,
                -297.194733328,
                -252.079220639,
                3.42233998907e-13,
            ),
        ] {
            let plain = Sample::new(&counts, 0.0);
            near(plain.mean, mean);
            near(plain.variance, variance);
            near(superiority(&plain), likelihood);
            let strength = Strength::new(&counts);
            near(strength.elo.value, points);
            near(strength.normalized_elo.expect("a spread").value, normalized);
        }
    }

    #[test]
    fn ends_are_those_of_fishtest_but_for_the_virtual_pairs() {
        let counts = [10, 50, 200, 60, 15];
        let plain = Sample::new(&counts, 0.0);
        let margin = Z * (plain.variance / plain.pairs).sqrt();
        let (low, high) = (plain.mean - margin, plain.mean + margin);
        let plain_score = Estimate { value: plain.mean, low, high };
        let ends = normalized_elo(&plain_score, &plain).expect("a spread");
        assert!((ends.low + 7.72997830135).abs() < 1e-6, "{ends:?}");
        assert!((ends.high - 44.8856769927).abs() < 1e-6, "{ends:?}");
        assert!((elo(plain.mean - margin) + 4.31553520133).abs() < 1e-6);
        assert!((elo(plain.mean + margin) - 25.101318978).abs() < 1e-6);
        let mended = Strength::new(&counts).elo;
        assert!((mended.low + 4.3).abs() < 0.6 && (mended.high - 25.1).abs() < 0.6, "{mended:?}");
    }

    #[test]
    fn scores_and_differences_are_each_others_inverse() {
        for points in [-700.0, -10.0, 0.0, 0.5, 200.0] {
            near(elo(score(points)), points);
        }
        near(score(400.0), 10.0 / 11.0);
        assert_eq!(score(0.0), 0.5);
    }

    #[test]
    fn swapped_players_have_the_opposite_strength() {
        let mut counts = [3, 14, 50, 20, 9];
        let there = Strength::new(&counts);
        counts.reverse();
        let here = Strength::new(&counts);
        near(there.elo.value, -here.elo.value);
        near(there.elo.low, -here.elo.high);
        near(there.superiority, 1.0 - here.superiority);
        let [there, here] = [there, here].map(|one| one.normalized_elo.expect("a spread"));
        near(there.value, -here.value);
        near(there.low, -here.high);
    }

    #[test]
    fn one_sided_results_leave_doubt() {
        let sweep = Strength::new(&[0, 0, 0, 0, 50]);
        assert_eq!((sweep.elo.value, sweep.elo.high), (f64::INFINITY, f64::INFINITY));
        assert!(sweep.elo.low > 300.0 && sweep.elo.low < 600.0, "{:?}", sweep.elo);
        assert!(sweep.superiority > 0.999);
        assert_eq!(sweep.normalized_elo, None);
        let nothing = Strength::new(&[0; 5]);
        assert_eq!((nothing.elo.value, nothing.superiority), (0.0, 0.5));
        assert_eq!(nothing.normalized_elo, None);
    }
}
