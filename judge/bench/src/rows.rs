//! Rows of a table of measurements, each next to a peer and with its goal, in Markdown.

use std::fmt;

use comfy_table::{CellAlignment, Table, presets};

/// A row of the table.
#[derive(Debug)]
pub struct BenchRow {
    /// Name of the measurement.
    pub what: String,
    /// The judge's figure, in `unit`.
    pub judge: f64,
    /// Unit of both figures.
    pub unit: &'static str,
    /// The peer and its figure in the same run.
    pub peer: Option<(&'static str, f64)>,
    /// The goal.
    pub goal: Goal,
}

/// The goal of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// At most this many times the peer's.
    Times(f64),
    /// At most this figure.
    AtMost(f64),
    /// At least this figure.
    AtLeast(f64),
    /// Only for comparison.
    Shown,
}

impl BenchRow {
    fn ratio(&self) -> Option<f64> {
        self.peer.map(|(_, figure)| self.judge / figure)
    }

    /// True if the goal is met.
    fn holds(&self) -> bool {
        match self.goal {
            Goal::Times(most) => self.ratio().is_some_and(|ratio| ratio <= most),
            Goal::AtMost(most) => self.judge <= most,
            Goal::AtLeast(least) => self.judge >= least,
            Goal::Shown => true,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Times(most) => write!(f, "≤ {most} ×"),
            Goal::AtMost(most) => write!(f, "≤ {most}"),
            Goal::AtLeast(least) => write!(f, "≥ {least}"),
            Goal::Shown => Ok(()),
        }
    }
}

/// The table in Markdown.
pub fn table(rows: &[BenchRow]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["what", "judge", "", "peer", "", "ratio", "goal", "met"]);
    for row in rows {
        let (name, peer) =
            row.peer.map_or(("", String::new()), |(name, value)| (name, figure(value)));
        let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let met = match (row.goal, row.holds()) {
            (Goal::Shown, _) => "",
            (_, true) => "yes",
            (_, false) => "**no**",
        };
        table.add_row([
            &row.what,
            &figure(row.judge),
            row.unit,
            name,
            &peer,
            &ratio,
            &row.goal.to_string(),
            met,
        ]);
    }
    for column in [1, 4, 5, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{table}\n")
}

/// A figure with three digits that count.
fn figure(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        middle if middle >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_goal_is_met() {
        let row = |judge, goal| BenchRow {
            what: "rounds".to_owned(),
            judge,
            unit: "ms",
            peer: Some(("a program", 2.0)),
            goal,
        };
        assert!(row(3.0, Goal::Times(1.5)).holds() && !row(3.1, Goal::Times(1.5)).holds());
        assert!(row(3.0, Goal::AtMost(3.0)).holds() && !row(3.0, Goal::AtLeast(3.1)).holds());
        let shown = table(&[row(3.1, Goal::Times(1.5)), row(3.1, Goal::Shown)]);
        assert!(shown.contains(" 1.55 ") && shown.contains("**no**"), "{shown}");
    }
}
