//! Removes files about deleted submissions when a run is resumed, so that they are not next to the
//! marks.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use judge_arena::Facts;
use judge_grading::Suite;

use super::{CourseFolder, CourseNote, built};
use crate::Error;
use crate::course::student_zip;

/// The names of the files about each submission in the journal's last run.
pub(super) fn files_before(facts: &Facts, suite: &Suite, out: &Path) -> Result<Vec<String>, Error> {
    let CourseNote(names) = facts.get(&())?.unwrap_or_default();
    let everybody = names.iter().map(String::as_str);
    let folder = CourseFolder::at(out).with_names(suite, everybody)?;
    Ok(names.iter().map(|name| folder.file_name(name)).collect())
}

/// Removes the reports and pages of submissions that are no longer in the course.
pub(super) fn remove(
    before: &[String],
    everybody: &[String],
    folder: &CourseFolder,
) -> Result<(), Error> {
    let here: Vec<String> =
        everybody.iter().map(|name| folder.file_name(name).to_lowercase()).collect();
    for name in before.iter().filter(|name| !here.contains(&name.to_lowercase())) {
        for place in ["students", "full"] {
            for ending in ["json", "html"] {
                let path = folder.path().join(place).join(format!("{name}.{ending}"));
                removed(&path, std::fs::remove_file(&path))?;
            }
        }
        let path = folder.path().join(student_zip::path(name));
        removed(&path, std::fs::remove_file(&path))?;
        let path = folder.path().join(built::FOLDER).join(format!("{name}.wasm"));
        removed(&path, std::fs::remove_file(&path))?;
        for place in ["rounds", "full/rounds"] {
            let path = folder.path().join(place).join(name);
            removed(&path, std::fs::remove_dir_all(&path))?;
        }
    }
    Ok(())
}

/// Removes rounds that students must no longer see from their folder, because the testcase is now
/// hidden or gone.
pub(super) fn remove_hidden_rounds(folder: &CourseFolder, suite: &Suite) -> Result<(), Error> {
    let rounds = folder.path().join("rounds");
    for student in entries(&rounds)? {
        for file in entries(&student)? {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            if !folder.is_open_round(suite, &stem) {
                removed(&file, std::fs::remove_file(&file))?;
            }
        }
    }
    Ok(())
}

/// The entries of a folder; empty without a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    if folder.is_symlink() {
        return Ok(Vec::new());
    }
    match std::fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        found => found
            .and_then(|found| found.map(|entry| Ok(entry?.path())).collect())
            .map_err(unreadable),
    }
}

fn removed(path: &Path, result: std::io::Result<()>) -> Result<(), Error> {
    match result {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(Error::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}
