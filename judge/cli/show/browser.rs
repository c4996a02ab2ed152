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

/// Browsers to try on a system without an opener, such as a small Linux.
const BROWSERS: [&str; 5] =
    ["firefox", "chromium", "chromium-browser", "google-chrome", "microsoft-edge"];

/// Opens a page with the system's opener, or with a browser; returns false if there is neither.
pub(crate) fn open(path: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut browsers = BROWSERS.iter();
    open::that_detached(&absolute).is_ok()
        || browsers.any(|browser| open::with_detached(&absolute, *browser).is_ok())
}
