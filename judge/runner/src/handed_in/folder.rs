//! A folder that somebody handed in: exactly one module anywhere in it, or the names of what is
//! there instead.

use std::io;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Names, has_module_ending};

/// Most files and folders that are looked at in one folder.
pub(super) const MOST: usize = 100_000;

/// Most folders inside one another.
pub(super) const DEEPEST: usize = 32;

/// What lies in a folder and is somebody's work, in the order of the names: nothing hidden, and not
/// what macOS packs beside it.
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

/// Modules in a folder whose names make them hidden, in the order of the names: no work that
/// counts, but perhaps meant to be. (`._bot.wasm` is what macOS packs beside `bot.wasm`.)
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

/// The name of a folder, also of one that is named by `.` or `..`.
pub(crate) fn name_of_folder(folder: &Path) -> String {
    let real = if folder.file_name().is_some() { None } else { folder.canonicalize().ok() };
    let folder = real.as_deref().unwrap_or(folder);
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Looks for modules in a folder and in those below. Links are not followed, but one that is called
/// like a module is told.
pub(super) fn look(folder: &Path) -> Entry {
    let mut search = Search { folder, modules: Vec::new(), others: Names::default(), left: MOST };
    match search.through(folder, 0) {
        Err(Stop::TooLarge) => return Entry::FolderTooLarge,
        Err(Stop::Unread(error)) => return Entry::FolderUnread(error.to_string()),
        Ok(()) => {}
    }
    match search.modules.as_slice() {
        [] => Entry::FolderWithout(search.others),
        [only] => Entry::FolderWithModule(only.clone()),
        several => {
            let mut names = Names::default();
            several.iter().for_each(|name| names.push(name));
            Entry::FolderWithSeveral(names)
        }
    }
}

struct Search<'a> {
    folder: &'a Path,
    /// By their paths from the folder; so below.
    modules: Vec<PathBuf>,
    others: Names,
    left: usize,
}

/// Why a search ended before its end.
enum Stop {
    /// Whoever handed it in is to blame.
    TooLarge,
    /// The machine is.
    Unread(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        match error.kind() {
            // A path of more characters than the system takes.
            io::ErrorKind::InvalidFilename => Stop::TooLarge,
            _ => Stop::Unread(error),
        }
    }
}

impl Search<'_> {
    fn through(&mut self, folder: &Path, depth: usize) -> Result<(), Stop> {
        for path in hidden_modules(folder)? {
            self.others.push(path.strip_prefix(self.folder).unwrap_or(&path));
        }
        for path in entries(folder)? {
            let kind = std::fs::symlink_metadata(&path)?.file_type();
            self.left = self.left.checked_sub(1).ok_or(Stop::TooLarge)?;
            let name = path.strip_prefix(self.folder).unwrap_or(&path);
            match kind.is_dir() {
                true if depth == DEEPEST => return Err(Stop::TooLarge),
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
    fn one_module_anywhere_is_the_module_and_anything_else_is_named() {
        let place = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "x").expect("written");
        };
        write("main.cpp");
        write(".git/hooks/x.wasm");
        write("__MACOSX/._bot.wasm");
        let Entry::FolderWithout(found) = look(place.path()) else { panic!("there is a module") };
        assert_eq!(found.to_string(), "`main.cpp`");
        write(".bot.wasm");
        let Entry::FolderWithout(found) = look(place.path()) else { panic!("it is hidden") };
        assert_eq!(found.to_string(), "`.bot.wasm`, `main.cpp`", "but it is named");
        write("build/out/bot.Wasm");
        assert_eq!(look(place.path()), Entry::FolderWithModule("build/out/bot.Wasm".into()));
        write("a.wasm");
        let Entry::FolderWithSeveral(found) = look(place.path()) else { panic!("there is one") };
        assert_eq!(found.to_string(), "`a.wasm`, `build/out/bot.Wasm`");
    }

    #[test]
    fn a_folder_without_end_is_not_looked_through() {
        let place = tempfile::tempdir().expect("a folder");
        let deep: PathBuf = std::iter::repeat_n("d", DEEPEST + 2).collect();
        std::fs::create_dir_all(place.path().join(deep)).expect("made");
        assert_eq!(look(place.path()), Entry::FolderTooLarge);
        assert!(matches!(look(&place.path().join("none")), Entry::FolderUnread(_)));
    }
}
