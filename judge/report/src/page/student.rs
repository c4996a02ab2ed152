//! A student's page: every testcase with its verdict, what was used of which limit, and its
//! rounds, each with the way to see it again.

use askama::Template;
use judge_core::{
    BotReport, GradeReport, Points, RoundReport, Seat, StudentReport, TestcaseReport, Verdict,
};

use super::scoreboard::kind;
use super::sheet::{Sheet, tame};
use crate::scoreboard::sign;
use crate::units::{fuel_as_ms, kib, percent, share};
use crate::{advice, words};

/// Input of a student's page.
#[derive(Debug)]
pub struct Student<'a> {
    /// Name of the student in the course.
    pub name: &'a str,
    /// The report of the page, with one bot: the student's.
    pub report: Readers<'a>,
    /// Rank of the student in the course.
    pub standing: Standing,
    /// The one reason of all that failed, where there is one: a module for another game.
    pub reason: Option<String>,
    /// How to see each round of each testcase again, in the report's order.
    pub again: Vec<Vec<Again>>,
    /// Commands that check the report, ready for a shell.
    pub verify: Vec<String>,
    /// The bot's file, ready for a shell.
    pub file: String,
}

/// Reader of a student's page, with the report as they may see it.
#[derive(Debug, Clone, Copy)]
pub enum Readers<'a> {
    /// The student, and anybody else who gets the page.
    Student(&'a StudentReport),
    /// The course's staff: the page shows rounds of hidden testcases.
    Staff(&'a GradeReport),
}

impl<'a> Readers<'a> {
    fn report(self) -> &'a GradeReport {
        match self {
            Readers::Student(report) => report,
            Readers::Staff(report) => report,
        }
    }
}

/// Rank of a student in a course.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// Counted from 1.
    pub rank: u32,
    /// Number of graded submissions.
    pub of: usize,
    /// All points, those by rank included.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// Points by rank, where the suite gives some.
    pub rank_points: Option<Points>,
}

/// Ways to see a round again.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// The command that plays it again; none for a round that was not played.
    pub command: Option<String>,
    /// Address of its page, as seen from the student's, if there is one.
    pub page: Option<String>,
}

impl Student<'_> {
    /// The page: one HTML document. None where the report has no bot.
    pub fn to_html(&self) -> Option<String> {
        let bot = self.report.report().bots.first()?;
        let sheet = Sheet::new(&[include_str!("student.css")], "");
        let page = Page::new(self, bot, sheet).render().expect("writing to a text does not fail");
        Some(page + "\n")
    }
}

#[derive(Template)]
#[template(path = "student.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    name: String,
    title: String,
    standing: Standing,
    /// True if the judge failed, so that a result is missing.
    open: bool,
    passed: u32,
    of: usize,
    score: i64,
    worst: Ruling,
    refused: Option<String>,
    reason: Option<String>,
    cases: Vec<Case>,
    file: String,
    verify: Vec<String>,
    facts: Vec<(&'static str, String)>,
}

/// A verdict as it is shown.
struct Ruling {
    kind: &'static str,
    sign: &'static str,
    label: &'static str,
}

struct Case {
    name: String,
    title: String,
    hidden: bool,
    withheld: bool,
    open: bool,
    ruling: Ruling,
    blame: Option<String>,
    detail: String,
    advice: Option<&'static str>,
    against: String,
    /// None if it is not shown.
    score: Option<Score>,
    points: Points,
    max_points: Points,
    /// The way to the points, where they are not all or nothing.
    worked_out: Option<String>,
    used: [Used; 2],
    rounds: Vec<Round>,
}

/// A testcase's score beside its threshold.
struct Score {
    score: i64,
    min_score: i64,
    margin: String,
    /// Ends of the bars of score and threshold, in percent of the longer one.
    bars: (u64, u64),
}

/// Share of a limit that was used.
struct Used {
    what: &'static str,
    amount: String,
    limit: String,
    percent: String,
    /// Length of the bar, in percent.
    bar: u64,
    broken: bool,
}

struct Round {
    number: u32,
    seed: String,
    ruling: Ruling,
    blame: Option<String>,
    place: Option<u64>,
    what: String,
    score: i64,
    opponent_score: i64,
    fuel: String,
    costliest: String,
    calls: u32,
    memory: String,
    digest: Option<String>,
    command: Option<String>,
    page: Option<String>,
}

impl Page {
    fn new(student: &Student<'_>, bot: &BotReport, sheet: Sheet) -> Page {
        let report = student.report.report();
        let (name, title) = (tame(student.name), tame(&report.title));
        let nothing = Vec::new();
        let again = |at: usize| student.again.get(at).unwrap_or(&nothing);
        let cases = bot.testcases.iter().enumerate();
        Page {
            heading: format!("{name}: {title}"),
            standing: student.standing,
            open: bot.worst_verdict() == Verdict::JudgeError,
            passed: bot.passed,
            of: bot.testcases.len(),
            score: bot.score,
            worst: Ruling { label: bot.worst_label(), ..Ruling::of(bot.worst_verdict()) },
            refused: bot.refused.as_ref().map(|refused| tame(&refused.why.to_string())),
            reason: student.reason.as_deref().map(tame),
            cases: cases.map(|(at, case)| Case::of(case, again(at))).collect(),
            file: tame(&student.file),
            verify: student.verify.iter().map(|command| tame(command)).collect(),
            facts: facts(report, bot),
            name,
            title,
            sheet,
        }
    }
}

fn facts(report: &GradeReport, bot: &BotReport) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Submission", tame(&bot.bot.name))];
    facts.extend(bot.bot.author.as_ref().map(|author| ("Author, as claimed", tame(author))));
    facts.extend([
        ("Module (SHA-256)", bot.bot.sha256.to_string()),
        ("Digest of the result", bot.digest.to_string()),
        ("Suite", tame(&report.suite)),
        ("Judge", tame(&report.fingerprint.judge)),
        ("Engine", tame(&report.fingerprint.engine)),
    ]);
    facts
}

impl Ruling {
    fn of(verdict: Verdict) -> Ruling {
        Ruling { kind: kind(verdict), sign: sign(verdict), label: verdict.label() }
    }

    /// A round that was played to its end is won, lost or drawn; verdicts belong to testcases and to
    /// faults.
    fn of_round(round: &RoundReport, seat: Seat) -> Ruling {
        let (None, Some(outcome)) = (&round.fault, &round.outcome) else {
            return Ruling::of(round.verdict);
        };
        let (kind, sign, label) = match outcome.winner {
            None => ("n", "=", "Drawn"),
            Some(winner) if winner == seat => ("a", "+", "Won"),
            Some(_) => ("b", "−", "Lost"),
        };
        Ruling { kind, sign, label }
    }
}

impl Case {
    fn of(case: &TestcaseReport, again: &[Again]) -> Case {
        let open = case.verdict == Verdict::JudgeError;
        let seat = case.seat;
        let rounds = case.rounds.iter().enumerate();
        Case {
            name: tame(&case.name),
            title: tame(&case.title),
            hidden: case.hidden,
            withheld: case.is_withheld(),
            open,
            ruling: Ruling { label: case.label(), ..Ruling::of(case.verdict) },
            blame: case.blame.map(|blame| blame.to_string()),
            detail: tame(&case.detail),
            advice: advice(case),
            against: match case.is_sum_of_hidden() {
                true => tame(&case.game),
                false => {
                    let (game, opponent) = (tame(&case.game), tame(&case.opponent));
                    format!("{game}, seat {seat}, against {opponent}")
                }
            },
            score: score(case),
            points: case.points,
            max_points: case.max_points,
            worked_out: words::points_worked_out(case),
            used: [time(case), memory(case)],
            rounds: rounds
                .map(|(at, round)| {
                    Round::of(round, case, again.get(at).cloned().unwrap_or_default())
                })
                .collect(),
        }
    }
}

fn score(case: &TestcaseReport) -> Option<Score> {
    let [score, min_score, _] = words::score(case)?;
    Some(Score { score, min_score, margin: margin(case), bars: bars(score, min_score) })
}

fn margin(case: &TestcaseReport) -> String {
    match case.score.saturating_sub(case.min_score) {
        0 => "just on the threshold".to_owned(),
        above @ 1.. => format!("{above} above the threshold"),
        below => format!("{} short of the threshold", below.unsigned_abs()),
    }
}

/// Score and threshold as percent of the larger; what is below nothing has no bar.
fn bars(score: i64, min_score: i64) -> (u64, u64) {
    let [score, needed] = [score, min_score].map(|value| u64::try_from(value).unwrap_or(0));
    let whole = score.max(needed).max(1);
    let part = |value: u64| part_of(value, whole);
    (part(score), part(needed))
}

/// Percent, rounded up, and never more than all.
fn part_of(part: u64, whole: u64) -> u64 {
    let percent = (u128::from(part) * 100).div_ceil(u128::from(whole.max(1)));
    u64::try_from(percent.min(100)).unwrap_or(100)
}

fn time(case: &TestcaseReport) -> Used {
    let (part, whole) = (case.fuel, case.limits.fuel);
    Used {
        what: "Time",
        amount: fuel_as_ms(part),
        limit: fuel_as_ms(whole),
        percent: percent(part, whole),
        bar: part_of(part, whole),
        broken: case.verdict == Verdict::TimeLimitExceeded,
    }
}

fn memory(case: &TestcaseReport) -> Used {
    let (part, whole) = (case.peak_memory_bytes, case.limits.memory_bytes);
    Used {
        what: "Memory",
        amount: kib(part),
        limit: kib(whole),
        percent: percent(part, whole),
        bar: part_of(part, whole),
        broken: case.verdict == Verdict::MemoryLimitExceeded,
    }
}

impl Round {
    fn of(round: &RoundReport, case: &TestcaseReport, again: Again) -> Round {
        let limits = &case.limits;
        let fault = round.fault.as_ref();
        let costliest = round.max_call_fuel;
        Round {
            number: round.round,
            seed: round.seed.to_string(),
            ruling: Ruling::of_round(round, case.seat),
            blame: round.blame.map(|blame| blame.to_string()),
            place: fault.and_then(|fault| fault.call).map(|call| u64::from(call) + 1),
            what: what(round),
            score: round.score,
            opponent_score: round.opponent_score,
            fuel: format!("{} ({})", fuel_as_ms(round.fuel), share(round.fuel, limits.fuel)),
            costliest: format!("{} ({})", fuel_as_ms(costliest), share(costliest, limits.fuel)),
            calls: round.calls,
            memory: format!(
                "{} ({})",
                kib(round.peak_memory_bytes),
                percent(round.peak_memory_bytes, limits.memory_bytes)
            ),
            digest: round.digest.map(|digest| digest.to_string()),
            command: again.command.as_deref().map(tame),
            page: again.page,
        }
    }
}

/// End of a round.
fn what(round: &RoundReport) -> String {
    match (&round.fault, &round.outcome) {
        (Some(fault), _) => tame(fault.detail.as_str()),
        (None, Some(outcome)) => tame(&outcome.reason),
        (None, None) => "not played: the rounds before it left no time".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::with_rounds;

    #[test]
    fn a_round_is_won_lost_or_drawn_and_only_a_fault_has_a_verdict() {
        let report = with_rounds();
        let rounds =
            || report.bots.iter().flat_map(|bot| &bot.testcases).flat_map(|case| &case.rounds);
        let mut round = rounds().find(|round| round.fault.is_none()).expect("a whole one").clone();
        let mut label = |winner| {
            round.outcome.as_mut().expect("it was played").winner = winner;
            Ruling::of_round(&round, Seat::Two).label
        };
        let labels = [Some(Seat::Two), Some(Seat::One), None].map(&mut label);
        assert_eq!(labels, ["Won", "Lost", "Drawn"]);
        let failed = rounds().find(|round| round.fault.is_some()).expect("a fault");
        assert_eq!(Ruling::of_round(failed, Seat::One).label, failed.verdict.label());
    }

    #[test]
    fn bars_stay_between_nothing_and_all() {
        assert_eq!(bars(50, 200), (25, 100));
        assert_eq!(bars(-7, 0), (0, 0));
        assert_eq!(bars(i64::MAX, i64::MIN), (100, 0));
        assert_eq!(part_of(1, u64::MAX), 1, "a little is not nothing");
        assert_eq!(part_of(u64::MAX, 1), 100);
    }
}
