//! The rounds of a course as files and as pages, made again out of its journal.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
        let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
        let pages = AtomicUsize::new(0);
        let work = || {
            while let Some(mark) = marks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let written = Student::read(folder, mark).and_then(|student| match student {
                    Some(student) => student.write(self.which, &pool, folder, suite),
                    None => Ok(0),
                });
                match written {
                    Ok(written) => {
                        pages.fetch_add(written, Ordering::Relaxed);
                    }
                    Err(failure) => {
                        // The others find nothing left to begin with.
                        next.store(marks.len(), Ordering::Relaxed);
                        failed.lock().map(|mut failed| *failed = Some(failure)).unwrap_or_default();
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.pool.workers.clamp(1, marks.len().max(1)) {
                scope.spawn(work);
            }
        });
        failed.into_inner().unwrap_or_default().map_or(Ok(pages.into_inner()), Err)
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
    ) -> Result<usize, Failure> {
        let mut written = 0;
        for case in &self.bot.testcases {
            let deciding = deciding_round(case).map(|round| round.round);
            for (round, fuel) in std::iter::zip(&case.rounds, budgets(case)) {
                let wanted = which == Pages::All || deciding == Some(round.round);
                let Some(fuel) = fuel.filter(|_| wanted) else { continue };
                if let Some(record) = self.record(pool, suite, case, round, fuel)? {
                    self.keep(folder, case, round, &record)?;
                    written += 1;
                }
            }
        }
        Ok(written)
    }

    /// The round as the journal has it; none if the judge failed in it.
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
        let path = CourseFolder::round(&self.name, case, round.round);
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
