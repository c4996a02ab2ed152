//! A list of students as text and as JSON, to check how it was read.

use comfy_table::{Table, presets};
use judge_core::printable;
use serde_json::{Value, json};

use super::platform::ListOrigin;
use super::titles::{StudentField, bare};
use super::{StudentList, StudentRow};
use crate::bots::submitted::NameList;

/// Number of students that a preview shows.
const MOST: usize = 10;

/// Longest field in a table.
const LONGEST: usize = 60;

/// Headings of the table of students.
const HEADINGS: [&str; 9] =
    ["line", "submission", "student", "id", "login", "address", "group", "identifier", "submitted"];

impl StudentList {
    /// A line on a list of a platform, and on rows that are not students; none for a plain list.
    pub(super) fn summary(&self) -> Option<String> {
        let left_out = match self.left_out.len() {
            0 if self.origin == ListOrigin::Plain => return None,
            0 => String::new(),
            1 => ", without a line that is not a student".to_owned(),
            lines => format!(", without {lines} lines that are not students"),
        };
        let (path, title) = (self.path.display(), self.origin.title());
        Some(format!("`{path}` was read as {title}{left_out}; `judge roster` shows the students"))
    }

    /// Formats the columns and the first students, or all of them.
    #[must_use]
    pub fn to_text(&self, all: bool) -> String {
        let number = self.students.len();
        let shown = if all { number } else { MOST.min(number) };
        let heading = format!("{}\n", capitalized(&self.form()));
        let count = match number {
            1 => "\n1 student\n".to_owned(),
            number => format!("\n{number} students\n"),
        };
        let table = if shown > 0 { format!("\n{}\n", self.table(shown)) } else { String::new() };
        let more = match number - shown {
            0 => String::new(),
            more => format!("and {more} more: `--all` shows them\n"),
        };
        [heading, self.used(), self.unused(), count, table, more].concat()
    }

    /// A line for each column that is used.
    fn used(&self) -> String {
        let titles = self.file.header.iter().enumerate();
        let used = titles.filter_map(|(at, title)| Some((title, self.columns.at(at)?)));
        let meaning = |field: StudentField| match field {
            StudentField::Login if !self.columns.has(StudentField::Id) => "login, which is the id",
            field => field.title(),
        };
        let rows =
            used.map(|(title, field)| [printable(title, LONGEST), meaning(field).to_owned()]);
        let rows: Vec<[String; 2]> = rows.collect();
        format!("\n{}\n", aligned(&["column", "read as"].map(str::to_owned), &rows))
    }

    /// A line with the columns that are not used; empty if there are none.
    fn unused(&self) -> String {
        let mut names = NameList::default();
        for (at, title) in self.file.header.iter().enumerate() {
            if self.columns.at(at).is_none() && !title.is_empty() {
                names.push(title.as_ref());
            }
        }
        if names.is_empty() { String::new() } else { format!("\nnot used: {names}\n") }
    }

    /// Hints on columns that the list could have in addition.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        let has = |field| self.columns.has(field);
        let known = [StudentField::Id, StudentField::Login, StudentField::Identifier];
        let mut hints = Vec::new();
        if !known.into_iter().any(has) {
            hints.push(
                "a column with an id is missing: students are matched by their other properties"
                    .to_owned(),
            );
        }
        let groups = ["groups", "gruppen", "grupos", "grups", "groupes", "gruppi", "team"];
        let title = self.file.header.iter().find(|title| groups.contains(&&*bare(title)));
        if let Some(title) = title.filter(|_| !has(StudentField::Group)) {
            hints.push(format!(
                "`{}` is not used: students who submit together need a column `group`",
                printable(title, LONGEST)
            ));
        }
        hints
    }

    fn table(&self, most: usize) -> String {
        let rows: Vec<[String; 9]> =
            self.students.iter().take(most).map(|(_, row)| fields(row)).collect();
        let is_used = |at: &usize| rows.iter().any(|row| !row[*at].is_empty());
        let columns: Vec<usize> = (0..HEADINGS.len()).filter(is_used).collect();
        let pick = |row: &[String; 9]| columns.iter().map(|at| row[*at].clone()).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(pick).collect();
        aligned(&pick(&HEADINGS.map(str::to_owned)), &rows)
    }

    /// The whole list as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let header = self.file.header.iter().enumerate();
        let columns = header.map(|(at, title)| {
            json!({"title": title, "read_as": self.columns.at(at).map(StudentField::title)})
        });
        let list = json!({
            "origin": self.origin.name(),
            "encoding": self.file.encoding,
            "separator": self.file.separator,
            "columns": columns.collect::<Vec<_>>(),
            "students": self.students.iter().map(|(_, row)| student(row)).collect::<Vec<_>>(),
            "left_out": self.left_out,
            "wrong": self.wrong,
            "remarks": self.remarks,
        });
        format!("{list:#}\n")
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A student as JSON, without empty properties.
fn student(row: &StudentRow) -> Value {
    let fields = std::iter::zip(HEADINGS, values(row)).skip(1);
    let known = fields.filter_map(|(key, value)| Some((key.to_owned(), Value::from(value?))));
    let line = ("line".to_owned(), Value::from(row.line));
    Value::Object(std::iter::once(line).chain(known).collect())
}

fn values(row: &StudentRow) -> [Option<String>; 9] {
    let StudentRow { line, submission, student } = row;
    [
        Some(line.to_string()),
        submission.clone(),
        student.name.clone(),
        student.id.clone(),
        student.login.clone(),
        student.address.clone(),
        student.group.clone(),
        student.identifier.clone(),
        student.submitted.clone(),
    ]
}

fn fields(row: &StudentRow) -> [String; 9] {
    values(row).map(|value| value.map_or_else(String::new, |text| printable(&text, LONGEST)))
}

/// A table without lines, indented by two spaces.
fn aligned<R: AsRef<[String]>>(header: &R, rows: &[impl AsRef<[String]>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).force_no_tty().set_header(header.as_ref());
    for row in rows {
        table.add_row(row.as_ref());
    }
    let text = table.trim_fmt();
    text.lines().map(|line| format!(" {line}")).collect::<Vec<_>>().join("\n")
}
