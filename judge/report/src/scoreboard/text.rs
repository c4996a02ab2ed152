//! The scoreboard on a terminal: a column per testcase if there is room, otherwise a sign for each.

use comfy_table::{Attribute, Cell as Shown, Color, Table};
use judge_core::Verdict;

use super::{Cell, Field, NOT_PLAYED, Scoreboard, ScoreboardRow, sign};
use crate::text_table::{align_right, new_table, shown, trimmed};

/// Size of a group of signs. Groups are easier to count.
const GROUP: usize = 5;

/// Minimum number of characters to keep of a name.
const SHORTEST_NAME: usize = 8;

impl Scoreboard {
    /// Renders the scoreboard as text that fits into the terminal's width, if possible.
    pub fn to_text(&self, width: Option<usize>, color: bool) -> String {
        let field = Field::new(self);
        let head = format!("{} (suite {})", shown(&self.title), shown(&self.suite));
        let fits = |table: &Table| width.is_none_or(|width| widest(table) <= width);
        let text = if fits(&self.full(&field, false)) {
            trimmed(&self.full(&field, color))
        } else {
            self.compact(&field, width.unwrap_or(usize::MAX), color)
        };
        format!("{head}\n{text}\n\n{}\n", summary(&field))
    }

    fn full(&self, field: &Field, color: bool) -> Table {
        let mut table = new_table();
        let fixed = ["rank", "student", "points", "score", "passed", "worst verdict"];
        let names = self.testcases.iter().map(|column| shown(&column.name));
        table.set_header(fixed.map(str::to_owned).into_iter().chain(names));
        for place in &self.students {
            let mut row = fixed_cells(place, usize::MAX, color);
            let text = |cell: Option<Cell>| cell.map_or(NOT_PLAYED.to_owned(), with_margin);
            let verdict = |cell: Option<Cell>| cell.map(|cell| cell.verdict);
            row.extend(
                place.testcases.iter().map(|cell| colored(text(*cell), verdict(*cell), color)),
            );
            table.add_row(row);
        }
        let passed = field.passed.iter().map(usize::to_string);
        let foot = ["", "passed by", "", "", "", ""].map(str::to_owned).into_iter();
        table.add_row(foot.chain(passed));
        align_figures(&mut table);
        align_right(&mut table, 6..6 + self.testcases.len());
        table
    }

    fn compact(&self, field: &Field, width: usize, color: bool) -> String {
        let table = |name: usize| {
            let mut table = new_table();
            table.set_header([
                "rank",
                "student",
                "points",
                "score",
                "passed",
                "worst verdict",
                "testcases",
            ]);
            for place in &self.students {
                let mut row = fixed_cells(place, name, color);
                row.push(Shown::new(signs(place)));
                table.add_row(row);
            }
            align_figures(&mut table);
            table
        };
        let names = self.students.iter().map(|place| shown(&place.name).chars().count());
        let longest = names.max().unwrap_or(0);
        let too_wide = widest(&table(longest)).saturating_sub(width);
        let table = table(longest.saturating_sub(too_wide).max(SHORTEST_NAME));
        format!("{}\n\n{}\n{}", trimmed(&table), self.legend(), self.names(field))
    }

    fn legend(&self) -> String {
        let seen = |verdict: &Verdict| {
            let cells = self.students.iter().flat_map(|place| place.testcases.iter().flatten());
            cells.into_iter().any(|cell| cell.verdict == *verdict)
        };
        let known = Verdict::ALL.iter().filter(|verdict| seen(verdict));
        let known = known.map(|verdict| format!("{} {verdict}", sign(*verdict)));
        let mut known: Vec<String> = known.collect();
        if self.students.iter().any(|place| place.testcases.contains(&None)) {
            known.push(format!("{NOT_PLAYED} not played"));
        }
        known.join(", ")
    }

    /// The testcases with their numbers, in the order of the signs.
    fn names(&self, field: &Field) -> String {
        let mut table = new_table();
        table.set_header(["", "testcase", "needed", "passed by"]);
        for ((number, column), passed) in (1..).zip(&self.testcases).zip(&field.passed) {
            let name = shown(&column.name);
            table.add_row([
                number.to_string(),
                name,
                column.min_score.to_string(),
                passed.to_string(),
            ]);
        }
        align_right(&mut table, 0..1);
        align_right(&mut table, 2..4);
        trimmed(&table)
    }
}

fn fixed_cells(place: &ScoreboardRow, longest_name: usize, color: bool) -> Vec<Shown> {
    let points = format!("{}/{}", place.points, place.max_points);
    let points = if place.is_open() { format!("at least {points}") } else { points };
    vec![
        Shown::new(place.rank),
        Shown::new(cut(&shown(&place.name), longest_name)),
        Shown::new(points),
        Shown::new(place.score),
        Shown::new(place.passed),
        colored(place.worst_and_late(), place.worst_verdict, color),
    ]
}

fn colored(text: String, verdict: Option<Verdict>, color: bool) -> Shown {
    let cell = Shown::new(text);
    match verdict {
        Some(verdict) if color => match verdict {
            Verdict::Accepted => cell.fg(Color::Green),
            Verdict::BelowThreshold => cell.fg(Color::Yellow),
            Verdict::JudgeError => cell.fg(Color::Magenta),
            _ => cell.fg(Color::Red).add_attribute(Attribute::Bold),
        },
        _ => cell,
    }
}

fn align_figures(table: &mut Table) {
    align_right(table, 0..1);
    align_right(table, 2..5);
}

/// The score with its margin, such as `491 (+255)`, or the sign of a fault. The points, if no score is
/// shown.
fn with_margin(cell: Cell) -> String {
    if cell.verdict.is_fault() {
        return sign(cell.verdict).to_owned();
    }
    match cell.score.zip(cell.margin) {
        Some((score, margin)) if cell.in_part => {
            format!("{score} ({margin:+}), {} points", cell.points)
        }
        Some((score, margin)) => format!("{score} ({margin:+})"),
        None => format!("{} points", cell.points),
    }
}

fn signs(place: &ScoreboardRow) -> String {
    let sign = |cell: &Option<Cell>| cell.map_or(NOT_PLAYED, |cell| sign(cell.verdict));
    let groups = place.testcases.chunks(GROUP);
    groups.map(|cells| cells.iter().map(sign).collect()).collect::<Vec<String>>().join(" ")
}

/// The first characters of a name, at most this many.
fn cut(name: &str, longest: usize) -> String {
    if name.chars().count() <= longest {
        return name.to_owned();
    }
    name.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// Length of the longest line of a table, without colour codes.
fn widest(table: &Table) -> usize {
    trimmed(table).lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

fn summary(field: &Field) -> String {
    let Field { graded, passed_all, median, best, max_points, missing, not_modules, open, .. } =
        field;
    let mut lines = vec![
        format!("{graded} graded, {passed_all} passed everything"),
        format!("median {median} of {max_points} points, best {best}"),
    ];
    if *missing > 0 {
        lines.push(format!("{missing} submitted nothing"));
    }
    if *not_modules > 0 {
        lines.push(format!("{not_modules} submitted something that is not a module"));
    }
    if *open > 0 {
        lines.push(format!("not final, as the judge failed: {open}"));
    }
    lines.join("\n")
}
