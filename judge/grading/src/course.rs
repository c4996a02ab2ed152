//! A course file: its suites, their weights and dates, and the folders of their submissions.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::source::{Source, SourceError};
use crate::suite_dates::{RawExtensions, RawLate};
use crate::{SuiteDates, SuiteError, Weight, read_text};

/// Largest file of a course, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Most suites of a course.
const MAX_SUITES: usize = 64;

/// Longest name of a suite in a course.
const MAX_NAME: usize = 40;

/// Names of other folders in the results, and reserved file names on some systems.
const TAKEN: [&str; 8] = ["students", "full", "rounds", "send", "con", "prn", "aux", "nul"];

/// The valid fields, for the error about an unknown or missing one.
const FIELDS: &str = "a course has `title`, may have `students` and `mapping`, and has a table \
                      `[[suite]]` for each suite, with `name`, `path`, and optionally \
                      `submissions`, `weight`, `due`, `times` and a table `[suite.extensions]`; a \
                      table `[late]` (or `[suite.late]` for one suite) has the rules for late \
                      submissions: `policy`, `grace_minutes`, `percent_per_day`, `free_days`";

/// Several suites that are graded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseFile {
    /// One line of text.
    pub title: String,
    /// The list of students, if there is one.
    pub students: Option<PathBuf>,
    /// The file with the ids of submissions, if there is one.
    pub mapping: Option<PathBuf>,
    /// The suites, in the order of the file.
    pub suites: Vec<CourseSuite>,
}

/// A suite of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseSuite {
    /// Its name in this course, which is also its folder in the results.
    pub name: String,
    /// The suite: the bare name of a bundled one, or the path of its folder.
    pub path: PathBuf,
    /// The folder of its submissions, if given.
    pub submissions: Option<PathBuf>,
    /// The worth of all its points together; if none, the points count unchanged.
    pub weight: Option<Weight>,
    /// Its dates, and its rules for late submissions.
    pub dates: SuiteDates,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    title: String,
    students: Option<PathBuf>,
    mapping: Option<PathBuf>,
    late: Option<Spanned<RawLate>>,
    suite: Spanned<Vec<RawSuite>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuite {
    name: Spanned<String>,
    path: String,
    submissions: Option<PathBuf>,
    weight: Option<Spanned<Value>>,
    due: Option<Spanned<String>>,
    times: Option<PathBuf>,
    late: Option<RawLate>,
    #[serde(default)]
    extensions: RawExtensions,
}

impl CourseFile {
    /// Reads a course from its file. Paths in it are relative to the file's folder.
    ///
    /// # Errors
    /// When it cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<CourseFile, SuiteError> {
        let unreadable = |source| SuiteError::Read { path: path.to_owned(), source };
        let text = read_text(path, MAX_FILE).map_err(unreadable)?;
        let course = CourseFile::parse(&path.display().to_string(), &text)?;
        Ok(course.seen_from(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads a course from the text of its file; `path` is for messages.
    ///
    /// # Errors
    /// With the position, when the text is invalid.
    pub fn parse(path: &str, text: &str) -> Result<CourseFile, Box<SourceError>> {
        let source = Source { name: path, text };
        let Raw { title, students, mapping, late, suite } = source.parse(FIELDS)?;
        let rules = late.as_ref().map(|late| late.get_ref().rules(&source)).transpose()?;
        let number = suite.get_ref().len();
        if !(1..=MAX_SUITES).contains(&number) {
            let message = format!("{number} suites: expected 1 to {MAX_SUITES}");
            return Err(source.about(&suite, message, None));
        }
        let mut suites: Vec<CourseSuite> = Vec::new();
        let has_weights = suite.get_ref().iter().any(|suite| suite.weight.is_some());
        for raw in suite.into_inner() {
            check_name(&source, &raw.name, &suites)?;
            if has_weights && raw.weight.is_none() {
                let message =
                    format!("`{}` has no `weight`, but other suites do", raw.name.get_ref());
                let help = "give all of them a weight, or none: then points count as they are";
                return Err(source.about(&raw.name, message, Some(help.to_owned())));
            }
            let own = raw.late.as_ref().map(|late| late.rules(&source)).transpose()?;
            let dates = (raw.due.as_ref(), raw.times, own.or(rules));
            suites.push(CourseSuite {
                dates: SuiteDates::new(&source, dates, &raw.extensions)?,
                weight: raw.weight.as_ref().map(|raw| weight(&source, raw)).transpose()?,
                name: raw.name.into_inner(),
                path: PathBuf::from(raw.path),
                submissions: raw.submissions,
            });
        }
        let has_due = suites.iter().any(|suite| suite.dates.due.is_some());
        if let Some(late) = late.filter(|_| !has_due) {
            let message = "no suite has a `due` date, so none is late";
            return Err(source.about(&late, message, None));
        }
        Ok(CourseFile { title, students, mapping, suites })
    }

    /// Resolves the paths in the course relative to `folder`.
    fn seen_from(self, folder: &Path) -> CourseFile {
        let suites = self.suites.into_iter().map(|suite| CourseSuite {
            path: if is_bare(&suite.path) { suite.path } else { folder.join(suite.path) },
            submissions: suite.submissions.map(|path| folder.join(path)),
            dates: suite.dates.seen_from(folder),
            ..suite
        });
        let [students, mapping] =
            [self.students, self.mapping].map(|path| path.map(|path| folder.join(path)));
        CourseFile { title: self.title, students, mapping, suites: suites.collect() }
    }
}

/// True for a bare name of a bundled suite, which has no path components before or after
/// it.
pub fn is_bare(path: &Path) -> bool {
    let mut parts = path.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => name.len() == path.as_os_str().len(),
        _ => false,
    }
}

fn check_name(
    source: &Source<'_>,
    name: &Spanned<String>,
    before: &[CourseSuite],
) -> Result<(), Box<SourceError>> {
    let text = name.get_ref();
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let help = "it names a folder of the results: lower-case letters, digits, `-` and `_`";
    let wrong = if !first || text.len() > MAX_NAME || !text.bytes().all(plain) {
        format!("`{text}` cannot be the name of a suite in a course")
    } else if TAKEN.contains(&text.as_str()) || is_port(text) {
        format!("`{text}` is reserved")
    } else if before.iter().any(|suite| suite.name == *text) {
        format!("two suites are called `{text}`")
    } else {
        return Ok(());
    };
    Err(source.about(name, wrong, Some(help.to_owned())))
}

/// Device names on Windows: `com1`, `lpt2`.
fn is_port(name: &str) -> bool {
    let number = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    number.is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
}

/// A weight, parsed from the text of the file, because a float would not be exact.
fn weight(source: &Source<'_>, raw: &Spanned<Value>) -> Result<Weight, Box<SourceError>> {
    let text = source.text.get(raw.span()).unwrap_or_default();
    let number = matches!(raw.get_ref(), Value::Integer(_) | Value::Float(_));
    let weight = text.parse().ok().filter(|_| number);
    weight.ok_or_else(|| {
        let help = crate::weight::NotAWeight.to_string();
        source.about(raw, format!("`{}` is not a weight", text.trim()), Some(help))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LatePolicy::{NoPoints, PerDay};

    const COURSE: &str = "title = \"Programming 2\"\nstudents = \"students.csv\"\nmapping = \"names.csv\"\n\n\
         [[suite]]\nname = \"lab1\"\npath = \"labs/1/\"\nsubmissions = \"in/lab1.zip\"\n\
         weight = 12.5 # percent\ndue = \"2026-11-12 23:59 +01:00\"\ntimes = \"lab1.csv\"\n\n\
         [suite.extensions]\nada = \"2026-11-14 23:59 +01:00\"\n\n\
         [[suite]]\nname = \"project\"\npath = \"mahjong\"\nweight = 87.500\n\n\
         [late]\npolicy = \"no_points\"\n";

    #[test]
    fn a_course_names_its_suites_and_their_weights() {
        let course = CourseFile::parse("course.toml", COURSE).expect("a course");
        let weights = course.suites.iter().map(|suite| suite.weight.map(|w| w.to_string()));
        let weights: Vec<_> = weights.flatten().collect();
        assert_eq!(weights, ["12.5", "87.5"]);
        let (due, rules) = course.suites[0].dates.in_force().expect("rules for late submissions");
        assert_eq!((due.to_string().as_str(), rules.policy), ("2026-11-12 23:59 +01:00", NoPoints));
        assert_eq!(course.suites[0].dates.extensions.len(), 1);
        assert_eq!(course.suites[1].dates.in_force(), None, "no due date");
        let seen = course.seen_from(Path::new("there"));
        assert_eq!(seen.students.as_deref(), Some(Path::new("there/students.csv")));
        assert_eq!(seen.mapping.as_deref(), Some(Path::new("there/names.csv")));
        assert_eq!(seen.suites[0].path, Path::new("there/labs/1/"));
        assert_eq!(seen.suites[0].submissions.as_deref(), Some(Path::new("there/in/lab1.zip")));
        assert_eq!(seen.suites[0].dates.times.as_deref(), Some(Path::new("there/lab1.csv")));
        assert_eq!(seen.suites[1].path, Path::new("mahjong"), "a bundled one");
    }

    #[test]
    fn rules_of_a_suite_replace_those_of_the_course() {
        let own = "[suite.late]\npolicy = \"per_day\"\npercent_per_day = 5\n[suite.extensions]";
        let text = COURSE.replace("[suite.extensions]", own);
        let course = CourseFile::parse("course.toml", &text).expect("a course");
        let policies = course.suites.iter().map(|suite| suite.dates.rules.map(|one| one.policy));
        assert_eq!(policies.collect::<Vec<_>>(), [Some(PerDay), Some(NoPoints)]);
        let text = COURSE.replace("[late]\npolicy = \"no_points\"\n", "");
        let error = CourseFile::parse("course.toml", &text).expect_err("extensions without rules");
        assert!(
            error.to_string().starts_with("an extension needs a due date and rules"),
            "{error}"
        );
    }

    #[test]
    fn a_path_is_not_a_bare_name() {
        for bare in ["mahjong", "a b", "..x", "-x", "x.toml"] {
            assert!(is_bare(bare.as_ref()), "{bare}");
        }
        for path in ["./mahjong", "mahjong/", "mahjong/.", "/mahjong", "a/b", "..", ".", "", "a//"]
        {
            assert!(!is_bare(path.as_ref()), "{path}");
        }
    }

    #[test]
    fn mistakes_are_shown_with_their_line() {
        for (from, to, wrong) in [
            ("\"project\"", "\"lab1\"", "two suites are called `lab1`"),
            ("\"project\"", "\"students\"", "is reserved"),
            ("\"project\"", "\"com1\"", "is reserved"),
            ("\"project\"", "\"../x\"", "cannot be the name"),
            ("\"project\"", "\"Lab\"", "cannot be the name"),
            ("\"project\"", "\"\"", "cannot be the name"),
            ("weight = 87.500", "", "`project` has no `weight`, but other suites do"),
            ("87.500", "-1", "`-1` is not a weight"),
            ("87.500", "1e3", "`1e3` is not a weight"),
            ("87.500", "0.0001", "`0.0001` is not a weight"),
            ("87.500", "\"30\"", "is not a weight"),
            ("87.500", "inf", "`inf` is not a weight"),
            ("\"2026-11-12 23:59 +01:00\"", "2026-11-12", "`2026-11-12`: expected text in quotes"),
            ("\"2026-11-12 23:59 +01:00\"", "\"12 November\"", "`12 November` is not a date with"),
            ("\"2026-11-12 23:59 +01:00\"", "\"2026-11-12 23:59\"", "has no offset from UTC"),
            ("due = \"2026-11-12 23:59 +01:00\"", "", "an extension needs a due date and rules"),
            ("\"no_points\"", "\"never\"", "`never` is not a policy for late submissions"),
            ("title", "titel", "unknown field `titel`"),
            ("weight = 87.500", "worth = 3", "unknown field `worth`"),
        ] {
            let text = COURSE.replacen(from, to, 1);
            let error = CourseFile::parse("course.toml", &text).expect_err("a mistake");
            assert!(error.to_string().contains(wrong), "{wrong}: {error}");
            assert!(error.place_in(&text).is_some(), "{wrong}");
        }
        assert!(CourseFile::parse("c", "title = \"x\"").is_err());
        let none = CourseFile::parse("c", "title = \"x\"\nsuite = []\n").expect_err("no suites");
        assert_eq!(none.to_string(), "0 suites: expected 1 to 64");
    }
}
