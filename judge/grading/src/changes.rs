//! Changes in the files of a suite, by file and key, in the spelling of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use judge_core::printable;
use toml::{Table, Value};

/// Longest displayed value, in characters.
const LONGEST: usize = 60;

/// Keys of a testcase that affect only the points of its rounds.
const SCORED: [&str; 7] =
    ["title", "min_score", "points", "credit", "weight", "extra_credit", "hidden"];

/// Keys of `suite.toml` that affect the rounds of hidden testcases.
const PLAYED_OF_SUITE: [&str; 2] = ["hidden.key", "hidden.folder"];

/// A change in a file of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteChange {
    /// The file's name.
    pub file: String,
    /// The change.
    pub what: FileChange,
}

/// A change in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// The file is new.
    Added,
    /// The file was removed.
    Removed,
    /// A key has another value.
    Value {
        /// The key, with the names of its tables: `limits.time_ms`.
        key: String,
        /// Its value before and after; none if it is missing.
        sides: [Option<String>; 2],
    },
    /// Only comments, spaces or the order of keys changed.
    Remarks,
}

impl SuiteChange {
    /// True if rounds have to be played for it; otherwise the existing rounds are scored again.
    pub fn is_played(&self) -> bool {
        match &self.what {
            FileChange::Added => true,
            FileChange::Removed | FileChange::Remarks => false,
            FileChange::Value { key, .. } if self.file == crate::suite::SUITE_FILE => {
                PLAYED_OF_SUITE.contains(&key.as_str())
            }
            FileChange::Value { key, .. } => !SCORED.contains(&key.as_str()),
        }
    }
}

/// `` `03-hard.toml`: `min_score` 420 -> 400 ``.
impl fmt::Display for SuiteChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: ", printable(&self.file, LONGEST))?;
        match &self.what {
            FileChange::Added => write!(f, "new"),
            FileChange::Removed => write!(f, "removed"),
            FileChange::Remarks => write!(f, "only comments, whitespace or order"),
            FileChange::Value { key, sides } => {
                let side = |side: &Option<String>| match side {
                    Some(value) => printable(value, LONGEST),
                    None => "(none)".to_owned(),
                };
                let [before, after] = sides.each_ref().map(side);
                write!(f, "`{}` {before} -> {after}", printable(key, LONGEST))
            }
        }
    }
}

/// The changes between two versions of a suite, each given as names and texts of its files.
pub fn suite_changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<SuiteChange> {
    let by_name = |files: &[(String, String)]| files.iter().cloned().collect::<BTreeMap<_, _>>();
    let (before, after) = (by_name(before), by_name(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changes = names.into_iter().flat_map(|name| {
        let found = match (before.get(name), after.get(name)) {
            (Some(before), Some(after)) if before == after => Vec::new(),
            (Some(before), Some(after)) => file_changes(before, after),
            (None, _) => vec![FileChange::Added],
            (_, None) => vec![FileChange::Removed],
        };
        found.into_iter().map(|what| SuiteChange { file: name.clone(), what })
    });
    changes.collect()
}

fn file_changes(before: &str, after: &str) -> Vec<FileChange> {
    // An older judge may have accepted a text that this one cannot parse.
    let [before, after] = [before, after].map(|text| {
        let mut values = BTreeMap::new();
        flatten("", &text.parse().unwrap_or_default(), &mut values);
        values
    });
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    let change = |key: &String| FileChange::Value {
        key: key.clone(),
        sides: [before.get(key).cloned(), after.get(key).cloned()],
    };
    let changes: Vec<FileChange> = differs.map(change).collect();
    if changes.is_empty() { vec![FileChange::Remarks] } else { changes }
}

/// The values of a table as text, by their keys with the keys of the enclosing tables.
fn flatten(path: &str, table: &Table, values: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, values),
            value => {
                values.insert(key, value.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn changes_are_named_by_file_and_key_with_both_values() {
        let before = files(&[
            ("suite.toml", "title = \"a\"\n[hidden]\nkey = \"k\""),
            ("01.toml", "min_score = 420\nseeds = [1, 2]\n[limits]\ntime_ms = 4000"),
            ("02.toml", "points = 5"),
            ("03.toml", "points = 5"),
            ("same.toml", "points = 5"),
        ]);
        let after = files(&[
            ("suite.toml", "title = \"b\"\n[hidden]\nkey = \"l\""),
            ("01.toml", "min_score = 400\nseeds = [1, 3]"),
            ("02.toml", "# worth\npoints = 5"),
            ("04.toml", "points = 2.5"),
            ("same.toml", "points = 5"),
        ]);
        let told =
            |change: SuiteChange| format!("{change}{}", if change.is_played() { " +" } else { "" });
        let told: Vec<String> = suite_changes(&before, &after).into_iter().map(told).collect();
        assert_eq!(
            told,
            [
                "`01.toml`: `limits.time_ms` 4000 -> (none) +",
                "`01.toml`: `min_score` 420 -> 400",
                "`01.toml`: `seeds` [1, 2] -> [1, 3] +",
                "`02.toml`: only comments, whitespace or order",
                "`03.toml`: removed",
                "`04.toml`: new +",
                "`suite.toml`: `hidden.key` \"k\" -> \"l\" +",
                "`suite.toml`: `title` \"a\" -> \"b\"",
            ]
        );
        assert_eq!(suite_changes(&after, &after), []);
    }
}
