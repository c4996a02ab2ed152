//! A submitted folder: exactly one module at any depth, or the names of the files that it has
//! instead.

use std::io;
use std::path::{Path, PathBuf};

use judge_grading::{open_in_folder, read_opened};
use judge_sandbox::intake::MAX_MODULE_BYTES;

use super::entry::{NameList, SubmissionEntry, has_module_ending};

/// Maximum number of files and folders to search in a submission.
pub(super) const MOST: usize = 100_000;

/// Maximum depth of nested folders.
pub(super) const DEEPEST: usize = 32;

/// The entries in a folder that can be a student's work, by name. Hidden files are left out, and so
/// are the extra files of macOS archives.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !name.as_encoded_bytes().starts_with(b".") && name != "__MACOSX" {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Hidden modules in a folder, by name. They are ignored, but may have been meant as submissions.
/// (`._bot.wasm` is an extra file that macOS archives next to `bot.wasm`.)
pub(crate) fn hidden_modules(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_hidden = name.starts_with(b".") && !name.starts_with(b"._");
        if is_hidden && has_module_ending(&entry.path()) && !entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The name of a folder, even of one given as `.` or `..`.
pub(crate) fn name_of_folder(folder: &Path) -> String {
    let real = if folder.file_name().is_some() { None } else { folder.canonicalize().ok() };
    let folder = real.as_deref().unwrap_or(folder);
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Searches a folder recursively for modules, and names the copies of the one to grade. Links are
/// not followed, but a link with a module's extension is reported.
pub(super) fn look(folder: &Path) -> (SubmissionEntry, NameList) {
    let mut search =
        FolderSearch { folder, modules: Vec::new(), others: NameList::default(), left: MOST };
    let entry = match search.through(folder, 0) {
        Err(SearchStop::TooLarge) => SubmissionEntry::FolderTooLarge,
        Err(SearchStop::Unread(error)) => SubmissionEntry::FolderUnread(error.to_string()),
        Ok(()) => return search.outcome(),
    };
    (entry, NameList::default())
}

/// Maximum number of copies of a module to compare.
const MOST_COPIES: usize = 16;

/// True for identical files.
fn are_copies(folder: &Path, modules: &[PathBuf]) -> bool {
    let read = |module: &PathBuf| {
        let file = open_in_folder(folder, module).ok()?;
        read_opened(file, MAX_MODULE_BYTES as u64).ok()
    };
    let Some((first, others)) = modules.split_first().filter(|_| modules.len() <= MOST_COPIES)
    else {
        return false;
    };
    let is_link = |module: &PathBuf| folder.join(module).is_symlink();
    let Some(bytes) = read(first).filter(|_| !modules.iter().any(is_link)) else { return false };
    others.iter().all(|other| read(other).is_some_and(|copy| copy == bytes))
}

struct FolderSearch<'a> {
    folder: &'a Path,
    /// Paths relative to the folder, as for the fields below.
    modules: Vec<PathBuf>,
    others: NameList,
    left: usize,
}

/// The reason why a search ended early.
enum SearchStop {
    /// Too many entries; the student is to blame.
    TooLarge,
    /// An unreadable entry; the machine is to blame.
    Unread(io::Error),
}

impl From<io::Error> for SearchStop {
    fn from(error: io::Error) -> SearchStop {
        match error.kind() {
            // The path is longer than the system allows.
            io::ErrorKind::InvalidFilename => SearchStop::TooLarge,
            _ => SearchStop::Unread(error),
        }
    }
}

impl FolderSearch<'_> {
    /// Returns the entry for a folder that was searched. Build systems leave copies of a module, so
    /// among copies the one with the shortest path is graded.
    fn outcome(mut self) -> (SubmissionEntry, NameList) {
        self.modules.sort_by_key(|path| path.components().count());
        let mut names = NameList::default();
        match self.modules.as_slice() {
            [] => (SubmissionEntry::FolderWithout(self.others), names),
            [only] => (SubmissionEntry::FolderWithModule(only.clone()), names),
            [first, others @ ..] if are_copies(self.folder, &self.modules) => {
                others.iter().for_each(|name| names.push(name));
                (SubmissionEntry::FolderWithModule(first.clone()), names)
            }
            _ => {
                self.modules.sort();
                self.modules.iter().for_each(|name| names.push(name));
                (SubmissionEntry::FolderWithSeveral(names), NameList::default())
            }
        }
    }

    fn through(&mut self, folder: &Path, depth: usize) -> Result<(), SearchStop> {
        for path in hidden_modules(folder)? {
            self.others.push(path.strip_prefix(self.folder).unwrap_or(&path));
        }
        for path in entries(folder)? {
            let kind = std::fs::symlink_metadata(&path)?.file_type();
            self.left = self.left.checked_sub(1).ok_or(SearchStop::TooLarge)?;
            let name = path.strip_prefix(self.folder).unwrap_or(&path);
            match kind.is_dir() {
                true if depth == DEEPEST => return Err(SearchStop::TooLarge),
                true => self.through(&path, depth + 1)?,
                false if has_module_ending(&path) => self.modules.push(name.to_owned()),
                false => self.others.push(name),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_module_of_a_folder_is_found_at_any_depth() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "x").expect("written");
        };
        write("main.cpp");
        write(".git/hooks/x.wasm");
        write("__MACOSX/._bot.wasm");
        let look = |folder: &Path| super::look(folder).0;
        let SubmissionEntry::FolderWithout(found) = look(place.path()) else {
            panic!("there is a module")
        };
        assert_eq!(found.to_string(), "`main.cpp`");
        write(".bot.wasm");
        let SubmissionEntry::FolderWithout(found) = look(place.path()) else {
            panic!("it is hidden")
        };
        assert_eq!(found.to_string(), "`.bot.wasm`, `main.cpp`", "but it is named");
        write("build/out/bot.Wasm");
        assert_eq!(
            look(place.path()),
            SubmissionEntry::FolderWithModule("build/out/bot.Wasm".into())
        );
        std::fs::write(place.path().join("a.wasm"), "y").expect("written");
        let SubmissionEntry::FolderWithSeveral(found) = look(place.path()) else {
            panic!("there is one")
        };
        assert_eq!(found.to_string(), "`a.wasm`, `build/out/bot.Wasm`");
    }

    #[test]
    fn an_endlessly_deep_folder_is_not_searched() {
        let place = tempfile::tempdir().expect("a folder");
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 2).collect();
        std::fs::create_dir_all(place.path().join(deep)).expect("made");
        assert_eq!(look(place.path()).0, SubmissionEntry::FolderTooLarge);
        assert!(matches!(look(&place.path().join("none")).0, SubmissionEntry::FolderUnread(_)));
    }

    #[test]
    fn copies_of_one_module_count_with_the_shortest_path() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str, content: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, content).expect("written");
        };
        write("target/release/deps/bot-1f.wasm", "x");
        write("target/release/deps/bot.wasm", "x");
        write("target/release/bot.wasm", "x");
        let (entry, copies) = look(place.path());
        assert_eq!(entry, SubmissionEntry::FolderWithModule("target/release/bot.wasm".into()));
        let told = "`target/release/deps/bot-1f.wasm`, `target/release/deps/bot.wasm`";
        assert_eq!(copies.to_string(), told);
        write("target/release/bot.wasm", "y");
        assert!(matches!(look(place.path()).0, SubmissionEntry::FolderWithSeveral(_)));
        #[cfg(unix)]
        {
            write("target/release/bot.wasm", "x");
            let link = place.path().join("a.wasm");
            std::os::unix::fs::symlink("target/release/bot.wasm", link).expect("made");
            assert!(
                matches!(look(place.path()).0, SubmissionEntry::FolderWithSeveral(_)),
                "not followed"
            );
        }
    }
}
