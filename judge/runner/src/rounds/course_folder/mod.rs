//! The folder of a graded course: the journal, a report per student, the mark sheet.

mod names;

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use judge_core::TestcaseReport;
use judge_grading::Suite;
use judge_report::BYTE_ORDER_MARK;
use judge_report::page::reloading;

use crate::Error;
use crate::base::files;
use crate::base::mark_sheet;
use crate::suites;
pub(crate) use names::FileNames;

/// The folder of files that students must not see.
const SECRET: &str = "full";

/// A course's folder.
#[derive(Debug, Clone)]
pub(crate) struct CourseFolder {
    path: PathBuf,
    /// File names of submissions and testcases.
    submissions: FileNames,
    testcases: FileNames,
    /// Interval in seconds at which pages reload themselves; none for never.
    reload_every: Option<u32>,
    /// True if sheets for people begin with a byte-order mark.
    byte_order_mark: bool,
}

impl CourseFolder {
    /// Creates the folder if it is missing. The folder of a course with several suites is refused.
    pub(crate) fn create(path: &Path) -> Result<CourseFolder, Error> {
        mark_sheet::refuse_several_suites(path)?;
        let folder = CourseFolder::at(path);
        folder.refuse_links()?;
        folder.make("students")?;
        Ok(folder)
    }

    /// Refuses links and special files at the paths of results. They could lead out of this folder,
    /// or never end.
    pub(crate) fn refuse_links(&self) -> Result<(), Error> {
        let places = ["students", "rounds", "send", "built", SECRET, "full/rounds"];
        let is_wrong = |name: &&str| {
            std::fs::symlink_metadata(self.path.join(name)).is_ok_and(|found| !found.is_dir())
        };
        let journal = std::fs::symlink_metadata(self.journal());
        let journal = journal.is_ok_and(|found| !found.is_file()).then_some(mark_sheet::JOURNAL);
        let Some(name) = places.into_iter().find(is_wrong).or(journal) else { return Ok(()) };
        let what = format!(
            "`{}` is a link, or neither a folder nor a file",
            self.path.join(name).display()
        );
        let hint = "results are not written through links: remove it, or name another folder";
        Err(Error::Input { what, hint: Some(hint.to_owned()) })
    }

    /// Sets whether sheets begin with a byte-order mark, so that spreadsheets read them as UTF-8.
    pub(crate) fn for_spreadsheets(self, byte_order_mark: bool) -> CourseFolder {
        CourseFolder { byte_order_mark, ..self }
    }

    /// Sets the file names for all submissions of a course on that suite, and creates the folder
    /// that students must not see if it is needed.
    pub(crate) fn with_names<'a>(
        self,
        suite: &Suite,
        everybody: impl IntoIterator<Item = &'a str>,
    ) -> Result<CourseFolder, Error> {
        if suites::has_hidden(suite) {
            self.make(SECRET)?;
        }
        let testcases = suite.testcases.iter().map(|testcase| testcase.name.as_str());
        Ok(CourseFolder {
            submissions: FileNames::new(everybody),
            testcases: FileNames::new(testcases),
            ..self
        })
    }

    /// Creates a folder in it if it is missing. A folder for rounds of hidden testcases is readable
    /// only by its owner, unless the owner changes that.
    pub(crate) fn make(&self, name: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        if path.is_symlink() {
            replaceable(&path)?;
        }
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        if Path::new(name).starts_with(SECRET) {
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        }
        builder.create(&path).map_err(|source| Error::Write { path, source })
    }

    /// Opens the folder of a graded course.
    pub(crate) fn existing(path: &Path) -> Result<CourseFolder, Error> {
        mark_sheet::check_course(path)?;
        Ok(CourseFolder::at(path))
    }

    /// Returns a folder that may or may not be a course's.
    pub(crate) fn at(path: &Path) -> CourseFolder {
        let [submissions, testcases] = [const { FileNames::none() }; 2];
        let (path, reload_every, byte_order_mark) = (path.to_owned(), None, false);
        CourseFolder { path, submissions, testcases, reload_every, byte_order_mark }
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the journal, which has every round.
    pub(crate) fn journal(&self) -> PathBuf {
        self.path.join(mark_sheet::JOURNAL)
    }

    /// The path of the mark sheet.
    pub(crate) fn marks(&self) -> PathBuf {
        self.path.join(mark_sheet::FILE)
    }

    /// The name of the files about a submission, without an extension.
    pub(crate) fn file_name(&self, submission: &str) -> String {
        self.submissions.name_for(submission)
    }

    /// The path of a student's report, relative to the folder.
    pub(crate) fn report(&self, submission: &str) -> String {
        format!("students/{}.json", self.submissions.name_for(submission))
    }

    /// The path of the report with the rounds of hidden testcases, which the student must not see.
    pub(crate) fn full_report(&self, submission: &str) -> String {
        format!("{SECRET}/{}.json", self.submissions.name_for(submission))
    }

    /// The path of a student's round, without its extension: `.html` for the page, `.jsonl` for the
    /// file. Rounds of hidden testcases are not in a folder for students.
    pub(crate) fn round(&self, student: &str, testcase: &TestcaseReport, round: u32) -> String {
        let place = format!("rounds/{student}/{}-{round}", self.testcases.name_for(&testcase.name));
        if testcase.hidden { format!("{SECRET}/{place}") } else { place }
    }

    /// True if students may see the round in a file with this name, given without its extension.
    pub(crate) fn is_open_round(&self, suite: &Suite, stem: &str) -> bool {
        let Some((testcase, _)) = stem.rsplit_once('-') else { return false };
        let mut open = suite.testcases.iter().filter(|one| !one.hidden);
        open.any(|one| self.testcases.name_for(&one.name) == testcase)
    }

    /// Makes pages reload themselves at this interval.
    #[must_use]
    pub(crate) fn reloading(self, reload_every: Option<u32>) -> CourseFolder {
        CourseFolder { reload_every, ..self }
    }

    /// Writes a sheet for people.
    pub(crate) fn write_sheet(&self, name: &str, text: &str) -> Result<(), Error> {
        match self.byte_order_mark {
            true => self.write(name, &format!("{BYTE_ORDER_MARK}{text}")),
            false => self.write(name, text),
        }
    }

    /// Writes a file in the folder, completely or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        replaceable(&path)?;
        // A page of a round never changes, and a reload would interrupt its reader.
        let renews = name.ends_with(".html") && !name.contains("rounds/");
        if let Some(seconds) = self.reload_every.filter(|_| renews) {
            return write_changed(&path, &reloading(text, seconds));
        }
        write_changed(&path, text)
    }
}

/// Writes a file, unless it already has this text.
fn write_changed(path: &Path, text: &str) -> Result<(), Error> {
    match std::fs::read(path).is_ok_and(|before| before == text.as_bytes()) {
        true => Ok(()),
        false => files::write(path, text),
    }
}

/// Removes a link or special file at the path of a result, so that nothing is written through it.
pub(crate) fn replaceable(path: &Path) -> Result<(), Error> {
    let found = std::fs::symlink_metadata(path);
    if found.is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        std::fs::remove_file(path)
            .map_err(|source| Error::Write { path: path.to_owned(), source })?;
    }
    Ok(())
}
