//! Submissions with the same answers: different modules with equal answers in every round of a
//! testcase. The journal is only read for rounds that look alike in the reports.

use std::collections::{BTreeMap, BTreeSet};

use judge_arena::RoundStore;
use judge_core::{BotReport, Digest, RoundSpec, SeatSpec, Seed, TestcaseReport, digest};
use judge_grading::{Suite, round_budgets};
use judge_report::cell;

use super::CourseFolder;
use super::assignment_outcome::Notable;
use crate::Error;
use crate::base::csv_text::csv_text;
use crate::bots::submitted::Alike;

/// The file of all pairs, in the folder of a course.
pub(super) const FILE: &str = "same-answers.csv";

/// Maximum number of modules with the same answers in a round. More are no evidence about two of
/// them.
const MOST_ALIKE: usize = 50;

/// Figures of a round in a report. Equal answers have equal figures.
type BehaviourKey = (i64, i64, u32);

/// A complete round of a submission.
#[derive(Debug, Clone)]
struct PlayedBehaviour {
    looks: BehaviourKey,
    seed: Seed,
    fuel: u64,
}

/// The rounds of all submissions.
#[derive(Debug, Default)]
pub(super) struct Behaviour {
    modules: BTreeMap<String, Digest>,
    /// By testcase and number, then by submission.
    rounds: BTreeMap<(String, u32), BTreeMap<String, PlayedBehaviour>>,
}

/// Two submissions with the same answers in at least one testcase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AlikePair {
    names: [String; 2],
    /// The testcases in which all answers were the same.
    testcases: Vec<String>,
    rounds: usize,
    answers: usize,
}

/// All such pairs, and the number of testcases and rounds in the suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SameAnswers {
    pairs: Vec<AlikePair>,
    testcases: usize,
    rounds: usize,
}

impl Behaviour {
    /// Adds the complete report of a submission.
    pub(super) fn add(&mut self, bot: &BotReport) {
        let name = &bot.bot.name;
        self.modules.insert(name.clone(), bot.bot.sha256);
        for case in &bot.testcases {
            self.add_testcase(name, case);
        }
    }

    fn add_testcase(&mut self, name: &str, case: &TestcaseReport) {
        let budgets = round_budgets(case.limits.fuel, &case.rounds);
        for (round, fuel) in std::iter::zip(&case.rounds, budgets) {
            let Some(fuel) = fuel.filter(|_| round.fault.is_none()) else { continue };
            let looks = (round.score, round.opponent_score, round.calls);
            let played = PlayedBehaviour { looks, seed: round.seed, fuel };
            let key = (case.name.clone(), round.round);
            self.rounds.entry(key).or_default().insert(name.to_owned(), played);
        }
    }

    /// Compares the answers of submissions that look alike, except for those known to be the same
    /// program.
    pub(super) fn compare(
        &self,
        store: &dyn RoundStore,
        suite: &Suite,
        known: &[Alike],
    ) -> Result<SameAnswers, Error> {
        let mut found: BTreeMap<[String; 2], BTreeMap<String, Vec<usize>>> = BTreeMap::new();
        for ((testcase, _), played) in &self.rounds {
            for (names, answers) in self.answered_alike(store, suite, testcase, played)? {
                for pair in pairs(&names) {
                    let testcases = found.entry(pair).or_default();
                    testcases.entry(testcase.clone()).or_default().push(answers);
                }
            }
        }
        let one_program = |[one, other]: &[String; 2]| {
            let both = |alike: &Alike| alike.names.contains(one) && alike.names.contains(other);
            self.modules.get(one) == self.modules.get(other) || known.iter().any(both)
        };
        found.retain(|pair, _| !one_program(pair));
        let pairs =
            found.into_iter().filter_map(|(names, found)| AlikePair::new(names, &found, suite));
        let mut pairs: Vec<AlikePair> = pairs.collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse((pair.testcases.len(), pair.rounds)));
        let rounds = suite.testcases.iter().map(|testcase| testcase.seeds.len()).sum();
        Ok(SameAnswers { pairs, testcases: suite.testcases.len(), rounds })
    }

    /// The submissions with the same answers in a round, and the number of those answers.
    fn answered_alike(
        &self,
        store: &dyn RoundStore,
        suite: &Suite,
        testcase: &str,
        played: &BTreeMap<String, PlayedBehaviour>,
    ) -> Result<Vec<(Vec<String>, usize)>, Error> {
        let mut by_looks: BTreeMap<BehaviourKey, Vec<&String>> = BTreeMap::new();
        for (name, one) in played {
            by_looks.entry(one.looks).or_default().push(name);
        }
        let mut by_answers: BTreeMap<([u8; 32], usize), Vec<String>> = BTreeMap::new();
        for names in by_looks.into_values().filter(|names| self.differ(names)) {
            for name in names {
                let spec = self.spec(suite, testcase, name, &played[name]);
                let Some((spec, seat)) = spec else { continue };
                let Some((transcript, _)) = store.find(&spec)? else { continue };
                let answers = &transcript.seat(seat).answers;
                let key = (*digest(answers.join("\n").as_bytes()).bytes(), answers.len());
                by_answers.entry(key).or_default().push(name.clone());
            }
        }
        let groups = by_answers.into_iter().map(|((_, answers), names)| (names, answers));
        Ok(groups.filter(|(names, answers)| *answers > 0 && names.len() <= MOST_ALIKE).collect())
    }

    /// True if these submissions have different modules.
    fn differ(&self, names: &[&String]) -> bool {
        let modules: BTreeSet<_> =
            names.iter().filter_map(|name| Some(*self.modules.get(*name)?.bytes())).collect();
        modules.len() > 1
    }

    /// The round's spec in the journal, and the submission's seat.
    fn spec(
        &self,
        suite: &Suite,
        testcase: &str,
        name: &str,
        played: &PlayedBehaviour,
    ) -> Option<(RoundSpec, judge_core::Seat)> {
        let testcase = suite.testcases.iter().find(|one| one.name == testcase)?;
        let sha256 = *self.modules.get(name)?;
        let mut spec = testcase.spec(&SeatSpec::Bot { name: name.to_owned(), sha256 }, played.seed);
        spec.limits.fuel = played.fuel;
        Some((spec, testcase.seat))
    }
}

/// All pairs of these names.
fn pairs(names: &[String]) -> impl Iterator<Item = [String; 2]> {
    names
        .iter()
        .enumerate()
        .flat_map(|(at, one)| names[at + 1..].iter().map(|other| [one.clone(), other.clone()]))
}

impl AlikePair {
    /// Creates a pair from the rounds with equal answers; none if they do not cover a whole
    /// testcase.
    fn new(
        names: [String; 2],
        found: &BTreeMap<String, Vec<usize>>,
        suite: &Suite,
    ) -> Option<AlikePair> {
        let is_whole = |name: &&String| {
            let testcase = suite.testcases.iter().find(|testcase| testcase.name == **name);
            testcase.is_some_and(|testcase| testcase.seeds.len() == found[*name].len())
        };
        let testcases: Vec<String> = found.keys().filter(is_whole).cloned().collect();
        let rounds = found.values().map(Vec::len).sum();
        let answers = found.values().flatten().sum();
        (!testcases.is_empty()).then_some(AlikePair { names, testcases, rounds, answers })
    }
}

impl SameAnswers {
    /// Number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Groups of submissions with the same answers in every round, for the instructor to check.
    pub(super) fn everywhere(&self) -> Vec<Vec<String>> {
        let mut groups: Vec<BTreeSet<&String>> = Vec::new();
        for pair in self.pairs.iter().filter(|pair| pair.rounds == self.rounds) {
            // Equality is transitive, so a pair belongs to the group of either name.
            let names = pair.names.each_ref();
            let known =
                groups.iter_mut().find(|group| names.iter().any(|name| group.contains(name)));
            match known {
                Some(group) => group.extend(names),
                None => groups.push(names.into()),
            }
        }
        groups.into_iter().map(|group| group.into_iter().cloned().collect()).collect()
    }

    /// The line about a group of [`SameAnswers::everywhere`].
    pub(super) fn notable(&self, who: String) -> Notable {
        let rounds = self.rounds;
        let why =
            format!("different modules with the same answers in all {rounds} rounds ({FILE})");
        Notable { who, why }
    }

    /// Writes all pairs, those with the most in common first. Without a pair no file is written,
    /// unless an earlier run left one.
    pub(super) fn write(&self, folder: &CourseFolder) -> Result<(), Error> {
        if self.pairs.is_empty() && !folder.path().join(FILE).exists() {
            return Ok(());
        }
        let header = [
            "one",
            "other",
            "testcases_alike",
            "testcases",
            "rounds_alike",
            "rounds",
            "answers_alike",
            "which",
        ];
        let rows = self.pairs.iter().map(|pair| self.row(pair));
        folder.write_sheet(FILE, &csv_text(header, rows)?)
    }

    fn row(&self, pair: &AlikePair) -> [String; 8] {
        let [one, other] = pair.names.each_ref().map(|name| cell(name));
        [
            one,
            other,
            pair.testcases.len().to_string(),
            self.testcases.to_string(),
            pair.rounds.to_string(),
            self.rounds.to_string(),
            pair.answers.to_string(),
            cell(&pair.testcases.join(" ")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(names: [&str; 2], rounds: usize) -> AlikePair {
        let names = names.map(str::to_owned);
        AlikePair { names, testcases: vec!["01".to_owned()], rounds, answers: 9 }
    }

    #[test]
    fn bots_with_equal_answers_in_all_rounds_form_a_group() {
        let pairs = vec![
            pair(["ada", "bob"], 4),
            pair(["ada", "eve"], 4),
            pair(["bob", "eve"], 4),
            pair(["bob", "zoe"], 3),
            pair(["kim", "lee"], 4),
        ];
        let found = SameAnswers { pairs, testcases: 2, rounds: 4 };
        assert_eq!(found.everywhere(), [vec!["ada", "bob", "eve"], vec!["kim", "lee"]]);
    }
}
