//! A student's page: every testcase with its verdict, its usage of each limit, and its rounds with
//! the commands that replay them.

use askama::Template;
use judge_core::{
    BotReport, GradeReport, Points, RoundReport, Seat, StudentReport, TestcaseReport, Verdict,
};

use super::filters;
use super::scoreboard::kind;
use super::sheet::{Sheet, tame};
use super::words::SEAT;
use crate::advice::advice_with_figures;
use crate::scoreboard::sign;
use crate::units::{fuel_as_ms, kib, percent, share};
use crate::words;

/// The content of a student's page.
#[derive(Debug)]
pub struct Student<'a> {
    /// Name of the student in the course.
    pub name: &'a str,
    /// Name of the student on a public scoreboard, if there is one.
    pub pseudonym: Option<&'a str>,
    /// The report, with the student's bot only.
    pub report: Audience<'a>,
    /// Rank of the student in the course; none without a course.
    pub standing: Option<CourseRank>,
    /// The lateness and its effect, if the submission is late.
    pub late: Option<String>,
    /// The common reason of all failures, if there is one: a module for another game.
    pub reason: Option<String>,
    /// The commands that replay each round of each testcase, in the report's order.
    pub again: Vec<Vec<Again>>,
    /// Commands that check the report, ready for a shell.
    pub verify: Vec<String>,
    /// The bot's file, ready for a shell.
    pub file: String,
    /// Possible ends of the suite's games and their meanings.
    pub endings: &'a [(&'a str, &'a str)],
    /// True if the file changes while it is looked at, so that the page has to reload itself.
    pub is_live: bool,
}

/// The reader of a student's page, with the report for that reader.
#[derive(Debug, Clone, Copy)]
pub enum Audience<'a> {
    /// The student, or another reader outside the staff.
    Student(&'a StudentReport),
    /// The course's staff, who see the rounds of hidden testcases.
    Staff(&'a GradeReport),
}

impl<'a> Audience<'a> {
    fn report(self) -> &'a GradeReport {
        match self {
            Audience::Student(report) => report,
            Audience::Staff(report) => report,
        }
    }
}

/// Rank of a student in a course.
#[derive(Debug, Clone, Copy)]
pub struct CourseRank {
    /// Counted from 1.
    pub rank: u32,
    /// Number of graded submissions.
    pub of: usize,
    /// Total points, including those by rank.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// Points by rank, if the suite awards them.
    pub rank_points: Option<Points>,
}

/// Ways to see a round again.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// The command that replays it; none for a round that was not played.
    pub command: Option<String>,
    /// Address of its page relative to the student's page, if there is one.
    pub page: Option<String>,
}

impl Student<'_> {
    /// Renders the page as one HTML document; none for a report without a bot.
    pub fn to_html(&self) -> Option<String> {
        let bot = self.report.report().bots.first()?;
        let script = if self.is_live { include_str!("live.js") } else { "" };
        let sheet = Sheet::new(&[include_str!("student.css")], script);
        let page = Page::new(self, bot, sheet).render().expect("writing to a text does not fail");
        let page = page + "\n";
        Some(self.pseudonym.and_then(|other| with_pseudonym(&page, other)).unwrap_or(page))
    }
}

/// Marks the place of the pseudonym in a page. Untrusted texts cannot contain it, because their
/// tags are escaped.
const PSEUDONYM: &str = "<p id=\"pseudonym\">";

/// Replaces the pseudonym on a student's page; none if the page has no place for it.
pub fn with_pseudonym(page: &str, pseudonym: &str) -> Option<String> {
    let (before, rest) = page.split_once(PSEUDONYM)?;
    let (_, after) = rest.split_once("</p>")?;
    let line = Pseudonym { name: tame(pseudonym) };
    let line = line.render().expect("writing to a text does not fail");
    Some(format!("{before}{PSEUDONYM}{line}</p>{after}"))
}

/// Marks the place of a note on a page that reloads itself.
const NOTE: &str = "<p id=\"note\">";

/// Puts a note at the top of a student's page that reloads itself; none if the page has no place for
/// it.
pub fn with_note(page: &str, note: &str) -> Option<String> {
    let (before, rest) = page.split_once(NOTE)?;
    let (_, after) = rest.split_once("</p>")?;
    let note = Note { text: tame(note) }.render().expect("writing to a text does not fail");
    Some(format!("{before}{NOTE}{note}</p>{after}"))
}

/// A note.
#[derive(Template)]
#[template(ext = "html", source = "<strong class=\"detail\">{{ text|coded }}</strong>")]
struct Note {
    text: String,
}

/// The line about a pseudonym.
#[derive(Template)]
#[template(ext = "html", source = "On the public scoreboard: <b><bdi>{{ name }}</bdi></b>")]
struct Pseudonym {
    name: String,
}

#[derive(Template)]
#[template(path = "student.html")]
struct Page {
    sheet: Sheet,
    heading: String,
    name: String,
    title: String,
    /// True for a page that reloads itself.
    is_live: bool,
    standing: Option<CourseRank>,
    /// The bot's own points, and those on offer.
    points: (Points, Points),
    /// True if the judge failed and a result is missing.
    open: bool,
    passed: u32,
    of: usize,
    score: i64,
    worst: Ruling,
    refused: Option<String>,
    /// A compiler's output for a source, line by line.
    said: Option<String>,
    late: Option<String>,
    reason: Option<String>,
    cases: Vec<Case>,
    file: String,
    verify: Vec<String>,
    facts: Vec<(&'static str, String)>,
    words: Vec<(String, String)>,
}

/// A verdict, ready for display.
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
    advice: Option<String>,
    /// The end of the failed round; empty if there is nothing to say.
    trace: String,
    /// An earlier testcase with the same fault: its number on the page, and its name.
    same_as: Option<(usize, String)>,
    against: String,
    /// The score, if it is shown.
    score: Option<TestcaseScore>,
    points: Points,
    max_points: Points,
    /// The calculation of the points, if they are neither zero nor the maximum.
    worked_out: Option<String>,
    used: [Used; 2],
    rounds: Vec<Alike>,
}

/// Rounds with the same result: one is shown, the others are folded.
struct Alike {
    round: StudentRound,
    others: Vec<StudentRound>,
}

/// A testcase's score next to its threshold.
struct TestcaseScore {
    score: i64,
    min_score: i64,
    margin: String,
    /// Lengths of the bars of score and threshold, in percent of the longer one.
    bars: (u64, u64),
}

/// The used share of a limit.
struct Used {
    what: &'static str,
    amount: String,
    limit: String,
    percent: String,
    /// Length of the bar, in percent.
    bar: u64,
    broken: bool,
}

struct StudentRound {
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

/// The reason why a module was refused: one line, and the compiler's output.
fn refusal(bot: &BotReport) -> (Option<String>, Option<String>) {
    let Some(why) = bot.refused.as_ref().map(|refused| &refused.why) else { return (None, None) };
    let whole = tame(&why.to_string());
    match whole.split_once('\n').filter(|_| why.reason.contains('\n')) {
        Some((first, said)) => (Some(first.to_owned()), Some(said.to_owned())),
        None => (Some(whole), None),
    }
}

impl Page {
    fn new(student: &Student<'_>, bot: &BotReport, sheet: Sheet) -> Page {
        let report = student.report.report();
        let (name, title) = (tame(student.name), tame(&report.title));
        let nothing = Vec::new();
        let again = |at: usize| student.again.get(at).unwrap_or(&nothing);
        let cases = bot.testcases.iter().enumerate();
        let (refused, said) = refusal(bot);
        Page {
            heading: format!("{name}: {title}"),
            is_live: student.is_live,
            standing: student.standing,
            points: (bot.points, bot.max_points),
            open: bot.worst_verdict() == Verdict::JudgeError,
            passed: bot.passed,
            of: bot.testcases.len(),
            score: bot.score,
            worst: Ruling { label: bot.worst_label(), ..Ruling::new(bot.worst_verdict()) },
            refused,
            said,
            late: student.late.as_deref().map(tame),
            reason: student.reason.as_deref().map(tame),
            cases: cases
                .map(|(at, case)| Case { same_as: same_as(bot, at), ..Case::new(case, again(at)) })
                .collect(),
            words: words_of(bot, student.endings),
            file: tame(&student.file),
            verify: student.verify.iter().map(|command| tame(command)).collect(),
            facts: facts(report, bot),
            name,
            title,
            sheet,
        }
    }
}

/// Finds an earlier testcase with the same fault.
fn same_as(bot: &BotReport, at: usize) -> Option<(usize, String)> {
    let (before, case) = (&bot.testcases[..at], &bot.testcases[at]);
    let first = before.iter().position(|other| words::is_same_fault(other, case))?;
    Some((first + 1, tame(&bot.testcases[first].name)))
}

/// The glossary entries for the page: ends of the displayed rounds, and seats.
fn words_of(bot: &BotReport, endings: &[(&str, &str)]) -> Vec<(String, String)> {
    let rounds = || bot.testcases.iter().flat_map(|case| &case.rounds);
    let is_told = |word: &str| {
        let mut outcomes = rounds().filter_map(|round| round.outcome.as_ref());
        outcomes.any(|outcome| outcome.reason == word)
    };
    let told = endings.iter().filter(|(word, _)| is_told(word));
    let told = told.map(|(word, meaning)| ((*word).to_owned(), (*meaning).to_owned()));
    let seat = rounds().next().map(|_| ("seat".to_owned(), SEAT.to_owned()));
    seat.into_iter().chain(told).collect()
}

fn facts(report: &GradeReport, bot: &BotReport) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Submission", tame(&bot.bot.name))];
    facts.extend(bot.bot.author.as_ref().map(|author| ("Author, as claimed", tame(author))));
    facts.extend(bot.module().map(|sha256| ("Module (SHA-256)", sha256.to_string())));
    facts.extend([
        ("Digest of the result", bot.digest.to_string()),
        ("Suite", tame(&report.suite)),
        ("Judge", tame(&report.fingerprint.judge)),
        ("Engine", tame(&report.fingerprint.engine)),
    ]);
    facts
}

impl Ruling {
    fn new(verdict: Verdict) -> Ruling {
        Ruling { kind: kind(verdict), sign: sign(verdict), label: verdict.label() }
    }

    /// A complete round is won, lost or drawn. Verdicts belong to testcases and to faults.
    fn of_round(round: &RoundReport, seat: Seat) -> Ruling {
        let (None, Some(outcome)) = (&round.fault, &round.outcome) else {
            return Ruling::new(round.verdict);
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
    fn new(case: &TestcaseReport, again: &[Again]) -> Case {
        let open = case.verdict == Verdict::JudgeError;
        let seat = case.seat;
        let rounds = case.rounds.iter().enumerate();
        Case {
            name: tame(&case.name),
            title: tame(&case.title),
            hidden: case.hidden,
            withheld: case.is_withheld(),
            open,
            ruling: Ruling { label: case.label(), ..Ruling::new(case.verdict) },
            blame: case.blame.map(|blame| blame.to_string()),
            detail: tame(&words::detail(case)),
            advice: advice_with_figures(case),
            trace: words::trace(case).join("\n"),
            same_as: None,
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
            rounds: folded(rounds.map(|(at, round)| {
                StudentRound::new(round, case, again.get(at).cloned().unwrap_or_default())
            })),
        }
    }
}

/// Groups rounds with the same result. One with a page represents the others.
fn folded(rounds: impl Iterator<Item = StudentRound>) -> Vec<Alike> {
    let mut all: Vec<Alike> = Vec::new();
    for mut round in rounds {
        let Some(alike) = all.iter_mut().find(|alike| alike.round.is_like(&round)) else {
            all.push(Alike { round, others: Vec::new() });
            continue;
        };
        if alike.round.page.is_none() && round.page.is_some() {
            std::mem::swap(&mut alike.round, &mut round);
        }
        alike.others.push(round);
    }
    all
}

fn score(case: &TestcaseReport) -> Option<TestcaseScore> {
    let [score, min_score, _] = words::reached_score(case)?;
    Some(TestcaseScore { score, min_score, margin: margin(case), bars: bars(score, min_score) })
}

fn margin(case: &TestcaseReport) -> String {
    match case.score.saturating_sub(case.min_score) {
        0 => "exactly at the threshold".to_owned(),
        above @ 1.. => format!("{above} above the threshold"),
        below => format!("{} short of the threshold", below.unsigned_abs()),
    }
}

/// Score and threshold in percent of the larger one; a negative value has no bar.
fn bars(score: i64, min_score: i64) -> (u64, u64) {
    let [score, needed] = [score, min_score].map(|value| u64::try_from(value).unwrap_or(0));
    let whole = score.max(needed).max(1);
    let part = |value: u64| part_of(value, whole);
    (part(score), part(needed))
}

/// A percentage, rounded up and at most 100.
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

impl Alike {
    /// A short text for the folded rounds.
    fn folded_note(&self) -> String {
        match self.others.len() {
            1 => "1 more round like this".to_owned(),
            number => format!("{number} more rounds like this"),
        }
    }
}

impl StudentRound {
    /// True if both had the same fault, at any point, or the same end and score.
    fn is_like(&self, other: &StudentRound) -> bool {
        let ending = |round: &StudentRound| (round.ruling.label, words::kind_of_fault(&round.what));
        let score = |round: &StudentRound| (round.score, round.opponent_score);
        ending(self) == ending(other) && (self.blame.is_some() || score(self) == score(other))
    }

    fn new(round: &RoundReport, case: &TestcaseReport, again: Again) -> StudentRound {
        let limits = &case.limits;
        let fault = round.fault.as_ref();
        let costliest = round.max_call_fuel;
        let played = round.outcome.is_some() || fault.is_some();
        let spent = |fuel: u64| match played {
            true => format!("{} ({})", fuel_as_ms(fuel), share(fuel, limits.fuel)),
            false => "–".to_owned(),
        };
        StudentRound {
            number: round.round,
            seed: round.seed.to_string(),
            ruling: Ruling::of_round(round, case.seat),
            blame: round.blame.map(|blame| blame.to_string()),
            place: fault.and_then(|fault| fault.call).map(|call| u64::from(call) + 1),
            what: what(round),
            score: round.score,
            opponent_score: round.opponent_score,
            fuel: spent(round.fuel),
            costliest: spent(costliest),
            calls: round.calls,
            memory: if played {
                let held = round.peak_memory_bytes;
                format!("{} ({})", kib(held), percent(held, limits.memory_bytes))
            } else {
                "–".to_owned()
            },
            digest: round.digest.map(|digest| digest.to_string()),
            command: again.command.as_deref().map(tame),
            page: again.page,
        }
    }
}

/// The end of a round.
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
    use crate::test_data::samples::with_rounds;

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
    fn identical_rounds_are_folded_into_one_with_a_link() {
        let report = with_rounds();
        let case = report
            .bots
            .iter()
            .flat_map(|bot| &bot.testcases)
            .find(|case| case.rounds.iter().any(|round| round.fault.is_some()));
        let case = case.expect("a fault");
        let failed = case.rounds.iter().find(|round| round.fault.is_some()).expect("a fault");
        let round = |number: u32, line: u32, score: i64, page: Option<&str>| {
            let mut round = failed.clone();
            (round.round, round.score) = (number, score);
            round.fault.as_mut().expect("a fault").call = Some(line);
            let again = Again { command: None, page: page.map(str::to_owned) };
            StudentRound::new(&round, case, again)
        };
        let mut played = failed.clone();
        (played.fault, played.blame) = (None, None);
        let outcome =
            judge_core::RoundResult { scores: [2, 0], winner: None, reason: "x".to_owned() };
        played.outcome = Some(outcome);
        let played = |number: u32, score: i64| {
            let round = RoundReport { round: number, score, ..played.clone() };
            StudentRound::new(&round, case, Again::default())
        };
        let rounds = [
            round(1, 5, 0, None),
            played(2, 2),
            round(3, 9, 1, Some("3.html")),
            played(4, 1),
            played(5, 2),
        ];
        let folded = folded(rounds.into_iter());
        let numbers: Vec<(u32, Vec<u32>)> = folded
            .iter()
            .map(|alike| (alike.round.number, alike.others.iter().map(|one| one.number).collect()))
            .collect();
        assert_eq!(numbers, [(3, vec![1]), (2, vec![5]), (4, vec![])]);
        assert_eq!(folded[0].folded_note(), "1 more round like this");
    }

    #[test]
    fn a_pseudonym_replaces_every_occurrence_of_the_name() {
        let page = "<h1>x</h1>\n<p id=\"pseudonym\"></p>\n<p>y</p>";
        let one = with_pseudonym(page, "calm <b>").expect("there is a place");
        assert!(one.contains("scoreboard: <b><bdi>calm &#60;b&#62;</bdi></b></p>\n<p>y"), "{one}");
        assert_eq!(with_pseudonym(&one, "b"), with_pseudonym(page, "b"));
        assert_eq!(with_pseudonym("<p>y</p>", "b"), None, "a page of an older judge");
    }

    #[test]
    fn bars_stay_between_0_and_100_percent() {
        assert_eq!(bars(50, 200), (25, 100));
        assert_eq!(bars(-7, 0), (0, 0));
        assert_eq!(bars(i64::MAX, i64::MIN), (100, 0));
        assert_eq!(part_of(1, u64::MAX), 1, "a little is not nothing");
        assert_eq!(part_of(u64::MAX, 1), 100);
    }
}
