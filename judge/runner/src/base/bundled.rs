//! The suites inside the library, so that an installed `judge` works anywhere.

use include_dir::{Dir, include_dir};
use judge_core::TestcaseReport;
use judge_grading::{Suite, SuiteError};

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../testcases");

/// The names of the bundled suites.
pub fn names() -> Vec<String> {
    SUITES.dirs().map(|folder| folder.path().display().to_string()).collect()
}

/// The suite's argument on a command line. A bundled suite goes by its name and every other one by
/// a path, so that it cannot be confused with a bundled suite of the same name.
pub(crate) fn argument(named: &Suite) -> String {
    match suite(&named.name) {
        Some(Ok(bundled)) if bundled.files == named.files => named.name.clone(),
        _ => format!("{}/", named.name),
    }
}

/// True if a report's testcases are those of the bundled suite with that name.
pub fn is_bundled(name: &str, testcases: &[TestcaseReport]) -> bool {
    let Some(Ok(bundled)) = suite(name) else { return false };
    let known = bundled.testcases.iter().map(|one| (one.name.as_str(), one.sha256));
    known.eq(testcases.iter().map(|one| (one.name.as_str(), one.sha256)))
}

/// Returns the bundled suite with that name, if there is one.
pub(crate) fn suite(name: &str) -> Option<Result<Suite, SuiteError>> {
    let folder = SUITES.get_dir(name)?;
    let files: Vec<(String, &str)> = folder
        .files()
        .filter_map(|file| Some((file.path().display().to_string(), file.contents_utf8()?)))
        .collect();
    Some(Suite::from_files(name, files.iter().map(|(path, text)| (path.as_str(), *text))))
}
