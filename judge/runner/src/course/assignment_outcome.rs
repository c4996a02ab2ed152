//! The result of an assignment: figures and text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_core::{Verdict, printable};
use judge_report::{Mark, NO_SUBMISSION, NOT_A_MODULE, cell};

use super::CourseFolder;
use super::behaviour::FILE as SAME_ANSWERS;
use super::changed::FILE as CHANGED;
use super::summary::FILE as LOOK_AT;
use crate::base::csv_text::csv_text;

/// The result of an assignment. Marks and reports are in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentOutcome {
    /// Name of the suite.
    pub suite: String,
    /// The folder of the results.
    pub folder: PathBuf,
    /// Number of graded submissions.
    pub graded: usize,
    /// Number of submissions by worst verdict, in the order of the verdicts.
    pub worst: Vec<(Verdict, usize)>,
    /// Number of students on the list without a submission.
    pub missing: usize,
    /// Number of students with a submission that has no module.
    pub not_modules: usize,
    /// Number of students on the list; 0 without a list.
    pub listed: usize,
    /// Number of submissions that match no student on the list.
    pub of_nobody: usize,
    /// Number of files that are not submissions.
    pub passed_over: usize,
    /// Results for the instructor to check, most urgent first.
    pub look_at: Vec<Notable>,
    /// Number of pairs of different modules with the same answers in whole testcases.
    pub same_answers: usize,
    /// Students with marks that changed since the last run, and the changes.
    pub changed: Vec<Notable>,
    /// Files with the columns of learning platforms' gradebooks.
    pub gradebooks: Vec<String>,
    /// Number of rounds written as pages.
    pub pages: WrittenPages,
    /// Submissions with judge errors, and the number of rounds with one. Their marks are not final.
    pub judge_errors: Vec<(String, usize)>,
    /// All rows of the mark sheet, by submission name.
    pub(crate) marks: BTreeMap<String, Mark>,
    /// The submissions' names on the list of students, by the keys of the marks.
    pub(crate) keys: BTreeMap<String, String>,
    /// Submissions and ids, for the mapping lines that would distinguish homonyms.
    pub(crate) to_map: Vec<[String; 2]>,
    /// The assignment's name, in a course with several.
    pub(crate) in_course: Option<String>,
}

/// A student or submission to report, with a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notable {
    /// The student or submission, or several of them.
    pub who: String,
    /// The reason.
    pub why: String,
}

/// Numbers of rounds written as pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WrittenPages {
    /// Rounds that students may see, in `rounds`.
    pub open: usize,
    /// Rounds of hidden testcases, in `full/rounds`.
    pub hidden: usize,
}

/// Maximum length of the names in a line.
const LONGEST: usize = 200;

/// Maximum number of students to name.
const MOST_NAMED: usize = 20;

impl AssignmentOutcome {
    /// The assignment's name in its course; empty for the only one.
    pub(crate) fn name(&self) -> &str {
        self.in_course.as_deref().unwrap_or_default()
    }

    /// Formats a summary: the verdicts, and the paths of all results.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let name = printable(&self.suite, usize::MAX);
        let graded = count(self.graded, "submission");
        // Writing to a string cannot fail. The same holds below.
        let _ = writeln!(text, "{graded} graded on `{name}`; worst verdict of each:");
        for (verdict, number) in &self.worst {
            let _ = writeln!(text, "  {number:>5}  {verdict}");
        }
        if self.missing > 0 {
            let _ = writeln!(text, "  {:>5}  {NO_SUBMISSION}", self.missing);
        }
        if self.not_modules > 0 {
            let _ = writeln!(text, "  {:>5}  {NOT_A_MODULE}", self.not_modules);
        }
        text += &self.list_text();
        text += &changed_text(&self.folder, &self.changed);
        text += &self.look_at_text();
        text += &self.homonyms_text();
        for (what, path) in [
            ("marks", CourseFolder::at(&self.folder).marks()),
            ("reports", self.folder.join("students")),
            ("to send, one file per student", self.folder.join("send")),
        ] {
            let _ = writeln!(text, "{what}: {}", shown(&path));
        }
        for file in &self.gradebooks {
            let _ = writeln!(text, "gradebook: {}", shown(&self.folder.join(file)));
        }
        let WrittenPages { open, hidden } = self.pages;
        for (folder, pages) in [("rounds", open), ("full/rounds", hidden)] {
            if pages > 0 {
                let path = shown(&self.folder.join(folder));
                let _ = writeln!(text, "rounds: {path} ({})", count(pages, "page"));
            }
        }
        text
    }

    /// Summarizes the matches with the list of students, late submissions, equal answers, and
    /// ignored files.
    fn list_text(&self) -> String {
        let mut text = String::new();
        if self.listed > 0 {
            let without = self.missing + self.not_modules;
            let students = count(self.listed, "student");
            let matches = if self.of_nobody == 1 { "matches" } else { "match" };
            let of_nobody = format!("{} {matches}", count(self.of_nobody, "submission"));
            let _ = writeln!(
                text,
                "list: {students}, {without} of them without a module; {of_nobody} no student"
            );
        }
        let late = |mark: &&Mark| mark.late.as_ref().is_some_and(|late| !late.what.is_empty());
        let late = self.marks.values().filter(late).count();
        if late > 0 {
            let _ = writeln!(text, "late: {}", count(late, "student"));
        }
        if self.same_answers > 0 {
            let path = self.folder.join(SAME_ANSWERS);
            let pairs = count(self.same_answers, "pair");
            let _ = writeln!(text, "same answers: {} ({pairs} of different modules)", shown(&path));
        }
        if self.passed_over > 0 {
            let _ = writeln!(text, "ignored: {}", count(self.passed_over, "file"));
        }
        text
    }

    /// The results to check, with their reasons: the first twenty, and the number of others.
    fn look_at_text(&self) -> String {
        let text = names_text(&self.folder, &self.look_at, LOOK_AT);
        if text.is_empty() { text } else { format!("look at these:\n{text}") }
    }

    /// The mapping lines that would distinguish homonyms.
    fn homonyms_text(&self) -> String {
        let suite = self.in_course.as_deref();
        let row = |[download, id]: &[String; 2]| {
            [download.as_str(), id].into_iter().chain(suite).map(cell).collect::<Vec<String>>()
        };
        let header = ["download", "id"].into_iter().chain(suite.map(|_| "suite"));
        // All rows have the same length, so writing them cannot fail.
        let csv = csv_text(header, self.to_map.iter().map(row)).unwrap_or_default();
        if self.to_map.is_empty() {
            return String::new();
        }
        let place = match suite {
            Some(_) => "`mapping = \"FILE\"` in the course's file",
            None => "`--mapping FILE`",
        };
        let lines: String =
            csv.lines().map(|line| format!("  {}\n", printable(line, usize::MAX))).collect();
        format!(
            "homonyms: add these lines to a file, name it with {place}, and check each id:\n\
             {lines}"
        )
    }

    /// A line about marks that are not final because of judge errors; none if all are final.
    pub fn judge_errors_text(&self) -> Option<String> {
        let told = |(name, rounds): &(String, usize)| {
            format!("{} ({})", printable(name, 60), count(*rounds, "round"))
        };
        let first = self.judge_errors.iter().take(5).map(told).collect::<Vec<_>>().join(", ");
        let more = if self.judge_errors.len() > 5 { ", …" } else { "" };
        let submissions = count(self.judge_errors.len(), "submission");
        (!self.judge_errors.is_empty()).then(|| {
            format!("the judge failed with {submissions}: {first}{more}; their marks are not final")
        })
    }
}

/// The changed marks: the first twenty, and the number of others.
pub(crate) fn changed_text(folder: &Path, changed: &[Notable]) -> String {
    let text = names_text(folder, changed, CHANGED);
    let students = count(changed.len(), "student");
    if text.is_empty() {
        text
    } else {
        format!("marks changed since the last run: {students}\n{text}")
    }
}

/// The first twenty lines, and the number of others in the file.
fn names_text(folder: &Path, all: &[Notable], file: &str) -> String {
    let told = |one: &Notable| format!("  {}: {}\n", names(&one.who), printable(&one.why, 400));
    let mut text: String = all.iter().take(MOST_NAMED).map(told).collect();
    if all.len() > MOST_NAMED {
        let (more, path) = (all.len() - MOST_NAMED, folder.join(file));
        let _ = writeln!(text, "  and {more} more, all in {}", shown(&path));
    }
    text
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string(), usize::MAX)
}

/// Formats a count, such as `1 submission` or `2 submissions`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// As many whole names as fit into a line. The file has all of them.
fn names(who: &str) -> String {
    let (all, shown) = (printable(who, usize::MAX), printable(who, LONGEST));
    match shown.rsplit_once(", ") {
        Some((whole, _)) if shown != all => format!("{whole} and more"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_of_many_names_are_printed() {
        assert_eq!(names("ada, bob"), "ada, bob");
        let many = vec!["students"; 40].join(", ");
        let shown = names(&many);
        assert!(shown.ends_with("students and more") && shown.len() < LONGEST + 10, "{shown}");
        assert_eq!(names(&"x".repeat(500)), printable(&"x".repeat(500), LONGEST));
    }

    fn outcome(judge_errors: Vec<(String, usize)>) -> AssignmentOutcome {
        AssignmentOutcome {
            suite: "tiny".to_owned(),
            folder: "out".into(),
            graded: 3,
            worst: vec![(Verdict::Accepted, 1), (Verdict::RuntimeError, 2)],
            missing: 1,
            not_modules: 0,
            listed: 0,
            of_nobody: 0,
            passed_over: 0,
            look_at: Vec::new(),
            same_answers: 0,
            changed: Vec::new(),
            gradebooks: Vec::new(),
            pages: WrittenPages { open: 1, hidden: 0 },
            judge_errors,
            marks: BTreeMap::new(),
            keys: BTreeMap::new(),
            to_map: Vec::new(),
            in_course: None,
        }
    }

    #[test]
    fn the_summary_has_counts_and_paths() {
        let text = outcome(Vec::new()).to_text();
        let expected = "3 submissions graded on `tiny`; worst verdict of each:\n      1  Accepted\n      2  \
                        Runtime error\n      1  No submission\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("rounds (1 page)\n"), "{text}");
    }

    #[test]
    fn twenty_folders_with_pages_are_named_and_the_rest_counted() {
        let one = |number: usize| Notable {
            who: format!("s{number}\u{202e}"),
            why: "no points".to_owned(),
        };
        let look_at = (1..=23).map(one).collect();
        let pages = WrittenPages { open: 0, hidden: 2 };
        let outcome = AssignmentOutcome {
            listed: 9,
            of_nobody: 2,
            not_modules: 1,
            passed_over: 3,
            look_at,
            pages,
            ..outcome(Vec::new())
        };
        let text = outcome.to_text();
        for line in [
            "      1  Not a module\n",
            "list: 9 students, 2 of them without a module; 2 submissions match no student\n",
            "ignored: 3 files\nlook at these:\n  s1\\u{202e}: no points\n",
            "  s20\\u{202e}: no points\n  and 3 more, all in out",
        ] {
            assert!(text.contains(line), "`{line}` in {text}");
        }
        let rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("rounds")).collect();
        assert_eq!(rounds.len(), 1, "{text}");
        assert!(rounds[0].ends_with("full/rounds (2 pages)"), "{text}");
    }

    #[test]
    fn at_most_five_judge_errors_are_listed() {
        assert_eq!(outcome(Vec::new()).judge_errors_text(), None);
        let failures = |number| (0..number).map(|n| (format!("s{n}"), n + 1)).collect();
        let one = outcome(failures(1)).judge_errors_text();
        let expected =
            "the judge failed with 1 submission: s0 (1 round); their marks are not final";
        assert_eq!(one.as_deref(), Some(expected));
        let six = outcome(failures(6)).judge_errors_text().unwrap_or_default();
        assert!(six.contains("s4 (5 rounds), …;") && !six.contains("s5"), "{six}");
    }
}
