//! Pages in the user's browser.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use judge_runner::Error;

/// Writes a page to a new temporary file, which is not removed.
pub(crate) fn temporary(prefix: &str, page: &str) -> Result<PathBuf, Error> {
    let folder = std::env::temp_dir();
    let written = || {
        // Other users may write to the folder, so the name must be unpredictable.
        let mut file =
            tempfile::Builder::new().prefix(prefix).suffix(".html").tempfile_in(&folder)?;
        file.write_all(page.as_bytes())?;
        let (_, path) = file.keep()?;
        Ok(path)
    };
    written().map_err(|source: io::Error| Error::Write { path: folder.clone(), source })
}

/// Opens a page with the system's opener, and returns false if there is none.
pub(crate) fn open(path: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    open::that_detached(absolute).is_ok()
}
