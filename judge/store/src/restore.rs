//! Replaces the database with a copy. The copy is first written next to the database and checked
//! there, so that a failure before the last step changes nothing.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sqlx::{AnyConnection, Connection as _};

use crate::address::{Address, sqlite_url};
use crate::basics::error::Error;
use crate::basics::time::Timestamp;
use crate::checksum;
use crate::file;
use crate::store::{Store, check, layout, lock};
use crate::summary::{Summary, count};

/// The first bytes of every SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Beginning of the names of folders in which copies are checked.
const PREFIX: &str = ".judge-restore-";

/// Suffixes of the files in which SQLite keeps changes that are not in the database's file yet.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// Suffix of SQLite's index of the log of changes, which it recreates when it is missing.
const INDEX: &str = "-shm";

/// SQLite's primary codes for a database that another process is using.
const IN_USE: [i64; 2] = [5, 6];

/// A database that was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The content of the database now.
    pub summary: Summary,
    /// The file with the previous database.
    pub before: Option<PathBuf>,
}

/// Replaces the database with a copy, brings its schema up to date, and keeps the previous database
/// under a name that contains this moment. A log of changes next to the copy is part of the copy.
///
/// # Errors
/// When the database is in use, the copy cannot be used, the disk is full, or the database is in
/// PostgreSQL, which has programs for this.
pub async fn restore(address: &Address, copy: &Path, now: Timestamp) -> Result<Restored, Error> {
    sqlx::any::install_default_drivers();
    let Address::Sqlite(path) = address else {
        let hint = "`pg_restore` puts a copy of a PostgreSQL database into a new database; name \
                    that one with `--database`";
        return Err(Error::Unsupported { what: "`restore` restores only SQLite databases", hint });
    };
    // A link to the database stays a link.
    let path = path.canonicalize().unwrap_or_else(|_| path.clone());
    let _lock = lock(&path)?;
    let _other = usable(copy, &path)?;
    let folder = file::folder(&path);
    let unusable = |source| Error::File { path: folder.to_owned(), source };
    sweep(folder).map_err(unusable)?;
    if let Some(log) = uncovered_log(copy) {
        let why = "its checksum does not cover the log of changes next to it";
        return Err(refused(copy, format!("{why}, `{}`", log.display())));
    }
    let place = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder).map_err(unusable)?;
    let new = place.path().join("judge.db");
    fetch(copy, &new)?;
    if !checksum::fits(&new, copy).map_err(unusable)? {
        let (why, sum) = ("it does not fit its checksum", checksum::checksum_file(copy));
        return Err(refused(copy, format!("{why} in `{}`", sum.display())));
    }
    let summary = prepare(&new, copy).await?;
    free(&path).await?;
    let before = put_in_place(&new, &path, now).map_err(unusable)?;
    Ok(Restored { summary, before })
}

/// Refuses a file that cannot be a copy, and a copy that a server uses. The returned lock keeps
/// servers from using it meanwhile.
fn usable(copy: &Path, path: &Path) -> Result<Option<File>, Error> {
    let unusable = |source| Error::File { path: copy.to_owned(), source };
    let real = copy.canonicalize().map_err(unusable)?;
    if !real.metadata().map_err(unusable)?.is_file() {
        return Err(refused(copy, "it is not a file"));
    }
    if is_same(&real, path).map_err(unusable)? {
        return Err(refused(copy, "it is the database itself"));
    }
    // A copy that no server has used has no lock file, and needs none.
    if !file::with_suffix(&real, ".lock").exists() {
        return Ok(None);
    }
    match lock(&real) {
        Err(Error::Busy { .. }) => Err(refused(copy, "a server is using it")),
        // A folder without write access has no running server.
        locked => Ok(locked.ok()),
    }
}

/// The log of changes next to a copy with a checksum. A copy is made without a log, so this one was
/// added later, and could change everything that the checksum covers.
fn uncovered_log(copy: &Path) -> Option<PathBuf> {
    let has_checksum = checksum::checksum_file(copy).exists();
    let real = copy.canonicalize().ok().filter(|_| has_checksum)?;
    let mut logs = LOGS.iter().map(|suffix| file::with_suffix(&real, suffix));
    logs.find(|log| log.metadata().is_ok_and(|found| found.len() > 0))
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    if !other.exists() {
        return Ok(false);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let [one, other] = [one.metadata()?, other.metadata()?];
        Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
    }
    #[cfg(not(unix))]
    Ok(one == other.canonicalize()?)
}

fn refused(copy: &Path, why: impl Into<String>) -> Error {
    Error::Copy { path: copy.to_owned(), why: why.into() }
}

/// Removes folders that a killed process left behind. The lock ensures that no other process is
/// using them.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Copies a file and its logs of changes.
fn fetch(copy: &Path, new: &Path) -> Result<(), Error> {
    let at = |path: &Path| {
        let path = path.to_owned();
        |source| Error::File { path, source }
    };
    let real = copy.canonicalize().map_err(at(copy))?;
    for suffix in ["", LOGS[0], LOGS[1]] {
        let (from, to) = (file::with_suffix(&real, suffix), file::with_suffix(new, suffix));
        if suffix.is_empty() || from.exists() {
            let mut from = File::open(&from).map_err(at(&from))?;
            io::copy(&mut from, &mut file::create(&to)?).map_err(at(file::folder(new)))?;
        }
    }
    Ok(())
}

/// Checks a copy, brings its schema up to date, and waits until it is on the disk as one file.
async fn prepare(new: &Path, copy: &Path) -> Result<Summary, Error> {
    if let Some(why) = check::copy(new).await? {
        return Err(refused(copy, why));
    }
    match Store::open(&Address::Sqlite(new.to_owned())).await {
        Ok(store) => store.close().await,
        Err(Error::Newer { .. }) => {
            return Err(refused(copy, "it was written by a later version"));
        }
        Err(Error::Schema(error)) => {
            return Err(refused(copy, format!("its schema cannot be brought up to date: {error}")));
        }
        Err(error) => return Err(error),
    }
    if let Some(what) = layout::difference(new).await? {
        return Err(refused(copy, format!("it is damaged or incomplete: {what}")));
    }
    let summary = count(new).await?;
    let unusable = |source| Error::File { path: file::folder(new).to_owned(), source };
    if LOGS.iter().any(|suffix| file::with_suffix(new, suffix).exists()) {
        return Err(unusable(io::Error::other("the log of changes cannot be written back")));
    }
    let synced = File::options().write(true).open(new).and_then(|file| file.sync_all());
    synced.map_err(unusable)?;
    Ok(summary)
}

/// Writes the log of changes of the present database into its file, which is refused
/// while others use it. A damaged database keeps its log.
async fn free(path: &Path) -> Result<(), Error> {
    if !is_database(path) {
        return Ok(());
    }
    let freed = async {
        let mut connection = AnyConnection::connect(&sqlite_url(path, false)).await?;
        let freed = sqlx::query("PRAGMA journal_mode = DELETE").execute(&mut connection).await;
        connection.close().await?;
        freed.map(|_| ())
    };
    let error = freed.await.err();
    let code = error.as_ref().and_then(|error| error.as_database_error()?.code());
    let code = code.and_then(|code| code.parse::<i64>().ok());
    match code {
        Some(code) if IN_USE.contains(&(code & 0xff)) => Err(Error::Busy { path: path.to_owned() }),
        _ => Ok(()),
    }
}

/// True for a file that begins like a database. SQLite removes the logs next to any other file when
/// it opens that.
fn is_database(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut start));
    read.is_ok() && start == *MAGIC
}

/// Moves the present database aside and the new one to its place. A complete database exists at
/// each moment: the old one keeps its name until the new one takes it.
fn put_in_place(new: &Path, path: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let folder = file::folder(path);
    let before = free_name(path, now);
    let is_there = path.symlink_metadata().is_ok();
    for suffix in LOGS {
        keep(&file::with_suffix(path, suffix), &file::with_suffix(&before, suffix))?;
    }
    keep(path, &before)?;
    file::sync_folder(folder)?;
    for suffix in [LOGS[0], LOGS[1], INDEX] {
        remove(&file::with_suffix(path, suffix))?;
    }
    // Never a new database with an old log, which SQLite would write into it.
    file::sync_folder(folder)?;
    std::fs::rename(new, path)?;
    file::sync_folder(folder)?;
    Ok(is_there.then_some(before))
}

/// An unused file name: `judge.db.before-2026-11-25T18-05-03Z`.
fn free_name(path: &Path, now: Timestamp) -> PathBuf {
    let date = now.to_string().replace(':', "-");
    let numbers =
        std::iter::once(String::new()).chain((2..).map(|number: u32| format!("-{number}")));
    let mut names =
        numbers.map(|number| file::with_suffix(path, &format!(".before-{date}{number}")));
    let is_free = |name: &PathBuf| {
        let taken = |suffix: &&str| file::with_suffix(name, suffix).symlink_metadata().is_ok();
        !["", LOGS[0], LOGS[1]].iter().any(taken)
    };
    names.find(is_free).unwrap_or_else(|| path.with_extension("before"))
}

/// Gives a file a second name, or renames it if the file system has no links.
fn keep(path: &Path, name: &Path) -> io::Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    match std::fs::hard_link(path, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => std::fs::rename(path, name),
        linked => linked,
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
