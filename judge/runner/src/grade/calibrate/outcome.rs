//! The figures of a calibration, also as JSON and as a Markdown table.

use std::fmt::Write as _;

use judge_core::{Seed, printable};
use judge_grading::Testcase;
use judge_statistics::{Demand, Estimate, ScoreSums};
use serde::Serialize;

use super::play::{CalibrationResults, Sample};
use super::write::ThresholdChange;
use crate::bots::BotSource;

/// Seed of the random sums. It is fixed, so that every run gives the same figures.
const DRAW: Seed = Seed(0);

/// The chances for which each bot's threshold is given.
pub const SHARES: [f64; 7] = [0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05];

/// Largest error of a threshold that separates two bots.
pub const MOST_WRONG: f64 = 1.0 / 3.0;

/// Error of a threshold between bots that are easy to distinguish.
pub const FEW_WRONG: f64 = 0.1;

/// Largest number of rounds that a proposal recommends.
pub const MOST_ROUNDS: usize = 512;

/// The figures of all testcases.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The testcases, by name.
    pub testcases: Vec<Finding>,
    /// Number of rounds with a judge error, which are left out.
    pub judge_errors: u64,
    /// Changed thresholds in the suite's files; empty if nothing was to be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ThresholdChange>,
}

/// The figures of one testcase.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Name of the testcase.
    pub name: String,
    /// The testcase's title.
    pub title: String,
    /// Number of its conditions: testcases with the same one differ only in seeds, rounds and
    /// threshold.
    pub conditions: usize,
    /// Name of its opponent.
    pub opponent: String,
    /// Number of its rounds.
    pub rounds: usize,
    /// The current threshold.
    pub min_score: i64,
    /// The bots, in the order of the request.
    pub bots: Vec<BotFinding>,
    /// Thresholds between bots of neighbouring strength.
    pub proposals: Vec<Proposal>,
}

/// The figures of one bot in one testcase.
#[derive(Debug, Clone, Serialize)]
pub struct BotFinding {
    /// Name of the bot.
    pub name: String,
    /// Number of rounds played.
    pub played: u64,
    /// Number of rounds that the bot ended with a fault.
    pub faults: u64,
    /// Mean score of the rounds without a fault.
    pub mean: Option<f64>,
    /// The 5th, 50th and 95th percentiles of the sum over the testcase's rounds.
    pub quantiles: [Option<i64>; 3],
    /// The chance to pass, with the ends of its interval.
    pub chance: Option<[f64; 3]>,
    /// The largest threshold that the bot reaches with each probability in [`SHARES`].
    pub reached_by: [Option<i64>; SHARES.len()],
    /// Average fuel for the testcase's rounds.
    pub fuel: u64,
    /// Fuel that the testcase allows.
    pub fuel_limit: u64,
}

/// A threshold between two bots.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// Name of the bot that should fail.
    pub weaker: String,
    /// Name of the bot that should pass.
    pub stronger: String,
    /// The threshold.
    pub min_score: i64,
    /// The larger of two chances: that the weaker bot passes, and that the stronger one fails.
    pub error: f64,
    /// Number of rounds with which the error would be at most [`FEW_WRONG`]; none if the present
    /// rounds suffice, or if [`MOST_ROUNDS`] do not.
    pub rounds_needed: Option<usize>,
}

impl Proposal {
    /// True if the threshold distinguishes the two bots.
    pub fn separates(&self) -> bool {
        self.error <= MOST_WRONG
    }
}

/// Advice for bots that no threshold distinguishes.
pub(super) fn advice(rounds_needed: Option<usize>) -> String {
    match rounds_needed {
        Some(rounds) => format!("{rounds} rounds would separate the bots"),
        None => "choose bots that differ more, or another opponent".to_owned(),
    }
}

impl Outcome {
    pub(super) fn new(
        testcases: &[&Testcase],
        bots: &[BotSource],
        played: &CalibrationResults,
    ) -> Outcome {
        let finding = |(testcase, at): (&&Testcase, &usize)| {
            Finding::new(testcase, *at, bots, &played.results[*at])
        };
        Outcome {
            testcases: std::iter::zip(testcases, &played.conditions).map(finding).collect(),
            judge_errors: played.judge_errors,
            changes: Vec::new(),
        }
    }

    /// Renders the figures as JSON.
    pub fn to_json(&self) -> String {
        judge_report::json_text(self)
    }

    /// Renders a Markdown table with a row per testcase and a column per bot.
    pub fn to_markdown(&self) -> String {
        let bots = self.testcases.first().map_or(&[][..], |testcase| &testcase.bots);
        let names: Vec<String> =
            bots.iter().map(|bot| format!(" `{}` |", cell(&bot.name))).collect();
        let mut text =
            format!("| testcase | rounds | threshold |{} best between |\n", names.concat());
        // Writing to a string cannot fail. The same holds below.
        let _ = writeln!(text, "|---|--:|--:|{}---|", "--:|".repeat(bots.len()));
        for testcase in &self.testcases {
            text += &testcase.row();
        }
        text
    }
}

impl Finding {
    fn new(
        testcase: &Testcase,
        conditions: usize,
        bots: &[BotSource],
        samples: &[Sample],
    ) -> Finding {
        let of_bot = |(bot, sample): (&BotSource, &Sample)| BotFinding::new(testcase, bot, sample);
        Finding {
            name: testcase.name.clone(),
            title: testcase.title.clone(),
            conditions,
            opponent: testcase.opponent.clone(),
            rounds: testcase.rounds,
            min_score: testcase.min_score,
            bots: std::iter::zip(bots, samples).map(of_bot).collect(),
            proposals: proposals(testcase, bots, samples),
        }
    }

    /// The table row: chances in percent with their intervals, and proposed thresholds.
    fn row(&self) -> String {
        let chance = |bot: &BotFinding| match bot.chance {
            Some([estimate, low, high]) => {
                let [estimate, low, high] =
                    [estimate, low, high].map(|share| judge_report::per_cent(share, 1));
                format!(" {estimate} ({low} to {high}) |")
            }
            None => " - |".to_owned(),
        };
        let chances: String = self.bots.iter().map(chance).collect();
        let proposals = self.proposals.iter().map(|proposal| {
            let [weaker, stronger] = [&proposal.weaker, &proposal.stronger].map(|name| cell(name));
            let (threshold, error) = (proposal.min_score, percent(proposal.error));
            format!("{threshold} (`{weaker}`, `{stronger}`: {error} wrong)")
        });
        let proposals = proposals.collect::<Vec<_>>().join("; ");
        let (name, rounds, threshold) = (cell(&self.name), self.rounds, self.min_score);
        format!("| {name} | {rounds} | {threshold} |{chances} {proposals} |\n")
    }
}

impl BotFinding {
    fn new(testcase: &Testcase, bot: &BotSource, sample: &Sample) -> BotFinding {
        let sums = sums(testcase, sample);
        let chance = sample.scores.chance(demand(testcase), DRAW);
        let rounds = sample.scores.rounds().max(1);
        BotFinding {
            name: bot.submission.bot.name.clone(),
            played: sample.scores.rounds(),
            faults: sample.scores.faults(),
            mean: sample.scores.mean(),
            quantiles: [0.05, 0.5, 0.95].map(|part| sums.quantile(part)),
            chance: chance.map(|Estimate { value, low, high }| [value, low, high]),
            reached_by: SHARES.map(|share| sums.reached_by(share)),
            fuel: (sample.fuel / rounds).saturating_mul(testcase.rounds as u64),
            fuel_limit: testcase.limits.fuel,
        }
    }
}

fn demand(testcase: &Testcase) -> Demand {
    let fuel = testcase.limits.fuel;
    Demand { rounds: testcase.rounds, threshold: testcase.min_score, fuel }
}

/// The distribution of the sum over the testcase's rounds.
fn sums(testcase: &Testcase, sample: &Sample) -> ScoreSums {
    sample.scores.sums(testcase.rounds, testcase.limits.fuel, DRAW)
}

/// Thresholds between bots of neighbouring strength.
fn proposals(testcase: &Testcase, bots: &[BotSource], samples: &[Sample]) -> Vec<Proposal> {
    let mut ranked: Vec<(f64, &BotSource, &Sample)> = std::iter::zip(bots, samples)
        .filter_map(|(bot, sample)| Some((sample.scores.mean()?, bot, sample)))
        .collect();
    ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
    let between = |pair: &[(f64, &BotSource, &Sample)]| {
        let (weaker, stronger) = (pair[0].2, pair[1].2);
        let sums = [weaker, stronger].map(|sample| sums(testcase, sample));
        let (min_score, error) = ScoreSums::between(&sums[0], &sums[1])?;
        let name = |at: usize| pair[at].1.submission.bot.name.clone();
        let rounds_needed =
            if error > MOST_WRONG { rounds_needed(testcase, weaker, stronger) } else { None };
        Some(Proposal { weaker: name(0), stronger: name(1), min_score, error, rounds_needed })
    };
    ranked.windows(2).filter_map(between).collect()
}

/// The number of rounds, doubled from the testcase's, after which a threshold is rarely wrong. The
/// time limit grows with the rounds.
fn rounds_needed(testcase: &Testcase, weaker: &Sample, stronger: &Sample) -> Option<usize> {
    let doubled = |rounds: &usize| rounds.checked_mul(2).filter(|rounds| *rounds <= MOST_ROUNDS);
    let mut choices = std::iter::successors(doubled(&testcase.rounds), doubled);
    choices.find(|rounds| {
        let times = (rounds / testcase.rounds.max(1)) as u64;
        let fuel = testcase.limits.fuel.saturating_mul(times);
        let [weaker, stronger] =
            [weaker, stronger].map(|sample| sample.scores.sums(*rounds, fuel, DRAW));
        ScoreSums::between(&weaker, &stronger).is_some_and(|(_, error)| error <= FEW_WRONG)
    })
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", judge_report::per_cent(share, 1))
}

/// Formats a name for a Markdown table.
fn cell(name: &str) -> String {
    printable(name, 100).replace(['|', '`'], "_")
}
