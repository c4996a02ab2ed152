//! The page of a watch: the last result, with pages of the rounds that decided its failed
//! testcases.

use std::path::PathBuf;

use judge_arena::Job;
use judge_core::{Blame, BotReport, BySeat, Explanation, GradeReport, Verdict};
use judge_grading::{Suite, deciding_round};
use judge_report::page::{self, Audience, Student};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::files;
use crate::base::workers::Workers;
use crate::bots::BotSource;
use crate::grade::traces;
use crate::rounds::graded_rounds;
use crate::rounds::round_pages::RoundPages;

/// A page that shows the last result, and reloads itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPage {
    /// The page's path. Pages of rounds are in a folder next to it.
    pub path: PathBuf,
    /// The bot's file.
    pub file: PathBuf,
    /// The bot, as an argument of the page's commands.
    pub bot: String,
}

impl ResultPage {
    /// Writes the result of a bot. Rounds are played again for it.
    pub(super) fn write(
        &self,
        report: &GradeReport,
        suite: &Suite,
        bot: &BotSource,
        workers: &Workers,
    ) -> Result<(), Error> {
        let Some(own) = report.bots.first() else { return Ok(()) };
        let pages = self.keep_rounds(own, suite, bot, workers)?;
        let address = |number: usize, round: u32| {
            let case = &own.testcases[number];
            let decides = deciding_round(case).is_some_and(|deciding| deciding.round == round);
            let found = pages.iter().find(|(case, _)| decides && *case == number as u64 + 1);
            found.map(|(_, address)| address.clone())
        };
        let cases = own.testcases.iter().enumerate();
        let again = cases.map(|(number, case)| {
            graded_rounds::again(suite, case, &self.bot, |round| address(number, round.round))
        });
        let page = Student {
            name: &own.bot.name,
            pseudonym: None,
            report: Audience::Staff(report),
            standing: None,
            late: None,
            reason: None,
            again: again.collect(),
            verify: Vec::new(),
            file: self.bot.clone(),
            endings: &graded_rounds::endings(suite),
            is_live: true,
        };
        page.to_html().map_or(Ok(()), |html| files::write(&self.path, &html))
    }

    /// Notes on the page that a later version was not graded. Before the first result there is none.
    pub(super) fn note_refusal(&self, why: &Explanation) -> Result<(), Error> {
        let Ok(page) = std::fs::read_to_string(&self.path) else { return Ok(()) };
        let note =
            format!("The last version was not graded: {why}\nBelow is the result before it.");
        page::with_note(&page, &note).map_or(Ok(()), |page| files::write(&self.path, &page))
    }

    /// Writes the rounds that decided the failed testcases. Returns the address of each, by the
    /// number of its testcase, counted from 1.
    fn keep_rounds(
        &self,
        own: &BotReport,
        suite: &Suite,
        bot: &BotSource,
        workers: &Workers,
    ) -> Result<Vec<(u64, String)>, Error> {
        let failed = (1..).zip(&own.testcases);
        let failed = failed.filter(|(_, case)| {
            case.verdict != Verdict::Accepted && case.blame != Some(Blame::Judge)
        });
        let jobs = failed.filter_map(|(number, case)| {
            let spec = traces::deciding_spec(case, suite, &own.bot)?;
            let modules = BySeat::from_fn(|seat| (seat == case.seat).then_some(0));
            Some((number, Job { spec, modules }))
        });
        let jobs: Vec<(u64, Job)> = jobs.collect();
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let pages = RoundPages::next_to(&self.path).with_back_name("the result");
        let pages = pages.with_bot(&self.file);
        let module = bot.submission.module.as_slice();
        pages.keep_all(&workers.run(), &[module], &jobs, &mut |_, _| {})
    }
}
