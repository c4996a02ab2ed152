//! The files of a source, as far as its folder shows them.

use std::path::{Path, PathBuf};

use crate::ignored::Ignored;
use crate::language::belongs_to_a_source;

/// Deepest folder to read and most files to list: a source may be anywhere.
const DEEP: usize = 4;
const MOST: usize = 300;
/// Most folder entries to read: this runs many times per second.
const LOOKED_AT: usize = 3000;

/// Folders with files of tools and packages.
const PASSED_OVER: &[&str] = &["target", "node_modules", "build", "zig-out"];

/// The files that may change a source's module, for a watcher: the source, and the files of all
/// languages in its folder and below, without those that a `.gitignore` names.
pub fn inputs(source: &Path) -> Vec<PathBuf> {
    listed(source, Some(&Ignored::default()))
}

/// All files of a source, for a build.
pub fn files(source: &Path) -> Vec<PathBuf> {
    listed(source, None)
}

fn listed(source: &Path, ignored: Option<&Ignored>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let folder = if source.is_dir() { Some(source) } else { source.parent() };
    if !source.is_dir() {
        found.push(source.to_owned());
    }
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    look((folder, &[]), ignored, &mut found, &mut 0);
    found
}

/// Lists the files of a folder at the path `below` in the outermost folder.
fn look(
    (folder, below): (&Path, &[&str]),
    ignored: Option<&Ignored>,
    found: &mut Vec<PathBuf>,
    looked_at: &mut usize,
) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let ignored = ignored.map(|ignored| ignored.with_folder(folder, below.len()));
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    // Files first, so that the folders do not use up the limit before the files next to the source.
    entries.sort_by_key(|path| path.is_dir());
    for path in entries {
        *looked_at += 1;
        if *looked_at > LOOKED_AT {
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if found.len() >= MOST || name.starts_with('.') {
            continue;
        }
        let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
        let below: Vec<&str> = below.iter().copied().chain([name.as_str()]).collect();
        if ignored.as_ref().is_some_and(|ignored| ignored.has(&below, is_folder)) {
            continue;
        }
        if is_folder && below.len() <= DEEP && !PASSED_OVER.contains(&name.as_str()) {
            look((&path, &below), ignored.as_ref(), found, looked_at);
        } else if !is_folder && belongs_to_a_source(&path) && !found.contains(&path) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_watched_with_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["bot.cpp", "own.h", "notes.md", "src/more.h", "target/out.rs", ".git/x.c"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        for name in ["made.gen.h", "src/made.h", "bot.cpp"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        std::fs::write(folder.path().join(".gitignore"), "*.gen.h\nbot.cpp\n").expect("written");
        std::fs::write(folder.path().join("src/.gitignore"), "/made.h\n").expect("written");
        let found = inputs(&folder.path().join("bot.cpp"));
        let names: Vec<_> = found.iter().map(|p| p.strip_prefix(folder.path())).collect();
        let names: Vec<_> = names.into_iter().flatten().map(Path::to_path_buf).collect();
        assert_eq!(names, ["bot.cpp", "own.h", "src/more.h"].map(PathBuf::from));
        assert_eq!(files(&folder.path().join("bot.cpp")).len(), 5, "a build takes made files, too");
    }
}
