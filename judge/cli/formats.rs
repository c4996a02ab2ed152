//! Formats on the command line: `--report FORMAT[=FILE]`, `--to FORMAT[=FILE]`.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use judge_core::{Event, GradeReport};
use judge_report::{Format, FormatReporter, Reporter, UnknownFormat, Visibility, step_summary};

use crate::failure::Failure;
use crate::output;

/// A format and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) format: Format,
    /// A file, or `-` for standard output.
    pub(crate) path: PathBuf,
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
}

/// What is told of hidden testcases.
#[derive(clap::Args)]
pub(crate) struct Secrecy {
    /// Write everything as students may see it: of hidden testcases what the suite shows (`shows` in
    /// `[hidden]`; as a rule whether they were passed), and nothing of their rounds. Formats of course
    /// tools always are so.
    #[arg(long)]
    pub(crate) for_student: bool,
    /// In `gradescope`: when students see the results of hidden testcases: `hidden` (never),
    /// `after_published`, `after_due_date` or `visible`.
    #[arg(long, value_name = "WHEN", default_value = "after_published")]
    pub(crate) hidden_visibility: Visibility,
}

/// A reporter that is told of hidden testcases only what students may see.
pub(crate) struct ForStudent(pub(crate) Box<dyn Reporter>);

impl Reporter for ForStudent {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started { .. } | Event::RoundFinished { .. } => self.0.event(event),
            // It comes with the others, of which its result may be told in a sum.
            Event::TestcaseFinished { report, .. } if report.hidden => Ok(()),
            Event::TestcaseFinished { .. } => self.0.event(event),
            Event::BotFinished(bot) => self.0.event(&Event::BotFinished(&bot.for_student())),
            Event::Finished(report) => self.0.event(&Event::Finished(&report.for_student())),
        }
    }
}

/// Makes sure that every format can hold that many bots, and that no two go to one place.
pub(crate) fn check(targets: &[Target], bots: usize) -> Result<(), Failure> {
    for (at, target) in targets.iter().enumerate() {
        if let Err(error) = target.format.check_bots(bots) {
            return Err(Failure::usage(error.to_string(), "name one bot, or another format"));
        }
        if let Some(other) = targets[..at].iter().find(|other| other.path == target.path) {
            let [one, two] = [other, target].map(|target| target.format.name());
            let place = match target.is_stdout() {
                true => "standard output".to_owned(),
                false => format!("`{}`", target.path.display()),
            };
            let what = format!("`{one}` and `{two}` cannot both go to {place}");
            return Err(Failure::usage(what, "write one of them to a file of its own"));
        }
    }
    Ok(())
}

/// What writes the formats when grading is finished. Files are opened now, so that one that cannot
/// be written is found before anything is played.
pub(crate) fn reporters(
    targets: &[Target],
    hidden: Visibility,
) -> Result<Vec<Box<dyn Reporter>>, Failure> {
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    for target in targets {
        let output = output::open(&target.path)?;
        reporters.push(Box::new(FormatReporter::new(target.format, output).hidden(hidden)));
        if let Some(summary) = StepSummary::wanted(target) {
            reporters.push(Box::new(summary));
        }
    }
    Ok(reporters)
}

/// Writes a report that is there already.
pub(crate) fn write(
    targets: &[Target],
    report: &GradeReport,
    hidden: Visibility,
) -> Result<(), Failure> {
    for mut reporter in reporters(targets, hidden)? {
        output::unless_reader_left(reporter.event(&Event::Finished(report)))?;
    }
    Ok(())
}

/// The summary of a step in GitHub Actions, beside the annotations on standard output.
struct StepSummary(PathBuf);

impl StepSummary {
    fn wanted(target: &Target) -> Option<StepSummary> {
        let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())?;
        let printed = target.format == Format::Github && target.is_stdout();
        printed.then(|| StepSummary(path.into()))
    }
}

impl Reporter for StepSummary {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Event::Finished(report) = event else { return Ok(()) };
        // Other commands of the step may have written to it.
        let file = File::options().create(true).append(true).open(&self.0);
        let written = file.and_then(|mut file| file.write_all(step_summary(report).as_bytes()));
        written.map_err(|error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", self.0.display()))
        })
    }
}
