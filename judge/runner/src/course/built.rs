//! Builds of submitted sources. They come before the first round, because the built modules are
//! compared and inspected like any other.

use std::io::Write as _;

use judge_core::{Event, Listener};
use judge_toolchain::Scratch;
use tempfile::NamedTempFile;

use super::CourseFolder;
use super::submissions::FoundSubmission;
use crate::Error;
use crate::base::workers::Workers;
use crate::bots::builds::Building;

/// The folder of the built modules among the results. With it, a user can replay a round without
/// building another author's source.
pub(super) const FOLDER: &str = "built";

/// Builds every source. The modules are in a temporary folder until all are graded.
pub(super) fn build(
    all: &mut [FoundSubmission],
    building: Building,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Option<Scratch>, Error> {
    let Some(builder) = building.open(workers)? else { return Ok(None) };
    if matches!(building, Building::Unconfined { .. }) {
        let text = "sources are built unconfined, with all your privileges".to_owned();
        events.event(&Event::Warning { text })?;
    }
    let sources: Vec<_> = all.iter().map(|one| (one.path.clone(), one.entry.clone())).collect();
    let folder = Scratch::new("built-").map_err(|error| {
        Error::Judge(format!("cannot create a folder for built modules: {error}"))
    })?;
    let built = builder.modules(&sources, workers.pool().workers(), &folder);
    let number = built.iter().flatten().count();
    let modules = built.iter().flatten().filter(|one| one.is_ok()).count();
    let text = format!("built {modules} of {number} sources");
    events.event(&Event::Note { text })?;
    for (one, built) in std::iter::zip(all, built) {
        one.built = built;
    }
    Ok(Some(folder))
}

/// The path of a built module in the results, from the file name of its submission.
pub(super) fn module_path(file_name: &str) -> String {
    format!("{FOLDER}/{file_name}.wasm")
}

/// Saves the modules with the results, and removes the old module of a source that no longer
/// builds.
pub(super) fn keep(all: &[FoundSubmission], folder: &CourseFolder) -> Result<(), Error> {
    if all.iter().any(|one| one.built.is_some()) {
        folder.make(FOLDER)?;
    }
    for one in all {
        let Some(built) = &one.built else { continue };
        let path = folder.path().join(module_path(&folder.file_name(&one.name)));
        let unwritten = |source| Error::Write { path: path.clone(), source };
        let Ok(module) = built.as_ref().map(std::fs::read) else {
            let _ = std::fs::remove_file(&path);
            continue;
        };
        let mut file = NamedTempFile::new_in(folder.path().join(FOLDER)).map_err(unwritten)?;
        file.write_all(&module.map_err(unwritten)?).map_err(unwritten)?;
        file.persist(&path).map_err(|error| unwritten(error.error))?;
    }
    Ok(())
}
