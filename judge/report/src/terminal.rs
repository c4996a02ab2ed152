//! The result for people: a table per bot, for each failed testcase the reason and the command to
//! replay it, and a scoreboard if there are several bots.

use std::io::{self, Write};

use comfy_table::{Attribute, Cell, Color, Table};
use judge_core::{BotReport, Event, GradeReport, Listener, Refused, TestcaseReport, Verdict};

use crate::advice::{advice_with_figures, search};
use crate::rounds_table;
use crate::scoreboard::run as scoreboard;
use crate::shell::{quoted, see_again};
use crate::text_table::{align_right, new_table, shown, shown_lines, total, trimmed};
use crate::units::{fuel_as_ms, kib, percent};
use crate::words::{
    detail, fault_without_place, indented, is_same_fault, points_worked_out, score_cells, trace,
    unstarted,
};

/// Writes each bot's table as soon as the bot is graded.
pub struct TerminalReporter<W> {
    output: W,
    color: bool,
    /// True to write also the table of rounds.
    with_rounds: bool,
    /// Path of each bot's file for use in commands, in the order of the bots.
    paths: Vec<String>,
    /// Formats a bot's name for commands, from its report and path.
    words: fn(&BotReport, &str) -> String,
    finished: usize,
}

impl<W: Write> TerminalReporter<W> {
    /// Creates a reporter that writes to `output`; `paths` are the bots' files as given on the
    /// command line.
    pub fn new(output: W, color: bool, paths: Vec<String>) -> TerminalReporter<W> {
        let words = |_: &BotReport, path: &str| quoted(path);
        TerminalReporter { output, color, with_rounds: false, paths, words, finished: 0 }
    }

    /// Sets the function that formats bots' names for commands; its result must be ready for a
    /// shell.
    #[must_use]
    pub fn with_words(self, words: fn(&BotReport, &str) -> String) -> TerminalReporter<W> {
        TerminalReporter { words, ..self }
    }

    /// Writes also the opponent of each testcase, and the number, scores and times of its rounds.
    #[must_use]
    pub fn with_rounds(self, with_rounds: bool) -> TerminalReporter<W> {
        TerminalReporter { with_rounds, ..self }
    }

    pub(crate) fn bot(&mut self, report: &BotReport) -> io::Result<()> {
        let path = self.paths.get(self.finished).cloned().unwrap_or_default();
        let words = (self.words)(report, &path);
        self.finished += 1;
        writeln!(self.output, "{}{}", shown(&report.bot.name), author(report))?;
        if let Some(refused) = &report.refused {
            return self.refused(refused, report);
        }
        if let Some(case) = unstarted(report) {
            return self.unstarted(case, report, &words);
        }
        writeln!(self.output, "{}", trimmed(&self.table(report)))?;
        if self.with_rounds {
            writeln!(self.output, "\n{}\n", trimmed(&rounds_table::table(report)))?;
        }
        writeln!(self.output, " digest {}", report.digest)?;
        let failed = report.judge_errors();
        if failed > 0 {
            let rounds = if failed == 1 { "round" } else { "rounds" };
            writeln!(self.output, " judge errors: {failed} {rounds}; run it again")?;
        }
        for case in &report.testcases {
            if let Some(way) = points_worked_out(case) {
                writeln!(self.output, " {}: {way}", shown(&case.name))?;
            }
        }
        let failed: Vec<&TestcaseReport> =
            report.testcases.iter().filter(|case| case.verdict != Verdict::Accepted).collect();
        for (at, case) in failed.iter().enumerate() {
            // Each fault is explained once, with the names of the other testcases.
            if failed[..at].iter().all(|before| !is_same_fault(before, case)) {
                self.failure(case, (&failed[..at], &failed[at + 1..]), &words)?;
            }
        }
        writeln!(self.output)
    }

    fn refused(&mut self, refused: &Refused, report: &BotReport) -> io::Result<()> {
        let (verdict, blame) = (refused.label(), refused.blame);
        writeln!(
            self.output,
            "  {verdict} ({blame}'s fault): {}",
            shown_lines(&refused.why.to_string())
        )?;
        writeln!(self.output, "  0 of {} points\n", report.max_points)
    }

    /// Writes the only result of a bot that never answered: no round has another one.
    fn unstarted(
        &mut self,
        case: &TestcaseReport,
        report: &BotReport,
        words: &str,
    ) -> io::Result<()> {
        let blame = case.blame.map(|blame| format!(" ({blame}'s fault)")).unwrap_or_default();
        let what = shown_lines(fault_without_place(case));
        writeln!(self.output, "  {}{blame} in all rounds: {what}", case.label())?;
        write!(self.output, "{}", indented(&trace(case)))?;
        if let Some(advice) = advice_with_figures(case) {
            writeln!(self.output, "  what now: {advice}")?;
        }
        if let Some(arguments) = &case.reproduce {
            let command = see_again(words, &shown(arguments));
            writeln!(self.output, "  see it again: {command}")?;
        }
        let (passed, all) = (report.passed, report.testcases.len());
        writeln!(
            self.output,
            "  {} of {} points, {passed} of {all} testcases passed",
            report.points, report.max_points
        )?;
        writeln!(self.output, " digest {}\n", report.digest)
    }

    fn table(&self, report: &BotReport) -> Table {
        let mut table = new_table();
        let header =
            ["testcase", "verdict", "score", "needed", "margin", "points", "time", "memory"];
        table.set_header(header);
        for case in &report.testcases {
            let [score, needed, margin] = score_cells(case);
            table.add_row([
                Cell::new(shown(&case.name)),
                self.verdict(case.label(), case.verdict),
                Cell::new(score),
                Cell::new(needed),
                Cell::new(margin),
                Cell::new(points(case)),
                Cell::new(time(case)),
                Cell::new(memory(case)),
            ]);
        }
        table.add_row([
            Cell::new("total"),
            Cell::new(format!("{} of {} passed", report.passed, report.testcases.len())),
            Cell::new(report.score),
            Cell::new(""),
            Cell::new(""),
            Cell::new(total(report)),
        ]);
        align_right(&mut table, 2..8);
        table
    }

    fn verdict(&self, label: &str, verdict: Verdict) -> Cell {
        let cell = Cell::new(label);
        if !self.color {
            return cell;
        }
        match verdict {
            Verdict::Accepted => cell.fg(Color::Green),
            Verdict::BelowThreshold => cell.fg(Color::Yellow),
            Verdict::JudgeError => cell.fg(Color::Magenta),
            _ => cell.fg(Color::Red).add_attribute(Attribute::Bold),
        }
    }

    fn failure(
        &mut self,
        case: &TestcaseReport,
        (before, later): (&[&TestcaseReport], &[&TestcaseReport]),
        words: &str,
    ) -> io::Result<()> {
        let blame = case.blame.map(|blame| format!(" ({blame}'s fault)")).unwrap_or_default();
        let detail = shown_lines(&detail(case));
        let name = shown(&case.name);
        writeln!(self.output, "{name}: {}{blame}: {detail}", case.label())?;
        if let Some(scores) = scores_of_rounds(case) {
            writeln!(self.output, "  by round: {scores}")?;
        }
        write!(self.output, "{}", indented(&trace(case)))?;
        let same = later.iter().filter(|other| is_same_fault(case, other));
        let same: Vec<String> = same.map(|other| shown(&other.name)).collect();
        if !same.is_empty() {
            let testcases = if same.len() == 1 { "testcase" } else { "testcases" };
            writeln!(
                self.output,
                "  the same in {} more {testcases}: {}",
                same.len(),
                same.join(", ")
            )?;
        }
        let advice = advice_with_figures(case).filter(|text| {
            // Advice that is the same for several faults is printed once.
            before.iter().all(|other| advice_with_figures(other).as_ref() != Some(text))
        });
        if let Some(advice) = advice {
            writeln!(self.output, "  what now: {advice}")?;
            if let Some((title, command)) = search(case, words) {
                writeln!(self.output, "  {title}: {command}")?;
            }
        }
        if let Some(arguments) = &case.reproduce {
            let command = see_again(words, &shown(arguments));
            writeln!(self.output, "  see it again: {command}")?;
        }
        Ok(())
    }

    pub(crate) fn finished(&mut self, report: &GradeReport) -> io::Result<()> {
        if report.bots.len() > 1 {
            writeln!(self.output, "{}\n", trimmed(&scoreboard::table(report)))?;
        }
        self.output.flush()
    }
}

impl<W: Write> Listener for TerminalReporter<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::SubmissionDecided { report } => self.bot(report),
            Event::Graded { report } => self.finished(report),
            _ => Ok(()),
        }
    }
}

/// The points of a testcase; marked as open if the judge failed.
fn points(case: &TestcaseReport) -> String {
    match case.verdict {
        Verdict::JudgeError => format!("–/{}", case.max_points),
        _ => format!("{}/{}", case.points, case.max_points),
    }
}

fn usage(text: &str, part: u64, whole: u64) -> String {
    format!("{text} ({})", percent(part, whole))
}

fn time(case: &TestcaseReport) -> String {
    if case.is_withheld() {
        return "–".to_owned();
    }
    usage(&fuel_as_ms(case.fuel), case.fuel, case.limits.fuel)
}

fn memory(case: &TestcaseReport) -> String {
    if case.is_withheld() {
        return "–".to_owned();
    }
    usage(&kib(case.peak_memory_bytes), case.peak_memory_bytes, case.limits.memory_bytes)
}

fn author(report: &BotReport) -> String {
    match &report.bot.author {
        Some(author) => format!(", by {}", shown(author)),
        None => String::new(),
    }
}

/// Most rounds whose scores fit on a line.
const ROUNDS_IN_A_LINE: usize = 12;

/// The scores of a testcase's rounds, if it is below its threshold.
fn scores_of_rounds(case: &TestcaseReport) -> Option<String> {
    let is_short = (2..=ROUNDS_IN_A_LINE).contains(&case.rounds.len());
    if case.verdict != Verdict::BelowThreshold || case.is_withheld() || !is_short {
        return None;
    }
    let scores: Vec<String> = case.rounds.iter().map(|round| round.score.to_string()).collect();
    Some(scores.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::with_rounds;

    #[test]
    fn only_a_missed_threshold_lists_the_scores_of_its_rounds() {
        let report = with_rounds();
        for case in report.bots.iter().flat_map(|bot| &bot.testcases) {
            let scores = scores_of_rounds(case);
            let is_missed = case.verdict == Verdict::BelowThreshold && !case.is_withheld();
            assert_eq!(scores, is_missed.then(|| "50, 50".to_owned()), "{case:?}");
        }
        let mut long = report.bots[0].testcases[1].clone();
        assert_eq!(long.verdict, Verdict::BelowThreshold);
        long.rounds = vec![long.rounds[0].clone(); ROUNDS_IN_A_LINE + 1];
        assert_eq!(scores_of_rounds(&long), None);
    }
}
