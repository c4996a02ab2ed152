//! The outcome of a calibration: figures, as text and JSON.

use std::fmt::Write as _;

use judge_core::{Seed, printable};
use judge_grading::Testcase;
use judge_report::fuel_as_ms;
use judge_statistics::{Demand, Estimate, ScoreSums};
use serde::Serialize;

use super::play::{CalibrationResults, Sample};
use super::write::ThresholdChange;
use crate::bots::BotSource;

/// Seed of the random sums. It is fixed, so that every run gives the same figures.
const DRAW: Seed = Seed(0);

/// The chances for which each bot's threshold is given.
pub const SHARES: [f64; 7] = [0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05];

/// Number of rounds below which the intervals contain the true value less often than stated.
const FEW: u64 = 100;

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
}

impl Outcome {
    pub(super) fn new(
        testcases: &[&Testcase],
        bots: &[BotSource],
        played: &CalibrationResults,
    ) -> Outcome {
        let finding = |(testcase, at): (&&Testcase, &usize)| {
            Finding::new(testcase, bots, &played.results[*at])
        };
        Outcome {
            testcases: std::iter::zip(testcases, &played.conditions).map(finding).collect(),
            judge_errors: played.judge_errors,
            changes: Vec::new(),
        }
    }

    /// Formats the changed thresholds, one per line.
    pub fn changes_text(&self) -> String {
        let names = self.changes.iter().map(|change| printable(&change.testcase, 100));
        let width = names.clone().map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |(name, change): (String, &ThresholdChange)| {
            let finding = self.testcases.iter().find(|finding| finding.name == change.testcase);
            let reversed = finding.and_then(Finding::reversed).unwrap_or_default();
            match change.to {
                Some(to) if to == change.from => {
                    format!("  {name:width$}  {to}, as before{reversed}\n")
                }
                Some(to) => format!("  {name:width$}  {} -> {to}{reversed}\n", change.from),
                None => {
                    let why = change.passed_over.map(|why| why.to_string());
                    let why =
                        why.or_else(|| finding.map(Finding::no_threshold)).unwrap_or_default();
                    format!("  {name:width$}  {}, as before: {why}\n", change.from)
                }
            }
        };
        let lines: String = std::iter::zip(names, &self.changes).map(line).collect();
        format!("thresholds in the files of the suite:\n{lines}")
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

    /// Formats the figures for people.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for testcase in &self.testcases {
            testcase.write(&mut text);
        }
        let played = self.testcases.iter().flat_map(|testcase| &testcase.bots);
        if played.map(|bot| bot.played).min().is_some_and(|least| least < FEW) {
            let _ = writeln!(text, "with fewer than {FEW} rounds the intervals may be too narrow");
        }
        if self.judge_errors > 0 {
            let _ = writeln!(text, "{} rounds are left out: the judge failed", self.judge_errors);
        }
        text
    }
}

impl Finding {
    fn new(testcase: &Testcase, bots: &[BotSource], samples: &[Sample]) -> Finding {
        let of_bot = |(bot, sample): (&BotSource, &Sample)| BotFinding::new(testcase, bot, sample);
        Finding {
            name: testcase.name.clone(),
            title: testcase.title.clone(),
            rounds: testcase.rounds,
            min_score: testcase.min_score,
            bots: std::iter::zip(bots, samples).map(of_bot).collect(),
            proposals: proposals(testcase, bots, samples),
        }
    }

    /// A remark on a threshold that the bot named first should pass instead of fail.
    fn reversed(&self) -> Option<String> {
        let weaker = &self.proposals.first()?.weaker;
        let first = &self.bots.first()?.name;
        let name = printable(weaker, 60);
        (weaker != first).then(|| format!("; the weaker bot here is {name}"))
    }

    /// The reason why no threshold separates the bots.
    fn no_threshold(&self) -> String {
        match self.bots.iter().find(|bot| bot.mean.is_none()) {
            Some(bot) => format!("{} played no round to its end", printable(&bot.name, 60)),
            None => "no threshold separates these bots".to_owned(),
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

    fn write(&self, text: &mut String) {
        let (name, title) = (printable(&self.name, 100), printable(&self.title, 200));
        let rounds = if self.rounds == 1 { "round" } else { "rounds" };
        let _ = writeln!(text, "{name}: {title}");
        let _ = writeln!(text, "  {} {rounds}, threshold {}", self.rounds, self.min_score);
        for bot in &self.bots {
            bot.write(text);
        }
        for proposal in &self.proposals {
            let [weaker, stronger] =
                [&proposal.weaker, &proposal.stronger].map(|name| printable(name, 60));
            let _ = writeln!(
                text,
                "  a threshold of {} separates {weaker} from {stronger} with at most {} wrong",
                proposal.min_score,
                percent(proposal.error)
            );
        }
        text.push('\n');
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

    fn write(&self, text: &mut String) {
        let name = printable(&self.name, 60);
        let [low, middle, high] =
            self.quantiles.map(|sum| sum.map_or("-".to_owned(), |sum| sum.to_string()));
        let chance = self.chance.map_or("unknown".to_owned(), |[estimate, low, high]| {
            format!("{} ({} to {})", percent(estimate), percent(low), percent(high))
        });
        let _ = writeln!(text, "  {name}: passes with {chance}");
        let _ = writeln!(
            text,
            "    {} a round; the sum is {middle}, in nine of ten cases {low} to {high}; {} of {}",
            self.mean.map_or("-".to_owned(), |mean| format!("{mean:.1}")),
            fuel_as_ms(self.fuel),
            fuel_as_ms(self.fuel_limit),
        );
        let reached = std::iter::zip(SHARES, self.reached_by)
            .filter_map(|(share, sum)| Some(format!("{} with {:.0} %", sum?, 100.0 * share)));
        let reached = reached.collect::<Vec<_>>().join(", ");
        if !reached.is_empty() {
            let _ = writeln!(text, "    reaches {reached}");
        }
        if self.faults > 0 {
            let _ = writeln!(text, "    failed in {} of {} rounds", self.faults, self.played);
        }
        if self.fuel > self.fuel_limit {
            let _ = writeln!(
                text,
                "    its rounds together take more time than the testcase has, on average"
            );
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
        let [weaker, stronger] = [0, 1].map(|at| sums(testcase, pair[at].2));
        let (min_score, error) = ScoreSums::between(&weaker, &stronger)?;
        let name = |at: usize| pair[at].1.submission.bot.name.clone();
        Some(Proposal { weaker: name(0), stronger: name(1), min_score, error })
    };
    ranked.windows(2).filter_map(between).collect()
}

fn percent(share: f64) -> String {
    format!("{} %", judge_report::per_cent(share, 1))
}

/// Formats a name for a Markdown table.
fn cell(name: &str) -> String {
    printable(name, 100).replace(['|', '`'], "_")
}
