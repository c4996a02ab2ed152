//! Rounds of a run as pages in a folder, with an index page.

use std::path::{Path, PathBuf};

use judge_report::page::RoundsPage;
use judge_report::quoted;

use super::choice::Chosen;
use super::{Outcome, ReplayForm, Request};
use crate::Error;
use crate::base::address::seen_from;
use crate::base::files;
use crate::rounds::round_pages::{self, RoundPages};
use crate::rounds::source::Source;

/// The place for the output.
pub(super) enum OutputTarget {
    Text,
    Page,
    Folder(PathBuf),
}

impl OutputTarget {
    /// Chooses a page for one round, unless the path is a folder.
    pub(super) fn new(request: &Request) -> Result<OutputTarget, Error> {
        let one = request.rounds.len() == 1 || request.worst == Some(1);
        let path = match &request.form {
            ReplayForm::Page { to } => to.as_deref(),
            _ if one => return Ok(OutputTarget::Text),
            _ => return Err(need_folder()),
        };
        match (one, path) {
            (true, None) => Ok(OutputTarget::Page),
            (true, Some(path)) if is_page(path) => Ok(OutputTarget::Page),
            (false, None) => Err(no_folder(Path::new("-"))),
            (false, Some(path)) if is_page(path) => Err(no_folder(path)),
            (_, Some(path)) => Ok(OutputTarget::Folder(path.to_owned())),
        }
    }
}

fn is_page(path: &Path) -> bool {
    let named = path.extension().is_some_and(|ending| ending == "html" || ending == "htm");
    path.is_file() || named && !path.is_dir()
}

fn no_folder(path: &Path) -> Error {
    let what = format!("several rounds need a folder, and `{}` is a file", path.display());
    Error::usage(what, "`--html FOLDER`")
}

pub(super) fn need_folder() -> Error {
    Error::usage("several rounds are shown as pages", "`--html FOLDER`, or `--round N` for one")
}

/// Writes each round as a page and as a file, and the index page.
pub(super) fn write(
    request: &Request,
    source: &Source,
    folder: &Path,
    chosen: Vec<Chosen>,
) -> Result<Outcome, Error> {
    let pages = RoundPages::in_folder(folder);
    pages.make()?;
    let count = chosen.len();
    let mut written = Vec::new();
    for one in &chosen {
        written.push((one.row.round, pages.keep(one.row.round, &one.record)?));
    }
    let game = chosen.first().map(|one| one.record.header.spec.game.as_str()).unwrap_or_default();
    let title = judge_games::find(game).map_or("", judge_games::Game::title).to_owned();
    let lines = chosen.into_iter().map(|one| round_pages::line(one.row, one.seat, &written, None));
    let file = seen_from(&pages.index, &request.file);
    let page = RoundsPage {
        title,
        subject: format!(
            "Rounds of {}",
            request.file.file_name().unwrap_or_default().to_string_lossy()
        ),
        lines: lines.collect(),
        of: source.len() as u64,
        all: Some(format!("judge rounds {}", quoted(&file))),
        ..RoundsPage::default()
    };
    files::write(&pages.index, &page.to_html())?;
    Ok(Outcome::Folder { index: pages.index, pages: count })
}
