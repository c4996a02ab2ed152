//! The sequential probability ratio test (Wald, "Sequential tests of statistical hypotheses",
//! 1945): pairs are played until one of two differences in strength is clearly more likely.

use std::str::FromStr;

use serde::Serialize;

use super::elo::{NORMALIZED, score};
use super::estimate::PAIR_SCORES;

/// Weight of an unseen kind of pair, which keeps it possible.
const UNSEEN: f64 = 1e-3;

/// Steps of a bisection. Each halves the bracket, so this is beyond the precision of a float.
const STEPS: u32 = 100;

/// Furthest hypothesis, in Elo: its expected score is within 1/300 of certainty.
const FURTHEST: f64 = 1000.0;

/// The furthest one in normalized Elo: beyond it, the score is further from one half than most
/// kinds of pairs allow.
const FURTHEST_NORMALIZED: f64 = 200.0;

/// The unit of the hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Elo: each hypothesis is an expected score.
    Logistic,
    /// Normalized Elo: each hypothesis is a distance of the score from one half, in units of its
    /// spread.
    Normalized,
}

impl Model {
    /// The keys of the hypotheses.
    fn keys(self) -> [&'static str; 2] {
        match self {
            Model::Logistic => ["elo0", "elo1"],
            Model::Normalized => ["nelo0", "nelo1"],
        }
    }

    fn furthest(self) -> f64 {
        match self {
            Model::Logistic => FURTHEST,
            Model::Normalized => FURTHEST_NORMALIZED,
        }
    }
}

/// The hypotheses of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl std::fmt::Display for Sprt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sprt { model, elo0, elo1, alpha, beta } = self;
        let [key0, key1] = model.keys();
        write!(f, "{key0}={elo0},{key1}={elo1},alpha={alpha},beta={beta}")
    }
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// The first player is not stronger than `elo0`.
    H0,
    /// The first player is stronger by `elo1`.
    H1,
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Decision::H0 => "H0 accepted",
            Decision::H1 => "H1 accepted",
        })
    }
}

/// An invalid test.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal or in the wrong order.
    #[error("`{}` is `{elo0}` and `{}` is `{elo1}`: `{0}` must be the smaller one", keys[0], keys[1])]
    Order {
        /// Their names.
        keys: [&'static str; 2],
        /// The hypothesis to reject.
        elo0: f64,
        /// The hypothesis to confirm.
        elo1: f64,
    },
    /// A hypothesis that is not a valid difference in strength.
    #[error("`{key}` is `{value}`: expected a number from -{furthest} to {furthest}")]
    Elo {
        /// The largest valid difference.
        furthest: f64,
        /// The key.
        key: &'static str,
        /// The given value.
        value: f64,
    },
    /// An invalid error rate.
    #[error("`{key}` is `{value}`: expected a number above 0 and below 0.5")]
    Rate {
        /// The key.
        key: &'static str,
        /// The given value.
        value: f64,
    },
    /// A text that is not `key=value`.
    #[error("`{text}` is not `key=value` with a number")]
    Syntax {
        /// The given text.
        text: String,
    },
    /// An unknown or repeated key.
    #[error(
        "`{key}` is unknown or repeated: expected `elo0`, `elo1` (or `nelo0`, `nelo1`), `alpha`, \
         `beta`, `model`"
    )]
    Key {
        /// The key.
        key: String,
    },
    /// A missing hypothesis.
    #[error("`{key}` is missing: for example `{}=0,{}=10`", keys[0], keys[1])]
    Missing {
        /// The missing key.
        key: &'static str,
        /// The names of both keys.
        keys: [&'static str; 2],
    },
    /// An unknown model.
    #[error("`model` is `{name}`: expected `logistic` or `normalized`")]
    Model {
        /// The given text.
        name: String,
    },
    /// Hypotheses in different models, or not in the given one.
    #[error(
        "`{key}` is of another model than the rest: take `elo0` and `elo1`, or `nelo0` and `nelo1`"
    )]
    Mixed {
        /// The conflicting key.
        key: &'static str,
    },
}

impl Sprt {
    /// A test of `elo0` against `elo1`, with the probabilities of accepting `elo1` if `elo0` holds,
    /// and the reverse.
    ///
    /// # Errors
    /// When `elo0` is not below `elo1`, or a number is out of range.
    pub fn new(model: Model, elo: [f64; 2], [alpha, beta]: [f64; 2]) -> Result<Sprt, SprtError> {
        let (keys, furthest) = (model.keys(), model.furthest());
        for (key, value) in keys.into_iter().zip(elo) {
            if !(-furthest..=furthest).contains(&value) {
                return Err(SprtError::Elo { furthest, key, value });
            }
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            // Below that, a test would need far too many rounds.
            if !(1e-9..0.5).contains(&value) {
                return Err(SprtError::Rate { key, value });
            }
        }
        let [elo0, elo1] = elo;
        if elo0 >= elo1 {
            return Err(SprtError::Order { keys, elo0, elo1 });
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// The ratio below which `elo0` is accepted, and the one above which `elo1` is.
    pub fn bounds(&self) -> [f64; 2] {
        let Sprt { alpha, beta, .. } = self;
        [libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha)]
    }

    /// The expected scores under the hypotheses.
    fn scores(&self) -> [f64; 2] {
        [score(self.elo0), score(self.elo1)]
    }

    /// The log-likelihood ratio of `elo1` and `elo0` for the pairs. It is generalized: each
    /// hypothesis uses the best fitting shares of the five kinds of pairs that it allows (Van den
    /// Bergh, "Comments on normalized Elo" and "A practical introduction to the GSPRT", which
    /// fishtest follows).
    pub fn log_ratio(&self, counts: &[u64; 5]) -> f64 {
        if counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let weights = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [divisors0, divisors1] = match self.model {
            Model::Logistic => self.scores().map(|score| divisors_for_score(&weights, score)),
            Model::Normalized => {
                // The spread of a pair is √½ of that of a round.
                let scale = std::f64::consts::SQRT_2 / NORMALIZED;
                [self.elo0, self.elo1].map(|elo| divisors_for_ratio(&weights, elo * scale))
            }
        };
        (0..5).map(|kind| weights[kind] * libm::log(divisors0[kind] / divisors1[kind])).sum()
    }

    /// The decision of the test, if the pairs decide it.
    pub fn decide(&self, counts: &[u64; 5]) -> Option<Decision> {
        let [low, high] = self.bounds();
        let ratio = self.log_ratio(counts);
        if ratio >= high {
            Some(Decision::H1)
        } else if ratio <= low {
            Some(Decision::H0)
        } else {
            None
        }
    }

    /// Fewest pairs after which the test can accept `elo0`, and `elo1`, even for one-sided pairs.
    /// In Elo, a single pair changes the ratio by at most the logarithm of the ratio of the
    /// expected scores, up if it is won and down if it is lost. In normalized Elo, this is the
    /// length of a clean sweep.
    pub fn fewest_pairs(&self) -> [u64; 2] {
        if self.model == Model::Normalized {
            return [0, 4].map(|kind| self.sweep(kind));
        }
        let [low, high] = self.bounds();
        let [score0, score1] = self.scores();
        let down = libm::log((1.0 - score1) / (1.0 - score0));
        let up = libm::log(score1 / score0);
        [(low / down).ceil() as u64, (high / up).ceil() as u64]
    }

    /// Number of pairs of one kind that decide the test.
    fn sweep(&self, kind: usize) -> u64 {
        let decides = |pairs: u64| {
            let mut counts = [0; 5];
            counts[kind] = pairs;
            self.decide(&counts).is_some()
        };
        let mut enough = 1;
        while !decides(enough) && enough < 1 << 40 {
            enough *= 2;
        }
        let mut few = enough / 2;
        while enough - few > 1 {
            let middle = few + (enough - few) / 2;
            if decides(middle) { enough = middle } else { few = middle }
        }
        enough
    }
}

/// One over the shares of the kinds of pairs, relative to their weights, that are nearest to the
/// weights among all shares with this expected score.
fn divisors_for_score(weights: &[f64; 5], expected: f64) -> [f64; 5] {
    let distances = PAIR_SCORES.map(|score| score - expected);
    divisors(&distances, multiplier(weights, &distances, expected))
}

/// The same among all shares with a mean that is `ratio` deviations above one half. That is not
/// linear in the shares, so the condition is linearised at the latest shares until they converge
/// (as fishtest does, from equal shares).
fn divisors_for_ratio(weights: &[f64; 5], ratio: f64) -> [f64; 5] {
    let total: f64 = weights.iter().sum();
    let mut shares = [0.2; 5];
    let mut found = [1.0; 5];
    for _ in 0..STEPS {
        let mean: f64 = (0..5).map(|kind| shares[kind] * PAIR_SCORES[kind]).sum();
        let square =
            |kind: usize| shares[kind] * (PAIR_SCORES[kind] - mean) * (PAIR_SCORES[kind] - mean);
        let deviation = (0..5).map(square).sum::<f64>().sqrt();
        let distances = PAIR_SCORES.map(|score| {
            let apart = (score - mean) / deviation;
            score - 0.5 - ratio * deviation * (1.0 + apart * apart) / 2.0
        });
        found = divisors(&distances, root(weights, &distances));
        let next: [f64; 5] = std::array::from_fn(|kind| weights[kind] / total / found[kind]);
        let moved = (0..5).map(|kind| (next[kind] - shares[kind]).abs()).fold(0.0, f64::max);
        shares = next;
        if moved < 1e-11 {
            break;
        }
    }
    found
}

fn divisors(distances: &[f64; 5], multiplier: f64) -> [f64; 5] {
    // Beyond 10^13 pairs rounding could make it 0.
    distances.map(|distance| (1.0 + multiplier * distance).max(f64::EPSILON))
}

/// The number `t` for which the shares `weight / (1 + t·distance)` have a mean distance of 0, for
/// distances from an expected score.
fn multiplier(weights: &[f64; 5], distances: &[f64; 5], expected: f64) -> f64 {
    bisect(weights, distances, [-1.0 / (1.0 - expected), 1.0 / expected])
}

/// The same for any distances, of which some are below 0 and some above.
fn root(weights: &[f64; 5], distances: &[f64; 5]) -> f64 {
    let least = distances.iter().fold(-f64::EPSILON, |least, one| least.min(*one));
    let most = distances.iter().fold(f64::EPSILON, |most, one| most.max(*one));
    bisect(weights, distances, [-1.0 / most, -1.0 / least])
}

/// Without zero weights the sum falls with `t` from one end of the bracket to the other, so
/// bisection always finds its root.
fn bisect(weights: &[f64; 5], distances: &[f64; 5], [mut low, mut high]: [f64; 2]) -> f64 {
    let pull = |t: f64| -> f64 {
        let term = |(weight, distance): (&f64, &f64)| weight * distance / (1.0 + t * distance);
        weights.iter().zip(distances).map(term).sum()
    };
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if pull(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses `elo0=0,elo1=10` with `alpha` and `beta`, both 0.05 by default; in normalized Elo
    /// `nelo0=0,nelo1=10`, or with `model=normalized`.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        const KEYS: [&str; 6] = ["elo0", "elo1", "nelo0", "nelo1", "alpha", "beta"];
        let (mut values, mut model) = ([None; 6], None);
        for part in text.split(',').map(str::trim) {
            let syntax = || SprtError::Syntax { text: part.to_owned() };
            let (key, value) = part.split_once('=').ok_or_else(syntax)?;
            let (key, value) = (key.trim(), value.trim());
            if key == "model" && model.is_none() {
                model = Some(named_model(value)?);
                continue;
            }
            let slot = KEYS.iter().position(|known| *known == key);
            let slot = slot.filter(|slot| values[*slot].is_none());
            let slot = slot.ok_or_else(|| SprtError::Key { key: key.to_owned() })?;
            values[slot] = Some(value.parse::<f64>().map_err(|_| syntax())?);
        }
        let given_in = |slots: std::ops::Range<usize>| values[slots].iter().any(Option::is_some);
        let (elo, normalized) = (given_in(0..2), given_in(2..4));
        if normalized && (elo || model == Some(Model::Logistic)) {
            return Err(SprtError::Mixed { key: if elo { "elo0" } else { "nelo0" } });
        }
        // If the model is named, `elo0` and `elo1` are normalized too.
        let first = if normalized { 2 } else { 0 };
        let model = if normalized { Some(Model::Normalized) } else { model };
        let model = model.unwrap_or(Model::Logistic);
        let given = |slot: usize| {
            let keys = [KEYS[first], KEYS[first + 1]];
            values[first + slot].ok_or(SprtError::Missing { key: keys[slot], keys })
        };
        let rates = [4, 5].map(|slot| values[slot].unwrap_or(0.05));
        Sprt::new(model, [given(0)?, given(1)?], rates)
    }
}

fn named_model(name: &str) -> Result<Model, SprtError> {
    match name {
        "logistic" => Ok(Model::Logistic),
        "normalized" => Ok(Model::Normalized),
        _ => Err(SprtError::Model { name: name.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(text: &str) -> Sprt {
        text.parse().expect(text)
    }

    /// In 40 digits (mpmath), by bisecting `sum p·(a - s)/(1 + t·(a - s))` 400 times.
    #[test]
    fn likelihood_ratios_match_another_implementation() {
        for (counts, test, expected) in [
            ([10, 50, 200, 60, 15], "elo0=0,elo1=10", 0.955098508096117),
            ([17, 2004, 6178, 2040, 21], "elo0=0,elo1=2", -0.42393339638066),
            ([17, 2004, 6178, 2040, 21], "elo0=0,elo1=5", -7.28910641307876),
            ([0, 0, 0, 0, 100], "elo0=0,elo1=10", 2.83687191045588),
            ([100, 0, 0, 0, 0], "elo0=0,elo1=10", -2.91970594629224),
            ([0, 0, 150, 0, 0], "elo0=-3,elo1=1", 0.867358395136354),
            ([5, 3, 0, 1, 40], "elo0=0,elo1=50", 4.8092502301767),
            ([3, 20, 1000, 90, 4], "elo0=-1.75,elo1=0.25", 5.41866484811841),
        ] {
            let found = sprt(test).log_ratio(&counts);
            assert!((found - expected).abs() < 1e-9, "{counts:?}: {found} instead of {expected}");
        }
    }

    #[test]
    fn the_bounds_of_a_test_are_those_of_wald() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12);
        let [low, high] = sprt("elo0=0,elo1=10").bounds();
        near(high, 2.94443897916644);
        near(low, -high);
        let [low, high] = sprt("elo0=0,elo1=10,alpha=0.05,beta=0.1").bounds();
        near(low, -2.2512917986065);
        near(high, 2.89037175789616);
    }

    #[test]
    fn swapped_players_and_hypotheses_have_the_opposite_ratio() {
        let counts = [3, 14, 50, 20, 9];
        let mut swapped = counts;
        swapped.reverse();
        let there = sprt("elo0=-2,elo1=12").log_ratio(&counts);
        let here = sprt("elo0=-12,elo1=2").log_ratio(&swapped);
        assert!((there + here).abs() < 1e-9, "{there} and {here}");
    }

    #[test]
    fn one_sided_results_are_decided_and_soon() {
        for size in [1, 100, 1_000_000, u64::MAX / 8] {
            for kind in 0..5 {
                let mut counts = [0; 5];
                counts[kind] = size;
                for test in ["elo0=0,elo1=10", "elo0=-1000,elo1=1000", "elo0=0,elo1=0.01"] {
                    assert!(sprt(test).log_ratio(&counts).is_finite(), "{test} {counts:?}");
                }
                let decided = sprt("elo0=0,elo1=10").decide(&counts);
                assert_eq!(decided.is_some(), size >= 1000, "{counts:?}");
            }
        }
        assert_eq!(sprt("elo0=0,elo1=10").log_ratio(&[0; 5]), 0.0);
    }

    #[test]
    fn no_pairs_decide_sooner_than_a_clean_sweep() {
        for test in ["elo0=0,elo1=10", "elo0=-20,elo1=5,alpha=0.01", "elo0=100,elo1=300"] {
            let test = sprt(test);
            let [lost, won] = test.fewest_pairs();
            // An unseen kind has a small weight, so a sweep may take one pair more.
            assert_eq!(test.decide(&[lost + 1, 0, 0, 0, 0]), Some(Decision::H0));
            assert_eq!(test.decide(&[0, 0, 0, 0, won + 1]), Some(Decision::H1));
            for count in 1..lost.min(won) {
                for kind in 0..5 {
                    for other in 0..5 {
                        let mut counts = [0; 5];
                        counts[kind] += count / 3;
                        counts[other] += count - count / 3;
                        assert_eq!(test.decide(&counts), None, "{counts:?}");
                    }
                }
            }
        }
        assert_eq!(sprt("elo0=0,elo1=10").fewest_pairs(), [101, 104]);
    }

    #[test]
    fn tests_with_impossible_hypotheses_are_refused() {
        let error = |text: &str| text.parse::<Sprt>().expect_err(text).to_string();
        assert!(error("elo0=5,elo1=5").starts_with("`elo0` is `5` and `elo1` is `5`"));
        assert!(error("elo0=5,elo1=0").contains("must be the smaller one"));
        assert!(error("elo0=0,elo1=1001").contains("from -1000 to 1000"));
        assert!(error("elo0=nan,elo1=1").contains("`elo0` is `NaN`"));
        assert!(error("elo0=0,elo1=inf").contains("`elo1` is `inf`"));
        assert!(error("elo0=0,elo1=5,alpha=0.5").contains("above 0 and below 0.5"));
        assert!(error("elo0=0,elo1=5,beta=0").contains("`beta` is `0`"));
        assert!(error("elo0=0").contains("`elo1` is missing"));
        assert!(error("elo0=0,elo0=1").contains("is unknown or repeated"));
        assert!(error("elo0=0,elo2=1").contains("`elo2` is unknown"));
        assert!(error("elo0=0,,").contains("`` is not `key=value`"));
        assert!(error("elo0=x").contains("`elo0=x` is not"));
        assert_eq!(sprt("elo0=0,elo1=10").to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05");
        assert_eq!(sprt(" elo1 = 10 , elo0=0"), sprt("elo0=0,elo1=10,alpha=0.05,beta=0.05"));
    }

    /// The largest log-likelihood of the weights, as parts of a pair, among shares with a mean that
    /// is `ratio` deviations above one half. It tries deviations: each fixes mean and variance,
    /// which are linear conditions, and Newton's method solves the dual problem.
    fn best_by_trying(weights: &[f64; 5], ratio: f64) -> f64 {
        let of = |deviation: f64| {
            let mean = 0.5 + ratio * deviation;
            let distances =
                PAIR_SCORES.map(|score| [score - mean, (score - mean).powi(2) - deviation.powi(2)]);
            -dual(weights, &distances)
        };
        let coarse = (1..=2000).map(|step| 0.5 * f64::from(step) / 2000.0);
        let best = coarse.max_by(|one, other| of(*one).total_cmp(&of(*other))).expect("some");
        let (mut low, mut high) = (best - 0.00025, (best + 0.00025).min(0.5));
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            if of(low + third) > of(high - third) { high -= third } else { low += third }
        }
        of((low + high) / 2.0).max(of(best))
    }

    /// Largest `sum w·ln(1 + l·g)` over `l`.
    fn dual(weights: &[f64; 5], g: &[[f64; 2]; 5]) -> f64 {
        let value = |l: [f64; 2]| -> f64 {
            let inside = g.map(|[one, two]| 1.0 + l[0] * one + l[1] * two);
            if inside.iter().any(|one| *one <= 0.0) {
                return f64::NEG_INFINITY;
            }
            weights.iter().zip(inside).map(|(weight, one)| weight * one.ln()).sum()
        };
        let (mut at, mut best) = ([0.0; 2], 0.0);
        for _ in 0..100 {
            let (mut slope, mut bend) = ([0.0; 2], [0.0; 3]);
            for (weight, [one, two]) in weights.iter().zip(g) {
                let inside = 1.0 + at[0] * one + at[1] * two;
                slope = [slope[0] + weight * one / inside, slope[1] + weight * two / inside];
                let part = weight / inside.powi(2);
                bend = [
                    bend[0] + part * one * one,
                    bend[1] + part * one * two,
                    bend[2] + part * two * two,
                ];
            }
            let det = bend[0] * bend[2] - bend[1] * bend[1];
            let step = [
                (bend[2] * slope[0] - bend[1] * slope[1]) / det,
                (bend[0] * slope[1] - bend[1] * slope[0]) / det,
            ];
            let tries = (0..50).map(|half| 0.5_f64.powi(half));
            let next = tries
                .map(|part| [at[0] + part * step[0], at[1] + part * step[1]])
                .find(|next| value(*next) > best);
            let Some(next) = next else { break };
            (at, best) = (next, value(next));
            if best > 100.0 {
                // Such a mean and deviation are impossible.
                return f64::INFINITY;
            }
        }
        best
    }

    #[test]
    fn normalized_ratios_match_another_method() {
        for counts in [
            [10, 50, 200, 60, 15],
            [17, 2004, 6178, 2040, 21],
            [5, 3, 0, 1, 40],
            [1, 0, 98, 0, 1],
            [30, 0, 2, 0, 30],
            [0, 4, 60, 9, 0],
        ] {
            let weights = counts.map(|count: u64| if count == 0 { UNSEEN } else { count as f64 });
            let total: f64 = weights.iter().sum();
            for (nelo0, nelo1) in [(0.0, 5.0), (-10.0, 30.0), (0.0, 150.0)] {
                let ratio = |nelo: f64| nelo * std::f64::consts::LN_10 / 800.0 * 2.0_f64.sqrt();
                let shares = weights.map(|weight| weight / total);
                let [zero, one] =
                    [nelo0, nelo1].map(|nelo| total * best_by_trying(&shares, ratio(nelo)));
                let found = sprt(&format!("nelo0={nelo0},nelo1={nelo1}")).log_ratio(&counts);
                let close = 1e-4 * (one - zero).abs().max(1.0);
                assert!(
                    (found - (one - zero)).abs() < close,
                    "{counts:?} {nelo0} {nelo1}: {found} instead of {}",
                    one - zero
                );
            }
        }
    }

    /// For close hypotheses and many pairs the ratio equals fishtest's approximation,
    /// `n ln((1 + (t - t0)²) / (1 + (t - t1)²)) / 2` with `t` the mean in deviations of a pair.
    #[test]
    fn normalized_ratios_are_near_the_published_approximation() {
        let counts = [310, 1500, 6000, 1600, 370];
        let pairs: u64 = counts.iter().sum();
        let mean = |figure: &dyn Fn(f64) -> f64| -> f64 {
            counts
                .iter()
                .zip(PAIR_SCORES)
                .map(|(count, score)| *count as f64 * figure(score))
                .sum::<f64>()
                / pairs as f64
        };
        let centre = mean(&|score| score);
        let t = (centre - 0.5) / mean(&|score| (score - centre).powi(2)).sqrt();
        let [t0, t1] =
            [0.0, 4.0].map(|nelo: f64| nelo * std::f64::consts::LN_10 / 800.0 * 2.0_f64.sqrt());
        let expected =
            pairs as f64 / 2.0 * ((1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2))).ln();
        let found = sprt("nelo0=0,nelo1=4").log_ratio(&counts);
        assert!((found - expected).abs() < 0.02, "{found}, near {expected}");
    }

    #[test]
    fn normalized_tests_decide_like_the_others() {
        let test = sprt("nelo0=0,nelo1=20");
        let [lost, won] = test.fewest_pairs();
        assert_eq!(test.decide(&[lost, 0, 0, 0, 0]), Some(Decision::H0));
        assert_eq!(test.decide(&[lost - 1, 0, 0, 0, 0]), None);
        assert_eq!(test.decide(&[0, 0, 0, 0, won]), Some(Decision::H1));
        for size in [1, 100, 1_000_000, u64::MAX / 8] {
            for kind in 0..5 {
                let mut counts = [0; 5];
                counts[kind] = size;
                for test in ["nelo0=0,nelo1=10", "nelo0=-200,nelo1=200", "nelo0=0,nelo1=0.01"] {
                    assert!(sprt(test).log_ratio(&counts).is_finite(), "{test} {counts:?}");
                }
            }
        }
        let counts = [3, 14, 50, 20, 9];
        let mut swapped = counts;
        swapped.reverse();
        let there = sprt("nelo0=-2,nelo1=12").log_ratio(&counts);
        let here = sprt("nelo0=-12,nelo1=2").log_ratio(&swapped);
        assert!((there + here).abs() < 1e-7, "{there} and {here}");
    }

    #[test]
    fn the_model_is_named_or_follows_from_the_keys() {
        let normalized = sprt("nelo0=0,nelo1=5");
        assert_eq!(sprt("model=normalized,elo0=0,elo1=5"), normalized);
        assert_eq!(sprt("nelo1=5,model=normalized,nelo0=0"), normalized);
        assert_eq!(normalized.to_string(), "nelo0=0,nelo1=5,alpha=0.05,beta=0.05");
        assert_eq!(sprt("model=logistic,elo0=0,elo1=5"), sprt("elo0=0,elo1=5"));
        assert_ne!(sprt("elo0=0,elo1=5"), normalized);
        let error = |text: &str| text.parse::<Sprt>().expect_err(text).to_string();
        assert!(error("elo0=0,nelo1=5").contains("of another model"));
        assert!(error("model=logistic,nelo0=0,nelo1=5").contains("of another model"));
        assert!(error("model=glicko,elo0=0,elo1=5").contains("`logistic` or `normalized`"));
        assert!(error("nelo0=0").contains("`nelo1` is missing: for example `nelo0=0,nelo1=10`"));
        assert!(error("nelo0=5,nelo1=5").starts_with("`nelo0` is `5` and `nelo1` is `5`: `nelo0`"));
        assert!(error("nelo0=0,nelo1=201").contains("from -200 to 200"));
    }
}
