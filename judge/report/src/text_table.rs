//! The style of text tables, and cells that several of them share.

use comfy_table::{CellAlignment, Table, presets};
use judge_core::{BotReport, Verdict};

use crate::text::tame;

/// Returns a table without borders, in the same style on every terminal.
pub(crate) fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).force_no_tty().enforce_styling();
    table
}

/// Aligns columns of figures to the right.
pub(crate) fn align_right(table: &mut Table, columns: std::ops::Range<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Renders the table without spaces at the ends of lines.
pub(crate) fn trimmed(table: &Table) -> String {
    table.trim_fmt()
}

/// The points of a bot, marked as a lower bound if the judge failed.
pub(crate) fn total(report: &BotReport) -> String {
    let owed = report.testcases.iter().any(|case| case.verdict == Verdict::JudgeError);
    format!("{}{}/{}", if owed { "at least " } else { "" }, report.points, report.max_points)
}

/// Escapes an untrusted name for terminals and for GitHub's runner, which reads the output. It stays
/// on one line, so that it cannot imitate the judge's lines.
pub(crate) fn shown(name: &str) -> String {
    tame(name).replace('\n', r"\n")
}

/// Escapes an untrusted text of several lines. Later lines are indented.
pub(crate) fn shown_lines(text: &str) -> String {
    tame(text).replace('\n', "\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_one_line() {
        assert_eq!(shown("bot\nsee it again: rm\r\n::x"), r"bot\nsee it again: rm\r\n\u{3a}:x");
        assert_eq!(shown_lines("one\ntwo"), "one\n  two");
    }
}
