//! A part of a course with several assignments: what the marks over all of them need in addition to
//! the results of each. `judge merge` reads it.

use std::collections::BTreeMap;
use std::path::Path;

use judge_grading::{Weight, Weights};
use serde::{Deserialize, Serialize};

use super::plan::{self, AssignmentHead, CoursePlan};
use super::{AssignmentOutcome, CourseFolder};
use crate::Error;
use crate::base::shard::Shard;

/// The file's name in the folder of a part.
const FILE: &str = "part.json";

/// A part of a course with several assignments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CoursePart {
    shard: Shard,
    pub(super) title: String,
    pub(super) assignments: Vec<AssignmentHead>,
    /// For each graded assignment the submissions' names on the list, by the keys of the marks.
    keys: BTreeMap<String, BTreeMap<String, String>>,
}

impl CoursePart {
    pub(super) fn new(shard: Shard, plan: &CoursePlan, graded: &[AssignmentOutcome]) -> CoursePart {
        let keys = graded.iter().map(|one| (one.name().to_owned(), one.keys.clone()));
        let (title, assignments) = (plan.title.clone(), plan.heads());
        CoursePart { shard, title, assignments, keys: keys.collect() }
    }

    /// True if the folder has a finished part of a course with several assignments.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Reads the file in the folder of a part.
    pub(super) fn read(folder: &Path) -> Result<CoursePart, Error> {
        if !CoursePart::is_in(folder) {
            let what = format!(
                "`{}` is not a finished part of a course of several suites: no `{FILE}`",
                folder.display()
            );
            let hint = "continue it with `--resume` and the same arguments".to_owned();
            return Err(Error::Input { what, hint: Some(hint) });
        }
        let path = folder.join(FILE);
        let text = Error::read_text(&path)?;
        serde_json::from_str(&text).map_err(|error| Error::input(&path, &error))
    }

    /// Writes the file into the folder of the part.
    pub(super) fn write(&self, results: &CourseFolder) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| Error::Judge(error.to_string()))?;
        results.write(FILE, &(text + "\n"))
    }

    /// True if both are parts of the same course.
    pub(super) fn is_of_same_course(&self, other: &CoursePart) -> bool {
        CoursePart { shard: self.shard, ..other.clone() } == *self
    }

    /// The submissions' names on the list of an assignment, by the keys of the marks.
    pub(super) fn keys(&self, assignment: &str) -> BTreeMap<String, String> {
        self.keys.get(assignment).cloned().unwrap_or_default()
    }

    /// The weights of the graded assignments; `folder` is the folder of the part.
    pub(super) fn weights(&self, folder: &Path) -> Result<Weights, Error> {
        let wrong = |what: String| Error::input(&folder.join(FILE), &what);
        let mut all = Vec::new();
        for head in &self.assignments {
            let weight = head.weight.as_deref().map(str::parse::<Weight>).transpose();
            all.push((head, weight.map_err(|error| wrong(error.to_string()))?));
        }
        plan::weights(all.into_iter()).map_err(wrong)
    }
}
