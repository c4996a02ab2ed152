//! The folder that a graded course is in: the journal, one report per student, the mark sheet.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use judge_core::TestcaseReport;
use judge_grading::Suite;

use super::names::FileNames;
use crate::failure::Failure;
use crate::output;

/// What lies in here students must not see.
const SECRET: &str = "full";

/// A course's folder.
#[derive(Debug, Clone)]
pub(crate) struct CourseFolder {
    path: PathBuf,
    /// What the files about submissions and about testcases are called.
    submissions: FileNames,
    testcases: FileNames,
}

impl CourseFolder {
    /// Makes the folder if there is none.
    pub(crate) fn create(path: &Path) -> Result<CourseFolder, Failure> {
        let folder = CourseFolder::at(path);
        folder.make("students")?;
        Ok(folder)
    }

    /// The folder with names for the files about everybody in a course on that suite, and room for
    /// what students must not see.
    pub(super) fn of_course<'a>(
        self,
        suite: &Suite,
        everybody: impl IntoIterator<Item = &'a str>,
    ) -> Result<CourseFolder, Failure> {
        if suite.testcases.iter().any(|testcase| testcase.hidden) {
            self.make(SECRET)?;
        }
        let testcases = suite.testcases.iter().map(|testcase| testcase.name.as_str());
        Ok(CourseFolder {
            path: self.path,
            submissions: FileNames::new(everybody),
            testcases: FileNames::new(testcases),
        })
    }

    /// Makes a folder in it if there is none. One for the rounds of hidden testcases is its owner's
    /// alone, unless the owner changes that.
    pub(crate) fn make(&self, name: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        if Path::new(name).starts_with(SECRET) {
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        }
        builder.create(&path).map_err(|source| Failure::Write { path, source })
    }

    /// A folder that a course was graded into.
    pub(crate) fn existing(path: &Path) -> Result<CourseFolder, Failure> {
        let folder = CourseFolder::at(path);
        if folder.journal().is_file() {
            return Ok(folder);
        }
        let what = format!("`{}` is no graded course: it has no `journal.jsonl`", path.display());
        let hint = "make one by `judge grade SUBMISSIONS --suite SUITE --out DIR`".to_owned();
        Err(Failure::Input { what, hint: Some(hint) })
    }

    /// A folder that may be one.
    pub(crate) fn at(path: &Path) -> CourseFolder {
        let [submissions, testcases] = [const { FileNames::none() }; 2];
        CourseFolder { path: path.to_owned(), submissions, testcases }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Every round that was played.
    pub(crate) fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// The mark sheet.
    pub(crate) fn marks(&self) -> PathBuf {
        self.path.join("marks.csv")
    }

    /// A student's report, as a path from the folder.
    pub(crate) fn report(&self, submission: &str) -> String {
        format!("students/{}.json", self.submissions.of(submission))
    }

    /// The same with the rounds of hidden testcases, which the student must not see.
    pub(crate) fn full_report(&self, submission: &str) -> String {
        format!("{SECRET}/{}.json", self.submissions.of(submission))
    }

    /// Where a student's round is kept, without its ending: `.html` is its page, `.jsonl` its file.
    /// Rounds of hidden testcases lie apart from what students may see.
    pub(crate) fn round(&self, student: &str, testcase: &TestcaseReport, round: u32) -> String {
        let place = format!("rounds/{student}/{}-{round}", self.testcases.of(&testcase.name));
        if testcase.hidden { format!("{SECRET}/{place}") } else { place }
    }

    /// Writes a file in the folder, whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        output::write(&self.path.join(name), text)
    }
}
