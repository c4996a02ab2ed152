//! Display of a recorded round move by move, as text, picture or page; and of rounds of a run.

mod choice;
mod moves;
mod several;

use std::path::{Path, PathBuf};

use judge_core::{Event, Listener, ReplayError};
use judge_report::{RoundFilter, quoted};

use crate::Error;
use crate::base::files;
use crate::base::styled_text::Styled;
use crate::base::workers::Workers;
use crate::rounds::round_html::{self, NO_ROUND};
use crate::rounds::source::{Source, read_replay};
use choice::choose;
use several::OutputTarget;

/// Rounds to show, and their form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// A replay; or a journal, the folder of a course, or the JSON of a match or tournament.
    pub file: PathBuf,
    /// For JSON, which has no moves: the modules, and `trained:TABLE`, to play the rounds again.
    pub players: Vec<PathBuf>,
    /// For a run: the numbers of the rounds.
    pub rounds: Vec<u64>,
    /// For a run, instead of numbers: how many of the worst rounds.
    pub worst: Option<u64>,
    /// For a run: the filter of the rounds, and the side that they are seen from.
    pub filter: RoundFilter,
    /// The form of output.
    pub form: ReplayForm,
}

/// Forms of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayForm {
    /// Text: the state before each answer, and the answer.
    Text {
        /// Only this answer, counted from 1.
        answer: Option<usize>,
        /// True to include the lines between judge and players.
        trace: bool,
    },
    /// An SVG picture of the state before this answer, or of the end.
    Picture {
        /// The answer, counted from 1.
        answer: Option<usize>,
    },
    /// A page for a browser, or a folder with an index for several rounds.
    Page {
        /// The file or folder; none for a page without a file. A page is only rendered, but a
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

/// Rounds in the requested form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A round as text.
    Text {
        /// The text.
        text: Styled,
        /// The reason why the replay cannot be trusted, if any.
        trouble: Option<String>,
    },
    /// A picture of a round.
    Picture {
        /// The SVG document.
        svg: String,
    },
    /// The page of a round.
    Page {
        /// The HTML document. It mentions any reason why the replay cannot be trusted.
        html: String,
        /// The reason why the replay cannot be trusted, if any.
        trouble: Option<String>,
    },
    /// Pages of several rounds, already written.
    Folder {
        /// The page that lists them.
        index: PathBuf,
        /// Number of pages.
        pages: usize,
    },
}

impl Outcome {
    /// A line on the pages that were written; none for other forms.
    pub fn written(&self) -> Option<String> {
        match self {
            Outcome::Folder { index, pages } => {
                Some(format!("{}: `{}`", round_html::count(*pages), index.display()))
            }
            Outcome::Text { .. } | Outcome::Picture { .. } | Outcome::Page { .. } => None,
        }
    }
}

/// Shows a round, or several of a run. The round is replayed under the rules, so the pictures and
/// the final result are the rules' own.
///
/// # Errors
/// If the file is invalid, the round is not specified, or a folder cannot be written.
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
    let replay = read_replay(&request.file)?;
    let seal = replay.check_seal();
    seal.map_err(|broken| Error::input(&request.file, &ReplayError::from(broken)))?;
    moves::show(request, &replay.record)
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
            let html = round_html::alone(&one.record, Some(&verify), None)?;
            Ok(Outcome::Page { html, trouble: None })
        }
        (OutputTarget::Text, [one]) => moves::show(request, &one.record),
        (OutputTarget::Page | OutputTarget::Text, _) => Err(several::need_folder()),
    }
}

/// Renders the page of a replay, even of a changed one.
fn page(file: &Path, to: Option<&Path>) -> Result<Outcome, Error> {
    let replay = read_replay(file)?;
    if to.is_some_and(|to| is_same_file(file, to)) {
        let hint = format!("`--html {}`", quoted(&file.with_extension("html").to_string_lossy()));
        return Err(Error::usage("the page would replace the replay", hint));
    }
    // Checked before all the pictures are drawn.
    to.map_or(Ok(()), files::can_write)?;
    let (html, trouble) = round_html::of_replay(file, &replay)?;
    Ok(Outcome::Page { html, trouble })
}

/// True for two names of the same existing file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
