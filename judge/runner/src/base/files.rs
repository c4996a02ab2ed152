//! Output files. They are written completely or not at all, and never replace a file that cannot be
//! made again.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use judge_arena::failpoint;

use crate::Error;
use crate::base::error::Unwritten;
use crate::base::protected_files;
pub(crate) use crate::base::protected_files::JOURNAL_START;

/// Opens a file for a result. The old content stays until the result is flushed.
///
/// # Errors
/// If the file cannot be written, or is a protected file such as a module or a journal.
pub fn open(path: &Path) -> Result<Box<dyn Write>, Error> {
    open_for(path, Readers::Usual)
}

/// Opens a file as [`open`] does, readable for these readers.
///
/// # Errors
/// As [`open`].
pub fn open_for(path: &Path, readers: Readers) -> Result<Box<dyn Write>, Error> {
    can_write(path)?;
    Ok(Box::new(Whole { bytes: Vec::new(), path: path.to_owned(), readers }))
}

/// The users who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// All users who may read new files by default.
    Usual,
    /// Only its owner, because it holds secrets and students may have accounts on the machine.
    Owner,
}

/// Checks in advance that a file can be written, without changing or creating it.
pub fn can_write(path: &Path) -> Result<(), Error> {
    // Opening and closing a pipe would end it for its reader.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Ok(());
    }
    protected_files::refuse(path)?;
    can_renew(path)
}

/// Checks that an output file of the user is not a result of a graded course. Only the course
/// itself replaces those.
///
/// # Errors
/// If it is one, with the kind of the file.
pub fn is_no_result(path: &Path) -> Result<(), Error> {
    protected_files::refuse_result(path)
}

/// Checks that a file can be replaced by the command that continues it.
pub(crate) fn can_renew(path: &Path) -> Result<(), Error> {
    let place = &linked(path);
    let tried = match std::fs::symlink_metadata(place) {
        Ok(_) => File::options().create(true).append(true).open(place).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_name(path) => try_beside(place),
        Err(_) if !is_name(path) => File::options().create(true).append(true).open(place).map(drop),
        Err(error) => Err(error),
    };
    tried.map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// Checks that a new file can be created in this folder, under a temporary name. This way no empty
/// file is left, even if the process ends here.
fn try_beside(path: &Path) -> io::Result<()> {
    let probe = path.with_file_name(format!(".judge-probe-{}", std::process::id()));
    File::options().create(true).append(true).open(&probe)?;
    match std::fs::remove_file(&probe) {
        // Another thread has removed the same probe.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// True if the path ends with a name, and not with `/` or `..`.
fn is_name(path: &Path) -> bool {
    let ends = path.as_os_str().as_encoded_bytes().last();
    path.file_name().is_some()
        && ends.is_some_and(|byte| !std::path::is_separator(char::from(*byte)))
}

/// Maximum length of a chain of links, as on most systems.
const MOST_LINKS: u32 = 40;

/// Follows the links of a path. A link stays, and its target is replaced.
fn linked(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_of_this_process(&place) {
            break;
        }
        let Ok(target) = std::fs::read_link(&place) else { break };
        place = folder_of(&place).join(target);
    }
    place
}

/// True for names of open files of this process, such as `/dev/stdout`. They are written to
/// directly, and never replaced.
fn is_of_this_process(path: &Path) -> bool {
    ["/proc", "/dev/fd"].iter().any(|folder| path.starts_with(folder))
}

/// True for files that are written to directly: pipes, devices and open files of this process.
fn is_special(path: &Path) -> bool {
    is_of_this_process(path) || std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Writes a whole file.
///
/// # Errors
/// As [`open`].
pub fn write(path: &Path, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Error> {
    let mut file = open(path)?;
    file.write_all(content.as_ref())?;
    Ok(file.flush()?)
}

/// A file to replace.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) path: PathBuf,
    /// The old text.
    pub(crate) before: String,
    /// The new text.
    pub(crate) after: String,
}

/// Replaces several files, all or none, and keeps their permissions.
///
/// # Errors
/// If one of them cannot be written.
pub(crate) fn replace_all(edits: &[Edit]) -> Result<(), Error> {
    let failed = |edit: &Edit, source: io::Error| Error::Write { path: edit.path.clone(), source };
    // Likely failures, such as a full disk, happen before the first replacement.
    let mut staged = Vec::new();
    for edit in edits {
        staged.push(stage(edit).map_err(|source| failed(edit, source))?);
    }
    for (number, (edit, file)) in std::iter::zip(edits, staged).enumerate() {
        let Err(error) = file.persist(linked(&edit.path)) else { continue };
        for done in &edits[..number] {
            // The first error is the one to report.
            let _ = std::fs::write(&done.path, &done.before);
        }
        return Err(failed(edit, error.error));
    }
    Ok(())
}

/// Writes the new text to a temporary file next to the old one.
fn stage(edit: &Edit) -> io::Result<tempfile::NamedTempFile> {
    let mut file = temporary(folder_of(&linked(&edit.path)), Readers::Owner)?;
    file.write_all(edit.after.as_bytes())?;
    file.as_file().set_permissions(std::fs::metadata(&edit.path)?.permissions())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Replaces a file that the command continues.
pub(crate) fn renew(path: &Path, content: &[u8]) -> Result<(), Error> {
    let replaced = replace(path, content, Readers::Usual);
    Ok(replaced.map_err(|error| Unwritten::at(path, error))?)
}

/// Writes a file piece by piece, completely or not at all, for content that does not fit into
/// memory.
pub fn streamed(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    can_write(path)?;
    let named = |error: io::Error| {
        let text = format!("`{}`: {error}", path.display());
        Error::Output(io::Error::new(error.kind(), text))
    };
    let path = &linked(path);
    let beside = match is_special(path) {
        true => None,
        false => temporary(folder_of(path), Readers::Usual).ok(),
    };
    let Some(mut file) = beside else {
        let mut out = io::BufWriter::new(File::create(path).map_err(named)?);
        write(&mut out)?;
        return out.flush().map_err(named);
    };
    let mut out = io::BufWriter::new(file.as_file_mut());
    write(&mut out)?;
    out.flush().map_err(named)?;
    drop(out);
    file.as_file().sync_all().map_err(named)?;
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(())
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
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
        let written = replace(&self.path, &self.bytes, self.readers);
        written.map_err(|error| Unwritten::at(&self.path, error))
    }
}

/// Replaces the content of a file, or of its target if it is a link. Readers see either the old or
/// the new content, even after a crash. Pipes, devices and files in a read-only folder are written
/// to directly.
fn replace(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let path = &linked(path);
    let special = is_special(path);
    let beside = if special { None } else { temporary(folder_of(path), readers).ok() };
    let Some(mut file) = beside else {
        #[cfg(unix)]
        if readers == Readers::Owner && !special {
            // The file existed before, with its old permissions.
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

/// Creates a temporary file with the permissions for its readers.
pub(crate) fn temporary(folder: &Path, readers: Readers) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".judge-");
    // By default, only the owner can read a temporary file.
    #[cfg(unix)]
    if readers == Readers::Usual {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = readers;
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn writing_through_a_link_replaces_its_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("there")).expect("a folder");
        std::fs::write(path("there/file"), "old").expect("written");
        for (target, link) in [("there/file", "link"), ("link", "twice"), ("there/new", "dangling")]
        {
            std::os::unix::fs::symlink(target, path(link)).expect("a link");
        }
        for (link, file) in
            [("link", "there/file"), ("twice", "there/file"), ("dangling", "there/new")]
        {
            can_write(&path(link)).expect("can be written");
            assert!(link != "dangling" || !path(file).exists(), "only looked at");
            write(&path(link), link).expect("written");
            assert!(path(link).is_symlink(), "{link}");
            assert_eq!(std::fs::read_to_string(path(file)).expect("a file"), link);
            let streamed = streamed(&path(link), &mut |out| Ok(out.write_all(b"streamed")?));
            assert!(streamed.is_ok() && path(link).is_symlink(), "{link}");
            assert_eq!(std::fs::read_to_string(path(file)).expect("a file"), "streamed");
        }
        std::os::unix::fs::symlink("loop", path("loop")).expect("a link");
        assert!(can_write(&path("loop")).is_err());
        // No other file is left, and links are still links.
        assert_eq!(std::fs::read_dir(path("there")).expect("a folder").count(), 2);
        assert!(is_special("/proc/self/fd/1".as_ref()) && !is_special(&path("link")));
    }

    #[test]
    fn several_files_are_replaced_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let edit = |name: &str| {
            let (before, after) = ("old".to_owned(), "new".to_owned());
            Edit { path: folder.path().join(name), before, after }
        };
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a text");
        for name in ["a", "b"] {
            std::fs::write(folder.path().join(name), "old").expect("written");
        }
        assert!(replace_all(&[edit("a"), edit("none/b")]).is_err());
        assert_eq!(text("a"), "old", "it fails before the first write");
        // A folder instead of a file is detected only at the replacement.
        std::fs::create_dir_all(folder.path().join("c/d")).expect("a folder");
        assert!(replace_all(&[edit("a"), edit("c")]).is_err());
        assert_eq!(text("a"), "old", "the old text is restored");
        assert!(replace_all(&[edit("a"), edit("b")]).is_ok());
        assert_eq!([text("a"), text("b")], ["new", "new"]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }
}
