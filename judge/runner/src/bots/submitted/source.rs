//! The source in a submission, if sources are built.

use std::path::{Path, PathBuf};

use judge_toolchain::{Language, is_project_file};

use super::entry::{NameList, SubmissionEntry};
use super::folder::{MOST, entries};

/// File names without extension that mark the bot among several sources.
const MAIN: &[&str] = &["bot", "brain", "main"];

/// Folders of other people's code, where no source is searched.
pub(crate) const PASSED_OVER: &[&str] = &["node_modules", "target", "zig-out", "zig-cache"];

/// Maximum depth of the search for a source.
pub(crate) const DEEPEST: usize = 16;

impl SubmissionEntry {
    /// Accepts a source if there is no module.
    pub(crate) fn or_source(self, path: &Path) -> SubmissionEntry {
        match self {
            SubmissionEntry::OtherFile if Language::from_path(path).is_ok() => {
                SubmissionEntry::Source
            }
            SubmissionEntry::FolderWithout(names) => {
                in_folder(path).unwrap_or(SubmissionEntry::FolderWithout(names))
            }
            entry => entry,
        }
    }
}

fn in_folder(folder: &Path) -> Option<SubmissionEntry> {
    let mut search = SourceSearch { folder, sources: Vec::new(), projects: Vec::new(), left: MOST };
    search.through(folder, 0);
    // A nested project is part of the outer one.
    let project = search.projects.into_iter().min_by_key(|path| path.components().count());
    if let Some(project) = project {
        return Some(SubmissionEntry::FolderWithSource(project));
    }
    let named = |path: &&PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        MAIN.contains(&stem.as_str())
    };
    let main: Vec<&PathBuf> = search.sources.iter().filter(named).collect();
    match (search.sources.as_slice(), main.as_slice()) {
        ([], _) => None,
        ([only], _) => Some(SubmissionEntry::FolderWithSource(only.clone())),
        (_, [only]) => Some(SubmissionEntry::FolderWithSource((*only).clone())),
        (several, _) => {
            let mut names = NameList::default();
            several.iter().for_each(|name| names.push(name));
            Some(SubmissionEntry::FolderWithSources(names))
        }
    }
}

struct SourceSearch<'a> {
    folder: &'a Path,
    /// Paths relative to the folder, as for the fields below.
    sources: Vec<PathBuf>,
    projects: Vec<PathBuf>,
    left: usize,
}

impl SourceSearch<'_> {
    /// Searches a folder. An earlier search for modules has reported unreadable entries.
    fn through(&mut self, folder: &Path, depth: usize) {
        for path in entries(folder).unwrap_or_default() {
            let Ok(found) = std::fs::symlink_metadata(&path) else { continue };
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return;
            }
            let name = path.strip_prefix(self.folder).unwrap_or(&path).to_owned();
            let own_name = path.file_name().unwrap_or_default();
            let is_project = is_project_file(own_name);
            let is_others = PASSED_OVER.iter().any(|other| own_name == *other);
            if found.is_dir() && depth < DEEPEST && !is_others {
                self.through(&path, depth + 1);
            } else if found.is_file() && is_project {
                self.projects.push(name.parent().unwrap_or(Path::new("")).to_owned());
            } else if found.is_file() && Language::from_path(&path).is_ok() {
                self.sources.push(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_source_or_the_named_source_counts() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "x").expect("written");
        };
        let look = || SubmissionEntry::at(place.path()).or_source(place.path());
        write("notes.txt");
        assert!(matches!(look(), SubmissionEntry::FolderWithout(_)));
        write("target/bot.c");
        assert!(matches!(look(), SubmissionEntry::FolderWithout(_)), "not a source of the student");
        write("src/wall.cpp");
        assert_eq!(look(), SubmissionEntry::FolderWithSource("src/wall.cpp".into()));
        write("src/hand.cpp");
        let SubmissionEntry::FolderWithSources(names) = look() else { panic!("there are two") };
        assert_eq!(names.to_string(), "`src/hand.cpp`, `src/wall.cpp`");
        write("src/Brain.cpp");
        assert_eq!(look(), SubmissionEntry::FolderWithSource("src/Brain.cpp".into()));
        write("go/main.go");
        assert!(matches!(look(), SubmissionEntry::FolderWithSources(_)));
        write("go/go.mod");
        assert_eq!(look(), SubmissionEntry::FolderWithSource("go".into()));
        write("bot.wasm");
        assert_eq!(look(), SubmissionEntry::FolderWithModule("bot.wasm".into()));
    }
}
