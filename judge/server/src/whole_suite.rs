//! A check that no testcase of a suite is missing before it is added to a course. The server would
//! grade without the missing ones, and no message would say so.

use judge_grading::Suite;

/// The missing part of a suite: the folder of its hidden testcases, or the key of their seeds.
#[derive(Debug, thiserror::Error)]
pub enum MissingPart {
    /// The folder does not exist.
    #[error(
        "the folder of hidden testcases `{0}` does not exist\nhint: put it where `[hidden]` in \
         `suite.toml` says"
    )]
    Folder(String),
    /// Testcases have no seeds.
    #[error(
        "the suite's hidden testcases are locked: {0}\nhint: add the suite together with the key of \
         their seeds, which `[hidden]` in `suite.toml` names"
    )]
    Key(String),
}

/// Checks that all testcases of a suite can be graded.
///
/// # Errors
/// If the folder of hidden testcases, or the key of their seeds, is missing.
pub fn check_whole(suite: &Suite) -> Result<(), MissingPart> {
    if let Some(folder) = &suite.absent {
        return Err(MissingPart::Folder(folder.display().to_string()));
    }
    let names: Vec<&str> = suite.locked.iter().map(|one| one.name.as_str()).collect();
    match names.is_empty() {
        true => Ok(()),
        false => Err(MissingPart::Key(names.join(", "))),
    }
}
