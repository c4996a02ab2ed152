//! Grades the given bots again, and compares all their entries in the report.

use judge_core::{
    Blame, BotReport, GradeReport, Refused, RoundReport, Shows, TestcaseReport, Verdict,
};
use judge_grading::Suite;

use super::super::{Check, CheckStop, Finding, FirstProblem, Outcome, hashes};
use super::differs;
use crate::Error;
use crate::base::workers;
use crate::bots::BotSource;

const NOT_SO: &str = "different when the bot plays again";

/// Grades the given bots again, and compares the results.
pub(super) fn play(
    report: &GradeReport,
    suite: Option<&Suite>,
    bots: &[BotSource],
    check: &mut Check<'_>,
) -> Result<(), CheckStop> {
    let is_of = |told: &BotReport, file: &BotSource| told.bot.sha256 == file.submission.bot.sha256;
    let stray = bots.iter().find(|file| !report.bots.iter().any(|told| is_of(told, file)));
    if let Some(stray) = stray {
        let told: Vec<String> = report.bots.iter().map(|bot| bot.bot.sha256.to_string()).collect();
        let what = format!("none of the report's bots is `{}`", stray.path.display());
        let found = hashes(std::slice::from_ref(stray));
        return Err(FirstProblem::new("SHA-256 of the bots", what)
            .with(told.join(", "), found)
            .into());
    }
    let Some(suite) = suite else {
        let what = format!("the suite `{}` is missing", report.suite);
        return Err(Error::usage(what, "name it with `--suite DIR` or `--testcase FILE`").into());
    };
    let mut open = suite.clone();
    open.testcases.retain(|testcase| !is_locked(suite, &testcase.name));
    let submissions: Vec<_> = bots.iter().map(|bot| bot.fitting(&open)).collect();
    let run = check.workers.run();
    let again = judge_arena::grade(&run, &open, &submissions, &mut judge_core::IgnoreEvents)
        .map_err(Error::from)?;
    workers::tell_of_missing_walls(&run, check.events)?;
    for (file, found) in std::iter::zip(bots, again.bots) {
        // The same module may have several entries.
        let entries = (0..).zip(&report.bots).filter(|(_, told)| is_of(told, file));
        for (number, told) in entries {
            ReportEntry { number, told, suite }.compare(&found, &mut check.outcome)?;
        }
    }
    Ok(())
}

fn is_locked(suite: &Suite, name: &str) -> bool {
    suite.locked.iter().any(|testcase| testcase.name == name)
}

/// A bot's entry in the report.
struct ReportEntry<'a> {
    number: usize,
    told: &'a BotReport,
    suite: &'a Suite,
}

impl ReportEntry<'_> {
    fn compare(&self, found: &BotReport, outcome: &mut Outcome) -> Result<(), CheckStop> {
        let (number, told) = (self.number, self.told);
        if told.refused.as_ref().is_some_and(|refused| refused.blame == Blame::Judge) {
            let finding = Finding::unchecked("that the judge failed before it could play");
            let why = format!("it was played now: {}", in_short(found));
            outcome.add(finding.at(format!("bots[{number}]")).because(why));
            return Ok(());
        }
        if told.refused.as_ref().is_some_and(Refused::is_beyond_bounds) && found.refused.is_none() {
            // The operator chooses the bounds, and hidden testcases count for them.
            let finding = Finding::unchecked("that it went beyond the bounds of a submission");
            let why = format!("within those of this judge: {}", in_short(found));
            outcome.add(finding.at(format!("bots[{number}]")).because(why));
            return Ok(());
        }
        let mut found = self.as_shown(found);
        self.spare_failures(&mut found, outcome)?;
        // Nothing depends on traces, and the functions in them are found only while grading.
        let bare = [told, &found].map(BotReport::without_traces);
        match judge_grading::first_difference(&bare[0], &bare[1]) {
            None => Ok(()),
            Some(mut difference) => {
                difference.path = format!("bots[{number}].{}", difference.path);
                Err(differs(&difference, NOT_SO).into())
            }
        }
    }

    /// The new result in the form of the report: hidden testcases are reduced in the same way, and
    /// missing secrets are replaced by the recorded values.
    fn as_shown(&self, found: &BotReport) -> BotReport {
        let told = self.told;
        let mut found = found.clone();
        // The name is only a label, which is checked elsewhere. A renamed bot plays the same.
        found.bot.name.clone_from(&told.bot.name);
        if let Some(withheld) = told.testcases.iter().find(|case| case.is_withheld()) {
            let shows = withheld.shows.unwrap_or(Shows::Verdict);
            let hidden = found.testcases.iter_mut().filter(|case| case.hidden);
            hidden.for_each(|case| case.shows = Some(shows));
            found = found.for_student();
        }
        let lacks = !self.suite.locked.is_empty() || self.suite.absent.is_some();
        if lacks && found.refused.is_none() {
            let unknown = |case: &&TestcaseReport| {
                case.is_sum_of_hidden() || is_locked(self.suite, &case.name)
            };
            found.testcases.retain(|case| !unknown(&case));
            found.testcases.extend(told.testcases.iter().filter(unknown).cloned());
            found.testcases.sort_by_key(|case| place(told, &case.name));
        }
        for case in &mut found.testcases {
            let same = told.testcases.iter().find(|told| told.name == case.name);
            // The part that a report withholds follows from the suite, and was checked with it.
            case.shows = same.map_or(case.shows, |same| same.shows);
        }
        let max_points = if lacks { told.max_points } else { found.max_points };
        BotReport::new(found.bot, found.refused, max_points, found.testcases)
    }

    /// Keeps the recorded testcases with a judge error, and notes their new results. A judge error
    /// in the new run stops the check.
    fn spare_failures(
        &self,
        found: &mut BotReport,
        outcome: &mut Outcome,
    ) -> Result<(), CheckStop> {
        for (at, case) in found.testcases.iter_mut().enumerate() {
            let Some(told) = self.told.testcases.get(at) else { break };
            let place = format!("bots[{}].testcases[{at}]", self.number);
            let Some(failed) = failed_round(told) else {
                if let Some(round) = failed_round(case) {
                    let why = &case.detail;
                    let what = format!("{place}: the judge failed in round {}: {why}", round + 1);
                    return Err(Error::Judge(what).into());
                }
                continue;
            };
            let before = |case: &TestcaseReport| -> Vec<RoundReport> {
                case.rounds.iter().take(failed).cloned().collect()
            };
            if let Some(mut difference) =
                judge_grading::first_difference(&before(told), &before(case))
            {
                difference.path = format!("{place}.rounds{}", difference.path);
                return Err(differs(&difference, NOT_SO).into());
            }
            let what = format!("that the judge failed in round {}", failed + 1);
            let why = format!(
                "it was played now: {}, score {}, {} of {} points",
                case.label(),
                case.score,
                case.points,
                case.max_points
            );
            outcome.add(Finding::unchecked(what).at(place).because(why));
            case.clone_from(told);
        }
        let BotReport { bot, refused, max_points, testcases, .. } = found.clone();
        *found = BotReport::new(bot, refused, max_points, testcases);
        Ok(())
    }
}

/// The index of the first round with a judge error; for a hidden testcase, only that there is one.
fn failed_round(case: &TestcaseReport) -> Option<usize> {
    let withheld = case.is_withheld() && case.verdict == Verdict::JudgeError;
    let failed = case.rounds.iter().position(|round| round.blame == Some(Blame::Judge));
    failed.or(withheld.then_some(0))
}

fn place(told: &BotReport, name: &str) -> usize {
    told.testcases.iter().position(|case| case.name == name).unwrap_or(usize::MAX)
}

fn in_short(bot: &BotReport) -> String {
    match &bot.refused {
        Some(refused) => format!("{}: {}", refused.label(), refused.why),
        None => format!("{} of {} points", bot.points, bot.max_points),
    }
}
