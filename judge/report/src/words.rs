//! Results in words that several formats share.

use judge_core::{BotReport, Points, Refused, TestcaseReport, Verdict};

use crate::advice;
use crate::text::{tame_and_short, tame_in_one_line};
use crate::units::{fuel_as_ms, kib};

/// Message for a result that the judge could not determine.
pub(crate) const OWED: &str = "the judge failed, which is never counted against a bot: grade again";

/// True if the judge failed in some round, so that the points are not final.
pub(crate) fn is_owed(bot: &BotReport) -> bool {
    bot.worst_verdict() == Verdict::JudgeError
}

/// The verdict, whose fault it is, and why; the hint of a refusal on a line of its own.
pub(crate) fn outcome(case: &TestcaseReport) -> String {
    let blame = case.blame.map(|blame| format!(" ({blame}'s fault)")).unwrap_or_default();
    format!("{}{blame}: {}", case.label(), tame_and_short(&case.detail))
}

/// [`outcome`] of a module that was not played.
pub(crate) fn refusal(refused: &Refused) -> String {
    let detail = tame_and_short(&refused.why.to_string());
    format!("{} ({}'s fault): {detail}", refused.label(), refused.blame)
}

/// Score, threshold and margin, as far as they are shown.
pub(crate) fn score(case: &TestcaseReport) -> Option<[i64; 3]> {
    let margin = case.score.saturating_sub(case.min_score);
    (!case.is_masked()).then_some([case.score, case.min_score, margin])
}

/// The same as cells of a table.
pub(crate) fn score_cells(case: &TestcaseReport) -> [String; 3] {
    let cells = |[score, needed, margin]: [i64; 3]| {
        [score.to_string(), needed.to_string(), format!("{margin:+}")]
    };
    score(case).map_or_else(|| [const { "–" }; 3].map(str::to_owned), cells)
}

/// Score and points, as far as they are shown; time and memory of a testcase whose rounds are
/// shown.
pub(crate) fn figures(case: &TestcaseReport) -> String {
    let way = case.worked_out().map(|way| format!(" ({way})")).unwrap_or_default();
    let points = format!("{} of {} points{way}", case.points, case.max_points);
    let earned = match score(case) {
        None => return points,
        Some([score, needed, _]) => format!("score {score} of {needed} needed, {points}"),
    };
    if case.is_withheld() {
        return earned;
    }
    format!(
        "{earned}, {} of {}, {}",
        fuel_as_ms(case.fuel),
        fuel_as_ms(case.limits.fuel),
        kib(case.peak_memory_bytes),
    )
}

/// The way to the points, where it is not all or nothing: `3.5 of 5 points: 412 between 400 and 600`.
pub(crate) fn points_worked_out(case: &TestcaseReport) -> Option<String> {
    let way = case.worked_out()?;
    Some(format!("{} of {} points: {way}", case.points, case.max_points))
}

/// The command that plays the worst round again, for a person who has the module.
pub(crate) fn again(case: &TestcaseReport) -> Option<String> {
    let arguments = case.reproduce.as_ref()?;
    Some(format!("judge play BOT.wasm {}", tame_in_one_line(arguments)))
}

/// The figures, what to do and the command, a line each.
pub(crate) fn particulars(case: &TestcaseReport) -> String {
    let advice = advice(case).map(|advice| format!("\nwhat now: {advice}"));
    let again = again(case).map(|command| format!("\nsee it again: {command}"));
    figures(case) + &advice.unwrap_or_default() + &again.unwrap_or_default()
}

/// All of the above for a testcase.
pub(crate) fn explanation(case: &TestcaseReport) -> String {
    format!("{}\n{}", outcome(case), particulars(case))
}

/// `01-warm-up: against everyone`.
pub(crate) fn name(case: &TestcaseReport) -> String {
    let (name, title) = (tame_in_one_line(&case.name), tame_in_one_line(&case.title));
    if title.is_empty() { name } else { format!("{name}: {title}") }
}

/// Points and maximum points over all bots.
pub(crate) fn totals(bots: &[BotReport]) -> (Points, Points) {
    let sum = |pick: fn(&BotReport) -> Points| bots.iter().map(pick).sum();
    (sum(|bot| bot.points), sum(|bot| bot.max_points))
}
