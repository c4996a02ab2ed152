//! A snapshot of the files in some folders, which reveals any write to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::grade::watch::Stamp;

/// Maximum number of files in a snapshot. Changes of other files are noticed with the next change
/// of these.
const MOST: usize = 100_000;

/// Maximum depth of nested folders.
const DEEPEST: usize = 32;

/// All files, with every property that a write changes, and all folders, for which only their
/// existence counts. Hidden files are not submissions, and may change at any time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<PathBuf, Option<Stamp>>);

impl Snapshot {
    pub(super) fn take(paths: &[PathBuf]) -> Snapshot {
        let mut files = BTreeMap::new();
        paths.iter().for_each(|path| add(path, 0, &mut files));
        Snapshot(files)
    }
}

fn add(path: &Path, depth: usize, files: &mut BTreeMap<PathBuf, Option<Stamp>>) {
    if files.len() >= MOST || depth > DEEPEST {
        return;
    }
    // Links are not followed. They could lead anywhere, and are not submissions.
    let is_folder = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let is_folder = depth == 0 && path.is_dir() || is_folder;
    // A folder's time changes with any file in it, even a hidden one.
    files.insert(path.to_owned(), (!is_folder).then(|| Stamp::read(path)));
    if is_folder {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let shown = entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
        shown.for_each(|entry| add(&entry.path(), depth + 1, files));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_below_a_folder_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let look = || Snapshot::take(&[folder.path().to_owned()]);
        let empty = look();
        assert_eq!(look(), empty);
        std::fs::write(folder.path().join(".keep"), "").expect("written");
        assert_eq!(look(), empty, "hidden files do not count");
        std::fs::create_dir(folder.path().join("ada")).expect("a folder");
        let one = look();
        assert_ne!(one, empty);
        std::fs::write(folder.path().join("ada/bot.wasm"), "x").expect("written");
        let two = look();
        assert_ne!(two, one);
        std::fs::write(folder.path().join("ada/bot.wasm"), "xy").expect("written");
        let three = look();
        assert_ne!(three, two);
        assert_eq!(look(), three);
    }
}
