//! Where output goes: files, standard output, colours or none.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use judge_arena::failpoint;

use crate::failure::Failure;

/// Whether standard output may carry colours: a terminal, and `NO_COLOR` not set.
pub(crate) fn color() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Opens a file for a report, or standard output for `-`. What the file held stays until the report
/// is flushed, and is then replaced by the whole of it.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Write>, Failure> {
    open_for(path, Readers::Usual)
}

/// Opens a file as [`open`] does, for these readers. Standard output goes where it goes.
pub(crate) fn open_for(path: &Path, readers: Readers) -> Result<Box<dyn Write>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout().lock()));
    }
    can_write(path)?;
    Ok(Box::new(Whole { bytes: Vec::new(), path: path.to_owned(), readers }))
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Whoever may read any new file.
    Usual,
    /// Nobody but its owner: it holds secrets, and students may have accounts on the machine.
    Owner,
}

/// Makes sure that a file can be written, before the work that it is for; `-` always can. What the
/// file holds stays, and one that did not exist does not exist afterwards.
pub(crate) fn can_write(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(());
    }
    // To open and close a pipe would be the end of it for whoever reads there.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Ok(());
    }
    refuse_what_nobody_would_replace(path)?;
    let tried = match std::fs::symlink_metadata(path) {
        Ok(_) => File::options().create(true).append(true).open(path).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_name(path) => try_beside(path),
        Err(_) if !is_name(path) => File::options().create(true).append(true).open(path).map(drop),
        Err(error) => Err(error),
    };
    tried.map_err(|source| Failure::Write { path: path.to_owned(), source })
}

/// Tries whether a new file can be made in the folder of this one, under another name: nobody shall
/// find an empty file in its place, also if this process ends here.
fn try_beside(path: &Path) -> io::Result<()> {
    let probe = path.with_file_name(format!(".judge-probe-{}", std::process::id()));
    File::options().create(true).append(true).open(&probe)?;
    match std::fs::remove_file(&probe) {
        // Another thread has tried at the same moment.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Whether the path ends with a name, and not with `/` or `..`.
fn is_name(path: &Path) -> bool {
    let ends = path.as_os_str().as_encoded_bytes().last();
    path.file_name().is_some()
        && ends.is_some_and(|byte| !std::path::is_separator(char::from(*byte)))
}

/// A module in the place of an output is a slip of the hand: no command writes one.
fn refuse_what_nobody_would_replace(path: &Path) -> Result<(), Failure> {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut start));
    if read.is_ok() && start == *b"\0asm" {
        let what = format!("`{}` is a WebAssembly module, which would be lost", path.display());
        return Err(Failure::usage(what, "write to another file"));
    }
    Ok(())
}

/// Writes a whole file, or to standard output for `-`.
pub(crate) fn write(path: &Path, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Failure> {
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

/// Passes an error of writing on, but for a reader that has seen enough: the command then goes on,
/// and its exit code still tells how it went.
pub(crate) fn unless_reader_left(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A file that is written as a whole or not at all.
struct Whole {
    bytes: Vec<u8>,
    path: PathBuf,
    readers: Readers,
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", self.path.display()))
        };
        replace(&self.path, &self.bytes, self.readers).map_err(named)
    }
}

/// Puts `bytes` in the place of a file. Whoever looks sees the old content or the new, also after a
/// crash; pipes, devices and files in a folder that cannot be written are written to as they are.
fn replace(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let special = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let beside = if special { None } else { temporary(folder, readers).ok() };
    let Some(mut file) = beside else {
        #[cfg(unix)]
        if readers == Readers::Owner && !special {
            // It was there before, with the rights of then.
            std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        }
        return std::fs::write(path, bytes);
    };
    file.write_all(bytes)?;
    failpoint::reach("report-half-written");
    file.as_file().sync_all()?;
    failpoint::reach("report-written");
    file.persist(path)?;
    Ok(())
}

/// A new file with the rights that its readers need.
fn temporary(folder: &Path, readers: Readers) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".judge-");
    // Unless told otherwise, such a file is its owner's alone.
    #[cfg(unix)]
    if readers == Readers::Usual {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = readers;
    builder.tempfile_in(folder)
}
