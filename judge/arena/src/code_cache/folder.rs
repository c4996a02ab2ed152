//! A folder that only its owner can use. Files are opened relative to the checked folder and are
//! checked after opening, so no other process can swap them in between.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW};
use rustix::io::Errno;

use super::CacheError;

/// Prefix of files that are being written. Such a name is longer than any entry's.
const TEMPORARY: &str = "new-";

/// A file of the folder.
pub(super) struct FolderEntry {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// Time of the last use, in seconds and nanoseconds.
    pub(super) used: (i64, i64),
}

/// A folder of the current user without rights for others.
pub(super) struct PrivateFolder {
    path: PathBuf,
    folder: OwnedFd,
}

impl PrivateFolder {
    /// Opens the folder, and makes it if it is missing.
    ///
    /// # Errors
    /// When it is a link, belongs to another user, or has rights for others.
    pub(super) fn open(path: &Path) -> Result<PrivateFolder, CacheError> {
        let failed = |error: Errno| match error {
            Errno::LOOP | Errno::NOTDIR => CacheError::Kind(path.to_owned()),
            error => CacheError::System { path: path.to_owned(), source: error.into() },
        };
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::open(path, flags, Mode::empty());
        let folder = match open() {
            Err(Errno::NOENT) => {
                make(path).map_err(failed)?;
                open()
            }
            opened => opened,
        };
        let folder = folder.map_err(failed)?;
        let found = rustix::fs::fstat(&folder).map_err(failed)?;
        check(path, &found, FileType::Directory)?;
        Ok(PrivateFolder { path: path.to_owned(), folder })
    }

    /// The content of a file; none if it does not exist.
    ///
    /// # Errors
    /// As [`PrivateFolder::open`], and for a file of more than `most` bytes.
    pub(super) fn read(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, CacheError> {
        // Opening a pipe must not block.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.folder, name, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(CacheError::Kind(self.path.join(name))),
            opened => opened.map_err(|error| self.failed(name, error.into()))?,
        };
        let found = rustix::fs::fstat(&file).map_err(|error| self.failed(name, error.into()))?;
        check(&self.path.join(name), &found, FileType::RegularFile)?;
        let size = usize::try_from(found.st_size).unwrap_or(usize::MAX);
        if size > most {
            return Err(CacheError::Size(self.path.join(name)));
        }
        let mut bytes = Vec::with_capacity(size);
        let read = File::from(file).take(most as u64).read_to_end(&mut bytes);
        read.map_err(|error| self.failed(name, error))?;
        Ok(Some(bytes))
    }

    /// Writes a file in place of any other. A reader sees the old or the new one as a whole.
    pub(super) fn replace(&self, name: &str, parts: &[&[u8]]) -> Result<(), CacheError> {
        let temporary = self.write_temporary(name, parts)?;
        let renamed = rustix::fs::renameat(&self.folder, &temporary, &self.folder, name);
        renamed.map_err(|error| {
            self.remove(&temporary);
            self.failed(name, error.into())
        })
    }

    /// Writes a file unless there is one; returns true if it did.
    pub(super) fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, CacheError> {
        let temporary = self.write_temporary(name, &[bytes])?;
        let (folder, flags) = (&self.folder, AtFlags::empty());
        let linked = rustix::fs::linkat(folder, &temporary, folder, name, flags);
        self.remove(&temporary);
        match linked {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(self.failed(name, error.into())),
        }
    }

    fn write_temporary(&self, name: &str, parts: &[&[u8]]) -> Result<String, CacheError> {
        let mut random = [0; 16];
        let filled = getrandom::fill(&mut random).map_err(io::Error::other);
        filled.map_err(|error| self.failed(name, error))?;
        let temporary = format!("{TEMPORARY}{name:0>64}-{:032x}", u128::from_le_bytes(random));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let (read, write) = (Mode::RUSR, Mode::WUSR);
        let file = rustix::fs::openat(&self.folder, &temporary, flags, read | write);
        let mut file = File::from(file.map_err(|error| self.failed(name, error.into()))?);
        match parts.iter().try_for_each(|part| file.write_all(part)) {
            Ok(()) => Ok(temporary),
            Err(error) => {
                self.remove(&temporary);
                Err(self.failed(name, error))
            }
        }
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, name: &str) {
        let _ = rustix::fs::unlinkat(&self.folder, name, AtFlags::empty());
    }

    /// Marks a file as used now.
    pub(super) fn touch(&self, name: &str) -> io::Result<()> {
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let times = Timestamps { last_access: now, last_modification: now };
        Ok(rustix::fs::utimensat(&self.folder, name, &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// The files of the folder.
    pub(super) fn list(&self) -> Result<Vec<FolderEntry>, CacheError> {
        let failed = |error: Errno| self.failed(".", error.into());
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            // Another process may have removed it.
            let Ok(stat) = rustix::fs::statat(&self.folder, name.as_str(), flags) else { continue };
            let bytes = u64::try_from(stat.st_size).unwrap_or_default();
            #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
            let used = (stat.st_mtime as i64, stat.st_mtime_nsec as i64);
            found.push(FolderEntry { name, bytes, used });
        }
        Ok(found)
    }

    /// An error of the system about a file.
    pub(super) fn failed(&self, name: &str, source: io::Error) -> CacheError {
        CacheError::System { path: self.path.join(name), source }
    }
}

/// Makes the folder for its owner only, and the folders above it with the usual rights.
fn make(path: &Path) -> Result<(), Errno> {
    if let Some(above) = path.parent() {
        let made = std::fs::create_dir_all(above);
        made.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    }
    match rustix::fs::mkdir(path, Mode::RWXU) {
        // Another process was faster.
        Err(Errno::EXIST) => Ok(()),
        made => made,
    }
}

/// Checks kind, owner and rights of an open file or folder.
fn check(path: &Path, found: &Stat, kind: FileType) -> Result<(), CacheError> {
    if FileType::from_raw_mode(found.st_mode) != kind {
        return Err(CacheError::Kind(path.to_owned()));
    }
    if found.st_uid != rustix::process::geteuid().as_raw() {
        return Err(CacheError::Owner(path.to_owned()));
    }
    if Mode::from_raw_mode(found.st_mode).intersects(Mode::RWXG | Mode::RWXO) {
        return Err(CacheError::Rights(path.to_owned()));
    }
    Ok(())
}
