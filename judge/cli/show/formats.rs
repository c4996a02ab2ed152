//! Results in the formats of `--report FORMAT[=FILE]` and similar options.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::{Arg, Command};
use judge_core::GradeReport;
use judge_report::{Classroom50Submission, CourseTool, Format, UnknownFormat, step_summary};
use judge_runner::Error;

use super::output;

/// A format and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) format: Format,
    /// A file, or `-` for standard output.
    pub(crate) path: PathBuf,
}

/// Parses `FORMAT[=FILE]`, and gives help and completions the list of formats.
#[derive(Debug, Clone)]
pub(crate) struct TargetParser;

impl TypedValueParser for TargetParser {
    type Value = Target;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Target, clap::Error> {
        TypedValueParser::parse_ref(&Target::from_str, command, option, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |format: &Format| {
            PossibleValue::new(format.name()).help(format!(
                "for {}: {}",
                format.audience(),
                format.content()
            ))
        };
        Some(Box::new(Format::ALL.iter().map(value)))
    }
}

impl ValueParserFactory for Target {
    type Parser = TargetParser;

    fn value_parser() -> TargetParser {
        TargetParser
    }
}

impl FromStr for Target {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Target, UnknownFormat> {
        let (format, path) = text.split_once('=').unwrap_or((text, "-"));
        let path = if path.is_empty() { "-" } else { path };
        Ok(Target { format: format.parse()?, path: path.into() })
    }
}

impl Target {
    pub(crate) fn new(format: Format, path: &Path) -> Target {
        Target { format, path: path.to_owned() }
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// True if both write to the same file.
    fn meets(&self, other: &Target) -> bool {
        match (self.is_stdout(), other.is_stdout()) {
            (false, false) => is_same(&self.path, &other.path),
            (one, other) => one && other,
        }
    }

    /// The summary file of a step in GitHub Actions, which complements the annotations on standard
    /// output.
    fn summary(&self) -> Option<PathBuf> {
        let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())?;
        (self.format == Format::Github && self.is_stdout()).then(|| path.into())
    }
}

/// Checks that every format can hold that many bots, that no two go to the same file, and that none
/// overwrites the journal.
pub(crate) fn check(targets: &[Target], bots: usize, journal: Option<&Path>) -> Result<(), Error> {
    for (at, target) in targets.iter().enumerate() {
        if let Err(error) = target.format.check_bots(bots) {
            return Err(Error::usage(error.to_string(), "name one bot, or another format"));
        }
        if let Some(other) = targets[..at].iter().find(|other| other.meets(target)) {
            let [one, two] = [other, target].map(|target| target.format.name());
            let place = match target.is_stdout() {
                true => "standard output".to_owned(),
                false => format!("`{}`", target.path.display()),
            };
            let what = format!("`{one}` and `{two}` cannot both go to {place}");
            return Err(Error::usage(what, "write one of them to a separate file"));
        }
        if !target.is_stdout() && journal.is_some_and(|journal| is_same(journal, &target.path)) {
            let path = target.path.display();
            let what = format!("`{path}` is the journal of a run, which would be lost");
            return Err(Error::Input { what, hint: Some("write to another file".to_owned()) });
        }
    }
    Ok(())
}

/// True if two paths name the same file, which need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}

/// Output files, opened before there is a result.
pub(crate) struct Outputs {
    outputs: Vec<(Target, Box<dyn Write>)>,
    tool: CourseTool,
}

impl Outputs {
    /// Opens the files now, so that one that cannot be written is reported before the first round.
    /// Also reads the submission's description from the environment.
    pub(crate) fn open(
        targets: Vec<Target>,
        tool: CourseTool,
        byte_order_mark: bool,
    ) -> Result<Outputs, Error> {
        let needs = targets.iter().any(|target| target.format == Format::Classroom50);
        let submission = needs.then(submission).transpose()?;
        let tool = CourseTool { byte_order_mark, submission, ..tool };
        let open = |target: Target| Ok((target.clone(), output::open(&target.path)?));
        let outputs: Result<_, Error> = targets.into_iter().map(open).collect();
        Ok(Outputs { outputs: outputs?, tool })
    }

    /// Writes a report to all files. A failure with one does not stop the others.
    pub(crate) fn write(self, report: &GradeReport) -> io::Result<()> {
        let tool = self.tool;
        let write = |(target, mut out): (Target, Box<dyn Write>)| {
            let text = target.format.render_with(report, &tool).map_err(io::Error::other)?;
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written.and(target.summary().map_or(Ok(()), |path| append_summary(&path, report)))
        };
        let written: Vec<io::Result<()>> = self.outputs.into_iter().map(write).collect();
        written.into_iter().collect()
    }
}

/// The submission that Classroom 50's runner describes in the environment.
fn submission() -> Result<Classroom50Submission, Error> {
    Classroom50Submission::from_variables(|name| std::env::var(name).ok()).map_err(|error| {
        let what = format!("`classroom50` is for an autograder of Classroom 50: {error}");
        Error::usage(what, "elsewhere, write `json`, which `judge report` converts")
    })
}

/// Appends to the step's summary, which other commands of the step may have written to.
fn append_summary(path: &Path, report: &GradeReport) -> io::Result<()> {
    let file = File::options().create(true).append(true).open(path);
    let text = step_summary(&report.for_student());
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| judge_runner::base::error::Unwritten::at(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_identified_by_its_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        assert!(is_same(&path("x"), &path("x")) && is_same(&path("./x"), &path("x")));
        assert!(!is_same(&path("x"), &path("y")) && !is_same(&path("x"), &path("none/x")));
        let journal = path("j");
        let target = |name| [Target::new(Format::Json, &path(name))];
        assert!(check(&target("./j"), 1, Some(&journal)).is_err());
        assert!(check(&target("k"), 1, Some(&journal)).is_ok());
        let both = |one: &Path, other: &Path| {
            check(&[Target::new(Format::Json, one), Target::new(Format::Junit, other)], 1, None)
        };
        std::fs::create_dir(path("sub")).expect("a folder");
        assert!(both(&path("a"), &path("sub/../a")).is_err(), "one would be lost");
        assert!(both(&path("a"), &path("b")).is_ok());
        assert!(both("-".as_ref(), "./-".as_ref()).is_ok(), "standard output, and a file");
    }
}
