//! A comparison of two versions: each fresh seed under each set of conditions, by both. Rounds, seeds
//! and ends are those of `judge compare` (`judge/runner/src/grade/compare`).

use judge_core::{RoundSpec, SeatSpec, Seed};
use judge_grading::{Suite, Testcase, conditions};
use judge_referee::RoundOutline;
use judge_statistics::{VersionPlace, VersionRound, VersionRounds, looks};
use serde_json::{Value, json};

use super::figures;
use super::request::GradeRefusal;
use super::run::text;

/// The first of the fresh seeds, far from the usual seeds of testcases.
const FIRST_SEED: u64 = 1_000_000_000;

/// Fewest and most rounds per version and testcase that a page may choose.
const ROUNDS: [u64; 2] = [10, 100_000];

/// A comparison under way, or at its end. Pairs are of the earlier and the present version.
pub(crate) struct PageComparison {
    /// By name.
    pub(super) testcases: Vec<&'static Testcase>,
    /// One testcase for each set of conditions.
    pub(super) distinct: Vec<&'static Testcase>,
    pub(super) versions: [SeatSpec; 2],
    pub(super) looks: Vec<u64>,
    /// Number of looks so far, the present one included.
    looked: usize,
    /// The results of the rounds up to the present look.
    pub(super) results: VersionRounds,
    /// The number of the next round.
    next: usize,
}

impl PageComparison {
    /// Plans the rounds up to the first look.
    pub(crate) fn new(suite: &'static Suite, versions: [SeatSpec; 2], most: u64) -> PageComparison {
        let testcases = suite.by_name();
        let (distinct, places) = conditions(&testcases);
        let looks = looks(most.clamp(ROUNDS[0], ROUNDS[1]));
        let mut comparison = PageComparison {
            testcases,
            distinct,
            versions,
            looks,
            looked: 0,
            results: VersionRounds::new(places),
            next: 0,
        };
        comparison.plan();
        comparison
    }

    /// Adds the rounds up to the next look.
    fn plan(&mut self) {
        self.looked += 1;
        self.results.plan(self.rounds());
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
        let missing = self.results.missing();
        let played = self.results.planned() - missing;
        json!({ "played": played, "rounds": rounds, "left": missing })
    }

    /// The next round to play; null if there is none now.
    pub(crate) fn next(&mut self) -> Value {
        if self.next == self.results.planned() {
            return Value::Null;
        }
        let (number, place) = (self.next, self.results.place(self.next));
        self.next += 1;
        json!({ "job": number, "version": place[2], "spec": text(&self.spec(place)) })
    }

    /// Takes the result of a round.
    pub(crate) fn take(
        &mut self,
        number: usize,
        outline: &RoundOutline,
    ) -> Result<Value, GradeRefusal> {
        let seat = self.distinct[self.results.place(number)[1]].seat;
        let score = outline.outcome.score(seat);
        let fuel = outline.fuel[seat.index()].unwrap_or(0);
        let result = VersionRound::new(score, fuel, outline.course, outline.fault.as_ref());
        let is_planned = self.results.take(number, result);
        is_planned.then(|| self.progress()).ok_or(GradeRefusal::NoSuchRound)
    }

    /// Looks at the interval once all planned rounds are played. Plans more rounds while the answer
    /// is open.
    pub(crate) fn look(&mut self) -> Value {
        let is_last = self.looked == self.looks.len();
        let is_open = !self.results.excludes_zero(self.looks.len());
        if self.results.missing() == 0 && !is_last && is_open {
            self.plan();
        }
        self.progress()
    }

    /// The figures, once all planned rounds are played.
    pub(crate) fn figures(&self) -> Result<Value, GradeRefusal> {
        if self.results.missing() > 0 {
            return Err(GradeRefusal::Unfinished);
        }
        Ok(figures::figures(self))
    }

    /// A round by its place, as JSON in a text.
    pub(crate) fn single(&self, place: VersionPlace) -> Result<String, GradeRefusal> {
        let [seed, conditions, version] = place;
        let is_there = (seed as u64) < self.rounds()
            && conditions < self.distinct.len()
            && version < self.versions.len();
        is_there.then(|| text(&self.spec(place))).ok_or(GradeRefusal::NoSuchRound)
    }

    pub(super) fn seed(&self, at: usize) -> Seed {
        Seed(FIRST_SEED + at as u64)
    }

    fn spec(&self, [seed, conditions, version]: VersionPlace) -> RoundSpec {
        self.distinct[conditions].spec(&self.versions[version], self.seed(seed))
    }
}
