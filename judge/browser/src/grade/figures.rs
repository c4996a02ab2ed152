//! The figures of a comparison, with the keys and values of `judge compare --json`.

use std::collections::BTreeMap;

use judge_core::{SeatSpec, Seed};
use judge_grading::Testcase;
use judge_statistics::{Demand, Estimate, Scores, Sum};
use serde_json::{Value, json};

use super::compare::{FEWEST, PageComparison, PairedResult};

/// Seed of the random sums. It is fixed, so that every run gives the same figures.
const DRAW: Seed = Seed(0);

/// Maximum number of lost rounds that are listed.
const WORST: usize = 10;

/// True if it is clear which version scores more.
pub(super) fn excludes_zero(comparison: &PageComparison) -> bool {
    let Estimate { low, high, .. } = difference(comparison);
    low > 0.0 || high < 0.0
}

/// All figures. A lost round has its `place`: the indexes of its seed and conditions.
pub(super) fn figures(comparison: &PageComparison) -> Value {
    let found = difference(comparison);
    let conditions: Vec<[Scores; 2]> =
        (0..comparison.distinct.len()).map(|at| scores(comparison, at)).collect();
    let chances: Vec<[Option<Estimate>; 2]> =
        std::iter::zip(&comparison.testcases, &comparison.places)
            .map(|(testcase, at)| chances(testcase, &conditions[*at]))
            .collect();
    let passed = [0, 1].map(|version| {
        let known = chances.iter().filter_map(move |both| both[version]);
        known.fold(0.0, |sum, chance| sum + chance.value)
    });
    let testcases = comparison.testcases.iter().zip(&comparison.places).zip(&chances);
    let testcases = testcases.map(|((testcase, at), chances)| {
        let scores = &conditions[*at];
        json!({
            "name": testcase.name,
            "title": testcase.title,
            "mean": scores.each_ref().map(Scores::mean),
            "faults": scores.each_ref().map(Scores::faults),
            "chance": chances,
            "difference": difference_under(comparison, *at),
        })
    });
    let rounds = comparison.rounds();
    json!({
        "versions": comparison.versions.each_ref().map(SeatSpec::name),
        "sha256": comparison.versions.each_ref().map(hash),
        "seed": comparison.seed(0),
        "rounds": rounds,
        "most_rounds": comparison.most(),
        "looks": comparison.looks.len(),
        "difference": found,
        "answer": answer(found),
        "passed": passed,
        "testcases": testcases.collect::<Vec<Value>>(),
        "worst": worst(comparison),
        "judge_errors": rounds - comparison.counted().count() as u64,
    })
}

/// The hash of a version's module; none for a reference opponent.
fn hash(version: &SeatSpec) -> Option<String> {
    match version {
        SeatSpec::Bot { sha256, .. } => Some(sha256.to_string()),
        _ => None,
    }
}

fn answer(difference: Estimate) -> &'static str {
    match difference {
        Estimate { low, .. } if low > 0.0 => "better",
        Estimate { high, .. } if high < 0.0 => "worse",
        _ => "undecided",
    }
}

/// The mean score difference in a round, over all testcases. Its unit of evidence is a seed, because
/// all testcases share the luck of a seed. Seeds with exactly the same rounds count once. If all of
/// enough seeds give the same difference, its interval has no width.
fn difference(comparison: &PageComparison) -> Estimate {
    let (mut all, mut distinct) = (Vec::new(), BTreeMap::new());
    for (_, pairs) in comparison.counted() {
        let courses: Vec<u64> = pairs.iter().flatten().map(|result| result.course).collect();
        let by: i64 = comparison.places.iter().map(|at| lead(&pairs[*at])).sum();
        all.push(by);
        distinct.insert(courses, by);
    }
    let mut sum = Sum::default();
    distinct.into_values().for_each(|by| sum.add(by));
    let found = sum.mean_among(comparison.places.len() as f64, comparison.looks.len());
    let is_constant = all.iter().all(|by| *by != 0 && *by == all[0]);
    if is_constant && all.len() as u64 >= FEWEST {
        return Estimate { low: found.value, high: found.value, ..found };
    }
    found
}

/// The mean score difference in a round under these conditions.
fn difference_under(comparison: &PageComparison, conditions: usize) -> Estimate {
    let mut sum = Sum::default();
    comparison.counted().for_each(|(_, pairs)| sum.add(lead(&pairs[conditions])));
    sum.mean(1.0)
}

/// The scores of both versions under these conditions.
fn scores(comparison: &PageComparison, conditions: usize) -> [Scores; 2] {
    let mut scores = [Scores::default(), Scores::default()];
    for (_, pairs) in comparison.counted() {
        for (scores, result) in scores.iter_mut().zip(pairs[conditions]) {
            scores.add((!result.has_fault).then_some(result.score), result.fuel);
        }
    }
    scores
}

/// The chance of both versions to pass a testcase.
fn chances(testcase: &Testcase, scores: &[Scores; 2]) -> [Option<Estimate>; 2] {
    let demand = Demand {
        rounds: testcase.rounds,
        threshold: testcase.min_score,
        fuel: testcase.limits.fuel,
    };
    scores.each_ref().map(|scores| scores.chance(demand, DRAW))
}

/// The rounds in which the present version lost the most, worst first.
fn worst(comparison: &PageComparison) -> Vec<Value> {
    let mut lost: Vec<(i64, [usize; 2], [i64; 2])> = Vec::new();
    for (seed, pairs) in comparison.counted() {
        let rounds = pairs.iter().enumerate();
        let rounds = rounds.map(|(at, pair)| (lead(pair), [seed, at], pair.map(|one| one.score)));
        lost.extend(rounds.filter(|(by, ..)| *by < 0));
    }
    lost.sort_unstable();
    lost.truncate(WORST);
    let round = |(_, place, scores): (i64, [usize; 2], [i64; 2])| {
        let testcase = comparison.distinct[place[1]];
        json!({
            "testcase": testcase.name,
            "title": testcase.title,
            "seed": comparison.seed(place[0]),
            "scores": scores,
            "place": place,
        })
    };
    lost.into_iter().map(round).collect()
}

/// The present version's score minus the earlier one's.
fn lead([earlier, present]: &[PairedResult; 2]) -> i64 {
    present.score.saturating_sub(earlier.score).clamp(i32::MIN.into(), i32::MAX.into())
}
