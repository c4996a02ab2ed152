//! The content of a course's file at the last grading, saved next to the results. A resumed run
//! reports the differences.

use std::collections::BTreeMap;

use judge_core::{Event, Listener, printable};
use judge_grading::{DueDate, SuiteDates};
use serde::{Deserialize, Serialize};

use super::plan::CoursePlan;
use crate::Error;
use crate::rounds::course_folder::CourseFolder;

/// The file's name in the folder of the results.
const FILE: &str = "course.json";

/// The content of a course's file that the marks over all suites and their pages depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Described {
    title: String,
    suites: BTreeMap<String, Suite>,
}

/// A suite in the file of the course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Suite {
    weight: Option<String>,
    due: Option<String>,
    late: Option<String>,
    extensions: Option<String>,
}

impl Described {
    pub(super) fn new(plan: &CoursePlan) -> Described {
        let suites = plan.assignments.iter().map(|suite| {
            let weight = suite.weight.map(|weight| weight.to_string());
            let SuiteDates { due, rules, extensions, .. } = &suite.dates;
            let due = due.map(|due| due.to_string());
            let (late, extensions) =
                (rules.map(|rules| rules.to_string()), extensions_text(extensions));
            (suite.head.name.clone(), Suite { weight, due, late, extensions })
        });
        Described { title: plan.title.clone(), suites: suites.collect() }
    }

    /// Reads the saved content; none for new results or those of another judge.
    pub(super) fn read(results: &CourseFolder) -> Option<Described> {
        let text = Error::read_text(&results.path().join(FILE)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Saves the content.
    pub(super) fn write(&self, results: &CourseFolder) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| Error::Judge(error.to_string()))?;
        results.write(FILE, &(text + "\n"))
    }

    /// Reports the differences; `file` is the name of the course's file.
    pub(super) fn tell_changes(
        &self,
        before: &Described,
        file: &str,
        events: &mut dyn Listener,
    ) -> std::io::Result<()> {
        for change in self.changes(before) {
            let text = format!("`{}`: {change}", printable(file, 200));
            events.event(&Event::Note { text })?;
        }
        Ok(())
    }

    fn changes(&self, before: &Described) -> Vec<String> {
        let mut changes = Vec::new();
        let mut tell = |what: String, old: Option<&str>, new: Option<&str>| {
            if old != new {
                let [old, new] = [old, new].map(|text| printable(text.unwrap_or("none"), 60));
                changes.push(format!("{what} {old} -> {new}"));
            }
        };
        tell("`title`".to_owned(), Some(&before.title), Some(&self.title));
        for (name, suite) in &self.suites {
            let Some(old) = before.suites.get(name) else { continue };
            let of = |key: &str| format!("suite `{name}`: `{key}`");
            tell(of("weight"), old.weight.as_deref(), suite.weight.as_deref());
            tell(of("due"), old.due.as_deref(), suite.due.as_deref());
            tell(of("late"), old.late.as_deref(), suite.late.as_deref());
            tell(of("extensions"), old.extensions.as_deref(), suite.extensions.as_deref());
        }
        let new = self.suites.keys().filter(|name| !before.suites.contains_key(*name));
        changes.extend(new.map(|name| format!("suite `{name}` is new")));
        let gone = before.suites.keys().filter(|name| !self.suites.contains_key(*name));
        changes.extend(gone.map(|name| format!("suite `{name}` is gone, and out of all sums")));
        changes
    }
}

/// The extensions of a suite; none without any.
fn extensions_text(extensions: &BTreeMap<String, DueDate>) -> Option<String> {
    let texts = extensions.iter().map(|(who, due)| format!("{who}: {due}"));
    (!extensions.is_empty()).then(|| texts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_reported_by_suite_and_key() {
        let described = |title: &str, suites: &[(&str, Option<&str>, Option<&str>)]| Described {
            title: title.to_owned(),
            suites: suites
                .iter()
                .map(|(name, weight, due)| {
                    let [weight, due] = [weight, due].map(|text| text.map(str::to_owned));
                    let late = due.is_some().then(|| "refuse".to_owned());
                    ((*name).to_owned(), Suite { weight, due, late, extensions: None })
                })
                .collect(),
        };
        let before = described("A", &[("lab1", Some("30"), None), ("lab2", Some("70"), None)]);
        let now = described("B", &[("lab1", Some("40"), Some("May")), ("lab3", Some("70"), None)]);
        let told = [
            "`title` A -> B",
            "suite `lab1`: `weight` 30 -> 40",
            "suite `lab1`: `due` none -> May",
            "suite `lab1`: `late` none -> refuse",
            "suite `lab3` is new",
            "suite `lab2` is gone, and out of all sums",
        ];
        assert_eq!(now.changes(&before), told);
        assert_eq!(now.changes(&now), Vec::<String>::new());
    }
}
