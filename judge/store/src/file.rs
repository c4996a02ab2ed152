//! Files that only their owner can read, and paths of related files.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::basics::error::Error;

/// Creates a new file that only its owner can read.
pub(crate) fn create(path: &Path) -> Result<File, Error> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// The path with a suffix added to its file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Waits until the directory entries of a folder are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}
