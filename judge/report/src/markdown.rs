//! Markdown for people: a scoreboard if there are several bots, and per bot a table and the
//! failures. Untrusted texts are in code spans, where markup, links and mentions have no effect.

use judge_core::{BotReport, GradeReport, TestcaseReport, Verdict};

use crate::advice::advice_with_figures;
use crate::scoreboard;
use crate::text::{tame_and_short, tame_in_one_line};
use crate::units::{fuel_as_ms, kib};
use crate::words::{again, figures, is_owed, points_worked_out, score_cells, trace};

/// Renders the whole report.
pub(crate) fn render(report: &GradeReport) -> String {
    render_within(report, usize::MAX)
}

/// Renders as many bots as fit into this many bytes, and says how many are left out.
pub(crate) fn render_within(report: &GradeReport, most: usize) -> String {
    const ROOM_FOR_THE_END: usize = 100;
    let mut text = format!("## {}\n\n", code(&report.suite));
    let mut parts = Vec::new();
    if report.bots.len() > 1 {
        parts.push(scoreboard(report));
    }
    parts.extend(report.bots.iter().map(bot));
    let bots = report.bots.len();
    for (at, part) in parts.iter().enumerate() {
        if text.len() + part.len() + ROOM_FOR_THE_END > most {
            let left = (parts.len() - at).min(bots);
            let end = format!("{left} of {bots} bots are left out: the text would be too long.\n");
            return text + &end;
        }
        text += part;
    }
    text
}

fn scoreboard(report: &GradeReport) -> String {
    let mut text = "| rank | bot | points | score | passed | worst verdict |\n\
                    |--:|---|--:|--:|--:|---|\n"
        .to_owned();
    text.extend(scoreboard::run::ranked(&report.bots).into_iter().map(|(rank, bot)| {
        let (name, total, worst) = (cell(&bot.bot.name), total(bot), bot.worst_label());
        format!("| {rank} | {name} | {total} | {} | {} | {worst} |\n", bot.score, bot.passed)
    }));
    text + "\n"
}

fn bot(bot: &BotReport) -> String {
    let mut text = format!("### {}: {} points\n\n", code(&bot.bot.name), total(bot));
    if let Some(refused) = &bot.refused {
        let heading = format!("**{}** ({}'s fault)", refused.label(), refused.blame);
        return text + &paragraph(&heading, &refused.why.to_string()) + "\n\n";
    }
    text += "| testcase | verdict | score | needed | margin | points | time | memory |\n\
             |---|---|--:|--:|--:|--:|--:|--:|\n";
    text.extend(bot.testcases.iter().map(row));
    text += "\n";
    // The figures below show the failed testcases.
    let passed = bot.testcases.iter().filter(|case| case.verdict == Verdict::Accepted);
    text.extend(passed.filter_map(|case| {
        Some(format!("* {}: {}\n\n", code(&case.name), points_worked_out(case)?))
    }));
    text.extend(bot.testcases.iter().filter(|case| case.verdict != Verdict::Accepted).map(failure));
    text
}

fn row(case: &TestcaseReport) -> String {
    let [score, needed, margin] = score_cells(case);
    let used = [fuel_as_ms(case.fuel), kib(case.peak_memory_bytes)];
    let [time, memory] = if case.is_withheld() { ["–"; 2].map(str::to_owned) } else { used };
    let (name, points, most) = (cell(&case.name), case.points, case.max_points);
    format!(
        "| {name} | {} | {score} | {needed} | {margin} | {points}/{most} | {time} | {memory} |\n",
        case.label(),
    )
}

fn failure(case: &TestcaseReport) -> String {
    let blame = case.blame.map(|blame| format!(" ({blame}'s fault)")).unwrap_or_default();
    let heading = format!("{}: **{}**{blame}, {}", code(&case.name), case.label(), figures(case));
    let advice =
        advice_with_figures(case).map(|advice| format!("; what now: {advice}")).unwrap_or_default();
    let again = again(case).map(|command| format!("; see it again: {}", code(&command)));
    let (told, again) = (paragraph(&heading, &case.detail), again.unwrap_or_default());
    format!("* {told}{advice}{again}\n{}\n", trace_list(case))
}

/// The trace of a failure as a list below the item of its testcase.
pub(crate) fn trace_list(case: &TestcaseReport) -> String {
    trace(case).iter().map(|line| format!("    * {}\n", code(line))).collect()
}

fn total(bot: &BotReport) -> String {
    let owed = if is_owed(bot) { "at least " } else { "" };
    format!("{owed}{}/{}", bot.points, bot.max_points)
}

/// A paragraph of our heading and an untrusted text.
pub(crate) fn paragraph(heading: &str, detail: &str) -> String {
    let detail = tame_and_short(detail);
    let lines: Vec<String> = detail.split('\n').filter(|line| !line.is_empty()).map(code).collect();
    if lines.is_empty() { heading.to_owned() } else { format!("{heading}: {}", lines.join(" ")) }
}

/// An untrusted text as a code span, with a fence of more backticks than it contains.
pub fn code(text: &str) -> String {
    let text = tame_in_one_line(text);
    if text.trim().is_empty() {
        return "–".to_owned();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A backtick at an end would extend the fence. Markdown strips one space on both sides.
    let edge = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let space = if edge { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// An untrusted text as code that is also safe in a table cell, where a bar ends the cell before
/// the code is parsed. Special characters are written as numeric references.
pub fn cell(text: &str) -> String {
    let line = tame_in_one_line(text);
    if !line.contains(['|', '\\', '`']) {
        return code(text);
    }
    let number = |c: char| match c {
        c if c.is_ascii_punctuation() => format!("&#{};", u32::from(c)),
        c => c.to_string(),
    };
    format!("<code>{}</code>", line.chars().map(number).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_backticks_in_the_code() {
        assert_eq!(code("a-b"), "`a-b`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code(" "), "–");
        assert_eq!(cell("a|b\\"), "<code>a&#124;b&#92;</code>");
    }
}
