//! A kept round, move by move: as text, as a picture or as a page; and rounds out of a run.

mod choice;
mod moves;
mod several;

use std::path::{Path, PathBuf};

use judge_core::{Event, Listener, Replay, RoundRecord};
use judge_report::{RoundFilter, quoted};

use crate::Error;
use crate::base::files;
use crate::base::styled::Styled;
use crate::base::workers::Workers;
use crate::rounds::round_html::{self, NO_ROUND};
use crate::rounds::source::Source;
use choice::choose;
use several::OutputTarget;

/// Rounds to show, and their form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A replay; or a journal, the folder of a course, or the JSON of a match or tournament.
    pub file: PathBuf,
    /// For JSON, which keeps no moves: the modules, and `trained:TABLE`, to play the rounds again.
    pub players: Vec<PathBuf>,
    /// Of a run: the rounds with these numbers.
    pub rounds: Vec<u64>,
    /// Of a run, instead of numbers: that many of the worst rounds.
    pub worst: Option<u64>,
    /// For a run: the rounds that count, and the side that they are seen from.
    pub filter: RoundFilter,
    /// The form.
    pub form: ReplayForm,
}

/// Forms of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayForm {
    /// Text: the state before each answer, and the answer.
    Text {
        /// Only this answer, counted from 1.
        answer: Option<usize>,
        /// The lines between judge and players, too.
        trace: bool,
    },
    /// An SVG picture: of the state before this answer, or of the end.
    Picture {
        /// The answer, counted from 1.
        answer: Option<usize>,
    },
    /// A page for a browser, or a folder of them with an index for several rounds.
    Page {
        /// The file or folder; none for a page that goes nowhere yet. A page is only rendered, a
        /// folder is written.
        to: Option<PathBuf>,
    },
}

impl ReplayForm {
    fn answer(&self) -> Option<usize> {
        match self {
            ReplayForm::Text { answer, .. } | ReplayForm::Picture { answer } => *answer,
            ReplayForm::Page { .. } => None,
        }
    }
}

/// Rounds as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A round as text.
    Text {
        /// The text.
        text: Styled,
        /// The reason why the replay cannot be trusted, if any.
        trouble: Option<String>,
    },
    /// A picture of a round, as SVG.
    Picture {
        /// The document.
        svg: String,
    },
    /// A page, as HTML.
    Page {
        /// The document. If the replay cannot be trusted, it says so.
        html: String,
        /// The reason why the replay cannot be trusted, if any.
        trouble: Option<String>,
    },
    /// Pages of several rounds, which were written.
    Folder {
        /// The page that lists them.
        index: PathBuf,
        /// Their number.
        pages: usize,
    },
}

impl Outcome {
    /// A line on the pages that were written, if any were.
    pub fn written(&self) -> Option<String> {
        match self {
            Outcome::Folder { index, pages } => {
                Some(format!("{}: `{}`", round_html::count(*pages), index.display()))
            }
            Outcome::Text { .. } | Outcome::Picture { .. } | Outcome::Page { .. } => None,
        }
    }
}

/// Shows a round, or several from a run. The round is replayed under the rules: the pictures, and
/// the result at the end, are the rules' own.
///
/// # Errors
/// When the file is not valid, its round to show is not named, or a folder cannot be written.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    if choice::is_run(request)? {
        return run_of(request, workers, events);
    }
    if let ReplayForm::Page { to } = &request.form {
        return page(&request.file, to.as_deref());
    }
    let text = Error::read_text(&request.file)?;
    let record =
        RoundRecord::from_replay(&text).map_err(|error| Error::input(&request.file, &error))?;
    moves::show(request, &record)
}

/// Shows rounds of a run.
fn run_of(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    if request.rounds.is_empty() && request.worst.is_none() {
        return Err(choice::none_chosen(&request.file));
    }
    let source = Source::read(&request.file)?;
    if let Some(text) = source.remark() {
        events.event(&Event::Note { text })?;
    }
    let place = OutputTarget::new(request)?;
    let chosen = choose(request, &source, workers, events)?;
    match (place, chosen.as_slice()) {
        (_, []) => Err(Error::usage("no rounds match", choice::list(&request.file))),
        (OutputTarget::Folder(folder), _) => several::write(request, &source, &folder, chosen),
        (OutputTarget::Page, [one]) => {
            let verify = format!("judge verify {}", quoted(&request.file.to_string_lossy()));
            let html = round_html::alone(&one.record, Some(&verify))?;
            Ok(Outcome::Page { html, trouble: None })
        }
        (OutputTarget::Text, [one]) => moves::show(request, &one.record),
        (OutputTarget::Page | OutputTarget::Text, _) => Err(several::need_folder()),
    }
}

/// The page of a replay, also of one that was changed.
fn page(file: &Path, to: Option<&Path>) -> Result<Outcome, Error> {
    let text = Error::read_text(file)?;
    let replay = Replay::read(&text).map_err(|error| Error::input(file, &error))?;
    if to.is_some_and(|to| is_same_file(file, to)) {
        let hint = format!("`--html {}`", quoted(&file.with_extension("html").to_string_lossy()));
        return Err(Error::usage("the page would replace the replay", hint));
    }
    // Before all the pictures are drawn.
    to.map_or(Ok(()), files::can_write)?;
    let (html, trouble) = round_html::of_replay(file, &replay)?;
    Ok(Outcome::Page { html, trouble })
}

/// True for two names of one existing file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
