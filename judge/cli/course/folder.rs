//! The folder that a graded course is in: the journal, one report per student, the mark sheet.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use judge_core::{TestcaseReport, digest};

use crate::failure::Failure;
use crate::output;

/// Longest name of a report's file, in bytes, without its ending.
const LONGEST: usize = 100;

/// What lies in here students must not see.
const SECRET: &str = "full";

/// A course's folder.
#[derive(Debug, Clone)]
pub(crate) struct CourseFolder(PathBuf);

impl CourseFolder {
    /// Makes the folder if there is none.
    pub(crate) fn create(path: &Path) -> Result<CourseFolder, Failure> {
        let folder = CourseFolder(path.to_owned());
        folder.make("students")?;
        Ok(folder)
    }

    /// Makes a folder in it if there is none. One for the rounds of hidden testcases is its owner's
    /// alone, unless the owner changes that.
    pub(crate) fn make(&self, name: &str) -> Result<(), Failure> {
        let path = self.0.join(name);
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
        let folder = CourseFolder(path.to_owned());
        if folder.journal().is_file() {
            return Ok(folder);
        }
        let what = format!("`{}` is no graded course: it has no `journal.jsonl`", path.display());
        let hint = "make one by `judge grade SUBMISSIONS --suite SUITE --out DIR`".to_owned();
        Err(Failure::Input { what, hint: Some(hint) })
    }

    /// A folder that may be one.
    pub(crate) fn at(path: &Path) -> CourseFolder {
        CourseFolder(path.to_owned())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Every round that was played.
    pub(crate) fn journal(&self) -> PathBuf {
        self.0.join("journal.jsonl")
    }

    /// The mark sheet.
    pub(crate) fn marks(&self) -> PathBuf {
        self.0.join("marks.csv")
    }

    /// A student's report, as a path from the folder.
    pub(crate) fn report(submission: &str) -> String {
        format!("students/{}.json", file_name(submission))
    }

    /// The same with the rounds of hidden testcases, which the student must not see.
    pub(crate) fn full_report(submission: &str) -> String {
        format!("{SECRET}/{}.json", file_name(submission))
    }

    /// Where a student's round is kept, without its ending: `.html` is its page, `.jsonl` its file.
    /// Rounds of hidden testcases lie apart from what students may see.
    pub(crate) fn round(student: &str, testcase: &TestcaseReport, round: u32) -> String {
        let place = format!("rounds/{student}/{}-{round}", file_name(&testcase.name));
        if testcase.hidden { format!("{SECRET}/{place}") } else { place }
    }

    /// Writes a file in the folder, whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        output::write(&self.0.join(name), text)
    }
}

/// A file's name for a submission's: letters, digits, `-`, `_` and inner dots stay. A name that had
/// to be changed gets a part of its hash, so that no two become the same.
fn file_name(submission: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut name: String =
        submission.chars().map(|c| if plain(c) { c } else { '_' }).take(LONGEST).collect();
    if name.starts_with(['.', '-']) {
        name.replace_range(..1, "_");
    }
    // Names that differ in case alone are one file on some systems; devices are no files on others.
    let lower = name.chars().all(|c| !c.is_ascii_uppercase());
    if name != submission || !lower || name.ends_with('.') || is_device(&name) || name.is_empty() {
        name = format!("{name}~{}", digest(submission.as_bytes()).short());
    }
    name
}

/// Names that Windows keeps for devices, with any ending.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |kind: &str| {
        stem.strip_prefix(kind)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder_and_apart() {
        assert_eq!(file_name("ada-l_7.x"), "ada-l_7.x");
        for hostile in
            ["..", ".", "", "../../x", "/etc/passwd", "a\0b", "-rf", "nul.x", "COM1", "a\u{2215}b"]
        {
            let name = file_name(hostile);
            assert!(!name.contains(['/', '\\', '\0']) && !name.starts_with(['.', '-']), "{name}");
            assert!(name.contains('~'), "{hostile}: {name}");
        }
        assert_ne!(file_name("Ada").to_lowercase(), file_name("ada").to_lowercase());
        assert_ne!(file_name("a b"), file_name("a_b"));
        assert!(file_name(&"x".repeat(300)).len() < 120);
    }
}
