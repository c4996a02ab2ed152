//! The part of results that students see. A suite can delay results beyond a number per day, and
//! hidden testcases until the due date.

use judge_core::{BotReport, GradeReport, Shows, TestcaseReport};

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SubmissionId};
use crate::basics::time::Timestamp;
use crate::open::{refused, without_hidden};
use crate::results::ResultRow;
use crate::store::Store;
use crate::submissions::Submission;
use crate::suites::{HiddenShown, RestShown, Suite};

impl Suite {
    /// The moment at which the author will see a submission's result; none if it is visible now.
    pub fn visible_from(&self, submission: &Submission, now: Timestamp) -> Option<Timestamp> {
        let many = self.settings.shown_per_day?;
        let next_day = submission.day_ends_at;
        let at = match self.settings.rest_shown {
            RestShown::NextDay => next_day,
            RestShown::Due => self.ends_at.unwrap_or(next_day),
        };
        (submission.of_day > many && now < at).then_some(at)
    }

    /// True while students see nothing of hidden testcases.
    pub fn keeps_hidden(&self, now: Timestamp) -> bool {
        // Not the due date: a student with a later one could still use them.
        let end = self.ends_at;
        self.settings.hidden_shown == HiddenShown::AfterDue && end.is_none_or(|end| now <= end)
    }

    /// A result as students may see it at that moment, without the points of testcases that are
    /// still hidden. Adjusted points would reveal these, so they are hidden, too.
    pub fn row_for_student(&self, row: ResultRow, now: Timestamp) -> ResultRow {
        match self.keeps_hidden(now) {
            true => ResultRow {
                points: row.open_points,
                max_points: row.open_max_points,
                adjusted: None,
                ..row
            },
            false => row,
        }
    }

    /// A report as students may see it at that moment.
    pub fn report_for_student(&self, whole: &GradeReport, now: Timestamp) -> GradeReport {
        let whole = match self.settings.hidden_shown {
            HiddenShown::Files => return whole.for_student().into_report(),
            HiddenShown::AfterDue if self.keeps_hidden(now) => changed(whole, without_hidden),
            HiddenShown::AfterDue => changed(whole, with_sum_of_hidden),
        };
        whole.for_student().into_report()
    }
}

impl Store {
    /// A person's results on a suite as they may see them at that moment, in the order of
    /// submission. Results that become visible later are left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn visible_results(
        &self,
        suite: &Suite,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Vec<ResultRow>, Error> {
        let submissions = self.submissions_of(&suite.id, person).await?;
        let kept = submissions.iter().filter(|one| suite.visible_from(one, now).is_some());
        let kept: Vec<&SubmissionId> = kept.map(|one| &one.id).collect();
        let rows = self.results_of_person(&suite.id, person).await?.into_iter();
        let told = rows.filter(|row| !kept.contains(&&row.submission));
        Ok(told.map(|row| suite.row_for_student(row, now)).collect())
    }
}

/// Applies a change to each bot's results, and seals the changed report again.
fn changed(whole: &GradeReport, change: fn(&BotReport) -> BotReport) -> GradeReport {
    let bots = whole.bots.iter().map(change).collect();
    GradeReport { bots, ..whole.clone() }.sealed()
}

/// The results, with hidden testcases reduced to the sum of their points.
fn with_sum_of_hidden(bot: &BotReport) -> BotReport {
    let least = |case: &TestcaseReport| TestcaseReport {
        shows: case.hidden.then_some(Shows::Points).or(case.shows),
        ..case.clone()
    };
    let cases = bot.testcases.iter().map(least).collect();
    BotReport::new(bot.bot.clone(), refused(bot), bot.max_points, cases)
}
