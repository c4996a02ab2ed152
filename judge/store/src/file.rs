//! Files that are made for their owner alone.

use std::fs::File;
use std::path::Path;

use crate::basics::error::Error;

/// Creates a file that is not there yet, for its owner alone.
pub(crate) fn create(path: &Path) -> Result<File, Error> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| Error::File { path: path.to_owned(), source })
}
