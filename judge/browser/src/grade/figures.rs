//! The figures of a comparison, with the keys and values of `judge compare --json`.

use judge_core::SeatSpec;
use judge_grading::Testcase;
use judge_statistics::{Answer, Demand, Estimate, Scores, WorseRound, version_chances};
use serde_json::{Value, json};

use super::compare::PageComparison;

/// All figures. A lost round has its `place`: the indexes of its seed and conditions.
pub(super) fn figures(comparison: &PageComparison) -> Value {
    let results = &comparison.results;
    let found = results.difference(comparison.looks.len());
    let conditions: Vec<[Scores; 2]> =
        (0..comparison.distinct.len()).map(|at| results.scores(at)).collect();
    let chances: Vec<[Option<Estimate>; 2]> =
        std::iter::zip(&comparison.testcases, results.places())
            .map(|(testcase, at)| version_chances(&conditions[*at], demand(testcase)))
            .collect();
    let passed = [0, 1].map(|version| {
        let known = chances.iter().filter_map(move |both| both[version]);
        known.fold(0.0, |sum, chance| sum + chance.value)
    });
    let testcases = comparison.testcases.iter().zip(results.places()).zip(&chances);
    let testcases = testcases.map(|((testcase, at), chances)| {
        let scores = &conditions[*at];
        json!({
            "name": testcase.name,
            "title": testcase.title,
            "mean": scores.each_ref().map(Scores::mean),
            "faults": scores.each_ref().map(Scores::faults),
            "chance": chances,
            "difference": results.difference_under(*at),
        })
    });
    json!({
        "versions": comparison.versions.each_ref().map(SeatSpec::name),
        "sha256": comparison.versions.each_ref().map(hash),
        "seed": comparison.seed(0),
        "rounds": results.seeds(),
        "most_rounds": comparison.most(),
        "looks": comparison.looks.len(),
        "difference": found,
        "answer": Answer::new(found),
        "passed": passed,
        "testcases": testcases.collect::<Vec<Value>>(),
        "worst": worst(comparison),
        "judge_errors": results.left_out(),
    })
}

/// The hash of a version's module; none for a reference opponent.
fn hash(version: &SeatSpec) -> Option<String> {
    match version {
        SeatSpec::Bot { sha256, .. } => Some(sha256.to_string()),
        _ => None,
    }
}

fn demand(testcase: &Testcase) -> Demand {
    Demand { rounds: testcase.rounds, threshold: testcase.min_score, fuel: testcase.limits.fuel }
}

/// The rounds in which the present version lost the most, worst first.
fn worst(comparison: &PageComparison) -> Vec<Value> {
    let round = |WorseRound { place, scores }: WorseRound| {
        let testcase = comparison.distinct[place[1]];
        json!({
            "testcase": testcase.name,
            "title": testcase.title,
            "seed": comparison.seed(place[0]),
            "scores": scores,
            "place": place,
        })
    };
    comparison.results.worst().into_iter().map(round).collect()
}
