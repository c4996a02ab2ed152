//! The kinds of things that lie where a submission is expected. Nothing is followed, and nothing is
//! opened but to look at its first bytes.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_core::printable;
use judge_grading::{Links, open_file};

use super::folder;

/// Most names in a message.
const MOST_NAMES: usize = 5;

/// What lies in the place of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SubmissionEntry {
    /// A file that is called like a module.
    Module,
    /// A folder with exactly one module anywhere in it, or with copies of one, by its path from the
    /// folder.
    FolderWithModule(PathBuf),
    /// A folder without any module.
    FolderWithout(NameList),
    /// A folder with several modules.
    FolderWithSeveral(NameList),
    /// A file that is called like a source, where sources are built.
    Source,
    /// A folder without a module, with exactly one source anywhere in it that may be the bot, or a
    /// project; by its path from the folder.
    FolderWithSource(PathBuf),
    /// A folder without a module, with several sources.
    FolderWithSources(NameList),
    /// A folder with more in it than is looked through.
    FolderTooLarge,
    /// A folder that cannot be read, and why.
    FolderUnread(String),
    /// A module in a file that is not called like one.
    UnnamedModule,
    /// A packed archive.
    Archive,
    /// Any other file.
    OtherFile,
    /// A link to whatever: it could lead to somebody else's work, or to no end of bytes.
    Link,
    /// A pipe, a socket, a device.
    Special,
}

/// Names of files as far as a message has room for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NameList {
    first: Vec<String>,
    more: usize,
}

impl NameList {
    /// Takes one more name.
    pub(crate) fn push(&mut self, name: &Path) {
        match self.first.len() {
            MOST_NAMES => self.more += 1,
            _ => self.first.push(name.to_string_lossy().replace('\\', "/")),
        }
    }

    /// True if there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

impl fmt::Display for NameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.first.iter().map(|name| format!("`{}`", printable(name, 60)));
        f.write_str(&names.collect::<Vec<_>>().join(", "))?;
        if self.more > 0 {
            write!(f, " and {} more", self.more)?;
        }
        Ok(())
    }
}

impl SubmissionEntry {
    /// Looks at a path, without following a link.
    pub(crate) fn at(path: &Path) -> SubmissionEntry {
        SubmissionEntry::with_copies(path).0
    }

    /// The same, with the names of identical modules in a folder that are passed over.
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

    /// True if it is a folder, whatever is in it.
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

    /// Why something that is no submission was passed over, and what to do about it.
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

/// A remark on copies of the module that counts; none where there are none.
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

/// True if it is called like a module.
pub(crate) fn has_module_ending(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"))
}

/// Endings of archives, in small letters.
const ARCHIVES: [&str; 9] = ["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"];

/// First bytes of archives.
const ARCHIVE_STARTS: [&[u8]; 5] =
    [b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\xfd7zXZ"];

fn of_file(path: &Path) -> SubmissionEntry {
    let mut start = Vec::new();
    // What cannot be read is told by its name alone.
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
    fn things_are_told_apart_by_name_and_first_bytes() {
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
    fn five_names_are_told_and_the_rest_counted() {
        let mut names = NameList::default();
        assert!(names.is_empty());
        (1..=7).for_each(|number| names.push(Path::new(&format!("{number}\u{202e}"))));
        let text = names.to_string();
        assert!(text.starts_with("`1\\u{202e}`, `2") && text.ends_with("` and 2 more"), "{text}");
    }
}
