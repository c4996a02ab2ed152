//! Results in words that several formats share.

use judge_core::{
    Blame, BotReport, FailureTrace, Points, Refused, RoundReport, TestcaseReport, Verdict,
};

use crate::advice::advice_with_figures;
use crate::shell::see_again;
use crate::text::{tame_and_short, tame_in_one_line};
use crate::units::{fuel_as_ms, kib};

/// Message for a result that is missing because the judge failed.
pub(crate) const OWED: &str = "the judge failed, which is never counted against a bot: grade again";

/// True if the judge failed in some round, so that the points are not final.
pub(crate) fn is_owed(bot: &BotReport) -> bool {
    bot.worst_verdict() == Verdict::JudgeError
}

/// Splits a fault's detail that starts with its position, such as `round 1, line 9: …`.
fn placed(detail: &str) -> Option<(&str, &str)> {
    let (place, rest) = detail.split_once(": ")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (round, line) = place.strip_prefix("round ")?.split_once(", line ")?;
    (digits(round) && digits(line)).then_some((place, rest))
}

/// The detail of a testcase. It says that the line number is one of the protocol.
pub fn detail(case: &TestcaseReport) -> String {
    match placed(&case.detail).filter(|_| case.verdict.is_fault()) {
        Some((place, rest)) => format!("{place} of the protocol: {rest}"),
        None => case.detail.clone(),
    }
}

/// The detail of a fault without its position.
pub(crate) fn fault_without_place(case: &TestcaseReport) -> &str {
    placed(&case.detail).map_or(&case.detail, |(_, rest)| rest)
}

/// The first testcase of a bot that failed in every round in the same way, before it had answered or
/// spent anything; none for other bots. A script with a syntax error is the usual cause.
pub fn unstarted(report: &BotReport) -> Option<&TestcaseReport> {
    let (first, others) = report.testcases.split_first()?;
    let is_unstarted = |round: &RoundReport| round.blame == Some(Blame::Bot) && round.fuel == 0;
    let same = others.iter().all(|other| is_same_fault(first, other));
    let mut rounds = report.testcases.iter().flat_map(|case| &case.rounds);
    (is_same_fault(first, first) && same && rounds.all(is_unstarted)).then_some(first)
}

/// True if two testcases have the same fault, at any position.
pub(crate) fn is_same_fault(one: &TestcaseReport, other: &TestcaseReport) -> bool {
    let what = |case: &TestcaseReport| placed(&case.detail).map(|(_, rest)| kind_of_fault(rest));
    let same = one.verdict == other.verdict && one.blame == other.blame && one.verdict.is_fault();
    let seen = !one.is_withheld() && !other.is_withheld();
    same && seen && what(one).is_some() && what(one) == what(other)
}

/// A fault's explanation without the parts that depend on the position. Of each quoted protocol
/// line only the first word is kept.
pub(crate) fn kind_of_fault(detail: &str) -> String {
    let parts = detail.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part,
        _ => part.split(' ').next().unwrap_or_default(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// The verdict, the party to blame, and the reason. The hint of a refusal is on a separate line.
pub(crate) fn outcome(case: &TestcaseReport) -> String {
    let blame = case.blame.map(|blame| format!(" ({blame}'s fault)")).unwrap_or_default();
    format!("{}{blame}: {}", case.label(), tame_and_short(&case.detail))
}

/// [`outcome`] for a refused module.
pub(crate) fn refusal(refused: &Refused) -> String {
    let detail = tame_and_short(&refused.why.to_string());
    format!("{} ({}'s fault): {detail}", refused.label(), refused.blame)
}

/// Score, threshold and margin, if they are shown.
pub(crate) fn score(case: &TestcaseReport) -> Option<[i64; 3]> {
    let margin = case.score.saturating_sub(case.min_score);
    (!case.is_masked()).then_some([case.score, case.min_score, margin])
}

/// [`score`], unless a fault ended the testcase: its score of 0 can be above a threshold.
pub(crate) fn reached_score(case: &TestcaseReport) -> Option<[i64; 3]> {
    score(case).filter(|_| !case.verdict.is_fault())
}

/// [`score`] as cells of a table.
pub(crate) fn score_cells(case: &TestcaseReport) -> [String; 3] {
    let none = || "–".to_owned();
    let cells = |[score, needed, margin]: [i64; 3]| {
        if case.verdict.is_fault() {
            return [none(), needed.to_string(), none()];
        }
        // A sum at its threshold needs no warning, because the rounds are the same every time.
        let margin = match (margin, case.verdict) {
            (0, Verdict::Accepted) => "exact".to_owned(),
            (margin, _) => format!("{margin:+}"),
        };
        [score.to_string(), needed.to_string(), margin]
    };
    score(case).map_or_else(|| [none(), none(), none()], cells)
}

/// Score and points, if they are shown, and time and memory of a testcase with visible rounds.
pub(crate) fn figures(case: &TestcaseReport) -> String {
    let way = case.worked_out().map(|way| format!(" ({way})")).unwrap_or_default();
    let points = format!("{} of {} points{way}", case.points, case.max_points);
    let earned = match reached_score(case) {
        None if case.is_masked() => return points,
        None => points,
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

/// The calculation of partial points: `3.5 of 5 points: 412 between 400 and 600`.
pub(crate) fn points_worked_out(case: &TestcaseReport) -> Option<String> {
    let way = case.worked_out()?;
    Some(format!("{} of {} points: {way}", case.points, case.max_points))
}

/// The command that replays the worst round, for a user with the module.
pub fn again(case: &TestcaseReport) -> Option<String> {
    let arguments = case.reproduce.as_ref()?;
    Some(see_again("BOT.wasm", &tame_in_one_line(arguments)))
}

/// The end of a failed round, line by line: the runtime's message, the functions, the log.
pub fn trace(case: &TestcaseReport) -> Vec<String> {
    let lines = case.trace.iter().flat_map(FailureTrace::lines);
    lines.map(|line| tame_in_one_line(&line)).collect()
}

/// The [`trace`] of each kind of failure, as text.
pub fn traces(bot: &BotReport) -> String {
    let cases = bot.testcases.iter().filter(|case| case.trace.is_some());
    let text = |case: &TestcaseReport| {
        let name = tame_in_one_line(&case.name);
        format!("{name}: where it failed\n{}", indented(&trace(case)))
    };
    let mut told: Vec<&TestcaseReport> = Vec::new();
    for case in cases {
        if !told.iter().any(|other| is_same_fault(other, case)) {
            told.push(case);
        }
    }
    told.into_iter().map(text).collect()
}

/// The lines of a [`trace`] as indented text.
pub(crate) fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// The trace, the figures, the advice and the command, one per line.
pub(crate) fn particulars(case: &TestcaseReport) -> String {
    let advice = advice_with_figures(case).map(|advice| format!("\nwhat now: {advice}"));
    let again = again(case).map(|command| format!("\nsee it again: {command}"));
    let facts = figures(case) + &advice.unwrap_or_default() + &again.unwrap_or_default();
    trace(case).into_iter().chain([facts]).collect::<Vec<_>>().join("\n")
}

/// The whole explanation of a testcase.
pub(crate) fn explanation(case: &TestcaseReport) -> String {
    format!("{}\n{}", outcome(case), particulars(case))
}

/// `01-warm-up: against everyone`.
pub(crate) fn name(case: &TestcaseReport) -> String {
    let (name, title) = (tame_in_one_line(&case.name), tame_in_one_line(&case.title));
    if title.is_empty() { name } else { format!("{name}: {title}") }
}

/// `3 of 4 testcases passed`.
pub(crate) fn passed<'a>(
    cases: impl IntoIterator<Item = &'a TestcaseReport, IntoIter: ExactSizeIterator>,
) -> String {
    let cases = cases.into_iter();
    let all = cases.len();
    let passed = cases.filter(|case| case.verdict == Verdict::Accepted).count();
    format!("{passed} of {all} testcases passed")
}

/// Points and maximum points over all bots.
pub(crate) fn totals(bots: &[BotReport]) -> (Points, Points) {
    let sum = |pick: fn(&BotReport) -> Points| bots.iter().map(pick).sum();
    (sum(|bot| bot.points), sum(|bot| bot.max_points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::report;

    #[test]
    fn faults_are_grouped_without_their_place() {
        let mut cases = report().bots.into_iter().flat_map(|bot| bot.testcases);
        let one = cases.find(|case| case.verdict == Verdict::RuntimeError).expect("a crash");
        let with = |detail: &str| TestcaseReport { detail: detail.to_owned(), ..one.clone() };
        let first = with("round 1, line 9: a: b");
        assert_eq!(detail(&first), "round 1, line 9 of the protocol: a: b");
        assert!(is_same_fault(&first, &with("round 12, line 77: a: b")));
        for other in ["round 1, line 9: a: c", "a: b", "round x, line 9: a: b"] {
            assert!(!is_same_fault(&first, &with(other)), "{other}");
        }
        let asked = |line: &str| with(&format!("round 1, line 9: no answer to `{line}`"));
        assert!(is_same_fault(&asked("move? 0011"), &asked("move? 1100")));
        assert!(!is_same_fault(&asked("move? 0011"), &asked("win? 1100")));
        assert_eq!(detail(&with("a, line 9: b")), "a, line 9: b", "a bot's own words");
        let hidden = TestcaseReport { hidden: true, ..first.clone() };
        assert!(!is_same_fault(&first, &hidden), "nothing of hidden rounds");
    }
}
