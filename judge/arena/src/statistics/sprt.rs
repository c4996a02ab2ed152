//! The sequential probability ratio test (Wald, "Sequential tests of statistical hypotheses",
//! 1945): pairs are played until one of two differences of strength is clearly the likelier one.

use std::str::FromStr;

use serde::Serialize;

use super::elo::score;
use super::interval::PAIR_SCORES;

/// Weight of a kind of pair that was not seen yet, so that it is thought possible.
const UNSEEN: f64 = 1e-3;

/// Steps of a bisection. Each halves the bracket: more than a float can tell apart.
const STEPS: u32 = 100;

/// Furthest hypothesis, in Elo: there the expected score is 1 in 300 from certainty.
const FURTHEST: f64 = 1000.0;

/// What is tested.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl std::fmt::Display for Sprt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

/// How a test ended.
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

/// Why there cannot be such a test.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are the same or the wrong way round.
    #[error("`elo0` is `{elo0}` and `elo1` is `{elo1}`: `elo0` must be the smaller one")]
    Order {
        /// What is to be refuted.
        elo0: f64,
        /// What is to be shown.
        elo1: f64,
    },
    /// A hypothesis that is no difference of strength.
    #[error("`{key}` is `{value}`: expected a number from -{FURTHEST} to {FURTHEST}")]
    Elo {
        /// Which.
        key: &'static str,
        /// What it is.
        value: f64,
    },
    /// A rate of errors that is none.
    #[error("`{key}` is `{value}`: expected a number above 0 and below 0.5")]
    Rate {
        /// Which.
        key: &'static str,
        /// What it is.
        value: f64,
    },
    /// Something else than `key=value`.
    #[error("`{text}` is not `key=value` with a number")]
    Syntax {
        /// What stands there.
        text: String,
    },
    /// A key that does not exist or stands there twice.
    #[error("`{key}` is unknown or stands there twice: there is `elo0`, `elo1`, `alpha`, `beta`")]
    Key {
        /// The key.
        key: String,
    },
    /// A hypothesis was left out.
    #[error("`{key}` is missing: for example `elo0=0,elo1=10`")]
    Missing {
        /// Which.
        key: &'static str,
    },
}

impl Sprt {
    /// A test of `elo0` against `elo1`, with the chances of accepting `elo1` when `elo0` holds and
    /// the other way round.
    ///
    /// # Errors
    /// When `elo0` is not below `elo1`, or a number is out of its range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (key, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-FURTHEST..=FURTHEST).contains(&value) {
                return Err(SprtError::Elo { key, value });
            }
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            // Far below that nobody plays long enough.
            if !(1e-9..0.5).contains(&value) {
                return Err(SprtError::Rate { key, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The ratio below which `elo0` is accepted, and that above which `elo1` is.
    pub fn bounds(&self) -> [f64; 2] {
        let Sprt { alpha, beta, .. } = self;
        [libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha)]
    }

    /// The expected scores that are tested.
    fn scores(&self) -> [f64; 2] {
        [score(self.elo0), score(self.elo1)]
    }

    /// How much likelier `elo1` makes the pairs than `elo0` does, as a logarithm: generalized, as
    /// each hypothesis takes the shares of the five kinds of pairs that suit it best among those
    /// with its expected score (Van den Bergh, "Comments on normalized Elo" and "A practical
    /// introduction to the GSPRT", which fishtest follows).
    pub fn log_ratio(&self, counts: &[u64; 5]) -> f64 {
        if counts.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let weights = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [base0, base1] = self.scores().map(|score| (score, multiplier(&weights, score)));
        // Beyond 10^13 pairs rounding could make it 0.
        let likelihood = |score: f64, (expected, multiplier): (f64, f64)| {
            (1.0 + multiplier * (score - expected)).max(f64::EPSILON)
        };
        let term = |(weight, score): (&f64, f64)| {
            weight * libm::log(likelihood(score, base0) / likelihood(score, base1))
        };
        weights.iter().zip(PAIR_SCORES).map(term).sum()
    }

    /// Whether the pairs decide the test, and how.
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

    /// Fewest pairs after which the test can accept `elo0`, and `elo1`, however one-sided they
    /// are: a single pair moves the ratio by no more than the logarithm of the ratio of the
    /// expected scores, up when it is won and down when it is lost.
    pub fn fewest_pairs(&self) -> [u64; 2] {
        let [low, high] = self.bounds();
        let [score0, score1] = self.scores();
        let down = libm::log((1.0 - score1) / (1.0 - score0));
        let up = libm::log(score1 / score0);
        [(low / down).ceil() as u64, (high / up).ceil() as u64]
    }
}

/// The number `t` for which the shares `weight / (1 + t·(score - expected))` have the expected
/// score: those nearest to the weights that do. The sum falls with `t` from one end of the bracket
/// to the other, as no weight is 0, so halving the bracket always finds it.
fn multiplier(weights: &[f64; 5], expected: f64) -> f64 {
    let pull = |t: f64| -> f64 {
        let term = |(weight, score): (&f64, f64)| {
            weight * (score - expected) / (1.0 + t * (score - expected))
        };
        weights.iter().zip(PAIR_SCORES).map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - expected), 1.0 / expected);
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

    /// Reads `elo0=0,elo1=10` with `alpha` and `beta`, both 0.05 where they are left out.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        const KEYS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
        let mut values = [None; 4];
        for part in text.split(',').map(str::trim) {
            let syntax = || SprtError::Syntax { text: part.to_owned() };
            let (key, value) = part.split_once('=').ok_or_else(syntax)?;
            let slot = KEYS.iter().position(|known| *known == key.trim());
            let slot = slot.filter(|slot| values[*slot].is_none());
            let slot = slot.ok_or_else(|| SprtError::Key { key: key.trim().to_owned() })?;
            values[slot] = Some(value.trim().parse::<f64>().map_err(|_| syntax())?);
        }
        let given = |slot: usize| values[slot].ok_or(SprtError::Missing { key: KEYS[slot] });
        Sprt::new(given(0)?, given(1)?, values[2].unwrap_or(0.05), values[3].unwrap_or(0.05))
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
    fn ratios_are_those_computed_elsewhere() {
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
    fn bounds_are_walds() {
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
            // What is unseen weighs a little, so a sweep may take one pair more.
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
    fn tests_that_make_no_sense_are_refused() {
        let error = |text: &str| text.parse::<Sprt>().expect_err(text).to_string();
        assert!(error("elo0=5,elo1=5").starts_with("`elo0` is `5` and `elo1` is `5`"));
        assert!(error("elo0=5,elo1=0").contains("must be the smaller one"));
        assert!(error("elo0=0,elo1=1001").contains("from -1000 to 1000"));
        assert!(error("elo0=nan,elo1=1").contains("`elo0` is `NaN`"));
        assert!(error("elo0=0,elo1=inf").contains("`elo1` is `inf`"));
        assert!(error("elo0=0,elo1=5,alpha=0.5").contains("above 0 and below 0.5"));
        assert!(error("elo0=0,elo1=5,beta=0").contains("`beta` is `0`"));
        assert!(error("elo0=0").contains("`elo1` is missing"));
        assert!(error("elo0=0,elo0=1").contains("stands there twice"));
        assert!(error("elo0=0,elo2=1").contains("`elo2` is unknown"));
        assert!(error("elo0=0,,").contains("`` is not `key=value`"));
        assert!(error("elo0=x").contains("`elo0=x` is not"));
        assert_eq!(sprt("elo0=0,elo1=10").to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05");
        assert_eq!(sprt(" elo1 = 10 , elo0=0"), sprt("elo0=0,elo1=10,alpha=0.05,beta=0.05"));
    }
}
