//! A comparison of two versions: each fresh seed under each set of conditions, by both. Rounds, seeds
//! and ends are those of `judge compare` (`judge/runner/src/grade/compare`).

use judge_core::{RoundSpec, SeatSpec, Seed};
use judge_grading::{Suite, Testcase};
use judge_referee::RoundOutline;
use serde_json::{Value, json};

use super::figures;
use super::request::GradeRefusal;
use super::run::text;

/// The first of the fresh seeds, far from the usual seeds of testcases.
const FIRST_SEED: u64 = 1_000_000_000;

/// Fewest rounds after which a comparison may stop.
pub(super) const FEWEST: u64 = 20;

/// Maximum number of times that a comparison looks at its interval.
const LOOKS: usize = 6;

/// Fewest and most rounds per version and testcase that a page may choose.
const ROUNDS: [u64; 2] = [10, 100_000];

/// A version's result in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PairedResult {
    pub(super) score: i64,
    pub(super) fuel: u64,
    pub(super) has_fault: bool,
    pub(super) is_judge_error: bool,
    /// Equal for rounds with exactly the same lines and answers.
    pub(super) course: u64,
}

/// The indexes of a round's seed, conditions and version.
pub(super) type PairedPlace = [usize; 3];

/// A comparison under way, or at its end. Pairs are of the earlier and the present version.
pub(crate) struct PageComparison {
    /// By name.
    pub(super) testcases: Vec<&'static Testcase>,
    /// One testcase for each set of conditions.
    pub(super) distinct: Vec<&'static Testcase>,
    /// The number of each testcase's conditions, which testcases may share.
    pub(super) places: Vec<usize>,
    pub(super) versions: [SeatSpec; 2],
    pub(super) looks: Vec<u64>,
    /// Number of looks so far, the present one included.
    looked: usize,
    /// The results of the rounds up to the present look, by their numbers.
    results: Vec<Option<PairedResult>>,
    /// The number of the next round.
    next: usize,
    /// Number of rounds up to the present look without a result.
    missing: usize,
}

impl PageComparison {
    /// Plans the rounds up to the first look.
    pub(crate) fn new(suite: &'static Suite, versions: [SeatSpec; 2], most: u64) -> PageComparison {
        let mut testcases: Vec<&Testcase> = suite.testcases.iter().chain(&suite.locked).collect();
        testcases.sort_by(|one, other| one.name.cmp(&other.name));
        let (distinct, places) = conditions(&testcases);
        let looks = looks(most.clamp(ROUNDS[0], ROUNDS[1]));
        let mut comparison = PageComparison {
            testcases,
            distinct,
            places,
            versions,
            looks,
            looked: 0,
            results: Vec::new(),
            next: 0,
            missing: 0,
        };
        comparison.plan();
        comparison
    }

    /// Adds the rounds up to the next look.
    fn plan(&mut self) {
        let before = self.results.len();
        self.looked += 1;
        self.results.resize(2 * self.distinct.len() * self.rounds() as usize, None);
        self.missing += self.results.len() - before;
    }

    /// Number of rounds per version and testcase, up to the present look.
    pub(super) fn rounds(&self) -> u64 {
        self.looks[self.looked - 1]
    }

    /// Most rounds per version and testcase.
    pub(super) fn most(&self) -> u64 {
        self.looks[self.looks.len() - 1]
    }

    /// The progress: rounds that are done, at most all rounds, and the rounds up to the look.
    pub(crate) fn progress(&self) -> Value {
        let rounds = 2 * self.distinct.len() as u64 * self.most();
        let played = self.results.len() - self.missing;
        json!({ "played": played, "rounds": rounds, "left": self.missing })
    }

    /// The next round to play; null if there is none now.
    pub(crate) fn next(&mut self) -> Value {
        if self.next == self.results.len() {
            return Value::Null;
        }
        let (number, place) = (self.next, self.place(self.next));
        self.next += 1;
        json!({ "job": number, "version": place[2], "spec": text(&self.spec(place)) })
    }

    /// Takes the result of a round.
    pub(crate) fn take(
        &mut self,
        number: usize,
        outline: &RoundOutline,
    ) -> Result<Value, GradeRefusal> {
        let [_, conditions, _] = self.place(number);
        let seat = self.distinct[conditions].seat;
        let result = self.results.get_mut(number).ok_or(GradeRefusal::NoSuchRound)?;
        let fault = outline.fault.as_ref();
        let taken = PairedResult {
            score: outline.outcome.score(seat),
            fuel: outline.fuel[seat.index()].unwrap_or(0),
            has_fault: fault.is_some(),
            is_judge_error: fault.is_some_and(|fault| fault.seat.is_none()),
            course: outline.course,
        };
        if result.replace(taken).is_none() {
            self.missing -= 1;
        }
        Ok(self.progress())
    }

    /// Looks at the interval once all planned rounds are played. Plans more rounds while the answer
    /// is open.
    pub(crate) fn look(&mut self) -> Value {
        let is_last = self.looked == self.looks.len();
        if self.missing == 0 && !is_last && !figures::excludes_zero(self) {
            self.plan();
        }
        self.progress()
    }

    /// The figures, once all planned rounds are played.
    pub(crate) fn figures(&self) -> Result<Value, GradeRefusal> {
        if self.missing > 0 {
            return Err(GradeRefusal::Unfinished);
        }
        Ok(figures::figures(self))
    }

    /// A round by its place, as JSON in a text.
    pub(crate) fn single(&self, place: PairedPlace) -> Result<String, GradeRefusal> {
        let [seed, conditions, version] = place;
        let is_there = (seed as u64) < self.rounds()
            && conditions < self.distinct.len()
            && version < self.versions.len();
        is_there.then(|| text(&self.spec(place))).ok_or(GradeRefusal::NoSuchRound)
    }

    pub(super) fn seed(&self, at: usize) -> Seed {
        Seed(FIRST_SEED + at as u64)
    }

    fn spec(&self, [seed, conditions, version]: PairedPlace) -> RoundSpec {
        self.distinct[conditions].spec(&self.versions[version], self.seed(seed))
    }

    fn place(&self, number: usize) -> PairedPlace {
        let (rest, version) = (number / 2, number % 2);
        [rest / self.distinct.len(), rest % self.distinct.len(), version]
    }

    /// The seeds on which the judge did not fail, each with both results by conditions.
    pub(super) fn counted(&self) -> impl Iterator<Item = (usize, Vec<[PairedResult; 2]>)> {
        let seeds = self.results.chunks_exact(2 * self.distinct.len()).enumerate();
        seeds.filter_map(|(seed, results)| {
            let pairs = results.chunks_exact(2).map(|pair| Some([pair[0]?, pair[1]?]));
            let pairs: Vec<[PairedResult; 2]> = pairs.collect::<Option<_>>()?;
            let fails = pairs.iter().flatten().any(|result| result.is_judge_error);
            (!fails).then_some((seed, pairs))
        })
    }
}

/// Testcases that differ in more than name, seeds and threshold; and for each testcase the index of
/// the one with the same conditions.
fn conditions(testcases: &[&'static Testcase]) -> (Vec<&'static Testcase>, Vec<usize>) {
    let mut distinct: Vec<&Testcase> = Vec::new();
    let alike = |one: &Testcase, other: &Testcase| {
        (&one.game, &one.opponent, one.seat, one.limits, &one.options)
            == (&other.game, &other.opponent, other.seat, other.limits, &other.options)
    };
    let places = testcases.iter().map(|testcase| {
        distinct.iter().position(|known| alike(known, testcase)).unwrap_or_else(|| {
            distinct.push(testcase);
            distinct.len() - 1
        })
    });
    let places = places.collect();
    (distinct, places)
}

/// Numbers of rounds after which the comparison may stop: the maximum, and halves of it.
fn looks(most: u64) -> Vec<u64> {
    let halves = std::iter::successors(Some(most), |rounds| Some(rounds / 2));
    let enough = halves.take_while(|rounds| *rounds >= FEWEST.min(most)).take(LOOKS);
    let mut looks: Vec<u64> = enough.collect();
    looks.reverse();
    looks
}
