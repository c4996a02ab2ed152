//! Where output goes: files, standard output, colours or none.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

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
    Ok(Box::new(Named { file: BufWriter::new(file), path: path.to_owned() }))
}

/// Makes sure that a file can be written, before the work that it is for; `-` always can. What the
/// file holds stays, and one that did not exist does not exist afterwards.
pub(crate) fn can_write(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(());
    }
    let existed = path.exists();
    let opened = File::options().create(true).append(true).open(path);
    opened.map_err(|source| Failure::Write { path: path.to_owned(), source })?;
    if !existed {
        // It was made here and is empty; that it stays would do no harm.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Writes a whole file, or to standard output for `-`.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file.flush()?)
}

/// Writes a text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Passes an error of writing on, but for a reader that has seen enough: the command then goes on,
/// and its exit code still tells how it went.
pub(crate) fn unless_reader_left(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A file whose errors name it.
struct Named {
    file: BufWriter<File>,
    path: PathBuf,
}

impl Named {
    fn name(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("`{}`: {error}", self.path.display()))
    }
}

impl Write for Named {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.name(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.name(&error))
    }
}
