//! Processor time of the rounds in a journal, by module and conditions.

use std::collections::BTreeMap;
use std::time::Duration;

use judge_core::{Digest, RoundSpec, Seed};
use judge_grading::Suite;

/// Processor time of the rounds of each module.
#[derive(Debug, Default)]
pub(super) struct Costs(BTreeMap<Digest, OfModule>);

/// Processor time of the rounds of one module.
#[derive(Debug, Default)]
struct OfModule {
    /// The conditions of its rounds without seed and fuel, each once: about as many as a suite has
    /// testcases.
    conditions: Vec<RoundSpec>,
    rounds: Vec<Cost>,
}

/// Processor time of a round.
#[derive(Debug)]
struct Cost {
    /// Index of the conditions.
    conditions: usize,
    seed: Seed,
    fuel: u64,
    ms: u64,
}

impl Costs {
    /// Adds the processor time of a round.
    pub(super) fn add(&mut self, module: Digest, spec: &RoundSpec, ms: u64) {
        let OfModule { conditions, rounds } = self.0.entry(module).or_default();
        let known = conditions.iter().position(|known| is_alike(known, spec));
        let conditions = known.unwrap_or_else(|| {
            conditions.push(spec.clone());
            conditions.len() - 1
        });
        rounds.push(Cost { conditions, seed: spec.seed, fuel: spec.limits.fuel, ms });
    }

    /// Processor time of all rounds of a module; none if it has none.
    pub(super) fn all(&self, module: &Digest) -> Option<Duration> {
        sum(self.0.get(module)?.rounds.iter())
    }

    /// Processor time of a module's rounds that belong to the suite; none without such rounds.
    pub(super) fn on(&self, module: &Digest, suite: &Suite) -> Option<Duration> {
        let OfModule { conditions, rounds } = self.0.get(module)?;
        sum(rounds.iter().filter(|cost| {
            let mut spec = conditions[cost.conditions].clone();
            (spec.seed, spec.limits.fuel) = (cost.seed, cost.fuel);
            suite.has_round(&spec)
        }))
    }
}

/// True if two rounds of a module differ only in names, seed and fuel.
fn is_alike(one: &RoundSpec, other: &RoundSpec) -> bool {
    let is_same_seat = |at: usize| {
        let [one, other] = [&one.seats[at], &other.seats[at]];
        one == other || (one.is_bot() && other.is_bot())
    };
    one.game == other.game
        && one.options == other.options
        && is_same_seat(0)
        && is_same_seat(1)
        && judge_core::Limits { fuel: other.limits.fuel, ..one.limits } == other.limits
}

fn sum<'a>(mut rounds: impl Iterator<Item = &'a Cost>) -> Option<Duration> {
    let first = rounds.next()?.ms;
    let ms = rounds.fold(first, |sum, cost| sum.saturating_add(cost.ms));
    Some(Duration::from_millis(ms))
}
