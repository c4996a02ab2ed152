//! Refuses folders in which a course's results would mix with its inputs.

use std::path::{Path, PathBuf};

use super::Assignment;
use crate::Error;
use crate::suites::SuiteChoice;

/// Refuses results among the submissions, because `--resume` would take them for submissions.
pub(super) fn refuse_results_among_submissions(request: &Assignment) -> Result<(), Error> {
    let out = place(&request.out);
    let mut folders = request.submissions.iter().filter(|path| path.is_dir());
    match folders.find(|folder| out.starts_with(place(folder))) {
        None => Ok(()),
        Some(folder) => {
            let (out, folder) = (request.out.display(), folder.display());
            let what =
                format!("the results in `{out}` would be among the submissions in `{folder}`");
            Err(Error::usage(what, "name a folder next to the submissions with `--out`"))
        }
    }
}

/// Refuses results inside the suite's folder, and a suite inside the results. A suite is published
/// and copied as a whole, and results are removed as a whole.
pub(crate) fn refuse_results_beside_suite(out: &Path, suite: &SuiteChoice) -> Result<(), Error> {
    let Some(folder) = suite.folder() else { return Ok(()) };
    let (results, suite) = (place(out), place(folder));
    let (out, folder) = (out.display(), folder.display());
    let what = if results.starts_with(&suite) {
        format!("the results in `{out}` would be in the suite `{folder}`")
    } else if suite.starts_with(&results) {
        format!("the suite `{folder}` is in the folder of the results, `{out}`")
    } else {
        return Ok(());
    };
    Err(Error::usage(what, "name a folder next to the suite with `--out`"))
}

/// The absolute path of a possibly missing file, with links resolved in the existing part.
fn place(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = absolute.ancestors().find(|folder| folder.exists());
    let real = there.and_then(|there| {
        let rest = absolute.strip_prefix(there).ok()?;
        Some(there.canonicalize().ok()?.join(rest))
    });
    real.unwrap_or(absolute)
}
