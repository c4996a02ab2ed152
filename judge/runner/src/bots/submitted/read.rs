//! Reads the module of a submission, or explains to the student why there is none.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use judge_core::{Blame, Explanation, Refused, Verdict};
use judge_grading::{Links, open_file, open_in_folder, read_opened};
use judge_sandbox::intake::MAX_MODULE_BYTES;

use super::entry::SubmissionEntry;
use super::folder::{DEEPEST, MOST};
use crate::Error;

/// Hint for a folder without a module.
const NO_MODULE_HINT: &str = "submit the built module";

/// Hint for a folder with several modules.
const SEVERAL_HINT: &str = "submit one";

/// Hint for a folder with several sources.
const SOURCES_HINT: &str = "name the bot's source `bot`, `brain` or `main`";

const NO_LINK: &str = "submit the module itself";
const NO_FILE: &str = "it is not a readable file";

/// Reads the module of an entry. An unreadable file is a refusal with a reason, and does not stop
/// the run.
pub(crate) fn read(path: &Path, entry: &SubmissionEntry) -> Result<Vec<u8>, Refused> {
    if let Some(refused) = refused(entry) {
        return Err(refused);
    }
    let SubmissionEntry::FolderWithModule(module) = entry else {
        return read_file(path, open_file(path, Links::Refused));
    };
    let file = path.join(module);
    if file.is_symlink() {
        let reason = "the `.wasm` file in the folder is a link";
        return Err(Refused::new(Explanation::new(reason, NO_LINK)));
    }
    read_file(&file, open_in_folder(path, module))
}

/// The reason why an entry has no module, if that is known without reading it.
fn refused(entry: &SubmissionEntry) -> Option<Refused> {
    let why = match entry {
        SubmissionEntry::Link => Explanation::new("it is a link", NO_LINK),
        SubmissionEntry::Special => Explanation::without_hint(NO_FILE),
        SubmissionEntry::FolderUnread(why) => return Some(unreadable(why.clone())),
        SubmissionEntry::FolderTooLarge => Explanation::new(
            format!(
                "the folder holds more than {MOST} files, or more than {DEEPEST} folders in a row"
            ),
            NO_MODULE_HINT,
        ),
        SubmissionEntry::FolderWithout(found) if found.is_empty() => {
            let reason = "there is no `.wasm` file in the folder: it is empty";
            Explanation::new(reason, NO_MODULE_HINT)
        }
        SubmissionEntry::FolderWithout(found) => {
            let reason = format!("there is no `.wasm` file in the folder, but {found}");
            Explanation::new(reason, NO_MODULE_HINT)
        }
        SubmissionEntry::FolderWithSeveral(found) => {
            let reason = format!("there are several `.wasm` files in the folder: {found}");
            Explanation::new(reason, SEVERAL_HINT)
        }
        SubmissionEntry::FolderWithSources(found) => {
            let reason = format!("there are several sources in the folder: {found}");
            Explanation::new(reason, SOURCES_HINT)
        }
        _ => return None,
    };
    Some(Refused::new(why))
}

fn read_file(path: &Path, opened: std::io::Result<File>) -> Result<Vec<u8>, Refused> {
    let failed = |source: std::io::Error| match source.kind() {
        ErrorKind::InvalidInput | ErrorKind::IsADirectory => {
            Refused::new(Explanation::without_hint(NO_FILE))
        }
        _ => unreadable(Error::Read { path: path.to_owned(), source }.to_string()),
    };
    let file = opened.map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    if size > MAX_MODULE_BYTES as u64 {
        let most = MAX_MODULE_BYTES >> 20;
        let reason = format!("the file has {size} bytes; the most is {most} MiB");
        return Err(Refused::new(Explanation::without_hint(reason)));
    }
    read_opened(file, MAX_MODULE_BYTES as u64).map_err(failed)
}

/// A refusal for an unknown cause, which is not blamed on the student.
fn unreadable(reason: String) -> Refused {
    let why = Explanation::without_hint(reason);
    Refused { verdict: Verdict::JudgeError, blame: Blame::Judge, why, shows: None }
}
