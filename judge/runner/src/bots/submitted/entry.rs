//! The kinds of entries in a folder of submissions. Links are not followed, and of a file only the
//! first bytes are read.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_core::{printable, shortened};
use judge_grading::{Links, open_file};

use super::folder;

/// Maximum number of names in a message.
const MOST_NAMES: usize = 5;

/// An entry in a folder of submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SubmissionEntry {
    /// A file with the extension of a module.
    Module,
    /// A folder with exactly one module at any depth, or with copies of one; its path relative to
    /// the folder.
    FolderWithModule(PathBuf),
    /// A folder without any module.
    FolderWithout(NameList),
    /// A folder with several modules.
    FolderWithSeveral(NameList),
    /// A file with the extension of a source, if sources are built.
    Source,
    /// A folder without a module, and with a project or exactly one possible source of the bot at
    /// any depth; its path relative to the folder.
    FolderWithSource(PathBuf),
    /// A folder without a module, with several sources.
    FolderWithSources(NameList),
    /// A folder with too many entries to search.
    FolderTooLarge,
    /// A folder that cannot be read, and the reason.
    FolderUnread(String),
    /// A module in a file without the extension of a module.
    UnnamedModule,
    /// An archive.
    Archive,
    /// Any other file.
    OtherFile,
    /// A link. It could lead to another student's work, or to an endless file.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// Some file names for a message, and the number of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NameList {
    first: Vec<String>,
    more: usize,
}

impl NameList {
    /// Adds a name.
    pub(crate) fn push(&mut self, name: &Path) {
        match self.first.len() {
            MOST_NAMES => self.more += 1,
            _ => self.first.push(name.to_string_lossy().replace('\\', "/")),
        }
    }

    /// True if there is no name.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

impl fmt::Display for NameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.first.iter().map(|name| format!("`{}`", shortened(name, 80)));
        f.write_str(&names.collect::<Vec<_>>().join(", "))?;
        if self.more > 0 {
            write!(f, " and {} more", self.more)?;
        }
        Ok(())
    }
}

impl SubmissionEntry {
    /// Classifies a path, without following links.
    pub(crate) fn at(path: &Path) -> SubmissionEntry {
        SubmissionEntry::with_copies(path).0
    }

    /// Classifies a path, and returns the names of identical modules in a folder that are ignored.
    pub(crate) fn with_copies(path: &Path) -> (SubmissionEntry, NameList) {
        let Ok(found) = std::fs::symlink_metadata(path) else {
            return (SubmissionEntry::Special, NameList::default());
        };
        let entry = match found.file_type() {
            kind if kind.is_dir() => return folder::look(path),
            kind if kind.is_symlink() => SubmissionEntry::Link,
            kind if !kind.is_file() => SubmissionEntry::Special,
            _ if has_module_ending(path) => SubmissionEntry::Module,
            _ => of_file(path),
        };
        (entry, NameList::default())
    }

    /// True for a folder with any content.
    pub(crate) fn is_folder(&self) -> bool {
        let module = matches!(
            self,
            SubmissionEntry::FolderWithModule(_) | SubmissionEntry::FolderWithSeveral(_)
        );
        let none =
            matches!(self, SubmissionEntry::FolderWithout(_) | SubmissionEntry::FolderTooLarge);
        let source = matches!(
            self,
            SubmissionEntry::FolderWithSource(_) | SubmissionEntry::FolderWithSources(_)
        );
        module || source || none || matches!(self, SubmissionEntry::FolderUnread(_))
    }

    /// The reason why an entry is not a submission, and what to do about it.
    pub(crate) fn passed_over(&self) -> String {
        let text = match self {
            SubmissionEntry::FolderWithout(found) if found.is_empty() => {
                "an empty folder: ask for the built `.wasm` file"
            }
            SubmissionEntry::FolderWithout(found) => {
                return format!(
                    "a folder without a `.wasm` file, but with {found}: ask for the built module"
                );
            }
            SubmissionEntry::Archive => "an archive: ask for the module that is packed in it",
            SubmissionEntry::UnnamedModule => "a module without the ending `.wasm`: rename it",
            SubmissionEntry::Link => "a link: links are not followed",
            SubmissionEntry::Special => "not a readable file",
            _ => "not a module: ask for the built `.wasm` file",
        };
        text.to_owned()
    }
}

/// A remark on copies of the module; none without copies.
pub(crate) fn about_copies(
    folder: &str,
    entry: &SubmissionEntry,
    copies: &NameList,
) -> Option<String> {
    let SubmissionEntry::FolderWithModule(taken) = entry else { return None };
    let taken = printable(&taken.to_string_lossy().replace('\\', "/"), 100);
    (!copies.is_empty()).then(|| {
        let folder = printable(folder, 100);
        format!("`{folder}`: `{taken}` was taken; identical: {copies}")
    })
}

/// True for the extension of a module.
pub(crate) fn has_module_ending(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"))
}

/// Extensions of archives, in small letters.
const ARCHIVES: [&str; 9] = ["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"];

/// First bytes of archives.
const ARCHIVE_STARTS: [&[u8]; 5] =
    [b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\xfd7zXZ"];

fn of_file(path: &Path) -> SubmissionEntry {
    let mut start = Vec::new();
    // An unreadable file is classified by its name only.
    let opened = open_file(path, Links::Refused);
    let _ = opened.and_then(|file| file.take(8).read_to_end(&mut start));
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let packed = ARCHIVE_STARTS.iter().any(|first| start.starts_with(first));
    match start.as_slice() {
        start if start.starts_with(b"\0asm") => SubmissionEntry::UnnamedModule,
        _ if packed || ARCHIVES.contains(&ending.as_str()) => SubmissionEntry::Archive,
        _ => SubmissionEntry::OtherFile,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_types_are_recognised_by_name_and_first_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            SubmissionEntry::at(&path)
        };
        assert_eq!(entry("a.wasm", b"anything"), SubmissionEntry::Module);
        assert_eq!(entry("a.WASM", b""), SubmissionEntry::Module);
        assert_eq!(entry("bot", b"\0asm\x01\0\0\0"), SubmissionEntry::UnnamedModule);
        assert_eq!(entry("a.ZIP", b""), SubmissionEntry::Archive);
        assert_eq!(entry("packed", b"PK\x03\x04rest"), SubmissionEntry::Archive);
        assert_eq!(entry("a.cpp", b"int main() {}"), SubmissionEntry::OtherFile);
        assert_eq!(SubmissionEntry::at(&folder.path().join("none")), SubmissionEntry::Special);
    }

    #[test]
    fn five_names_are_printed_and_the_rest_counted() {
        let mut names = NameList::default();
        assert!(names.is_empty());
        (1..=7).for_each(|number| names.push(Path::new(&format!("{number}\u{202e}"))));
        let text = names.to_string();
        assert!(text.starts_with("`1\\u{202e}`, `2") && text.ends_with("` and 2 more"), "{text}");
    }
}
