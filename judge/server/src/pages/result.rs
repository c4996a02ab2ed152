//! The view of a result: made from the report for students, or from the whole one for staff.

use judge_core::{BotReport, GradeReport, RoundReport, Seat, TestcaseReport, Verdict, printable};
use judge_report::page::kind;
use judge_report::{fuel_as_ms, kib, sign};
use judge_runner::base::bundled;

use crate::translate::translate;
use crate::words::{Language, Words};

/// A result.
pub(super) struct ResultView {
    pub(super) points: String,
    pub(super) max_points: String,
    pub(super) passed: u32,
    pub(super) kind: &'static str,
    pub(super) sign: &'static str,
    pub(super) worst: String,
    /// The reason why the bot was not played, and a hint.
    pub(super) refused: Option<(String, Option<String>)>,
    /// True if the judge failed in a round.
    pub(super) owed: bool,
    pub(super) cases: Vec<CaseView>,
    pub(super) again: String,
    /// True if `judge` has the suite's files.
    pub(super) is_bundled: bool,
    pub(super) digest: String,
    pub(super) module: String,
    pub(super) judge: String,
}

/// A testcase.
pub(super) struct CaseView {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) kind: &'static str,
    pub(super) sign: &'static str,
    pub(super) verdict: String,
    pub(super) points: String,
    pub(super) max_points: String,
    pub(super) withheld: bool,
    pub(super) detail: String,
    pub(super) blame: Option<String>,
    /// The end of the failed round, in lines; empty if there is nothing to say.
    pub(super) trace: String,
    pub(super) advice: Option<String>,
    pub(super) against: Option<String>,
    pub(super) score: Option<ScoreBars>,
    pub(super) used: Vec<Used>,
    pub(super) command: Option<String>,
    pub(super) rounds: Vec<RoundView>,
}

/// A score next to its threshold, with bars that share a scale.
pub(super) struct ScoreBars {
    pub(super) score: i64,
    pub(super) needed: i64,
    pub(super) margin: String,
    pub(super) scale: i64,
    pub(super) bar: i64,
    pub(super) needed_bar: i64,
}

/// A limit and its usage.
pub(super) struct Used {
    pub(super) what: String,
    pub(super) percent: u64,
    pub(super) amount: String,
}

/// A round.
pub(super) struct RoundView {
    pub(super) number: u32,
    pub(super) kind: &'static str,
    pub(super) sign: &'static str,
    pub(super) verdict: String,
    pub(super) score: i64,
    pub(super) other: i64,
    pub(super) page: Option<String>,
}

/// The name of a verdict in a language, given its English name.
pub(super) fn label(words: &Words, english: &str) -> String {
    let key = english.to_lowercase().replace(' ', "_");
    words.find("verdict", &key).unwrap_or(english).to_owned()
}

/// Untrusted text in one line or several, without control characters.
fn tame(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| printable(line, 1000)).collect();
    lines.join("\n")
}

impl ResultView {
    /// The view of a report's only bot; `address` is the submission's page.
    pub(super) fn new(words: &Words, report: &GradeReport, address: &str) -> Option<ResultView> {
        let bot = report.bots.first()?;
        let worst = bot.worst_verdict();
        let say = |text: &str| tame(&translate(words, text));
        let refused = bot
            .refused
            .as_ref()
            .map(|refused| (say(&refused.why.reason), refused.why.hint.as_deref().map(say)));
        let cases = bot.testcases.iter().enumerate();
        let is_bundled = bundled::is_bundled(&report.suite, &bot.testcases);
        Some(ResultView {
            points: bot.points.to_string(),
            max_points: bot.max_points.to_string(),
            passed: bot.passed,
            kind: kind(worst),
            sign: sign(worst),
            worst: label(words, bot.worst_label()),
            refused,
            owed: worst == Verdict::JudgeError,
            cases: cases
                .map(|(at, case)| CaseView::new(words, case, &format!("{address}/rounds/{at}")))
                .collect(),
            again: again(report, bot, is_bundled),
            is_bundled,
            digest: bot.digest.to_string(),
            module: bot.bot.sha256.to_string(),
            judge: tame(&report.fingerprint.judge),
        })
    }
}

/// The command that grades the bot at home, on the students' version of the suite: a bundled one goes
/// by its name, and another one by its folder.
fn again(report: &GradeReport, bot: &BotReport, is_bundled: bool) -> String {
    let file = judge_report::quoted(&format!("{}.wasm", bot.bot.name));
    let suite = if is_bundled { report.suite.clone() } else { format!("{}/", report.suite) };
    let suite = judge_report::option("--suite", &suite);
    format!("judge grade {file} {suite}")
}

impl CaseView {
    fn new(words: &Words, case: &TestcaseReport, rounds: &str) -> CaseView {
        let withheld = case.is_withheld();
        let told = case.verdict.is_fault() || case.verdict == Verdict::JudgeError;
        let against = (!case.is_sum_of_hidden()).then(|| {
            let opponent = words.t2("submission.against", case.seat, tame(&case.opponent));
            format!("{}, {opponent}", tame(&case.game))
        });
        let round = |round| RoundView::new(words, case, round, rounds);
        CaseView {
            name: own_name(words, case, &case.name),
            title: own_name(words, case, &case.title),
            kind: kind(case.verdict),
            sign: sign(case.verdict),
            verdict: label(words, case.label()),
            points: case.points.to_string(),
            max_points: case.max_points.to_string(),
            withheld,
            detail: tame(&translate(words, &judge_report::detail(case))),
            blame: case
                .blame
                .filter(|_| told)
                .map(|blame| words.t1("submission.blame", translate(words, &blame.to_string()))),
            trace: trace(words, case),
            advice: advice(words, case),
            against,
            score: score(words, case),
            used: if withheld { Vec::new() } else { used(words, case) },
            command: judge_report::again(case),
            rounds: case.rounds.iter().map(round).collect(),
        }
    }
}

/// A testcase's name or title; translated if it represents all hidden testcases.
fn own_name(words: &Words, case: &TestcaseReport, text: &str) -> String {
    match case.is_sum_of_hidden() {
        true => translate(words, text),
        false => tame(text),
    }
}

/// The end of the failed round, with the judge's own words in the reader's language.
fn trace(words: &Words, case: &TestcaseReport) -> String {
    let line = |line: &String| match line.strip_prefix(judge_core::LOGGED) {
        Some(said) => words.t1("submission.logged", said),
        None => translate(words, line),
    };
    judge_report::trace(case).iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Advice, in the reader's language if there is a translation.
fn advice(words: &Words, case: &TestcaseReport) -> Option<String> {
    let english = judge_report::advice(case)?;
    let key = case.verdict.label().to_lowercase().replace(' ', "_");
    let own = words.find("advice", &key).filter(|_| words.language != Language::English);
    Some(own.unwrap_or(english).to_owned())
}

fn score(words: &Words, case: &TestcaseReport) -> Option<ScoreBars> {
    // A fault's score of 0 can be above a threshold.
    if case.is_masked() || case.verdict.is_fault() {
        return None;
    }
    let (score, needed) = (case.score, case.min_score);
    let margin = match score.saturating_sub(needed) {
        0 => words.t("submission.just").to_owned(),
        above @ 1.. => words.t1("submission.above", above),
        below => words.t1("submission.short", below.unsigned_abs()),
    };
    let [bar, needed_bar] = [score, needed].map(|value| value.max(0));
    Some(ScoreBars { score, needed, margin, scale: bar.max(needed_bar).max(1), bar, needed_bar })
}

fn used(words: &Words, case: &TestcaseReport) -> Vec<Used> {
    let of = |what: &str, [part, whole]: [u64; 2], name: fn(u64) -> String| Used {
        what: what.to_owned(),
        percent: percent(part, whole),
        amount: words.t2("submission.of", name(part), name(whole)),
    };
    vec![
        of(words.t("submission.time"), [case.fuel, case.limits.fuel], fuel_as_ms),
        of(words.t("submission.memory"), [case.peak_memory_bytes, case.limits.memory_bytes], kib),
    ]
}

/// A percentage, rounded up so that a small part is never shown as 0.
fn percent(part: u64, whole: u64) -> u64 {
    let percent = (u128::from(part) * 100).div_ceil(u128::from(whole.max(1)));
    u64::try_from(percent.min(100)).unwrap_or(100)
}

impl RoundView {
    fn new(words: &Words, case: &TestcaseReport, round: &RoundReport, rounds: &str) -> RoundView {
        let (kind, sign, verdict) = ruling(words, round, case.seat);
        let watchable = round.outcome.is_some() && round.digest.is_some();
        RoundView {
            number: round.round,
            kind,
            sign,
            verdict,
            score: round.score,
            other: round.opponent_score,
            page: watchable.then(|| format!("{rounds}/{}", round.round)),
        }
    }
}

/// The result of a round: won, lost or drawn if it was played to its end, or else the verdict of
/// the fault.
fn ruling(words: &Words, round: &RoundReport, seat: Seat) -> (&'static str, &'static str, String) {
    let (None, Some(outcome)) = (&round.fault, &round.outcome) else {
        let verdict = round.verdict;
        return (kind(verdict), sign(verdict), label(words, verdict.label()));
    };
    let (kind, sign, key) = match outcome.winner {
        None => ("n", "=", "drawn"),
        Some(winner) if winner == seat => ("a", "+", "won"),
        Some(_) => ("b", "−", "lost"),
    };
    (kind, sign, words.find("verdict", key).unwrap_or_default().to_owned())
}
