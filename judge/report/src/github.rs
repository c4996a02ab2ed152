//! GitHub Actions: annotations with the worst first, the two notices with points for GitHub
//! Classroom, and the step's summary. A runner executes lines that begin like a command, so only
//! this module may write such lines.

use judge_core::{BotReport, Points, StudentReport, TestcaseReport, Verdict};

use crate::markdown;
use crate::text::{shorten, tame_in_one_line};
use crate::words::{OWED, explanation, is_owed, outcome, refusal, totals};

/// GitHub shows at most this many annotations of a kind per step, and silently drops the rest.
const MOST_OF_A_KIND: usize = 10;

/// GitHub accepts titles of at most 255 characters.
const LONGEST_TITLE: usize = 200;

/// GitHub drops a whole summary of more than a mebibyte.
const LARGEST_SUMMARY: usize = 1_000_000;

/// An annotation of a run.
struct Annotation {
    /// Position in the list of verdicts. The judge's own failures are not the bot's fault.
    badness: usize,
    title: String,
    message: String,
}

/// Renders a log line per testcase, then the annotations.
pub(crate) fn render(report: &StudentReport) -> String {
    let mut text: String = report.bots.iter().map(log).collect();
    let (mut owed, mut failures): (Vec<_>, Vec<_>) = report
        .bots
        .iter()
        .flat_map(|bot| annotations(bot, report.bots.len() > 1))
        .partition(|annotation| annotation.badness == place(Verdict::JudgeError));
    // The sort is stable, so equal ones stay in the order of bots and testcases.
    failures.sort_by_key(|annotation| std::cmp::Reverse(annotation.badness));
    cut(&mut failures);
    cut(&mut owed);
    text.extend(failures.iter().map(|annotation| command("error", annotation)));
    text.extend(owed.iter().map(|annotation| command("warning", annotation)));
    text + &notices(report)
}

/// Renders the step's summary in Markdown, short enough for GitHub.
pub fn step_summary(report: &StudentReport) -> String {
    markdown::render_within(report, LARGEST_SUMMARY)
}

fn log(bot: &BotReport) -> String {
    let name = tame_in_one_line(&bot.bot.name);
    let mut text = format!("bot {name}: {} of {} points\n", bot.points, bot.max_points);
    text.extend(bot.refused.iter().map(|refused| format!("  {}\n", one_line(&refusal(refused)))));
    text.extend(bot.testcases.iter().map(|case| {
        let (name, why) = (tame_in_one_line(&case.name), one_line(&outcome(case)));
        let way = case.worked_out().map(|way| format!(" ({way})")).unwrap_or_default();
        format!("  {}/{} points{way}, {name}: {why}\n", case.points, case.max_points)
    }));
    text
}

fn one_line(text: &str) -> String {
    text.replace('\n', " – ")
}

fn place(verdict: Verdict) -> usize {
    Verdict::ALL.iter().position(|one| *one == verdict).unwrap_or_default()
}

fn annotations(bot: &BotReport, several: bool) -> Vec<Annotation> {
    let label = if several { format!("{}: ", bot.bot.name) } else { String::new() };
    let annotation = |verdict: Verdict, name: &str, message: String| Annotation {
        badness: place(verdict),
        title: tame_in_one_line(&format!("{label}{name}: {verdict}")),
        message,
    };
    if let Some(refused) = &bot.refused {
        return vec![annotation(refused.verdict, "intake", refusal(refused))];
    }
    let failed = |case: &&TestcaseReport| case.verdict != Verdict::Accepted;
    let failed = bot.testcases.iter().filter(failed);
    failed.map(|case| annotation(case.verdict, &case.name, explanation(case))).collect()
}

/// Limits the annotations to the number that GitHub shows; the last one mentions the others.
fn cut(annotations: &mut Vec<Annotation>) {
    if annotations.len() <= MOST_OF_A_KIND {
        return;
    }
    let more = annotations.len() - (MOST_OF_A_KIND - 1);
    annotations.truncate(MOST_OF_A_KIND - 1);
    annotations.push(Annotation {
        badness: 0,
        title: format!("{more} more"),
        message: format!("{more} more testcases failed: see the log or the summary"),
    });
}

/// The notices for GitHub Classroom, which treats points as final. So there are none while a result
/// is missing.
fn notices(report: &StudentReport) -> String {
    let (points, max_points) = totals(&report.bots);
    let notice = |title: &str, message: String| {
        command("notice", &Annotation { badness: 0, title: title.to_owned(), message })
    };
    match max_points {
        Points::ZERO => String::new(),
        _ if report.bots.iter().any(is_owed) => notice("Not graded", OWED.to_owned()),
        _ => {
            let totals = format!(r#"{{"totalPoints":{points},"maxPoints":{max_points}}}"#);
            notice("Autograding complete", format!("Points {points}/{max_points}"))
                + &notice("Autograding report", totals)
        }
    }
}

fn command(kind: &str, annotation: &Annotation) -> String {
    let title = property(&shorten(&annotation.title, LONGEST_TITLE));
    format!("::{kind} title={title}::{}\n", data(&annotation.message))
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property value of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
