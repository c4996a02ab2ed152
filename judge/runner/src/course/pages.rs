//! The pages of a graded course: one per student, one for the staff if testcases are hidden, and
//! optionally pages of rounds.

use std::collections::BTreeMap;

use judge_core::{BotReport, Event, Listener, RoundReport, TestcaseReport};
use judge_grading::Suite;
use judge_report::page::{Again, Audience, CourseRank, Student};
use judge_report::{LateMark, Mark, quoted};

use super::assignment_outcome::WrittenPages;
use super::reports::KeptReports;
use super::rounds::RoundWriter;
use super::{CourseFolder, Memory, built};
use crate::Error;
use crate::base::address::encoded;
use crate::base::bundled;
use crate::course::pseudonym_file;
use crate::rounds::graded_rounds;
use crate::suites;

/// The input of a course's pages.
pub(super) struct CoursePages<'a> {
    pub(super) folder: &'a CourseFolder,
    pub(super) suite: &'a Suite,
    pub(super) kept: &'a KeptReports,
    /// Number of students with a rank.
    pub(super) ranked: usize,
    pub(super) memory: &'a Memory,
}

/// A graded submission.
pub(super) struct SubmissionPage<'a> {
    pub(super) name: &'a str,
    /// The name of its files, without an extension.
    pub(super) files: String,
    pub(super) mark: &'a Mark,
    /// The name of its student, or the names of a group's students.
    pub(super) student: String,
    /// The path of the module in the submitted folder.
    pub(super) inside: Option<&'a str>,
    /// The common reason of all failures, if there is one.
    pub(super) reason: Option<String>,
}

impl SubmissionPage<'_> {
    /// The submitted module as a shell word.
    pub(super) fn module(&self) -> String {
        let submission = self.mark.submission.as_deref().unwrap_or(self.name);
        let is_file = submission.to_ascii_lowercase().ends_with(".wasm");
        match self.inside {
            // Only the folder of the results knows the file names of all submissions.
            Some(module) if module == built::module_path(self.name) => {
                quoted(&built::module_path(&self.files))
            }
            Some(module) => quoted(module),
            None if is_file => quoted(submission),
            // No module of the folder was graded.
            None => "BOT.wasm".to_owned(),
        }
    }

    fn standing(&self, of: usize) -> CourseRank {
        let Mark { rank, points, max_points, rank_points, .. } = *self.mark;
        CourseRank { rank, of, points, max_points, rank_points }
    }
}

impl CoursePages<'_> {
    /// Writes `students/NAME.html`, `full/NAME.html` if testcases are hidden, and the selected
    /// rounds. Returns the number of rounds.
    pub(super) fn write(
        &self,
        submissions: &[SubmissionPage<'_>],
        rounds: &RoundWriter<'_>,
        events: &mut dyn Listener,
    ) -> Result<WrittenPages, Error> {
        // The students' pages link to the rounds' pages, so these come first.
        let written = rounds.write(self, submissions, events)?;
        let pseudonyms = pseudonym_file::read(self.folder.path());
        let pseudonyms = pseudonyms.or_else(|error| {
            let text = format!("no pseudonyms on the students' pages: {error}");
            events.event(&Event::Warning { text }).map(|()| BTreeMap::new())
        })?;
        for submission in submissions {
            let report = submission.mark.report.as_ref();
            let pseudonym = report.and_then(|report| pseudonyms.get(report));
            self.write_students(submission, pseudonym.map(String::as_str))?;
        }
        Ok(written)
    }

    fn write_students(
        &self,
        submission: &SubmissionPage<'_>,
        pseudonym: Option<&str>,
    ) -> Result<(), Error> {
        let hidden = suites::has_hidden(self.suite);
        let whole = self.kept.whole(self.folder, submission.name, hidden)?;
        let seen = whole.for_student();
        let path = self.folder.report(submission.name);
        self.write_page(submission, &path, &seen.bots, Audience::Student(&seen), pseudonym)?;
        if hidden {
            let path = self.folder.full_report(submission.name);
            self.write_page(submission, &path, &whole.bots, Audience::Staff(&whole), None)?;
        }
        Ok(())
    }

    /// Writes the page of a report next to it.
    fn write_page(
        &self,
        submission: &SubmissionPage<'_>,
        path: &str,
        bots: &[BotReport],
        report: Audience<'_>,
        pseudonym: Option<&str>,
    ) -> Result<(), Error> {
        let module = submission.module();
        let file = quoted(&format!("{}.json", submission.files));
        let suite = quoted(&bundled::argument(self.suite));
        let again = bots.iter().flat_map(|bot| self.again(submission, bot, &module));
        let page = Student {
            name: &submission.student,
            pseudonym,
            standing: Some(submission.standing(self.ranked)),
            late: submission.mark.late.as_ref().and_then(LateMark::text),
            reason: submission.reason.clone(),
            again: again.collect(),
            verify: match bots.iter().any(|bot| bot.module().is_some()) {
                true => vec![
                    format!("judge verify {file}"),
                    format!("judge verify {file} {module} --suite {suite}"),
                ],
                // Without a module no round can be replayed.
                false => Vec::new(),
            },
            file: module,
            endings: &graded_rounds::endings(self.suite),
            report,
            is_live: false,
        };
        let place = format!("{}.html", path.strip_suffix(".json").unwrap_or(path));
        page.to_html().map_or(Ok(()), |html| self.folder.write(&place, &html))
    }

    /// The command and the page of each round, by testcase.
    fn again(
        &self,
        submission: &SubmissionPage<'_>,
        bot: &BotReport,
        module: &str,
    ) -> Vec<Vec<Again>> {
        let of_case = |case| {
            graded_rounds::again(self.suite, case, module, |round| {
                self.round_page(&submission.files, module, case, round)
            })
        };
        bot.testcases.iter().map(of_case).collect()
    }

    /// The address of a round's page relative to the student's page, if the page exists and is
    /// about this round. It may be a leftover about a submission that was replaced.
    fn round_page(
        &self,
        files: &str,
        module: &str,
        case: &TestcaseReport,
        round: &RoundReport,
    ) -> Option<String> {
        let page = self.folder.round(files, case, round.round) + ".html";
        let (path, digest) = (self.folder.path().join(&page), round.digest?);
        let is_of_round = || {
            let text = Error::read_text(&path).ok();
            text.is_some_and(|text| text.contains(&digest.to_string()))
        };
        let is_there = self.memory.has_round(&path, digest, module) || is_of_round();
        is_there.then(|| format!("../{}", address(&page)))
    }
}

/// Encodes a path in the course's folder as part of an address.
pub(super) fn address(path: &str) -> String {
    path.split('/').map(encoded).collect::<Vec<_>>().join("/")
}
