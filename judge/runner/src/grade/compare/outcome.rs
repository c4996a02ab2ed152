//! The outcome of a comparison: figures, ready for JSON.

use judge_core::{Digest, Seed};
use judge_grading::{Testcase, play_arguments};
use judge_statistics::{Answer, Demand, Estimate, Scores, WorseRound, version_chances};
use serde::Serialize;

use super::play::Comparison;

/// The figures of a comparison. Pairs are of the old and the new version.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// Names of the versions.
    pub versions: [String; 2],
    /// Hashes of their modules.
    pub sha256: [Digest; 2],
    /// The first of the seeds.
    pub seed: u64,
    /// Number of rounds per version and testcase.
    pub rounds: u64,
    /// Maximum number of rounds per version and testcase.
    pub most_rounds: u64,
    /// Number of times that the comparison may stop, which the interval allows for.
    pub looks: usize,
    /// The new version's mean score minus the old one's, per round over all testcases. An end of
    /// the interval is null if it is unknown.
    pub difference: Estimate,
    /// The answer.
    pub answer: Answer,
    /// Number of testcases that each version passes on average.
    pub passed: [f64; 2],
    /// The testcases, by name.
    pub testcases: Vec<ComparedTestcase>,
    /// The rounds in which the new version lost the most, worst first.
    pub worst: Vec<LostRound>,
    /// Number of seeds that are left out because the judge failed.
    pub judge_errors: u64,
}

/// The figures of a testcase.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedTestcase {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Mean score of each version in a round without a fault.
    pub mean: [Option<f64>; 2],
    /// Number of rounds that ended with a fault of each version.
    pub faults: [u64; 2],
    /// The chance of each version to pass.
    pub chance: [Option<Estimate>; 2],
    /// The mean score difference in a round.
    pub difference: Estimate,
}

/// A round in which the new version scored less than the old one.
#[derive(Debug, Clone, Serialize)]
pub struct LostRound {
    /// The first testcase with its conditions.
    pub testcase: String,
    /// Its seed.
    pub seed: Seed,
    /// The score of each version.
    pub scores: [i64; 2],
    /// The arguments after `judge play NEW` that play the round again.
    pub reproduce: String,
    /// The pages of each version's round, relative to the folder of pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<[String; 2]>,
    /// The indexes of its seed and conditions.
    #[serde(skip)]
    pub(super) place: [usize; 2],
}

impl Outcome {
    pub(super) fn new(
        comparison: &Comparison<'_>,
        most_rounds: u64,
        (looks, among): (usize, usize),
    ) -> Outcome {
        let results = &comparison.results;
        let testcases: Vec<ComparedTestcase> =
            std::iter::zip(comparison.testcases, results.places())
                .map(|(testcase, at)| ComparedTestcase::new(comparison, testcase, *at))
                .collect();
        let bot = |version: usize| &comparison.versions[version].bot;
        let difference = results.difference(looks * among);
        let chance = |version: usize| {
            testcases
                .iter()
                .filter_map(move |testcase| testcase.chance[version])
                .map(|one| one.value)
        };
        Outcome {
            versions: [0, 1].map(|version| bot(version).name.clone()),
            sha256: [0, 1].map(|version| bot(version).sha256),
            seed: comparison.seed(0).0,
            rounds: results.seeds(),
            most_rounds,
            looks,
            answer: Answer::new(difference),
            difference,
            passed: [0, 1].map(|version| chance(version).fold(0.0, |sum, one| sum + one)),
            testcases,
            worst: worst(comparison),
            judge_errors: results.left_out(),
        }
    }
}

impl ComparedTestcase {
    fn new(comparison: &Comparison<'_>, testcase: &Testcase, at: usize) -> ComparedTestcase {
        let scores = comparison.results.scores(at);
        let demand = Demand {
            rounds: testcase.rounds,
            threshold: testcase.min_score,
            fuel: testcase.limits.fuel,
        };
        ComparedTestcase {
            name: testcase.name.clone(),
            title: testcase.title.clone(),
            mean: scores.each_ref().map(Scores::mean),
            faults: scores.each_ref().map(Scores::faults),
            chance: version_chances(&scores, demand),
            difference: comparison.results.difference_under(at),
        }
    }
}

/// The rounds in which the new version lost the most, worst first.
fn worst(comparison: &Comparison<'_>) -> Vec<LostRound> {
    let round = |WorseRound { place, scores }: WorseRound| {
        let (testcase, seed) = (comparison.distinct[place[1]], comparison.seed(place[0]));
        LostRound {
            testcase: testcase.name.clone(),
            seed,
            scores,
            reproduce: play_arguments(testcase, seed, testcase.limits.fuel),
            pages: None,
            place,
        }
    };
    comparison.results.worst().into_iter().map(round).collect()
}
