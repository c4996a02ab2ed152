//! The rounds of a course as files and as pages, made again out of its journal.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use judge_arena::{ArenaError, Job, Pool};
use judge_core::{Blame, BotReport, MatchRecord, RoundReport, SeatSpec, TestcaseReport};
use judge_grading::{Suite, deciding_round};
use judge_report::page::Beside;
use judge_report::{Mark, quoted};

use super::{CourseFolder, pages};
use crate::failure::Failure;
use crate::replay;

/// Which rounds of a course are written as a file and a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Pages {
    /// None.
    #[default]
    None,
    /// Of each testcase that was not passed, the round that decided it.
    Worst,
    /// All: some 100 kB and up each.
    All,
}

/// How many rounds were written, and how many could not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    pages: usize,
    /// Not in the journal, although the report has them as played. Those in which the judge failed
    /// are in no journal, and do not count.
    missing: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.pages += other.pages;
        self.missing += other.missing;
    }

    /// What to say of rounds without a page.
    fn warning(self) -> Option<String> {
        let rounds = if self.missing == 1 { "round" } else { "rounds" };
        (self.missing > 0).then(|| {
            format!(
                "warning: no page of {} {rounds}: the journal does not have them as the reports do",
                self.missing
            )
        })
    }
}

/// Writes rounds.
pub(super) struct Rounds<'a> {
    /// With the journal that they are in.
    pub(super) pool: &'a Pool,
    pub(super) which: Pages,
}

impl Rounds<'_> {
    /// Writes the wanted rounds of everybody, as many at a time as there are workers. How many they
    /// are.
    pub(super) fn write(
        &self,
        folder: &CourseFolder,
        suite: &Suite,
        marks: &[Mark],
    ) -> Result<usize, Failure> {
        if self.which == Pages::None {
            return Ok(0);
        }
        let pool = Pool { journal_only: true, ..self.pool.clone() };
        let next = AtomicUsize::new(0);
        let outcome = Mutex::new(Ok(Tally::default()));
        let work = || {
            while let Some(mark) = marks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let written = Student::read(folder, mark).and_then(|student| match student {
                    Some(student) => student.write(self.which, &pool, folder, suite),
                    None => Ok(Tally::default()),
                });
                if written.is_err() {
                    // The others find nothing left to begin with.
                    next.store(marks.len(), Ordering::Relaxed);
                }
                let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                match (&mut *outcome, written) {
                    (Ok(sum), Ok(written)) => sum.add(written),
                    (Err(_), _) => {}
                    (first, failure) => *first = failure,
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.pool.workers.clamp(1, marks.len().max(1)) {
                scope.spawn(work);
            }
        });
        let sum = outcome.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        if let Some(warning) = sum.warning() {
            // A standard error that is gone changes no result.
            let _ = writeln!(std::io::stderr(), "{warning}");
        }
        Ok(sum.pages)
    }
}

/// A student's result, hidden testcases included.
struct Student {
    bot: BotReport,
    /// What their files are called, without an ending.
    name: String,
    /// The module as one word of a shell.
    module: String,
}

impl Student {
    /// Reads the report; none of who handed in nothing.
    fn read(folder: &CourseFolder, mark: &Mark) -> Result<Option<Student>, Failure> {
        let Some(report) = &mark.report else { return Ok(None) };
        let full = pages::full(report);
        let path = if folder.path().join(&full).is_file() { &full } else { report };
        let (report, name) = pages::read(folder, path)?;
        let bot = report.bots.into_iter().next();
        Ok(bot.map(|bot| Student { module: pages::module(mark, &bot.bot.name), bot, name }))
    }

    fn write(
        &self,
        which: Pages,
        pool: &Pool,
        folder: &CourseFolder,
        suite: &Suite,
    ) -> Result<Tally, Failure> {
        let mut written = Tally::default();
        for case in &self.bot.testcases {
            let deciding = deciding_round(case).map(|round| round.round);
            for (round, fuel) in std::iter::zip(&case.rounds, budgets(case)) {
                let wanted = which == Pages::All || deciding == Some(round.round);
                let Some(fuel) = fuel.filter(|_| wanted) else { continue };
                if let Some(record) = self.record(pool, suite, case, round, fuel)? {
                    self.keep(folder, case, round, &record)?;
                    written.pages += 1;
                } else if round.blame != Some(Blame::Judge) {
                    written.missing += 1;
                }
            }
        }
        Ok(written)
    }

    /// The round as the journal has it; none if it is not there, as with one in which the judge
    /// failed.
    fn record(
        &self,
        pool: &Pool,
        suite: &Suite,
        case: &TestcaseReport,
        round: &RoundReport,
        fuel: u64,
    ) -> Result<Option<MatchRecord>, Failure> {
        let testcase = suite.testcases.iter().find(|testcase| testcase.name == case.name);
        let Some(testcase) = testcase else { return Ok(None) };
        let bot = &self.bot.bot;
        let seat = SeatSpec::Bot { name: bot.name.clone(), sha256: bot.sha256 };
        let mut spec = testcase.spec(&seat, round.seed);
        spec.limits.fuel = fuel;
        match pool.play(&[], &Job { spec, modules: [None, None] }) {
            Ok(played) => Ok(Some(played.record)),
            Err(ArenaError::NotPlayed { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn keep(
        &self,
        folder: &CourseFolder,
        case: &TestcaseReport,
        round: &RoundReport,
        record: &MatchRecord,
    ) -> Result<(), Failure> {
        let path = folder.round(&self.name, case, round.round);
        let (place, name) = path.rsplit_once('/').unwrap_or(("", &path));
        folder.make(place)?;
        let up = "../".repeat(path.matches('/').count());
        let students = if case.hidden { "full" } else { "students" };
        let beside = Beside {
            file: pages::address(&format!("{name}.jsonl")),
            student: format!("{up}{}", pages::address(&format!("{students}/{}.html", self.name))),
        };
        let verify = format!("judge verify {} {}", quoted(&format!("{name}.jsonl")), self.module);
        folder.write(&format!("{path}.jsonl"), &record.to_replay())?;
        folder.write(&format!("{path}.html"), &replay::of_record(record, &verify, beside)?)
    }
}

/// What each round of a testcase was played with: one that the bot broke with what the rounds before
/// it had left, every other with the whole of the testcase's time. None for one that was not played.
pub(super) fn budgets(case: &TestcaseReport) -> Vec<Option<u64>> {
    let mut left = case.limits.fuel;
    let mut budget = |round: &RoundReport| {
        let fuel = if round.blame == Some(Blame::Bot) { left } else { case.limits.fuel };
        left = left.saturating_sub(round.fuel);
        round.outcome.as_ref().map(|_| fuel)
    };
    case.rounds.iter().map(&mut budget).collect()
}

#[cfg(test)]
mod tests {
    use judge_core::{BotIdentity, Outcome, Seed, digest};
    use judge_grading::{RoundInput, bot_report, fold};

    use super::*;
    use crate::worker;

    #[test]
    fn rounds_that_the_journal_lacks_are_counted_but_not_those_that_the_judge_broke() {
        let suite = crate::grade::named("mahjong".as_ref()).expect("it is bundled");
        let never = RoundInput { seed: Seed(1), summary: None };
        let mut case = fold(&suite.testcases[0], &[never; 4]);
        for (round, blame) in
            std::iter::zip(&mut case.rounds, [None, Some(Blame::Bot), Some(Blame::Judge)])
        {
            let outcome = Outcome { scores: [0, 0], winner: None, reason: "x".to_owned() };
            (round.blame, round.outcome) = (blame, Some(outcome));
        }
        let bot = BotIdentity { name: "ada".to_owned(), sha256: digest(b"ada"), author: None };
        let bot = bot_report(bot, &suite, vec![case]);
        let (name, module) = ("ada".to_owned(), "ada.wasm".to_owned());
        let pool =
            worker::pool(Some(1), &worker::Walls::default()).expect("a test knows its program");
        let pool = Pool { journal_only: true, ..pool };
        let place = tempfile::tempdir().expect("a folder");
        let folder = CourseFolder::at(place.path());
        let written = Student { bot, name, module }.write(Pages::All, &pool, &folder, &suite);
        let written = written.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(written, Tally { pages: 0, missing: 2 });
        assert!(written.warning().expect("some are missing").contains("no page of 2 rounds: "));
        assert_eq!(Tally { pages: 9, missing: 0 }.warning(), None);
    }
}
