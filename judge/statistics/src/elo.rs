//! Scores as differences in strength: Elo, normalized Elo, and the likelihood of superiority.

use serde::Serialize;

use super::estimate::Estimate;
use super::spread::Spread;

/// Twice the Elo points for a chance of e to 1: the scale of normalized Elo, which makes it equal
/// to Elo for equal players who never draw.
pub(super) const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// The difference in strength for an expected score: 400 points are 10 to 1. A score of 0 or 1
/// gives an infinite difference.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score for this difference in strength.
pub fn score(elo: f64) -> f64 {
    // `exp` of `libm`, because the stop of a match depends on it.
    1.0 / (1.0 + libm::exp(-elo * (std::f64::consts::LN_10 / 400.0)))
}

/// Estimates of the difference in strength between two players, from pairs of rounds.
///
/// Values are those of the pairs. The interval of Elo and the likelihood add
/// [`FOR_SCORES`](super::FOR_SCORES) pairs won and as many lost, as
/// [`pair_score`](super::pair_score) does. Without them, a player that wins every pair would be
/// stronger with certainty, by an exactly known amount.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// Elo that corresponds to the score.
    pub elo: Estimate,
    /// Normalized Elo: the distance of the score from one half, in units of its own spread. It
    /// determines how many rounds are needed to see the difference. None if the pairs have no
    /// spread.
    pub normalized_elo: Option<Estimate>,
    /// Likelihood of superiority: the probability that the first player is the stronger one,
    /// without prior knowledge.
    pub superiority: f64,
}

impl Strength {
    /// Estimates from independent pairs, counted by their half points from 0 to 4.
    pub fn new(counts: &[u64; 5]) -> Strength {
        Strength::from_spread(&Spread::of_pairs(counts))
    }

    pub(super) fn from_spread(spread: &Spread) -> Strength {
        // A pair has two rounds, so its deviation is √½ of theirs.
        let scaled = |ratio: f64| NORMALIZED * std::f64::consts::FRAC_1_SQRT_2 * ratio;
        Strength {
            elo: mapped(&spread.score(), elo),
            normalized_elo: spread.standardized().map(|estimate| mapped(&estimate, scaled)),
            superiority: spread.superiority(),
        }
    }
}

/// The estimate on another scale that rises with the first.
fn mapped(estimate: &Estimate, scale: impl Fn(f64) -> f64) -> Estimate {
    let Estimate { value, low, high } = *estimate;
    Estimate { value: scale(value), low: scale(low), high: scale(high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-8, "{found} instead of {expected}");
    }

    /// Estimates as fishtest makes them, in 40 digits (mpmath): the mean and the variance put
    /// through `-400·log10(1/s - 1)` and `800/ln 10·(mu - 1/2)/sqrt(2·var)`.
    #[test]
    fn elo_values_match_fishtest() {
        for (counts, points, normalized) in [
            ([10, 50, 200, 60, 15], 10.3742936378, 18.5778493457),
            ([17, 2004, 6178, 2040, 21], 0.744989726715, 1.64751858395),
            ([40, 1, 0, 3, 5], -297.194733328, -252.079220639),
        ] {
            let strength = Strength::new(&counts);
            near(strength.elo.value, points);
            near(strength.normalized_elo.expect("a spread").value, normalized);
        }
    }

    #[test]
    fn intervals_match_fishtest_except_for_virtual_pairs() {
        let strength = Strength::new(&[10, 50, 200, 60, 15]);
        assert!((strength.elo.low + 4.3155).abs() < 0.6, "{strength:?}");
        assert!((strength.elo.high - 25.1013).abs() < 0.6, "{strength:?}");
        assert!((strength.superiority - 0.91683).abs() < 0.01, "{strength:?}");
        // For nearly equal players the error of the spread matters little.
        let normalized = strength.normalized_elo.expect("a spread");
        assert!((normalized.low + 7.72998).abs() < 0.8, "{normalized:?}");
        assert!((normalized.high - 44.88568).abs() < 0.8, "{normalized:?}");
    }

    /// Derived for two kinds of pairs: with a share p won and the others split, s has the deviation
    /// ½ √(p (1 − p)), so the ratio is √(p / (1 − p)) with the derivative ½ / √(p (1 − p)³), and p
    /// has the error √(p (1 − p) / n).
    #[test]
    fn the_error_of_normalized_elo_follows_from_its_share() {
        let (won, pairs) = (400.0_f64, 500.0_f64);
        let p = won / pairs;
        let error = 0.5 / (p * (1.0 - p).powi(3)).sqrt() * (p * (1.0 - p) / pairs).sqrt();
        let found = Strength::new(&[0, 0, 100, 0, 400]).normalized_elo.expect("a spread");
        let scale = NORMALIZED / 2.0_f64.sqrt();
        near(found.value, scale * (p / (1.0 - p)).sqrt());
        // Student's t with 499 degrees of freedom, and a variance over n − 1.
        let margin = scale * 1.964_729 * error * (pairs / (pairs - 1.0)).sqrt();
        assert!((found.high - found.value - margin).abs() < 1e-3, "{found:?}, {margin}");
        assert!(found.value - found.low >= margin - 1e-3, "{found:?}, {margin}");
    }

    #[test]
    fn scores_and_differences_convert_both_ways() {
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
    fn one_sided_results_have_a_finite_interval() {
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
