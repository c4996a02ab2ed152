//! Whose marks are others than before: the mark sheet that a run finds against the one that it leaves.

use std::collections::BTreeMap;

use super::outcome::Notable;
use super::{CourseFolder, summary};
use crate::Error;

/// The file of all whose marks changed, in the folder of a course.
pub(super) const FILE: &str = "changes.csv";

/// Most names that stand in the terminal's text; with more of them there is a file.
const MOST: usize = 20;

/// Columns that say nothing of their own: hashes, paths, and the rank, which others move.
const DERIVED: [&str; 5] = ["rank", "sha256", "digest", "report", "submission"];

/// The lines of a mark sheet: the columns by their names.
pub(super) struct Sheet(BTreeMap<String, BTreeMap<String, String>>);

impl Sheet {
    /// The sheet in a course's folder; none where there is none, or one that cannot be read: what
    /// was there before decides no mark.
    pub(super) fn read(folder: &CourseFolder) -> Option<Sheet> {
        let text = Error::read_text(&folder.marks()).ok()?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Result<Vec<BTreeMap<String, String>>, csv::Error> =
            reader.deserialize().collect();
        Some(Sheet(rows.ok()?.into_iter().map(|row| (key(&row), row)).collect()))
    }
}

/// Somebody's report, or the name of who has none.
fn key(row: &BTreeMap<String, String>) -> String {
    let field = |name: &str| row.get(name).filter(|text| !text.is_empty()).cloned();
    field("report").or_else(|| field("student")).unwrap_or_default()
}

/// Whose marks are others than on the sheet before, which is held against the folder's now.
pub(super) fn since(before: Option<Sheet>, folder: &CourseFolder) -> Result<Vec<Notable>, Error> {
    let (Some(Sheet(mut before)), Some(Sheet(now))) = (before, Sheet::read(folder)) else {
        return Ok(Vec::new());
    };
    let mut changed = Vec::new();
    for (key, row) in &now {
        let why = match before.remove(key) {
            Some(old) => differences(&old, row),
            None => Some(format!("new: {}", result(row))),
        };
        changed.extend(why.map(|why| Notable { who: student(row), why }));
    }
    let gone = before.into_values();
    changed.extend(gone.map(|row| Notable { who: student(&row), why: "gone".to_owned() }));
    let listed: &[Notable] = if changed.len() > MOST { &changed } else { &[] };
    summary::write_names(folder, FILE, ["student", "change"], listed)?;
    Ok(changed)
}

fn student(row: &BTreeMap<String, String>) -> String {
    row.get("student").cloned().unwrap_or_default()
}

/// `3.5 points, Below threshold`.
fn result(row: &BTreeMap<String, String>) -> String {
    let field = |name: &str| row.get(name).map_or("", String::as_str);
    match (field("points"), field("worst_verdict")) {
        ("", worst) => worst.to_owned(),
        (points, worst) => format!("{points} points, {worst}"),
    }
}

/// Each column that differs; none if nothing does.
fn differences(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Option<String> {
    let value = |row: &BTreeMap<String, String>, column: &str| match row.get(column) {
        Some(text) if !text.is_empty() => text.clone(),
        _ => "–".to_owned(),
    };
    // The sum before its parts.
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
    if old.get("sha256") != new.get("sha256") {
        told.push("another module".to_owned());
    }
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_by_column_with_the_sum_first() {
        let row = |fields: &[(&str, &str)]| -> BTreeMap<String, String> {
            fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        let old = row(&[("points", "0"), ("01", "0"), ("rank", "2"), ("digest", "x")]);
        let new =
            row(&[("points", "2.5"), ("01", "2.5"), ("rank", "1"), ("digest", "y"), ("02", "")]);
        assert_eq!(differences(&old, &new).as_deref(), Some("points 0 -> 2.5, 01 0 -> 2.5"));
        assert_eq!(differences(&new, &row(&[("points", "2.5"), ("01", "2.5")])), None);
        let other = row(&[("sha256", "z")]);
        assert_eq!(differences(&row(&[]), &other).as_deref(), Some("another module"));
    }
}
