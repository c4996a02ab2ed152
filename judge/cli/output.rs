//! Where output goes: files, standard output, colours or none.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use crate::failure::Failure;

/// Whether standard output may carry colours: a terminal, and `NO_COLOR` not set.
pub(crate) fn color() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Opens a file for a report, or standard output for `-`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout().lock()));
    }
    let file =
        File::create(path).map_err(|source| Failure::Write { path: path.to_owned(), source })?;
    Ok(Box::new(BufWriter::new(file)))
}
