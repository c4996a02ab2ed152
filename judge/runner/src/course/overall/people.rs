//! The identity of students across the assignments of a course.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::printable;
use judge_report::Mark;

use crate::bots::roster::{Clues, moodle};
use crate::course::AssignmentOutcome;

/// The key that identifies a student in every suite.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StudentKey {
    /// The submission's name on the list of students.
    Listed(String),
    /// A number or login.
    Number(String),
    /// A name.
    Name(String),
    /// A submission that could belong to several students, and the index of its suite.
    Alone(usize, String),
}

impl StudentKey {
    /// The key as text for pages and messages, which is not always unique.
    pub(super) fn text(&self) -> String {
        match self {
            StudentKey::Listed(text) | StudentKey::Name(text) => text.clone(),
            StudentKey::Number(text) => format!("#{text}"),
            StudentKey::Alone(suite, text) => format!("{text} #{}", suite + 1),
        }
    }
}

/// All students' marks in the graded suites, by key.
pub(super) struct People<'a> {
    pub(super) marks: BTreeMap<StudentKey, Vec<Option<&'a Mark>>>,
    /// Remarks on undecided cases.
    pub(super) remarks: Vec<String>,
}

impl<'a> People<'a> {
    pub(super) fn new(assignments: &'a [AssignmentOutcome]) -> People<'a> {
        let mut people = People { marks: BTreeMap::new(), remarks: Vec::new() };
        for (at, outcome) in assignments.iter().enumerate() {
            let keys: Vec<(StudentKey, &String)> =
                outcome.marks.keys().map(|name| (key(outcome, name), name)).collect();
            let mut seen = BTreeSet::new();
            let twice: BTreeSet<&StudentKey> =
                keys.iter().map(|(key, _)| key).filter(|key| !seen.insert(*key)).collect();
            people.report_duplicates(outcome.name(), &twice);
            for (key, submission) in &keys {
                let alone = || StudentKey::Alone(at, (*submission).clone());
                let key = if twice.contains(key) { alone() } else { key.clone() };
                let marks =
                    people.marks.entry(key).or_insert_with(|| vec![None; assignments.len()]);
                marks[at] = outcome.marks.get(*submission);
            }
        }
        people
    }

    fn report_duplicates(&mut self, suite: &str, twice: &BTreeSet<&StudentKey>) {
        for key in twice {
            let who = printable(&key.text(), 60);
            self.remarks.push(format!(
                "`{suite}`: several submissions could be from `{who}`, so each has a separate line \
                 over all suites; a list of students and a mapping distinguish them"
            ));
        }
    }
}

/// The student of a submission.
fn key(outcome: &AssignmentOutcome, submission: &str) -> StudentKey {
    if let Some(key) = outcome.keys.get(submission) {
        return StudentKey::Listed(key.clone());
    }
    let mark = outcome.marks.get(submission);
    // The same student has different Moodle numbers in different assignments.
    match (moodle(submission), mark.and_then(|mark| mark.id.clone())) {
        (Some(Clues { full_name: Some(name), .. }), _) => StudentKey::Name(name),
        (_, Some(number)) => StudentKey::Number(number),
        _ => StudentKey::Name(mark.map_or(submission, |mark| &mark.student).to_owned()),
    }
}
