//! Changed marks: compares the mark sheet before a run with the one after it.

use std::collections::BTreeMap;

use judge_report::BYTE_ORDER_MARK;

use super::assignment_outcome::Notable;
use super::{CourseFolder, summary};
use crate::Error;

/// The file with all changes of marks, in the folder of a course.
pub(crate) const FILE: &str = "changes.csv";

/// Maximum number of names in the terminal's text. More are written to the file.
const MOST: usize = 20;

/// Columns without information about the student: hashes, paths, and the rank, which also depends
/// on others.
const DERIVED: [&str; 6] = ["rank", "sha256", "digest", "report", "submission", "page"];

/// A row of a mark sheet, by column name.
type SheetRow = BTreeMap<String, String>;

/// The rows of a mark sheet.
pub(crate) struct Sheet(Vec<SheetRow>);

impl Sheet {
    /// Reads the sheet in a course's folder; none if it is missing or unreadable, because old
    /// sheets affect no mark.
    pub(crate) fn read(folder: &CourseFolder) -> Option<Sheet> {
        let text = Error::read_text(&folder.marks()).ok()?;
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Result<Vec<SheetRow>, csv::Error> = reader.deserialize().collect();
        Some(Sheet(rows.ok()?))
    }

    /// Removes and returns the old row for each new row: the one with the same report, or else the
    /// same person. Homonyms are matched in order.
    fn take(&mut self, now: &[SheetRow]) -> Vec<Option<SheetRow>> {
        let mut taken: Vec<Option<SheetRow>> = vec![None; now.len()];
        for key in [members_report as fn(&SheetRow) -> Option<[&str; 2]>, report, person] {
            for (row, old) in std::iter::zip(now, &mut taken).filter(|(_, old)| old.is_none()) {
                let Some(wanted) = key(row) else { continue };
                let at = self.0.iter().position(|before| key(before) == Some(wanted));
                *old = at.map(|at| self.0.remove(at));
            }
        }
        taken
    }
}

/// The key of a student in a group: report and name, because the members share a report.
fn members_report(row: &SheetRow) -> Option<[&str; 2]> {
    let [report, _] = report(row)?;
    Some([report, row.get("student")?])
}

/// The key of a student with a report.
fn report(row: &SheetRow) -> Option<[&str; 2]> {
    let report = row.get("report").filter(|text| !text.is_empty())?;
    Some([report, ""])
}

/// The key of a person: name and number.
fn person(row: &SheetRow) -> Option<[&str; 2]> {
    let id = row.get("id").map_or("", String::as_str);
    Some([row.get("student")?, id])
}

/// Returns the students whose marks changed, by comparing the old sheet with the one now in the
/// folder.
pub(crate) fn since(before: Option<Sheet>, folder: &CourseFolder) -> Result<Vec<Notable>, Error> {
    let (Some(mut before), Some(Sheet(now))) = (before, Sheet::read(folder)) else {
        return Ok(Vec::new());
    };
    let mut changed = Vec::new();
    for (row, old) in std::iter::zip(&now, before.take(&now)) {
        let why = match old {
            Some(old) => differences(&old, row),
            None => Some(format!("new: {}", result(row))),
        };
        changed.extend(why.map(|why| Notable { who: student(row), why }));
    }
    let gone = before.0.iter();
    changed.extend(gone.map(|row| Notable { who: student(row), why: "gone".to_owned() }));
    let listed: &[Notable] = if changed.len() > MOST { &changed } else { &[] };
    summary::write_names(folder, FILE, ["student", "change"], listed)?;
    Ok(changed)
}

fn student(row: &SheetRow) -> String {
    row.get("student").cloned().unwrap_or_default()
}

/// Formats a result, such as `3.5 points, Below threshold`.
fn result(row: &SheetRow) -> String {
    let field = |name: &str| row.get(name).map_or("", String::as_str);
    match (field("points"), field("worst_verdict")) {
        ("", worst) => worst.to_owned(),
        (points, worst) => format!("{points} points, {worst}"),
    }
}

/// Lists the columns that differ; none if there is no difference.
fn differences(old: &SheetRow, new: &SheetRow) -> Option<String> {
    let value = |row: &SheetRow, column: &str| match row.get(column) {
        Some(text) if !text.is_empty() => text.clone(),
        _ => "–".to_owned(),
    };
    // The sum precedes its parts.
    let first = ["points", "max_points", "rank_points", "score", "worst_verdict", "student", "id"];
    let all = old.keys().chain(new.keys()).map(String::as_str);
    let mut rest: Vec<&str> =
        all.filter(|column| !first.contains(column) && !DERIVED.contains(column)).collect();
    rest.sort_unstable();
    rest.dedup();
    let differ = first.into_iter().chain(rest).filter_map(|column| {
        let [old, new] = [old, new].map(|row| value(row, column));
        let name = if column == "worst_verdict" { "worst" } else { column };
        (old != new).then(|| format!("{name} {old} -> {new}"))
    });
    let mut told: Vec<String> = differ.collect();
    let module = |row: &SheetRow| row.get("sha256").filter(|text| !text.is_empty()).cloned();
    match (module(old), module(new)) {
        (Some(old), Some(new)) if old != new => told.push("another module".to_owned()),
        (None, Some(_)) => told.push("handed in".to_owned()),
        (Some(_), None) => told.push("withdrawn".to_owned()),
        _ => {}
    }
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_marks_are_reported_by_column_with_the_sum_first() {
        let row = |fields: &[(&str, &str)]| -> SheetRow {
            fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let old = row(&[("points", "0"), ("01", "0"), ("rank", "2"), ("digest", "x")]);
        let new =
            row(&[("points", "2.5"), ("01", "2.5"), ("rank", "1"), ("digest", "y"), ("02", "")]);
        assert_eq!(differences(&old, &new).as_deref(), Some("points 0 -> 2.5, 01 0 -> 2.5"));
        assert_eq!(differences(&new, &row(&[("points", "2.5"), ("01", "2.5")])), None);
        let [one, other] = ["y", "z"].map(|sha256| row(&[("sha256", sha256)]));
        assert_eq!(differences(&one, &other).as_deref(), Some("another module"));
        assert_eq!(differences(&row(&[]), &other).as_deref(), Some("handed in"));
        assert_eq!(differences(&one, &row(&[("sha256", "")])).as_deref(), Some("withdrawn"));
    }

    #[test]
    fn a_later_submission_belongs_to_the_same_student() {
        let line = |student: &str, id: &str, report: &str| -> SheetRow {
            let fields = [("student", student), ("id", id), ("report", report)];
            fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let before = [line("Bob", "", ""), line("Yan", "", ""), line("Yan", "", "")];
        let now = [
            line("Bob", "", "students/bob.json"),
            line("Yan", "", ""),
            line("Yan", "", ""),
            line("Zoe", "7", ""),
        ];
        let mut sheet = Sheet(before.to_vec());
        let taken: Vec<bool> = sheet.take(&now).iter().map(Option::is_some).collect();
        assert_eq!((taken, sheet.0.len()), (vec![true, true, true, false], 0));
        // The report identifies a student better than the name.
        let mut sheet = Sheet(vec![line("Ada", "", "a.json"), line("Ada", "", "b.json")]);
        let taken = sheet.take(&[line("Ada", "", "b.json")]);
        assert_eq!(taken[0].as_ref().map(|row| row["report"].as_str()), Some("b.json"));
    }
}
