//! The result of a measurement: tables that repeat exactly, and times that do not, in three
//! formats.

use std::fmt::Write;

use comfy_table::{CellAlignment, presets};

/// The line that separates repeatable results from times.
pub(super) const TIMES: &str = "Processor time, which depends on the machine:";

/// A measurement for display.
pub(super) struct StrengthReport {
    /// One-line title.
    pub(super) title: String,
    /// Results, which are equal for equal arguments.
    pub(super) tables: Vec<FigureTable>,
    /// The times of the measurement.
    pub(super) times: FigureTable,
    /// The same data for programs. The key `timing` has everything that is not repeatable.
    pub(super) json: serde_json::Value,
}

/// A table with names on the left and figures on the right.
pub(super) struct FigureTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl FigureTable {
    /// An empty table with these columns.
    pub(super) fn new(header: &[&str]) -> FigureTable {
        FigureTable {
            header: header.iter().map(|&name| name.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; empty columns at the end may be missing.
    pub(super) fn row(&mut self, mut cells: Vec<String>) {
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    /// Removes a column.
    pub(super) fn without(mut self, name: &str) -> FigureTable {
        if let Some(at) = self.header.iter().position(|column| column == name) {
            self.header.remove(at);
            self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
        }
        self
    }

    fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_header(&self.header).add_rows(&self.rows);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.trim_fmt()
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = line(&self.header);
        text += &format!("|---{}|\n", "|--:".repeat(self.header.len() - 1));
        text.extend(self.rows.iter().map(|row| line(row)));
        text
    }
}

impl StrengthReport {
    /// For a terminal.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for table in &self.tables {
            let _ = write!(text, "\n{}\n", table.text());
        }
        text + &format!("\n{TIMES}\n\n{}\n", self.times.text())
    }

    /// For a document.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for table in &self.tables {
            let _ = write!(text, "\n{}", table.markdown());
        }
        text + &format!("\n{TIMES}\n\n{}", self.times.markdown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> StrengthReport {
        let mut results = FigureTable::new(&["players", "games", "difference", "score"]);
        results.row(vec!["`b` – `a`".into(), "20".into(), "1".into(), "100.0".into()]);
        results.row(vec!["`c` – `b`".into(), "8".into()]);
        let mut times = FigureTable::new(&["players", "ms"]);
        times.row(vec!["`b` – `a`".into(), "0.1".into()]);
        let tables = vec![results.without("difference").without("no such column")];
        StrengthReport { title: "A game".into(), tables, times, json: serde_json::Value::Null }
    }

    #[test]
    fn markdown_aligns_figures_at_the_right() {
        insta::assert_snapshot!(example().markdown());
    }

    #[test]
    fn a_table_in_text_has_no_rules() {
        insta::assert_snapshot!(example().text());
    }
}
