//! Bots given as sources. They are built wherever a module is read.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use judge_core::{Event, Explanation, Listener};
pub use judge_toolchain::Define;
use judge_toolchain::{Built, Request};

use crate::Error;

/// True for the names of sources and folders of projects.
pub(crate) fn is_source(path: &Path) -> bool {
    judge_toolchain::is_source(path)
}

static DEFINES: OnceLock<Vec<Define>> = OnceLock::new();

/// Sets the constants of all later builds of the user's own sources. Only the first call counts.
pub fn define(defines: &[Define]) {
    let _ = DEFINES.set(defines.to_vec());
}

/// The constants of builds.
pub fn defines() -> &'static [Define] {
    DEFINES.get().map_or(&[], Vec::as_slice)
}

/// Builds a source, and reports the compiler's start and warnings.
pub(crate) fn module(path: &Path, events: &mut dyn Listener) -> Result<Vec<u8>, Error> {
    module_with(path, defines(), events)
}

/// [`module`] with these constants.
pub(crate) fn module_with(
    path: &Path,
    defines: &[Define],
    events: &mut dyn Listener,
) -> Result<Vec<u8>, Error> {
    let mut told = Ok(());
    let request = Request { defines: defines.to_vec(), ..Request::new(path) };
    let text = format!("building `{}`…", path.display());
    let mut starting = || told = events.event(&Event::Note { text: text.clone() });
    let built = judge_toolchain::build(&request, &mut starting)?;
    told?;
    tell_remarks(&built, events)?;
    Ok(built.module)
}

/// Reports the compiler's warnings, but not again when the same source is read again.
fn tell_remarks(built: &Built, events: &mut dyn Listener) -> Result<(), Error> {
    let lines = built.remarks.lines().filter(|line| !built.cached && !line.trim().is_empty());
    for line in lines {
        events.event(&Event::Note { text: line.to_owned() })?;
    }
    Ok(())
}

/// The reason why a source cannot be played, for a user who watches it.
pub(crate) fn explain(error: &Error) -> Explanation {
    let hint = error.hint().map(Cow::into_owned);
    let reason = match error {
        Error::NotBuilt { what, words: Some(words), .. } => format!("{what}\n{words}"),
        other => other.to_string(),
    };
    match hint {
        Some(hint) => Explanation::new(reason, hint),
        None => Explanation::without_hint(reason),
    }
}

/// True if a module in a project's folder is older than a file it is built from.
pub(crate) fn is_stale(folder: &Path, module: &Path) -> bool {
    let written = |path: &PathBuf| std::fs::metadata(path).and_then(|found| found.modified()).ok();
    let built: Option<SystemTime> = written(&module.to_owned());
    let newer = |path: &PathBuf| written(path) > built;
    is_source(folder) && judge_toolchain::files(folder).iter().any(newer)
}
