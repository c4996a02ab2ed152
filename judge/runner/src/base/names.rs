//! Comparison of names of people and files. Unicode can spell the same text in several ways.

use std::path::PathBuf;

pub use judge_report::{composed, folded, same_name};

/// Returns the path with the spelling that its existing parts have on the disk. macOS writes names
/// into archives with a different spelling than people type.
pub(crate) fn existing(path: PathBuf) -> PathBuf {
    if path.exists() {
        return path;
    }
    let mut found = PathBuf::new();
    for part in path.components() {
        let next = found.join(part);
        let name = part.as_os_str().to_string_lossy();
        let folder = if found.as_os_str().is_empty() { ".".as_ref() } else { found.as_path() };
        let entries = || std::fs::read_dir(folder).into_iter().flatten().flatten();
        let other = (!next.exists()).then(|| {
            let mut names = entries().map(|entry| entry.file_name());
            names.find(|other| same_name(&other.to_string_lossy(), &name))
        });
        found = other.flatten().map_or(next, |other| found.join(other));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_either_spelling() {
        let folder = tempfile::tempdir().expect("a folder");
        let there = folder.path().join("U\u{308}bung").join("list e\u{301}.csv");
        std::fs::create_dir(there.parent().expect("a folder")).expect("made");
        std::fs::write(&there, "x").expect("written");
        assert!(existing(folder.path().join("Übung/list é.csv")).is_file());
        let none = folder.path().join("Übung/none.csv");
        assert_eq!(existing(none).file_name().expect("a name"), "none.csv");
    }
}
