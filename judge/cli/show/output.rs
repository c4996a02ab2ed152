//! Standard output, and files that may be standard output.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use judge_runner::Error;
use judge_runner::base::files::{self, Readers};

/// True if standard output supports colours and `NO_COLOR` is not set.
pub(crate) fn color() -> bool {
    io::stdout().is_terminal()
        && !super::screen::is_dumb()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Detects `-`, which means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file for a report, or standard output for `-`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Write>, Error> {
    open_for(path, Readers::Usual)
}

/// Opens a file as [`open`] does, but readable only for these readers. Standard output is
/// unaffected.
pub(crate) fn open_for(path: &Path, readers: Readers) -> Result<Box<dyn Write>, Error> {
    if is_stdout(path) {
        return Ok(Box::new(io::stdout().lock()));
    }
    files::is_no_result(path)?;
    files::open_for(path, readers)
}

/// Checks that a file can be written and would not overwrite a course's result; `-` is always
/// possible.
pub(crate) fn can_write(path: &Path) -> Result<(), Error> {
    if is_stdout(path) {
        return Ok(());
    }
    files::is_no_result(path)?;
    files::can_write(path)
}

/// Writes a whole file, or to standard output for `-`.
pub(crate) fn write(path: &Path, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Error> {
    let mut file = open(path)?;
    file.write_all(content.as_ref())?;
    Ok(file.flush()?)
}

/// Writes a text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Ignores a write error from a pipe that its reader has closed. The command then continues, and
/// its exit code still shows its outcome.
pub(crate) fn unless_reader_left(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
