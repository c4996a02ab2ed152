//! The rounds of a course as files and pages, made from its journal.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use judge_arena::Run;
use judge_core::{Blame, BotReport, Event, Listener, RoundRecord, RoundReport, TestcaseReport};
use judge_grading::{Suite, deciding_round, round_budgets};
use judge_report::page::Beside;
use judge_report::quoted;
use serde::{Deserialize, Serialize};

use super::assignment_outcome::WrittenPages;
use super::pages::{self, SubmissionPage};
use super::{CourseFolder, Memory};
use crate::Error;
use crate::rounds::graded_rounds::kept;
use crate::rounds::round_html;
use crate::suites;

/// The rounds of a course to write as a file and a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PagedRounds {
    /// None.
    #[default]
    None,
    /// The deciding round of each testcase that was not passed.
    Worst,
    /// All rounds; 100 kB or more each.
    All,
}

/// Number of rounds that were written and that could not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct WrittenCounts {
    pages: WrittenPages,
    /// Number of rounds that the report has but the journal does not. Rounds with a judge error are
    /// in no journal, and do not count.
    missing: usize,
}

impl WrittenCounts {
    fn add(&mut self, other: WrittenCounts) {
        self.pages.open += other.pages.open;
        self.pages.hidden += other.pages.hidden;
        self.missing += other.missing;
    }

    /// A warning about rounds without a page.
    fn warning(self) -> Option<String> {
        let rounds = if self.missing == 1 { "round" } else { "rounds" };
        (self.missing > 0).then(|| {
            format!(
                "no page of {} {rounds}: the journal does not have them as the reports do",
                self.missing
            )
        })
    }
}

/// Writes rounds as files and pages.
pub(crate) struct RoundWriter<'a> {
    /// The run with the journal of the rounds.
    pub(crate) run: &'a Run,
    pub(crate) which: PagedRounds,
    /// The cache of rounds that were already written.
    pub(crate) memory: &'a Memory,
}

impl RoundWriter<'_> {
    /// Writes the selected rounds of all submissions, as many at a time as there are workers, and
    /// returns their number. Warns about rounds that could not be written.
    pub(super) fn write(
        &self,
        course: &pages::CoursePages<'_>,
        submissions: &[SubmissionPage<'_>],
        events: &mut dyn Listener,
    ) -> Result<WrittenPages, Error> {
        if self.which == PagedRounds::None {
            return Ok(WrittenPages::default());
        }
        let sum = self.write_all(course, submissions)?;
        if let Some(text) = sum.warning() {
            events.event(&Event::Warning { text })?;
        }
        Ok(sum.pages)
    }

    fn write_all(
        &self,
        course: &pages::CoursePages<'_>,
        submissions: &[SubmissionPage<'_>],
    ) -> Result<WrittenCounts, Error> {
        let run = self.run.clone().stored_only();
        let next = AtomicUsize::new(0);
        let outcome = Mutex::new(Ok(WrittenCounts::default()));
        let work = || {
            while let Some(submission) = submissions.get(next.fetch_add(1, Ordering::Relaxed)) {
                let written = StudentRounds::write_of(submission, course, self, &run);
                if written.is_err() {
                    // No other thread starts another submission.
                    next.store(submissions.len(), Ordering::Relaxed);
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
            for _ in 0..self.run.pool().workers().clamp(1, submissions.len().max(1)) {
                scope.spawn(work);
            }
        });
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rounds of a student's complete result.
struct StudentRounds {
    bot: BotReport,
    /// The name of the student's files, without an extension.
    name: String,
    /// The module as a shell word.
    module: String,
}

impl StudentRounds {
    /// Writes the selected rounds of a submission.
    fn write_of(
        submission: &SubmissionPage<'_>,
        course: &pages::CoursePages<'_>,
        rounds: &RoundWriter<'_>,
        run: &Run,
    ) -> Result<WrittenCounts, Error> {
        let hidden = suites::has_hidden(course.suite);
        let report = course.kept.whole(course.folder, submission.name, hidden)?;
        let Some(bot) = report.bots.first().cloned() else { return Ok(WrittenCounts::default()) };
        let (name, module) = (submission.files.clone(), submission.module());
        StudentRounds { bot, name, module }.write(rounds, run, course.folder, course.suite)
    }

    fn write(
        &self,
        rounds: &RoundWriter<'_>,
        run: &Run,
        folder: &CourseFolder,
        suite: &Suite,
    ) -> Result<WrittenCounts, Error> {
        let mut written = WrittenCounts::default();
        for case in &self.bot.testcases {
            let deciding = deciding_round(case).map(|round| round.round);
            let budgets = round_budgets(case.limits.fuel, &case.rounds);
            for (round, fuel) in std::iter::zip(&case.rounds, budgets) {
                let wanted = rounds.which == PagedRounds::All || deciding == Some(round.round);
                let Some(fuel) = fuel.filter(|_| wanted) else { continue };
                let pages = &mut written.pages;
                let number = if case.hidden { &mut pages.hidden } else { &mut pages.open };
                if self.is_known(rounds.memory, folder, case, round) {
                    *number += 1;
                } else if let Some(record) = kept(run, suite, &self.bot.bot, case, round, fuel)? {
                    self.keep(folder, case, round, &record)?;
                    if let Some(digest) = round.digest {
                        let page = self.page(folder, case, round);
                        rounds.memory.keep_round(page, digest, &self.module);
                    }
                    *number += 1;
                } else if round.blame != Some(Blame::Judge) {
                    written.missing += 1;
                }
            }
        }
        Ok(written)
    }

    /// The path of a round's page.
    fn page(&self, folder: &CourseFolder, case: &TestcaseReport, round: &RoundReport) -> PathBuf {
        folder.path().join(folder.round(&self.name, case, round.round) + ".html")
    }

    /// True if the page of exactly this round exists.
    fn is_known(
        &self,
        memory: &Memory,
        folder: &CourseFolder,
        case: &TestcaseReport,
        round: &RoundReport,
    ) -> bool {
        let page = self.page(folder, case, round);
        round.digest.is_some_and(|digest| memory.has_round(&page, digest, &self.module))
    }

    fn keep(
        &self,
        folder: &CourseFolder,
        case: &TestcaseReport,
        round: &RoundReport,
        record: &RoundRecord,
    ) -> Result<(), Error> {
        let path = folder.round(&self.name, case, round.round);
        let (place, name) = path.rsplit_once('/').unwrap_or(("", &path));
        folder.make(place)?;
        let up = "../".repeat(path.matches('/').count());
        let students = if case.hidden { "full" } else { "students" };
        let beside = Beside {
            file: pages::address(&format!("{name}.jsonl")),
            back_name: "the student's page",
            back: format!("{up}{}", pages::address(&format!("{students}/{}.html", self.name))),
        };
        let verify = format!("judge verify {} {}", quoted(&format!("{name}.jsonl")), self.module);
        folder.write(&format!("{path}.jsonl"), &record.to_replay())?;
        folder.write(&format!("{path}.html"), &round_html::of_record(record, &verify, beside)?)
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{BotIdentity, RoundResult, Seed, digest};
    use judge_grading::{RoundInput, bot_report, fold};

    use super::*;
    use crate::base::workers::Workers;

    #[test]
    fn missing_rounds_are_counted_without_those_of_judge_errors() {
        let suite =
            crate::base::bundled::suite("mahjong").expect("it is bundled").expect("and whole");
        let never = RoundInput { seed: Seed(1), summary: None };
        let mut case = fold(&suite.testcases[0], &[never; 4]);
        for (round, blame) in
            std::iter::zip(&mut case.rounds, [None, Some(Blame::Bot), Some(Blame::Judge)])
        {
            let outcome = RoundResult { scores: [0, 0], winner: None, reason: "x".to_owned() };
            (round.blame, round.outcome) = (blame, Some(outcome));
        }
        let bot = BotIdentity { name: "ada".to_owned(), sha256: digest(b"ada"), author: None };
        let bot = bot_report(bot, &suite, vec![case]);
        let (name, module) = ("ada".to_owned(), "ada.wasm".to_owned());
        let run = Workers::of_this_program().expect("a test knows its program").run().stored_only();
        let place = tempfile::tempdir().expect("a folder");
        let folder = CourseFolder::at(place.path());
        let memory = Memory::none();
        let rounds = RoundWriter { run: &run, which: PagedRounds::All, memory: &memory };
        let written = StudentRounds { bot, name, module }.write(&rounds, &run, &folder, &suite);
        let written = written.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(written, WrittenCounts { pages: WrittenPages::default(), missing: 2 });
        assert!(written.warning().expect("some are missing").contains("no page of 2 rounds: "));
        assert_eq!(
            WrittenCounts { pages: WrittenPages { open: 9, hidden: 0 }, missing: 0 }.warning(),
            None
        );
    }
}
