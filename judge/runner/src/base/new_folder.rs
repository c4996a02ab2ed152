//! A new folder, created completely or not at all.

use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::Error;

/// A file's path in the folder, with `/` as the separator, and its bytes.
pub(crate) type NewFile = (String, Vec<u8>);

/// Refuses a folder that is not empty, so that no file is replaced.
pub(crate) fn refuse_what_is_there(folder: &Path) -> Result<(), Error> {
    let mut entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            let what = format!("`{}` exists and is not a folder", folder.display());
            let hint = Some("name a new folder; nothing was written".to_owned());
            return Err(Error::Input { what, hint });
        }
        Err(source) => return Err(Error::Read { path: folder.to_owned(), source }),
    };
    if entries.next().is_none() {
        return Ok(());
    }
    let what = format!("`{}` exists and is not empty", folder.display());
    Err(Error::usage(what, "name a new folder; nothing was written"))
}

/// Creates the folder and its files. After a failure, the created files are removed.
pub(crate) fn create(folder: &Path, files: &[NewFile]) -> Result<(), Error> {
    let new = !folder.exists();
    make(folder)?;
    let mut written: Vec<PathBuf> = Vec::new();
    for (name, bytes) in files {
        if let Err(error) = write(&folder.join(name), bytes, &mut written) {
            // The first error is the one to report.
            written.iter().for_each(|path| drop(std::fs::remove_file(path)));
            if new {
                // All files in it were written here.
                let _ = std::fs::remove_dir_all(folder);
            }
            return Err(error);
        }
    }
    Ok(())
}

fn make(folder: &Path) -> Result<(), Error> {
    let made = DirBuilder::new().recursive(true).create(folder);
    made.map_err(|source| Error::Write { path: folder.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8], written: &mut Vec<PathBuf>) -> Result<(), Error> {
    path.parent().map(make).transpose()?;
    let file = File::options().write(true).create_new(true).open(path);
    let done = file.and_then(|mut file| {
        written.push(path.to_owned());
        file.write_all(bytes)
    });
    done.map_err(|source| Error::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_is_removed() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("new");
        let files = ["a.toml", "src/b.toml", "a.toml/no-folder.toml"];
        let files = files.map(|name| (name.to_owned(), b"x".to_vec()));
        create(&folder, &files[..2]).expect("written");
        assert_eq!(std::fs::read(folder.join("src/b.toml")).expect("read"), b"x");
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(create(&folder, &files).is_err());
        assert!(!folder.exists());
    }
}
