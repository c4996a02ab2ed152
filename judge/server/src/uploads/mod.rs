//! Uploads of modules. Each is written to a file as it arrives, hashed, cut off at the size limit,
//! and read into memory only when intake inspects it. This bounds the number of simultaneous
//! uploads and their memory.

mod permits;
mod whole;

use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use judge_store::PersonId;
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use permits::{UploadPermit, UploadPermits};

pub use whole::{MAGIC, ends_early};

/// Largest module that can be submitted, in bytes: the limit of intake.
pub const MAX_UPLOAD: usize = 4 << 20;

/// Name of the folder in the data folder.
const FOLDER: &str = "uploads";

/// The folder and the permits for uploads.
#[derive(Debug)]
pub struct Uploads {
    folder: PathBuf,
    permits: UploadPermits,
}

/// An upload that failed.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// It is larger than the largest module.
    #[error("more than {MAX_UPLOAD} bytes")]
    TooLarge,
    /// The person has too many uploads under way.
    #[error("too many uploads from one person at a time")]
    TooMany,
    /// The disk is full.
    #[error("no room for an upload: {0}")]
    NoRoom(io::Error),
    /// The file cannot be used.
    #[error("cannot use the file of an upload: {0}")]
    File(#[source] io::Error),
}

impl From<io::Error> for UploadError {
    fn from(error: io::Error) -> UploadError {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            FileTooLarge | QuotaExceeded | StorageFull => UploadError::NoRoom(error),
            _ => UploadError::File(error),
        }
    }
}

impl Uploads {
    /// Uploads to a folder within the data folder.
    pub fn new(data: &Path) -> Uploads {
        Uploads { folder: data.join(FOLDER), permits: UploadPermits::default() }
    }

    /// Removes files that a killed server left behind. Files are unnamed if the system supports
    /// that; on other systems they must be removed.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Waits for a permit, and begins an upload.
    ///
    /// # Errors
    /// When the person has too many uploads under way, or the file cannot be created.
    pub async fn begin(&self, person: &PersonId) -> Result<Upload<'_>, UploadError> {
        let place = self.permits.take(person).await.ok_or(UploadError::TooMany)?;
        let folder = self.folder.clone();
        let made = tokio::task::spawn_blocking(move || {
            make_folder(&folder)?;
            tempfile::tempfile_in(&folder)
        });
        let file = made.await.map_err(io::Error::other)??;
        let (file, hash) = (File::from_std(file), Sha256::new());
        Ok(Upload { file, hash, size: 0, place })
    }
}

/// Creates a folder that only the server's account can open.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// An upload under way. Dropping it removes the file.
#[derive(Debug)]
pub struct Upload<'a> {
    file: File,
    hash: Sha256,
    size: usize,
    place: UploadPermit<'a>,
}

impl<'a> Upload<'a> {
    /// Adds the next bytes.
    ///
    /// # Errors
    /// When the upload becomes too large, or the file cannot be written.
    pub async fn add(&mut self, chunk: &[u8]) -> Result<(), UploadError> {
        self.size = self.size.saturating_add(chunk.len());
        if self.size > MAX_UPLOAD {
            return Err(UploadError::TooLarge);
        }
        self.hash.update(chunk);
        Ok(self.file.write_all(chunk).await?)
    }

    /// Ends the upload, and waits for one of the few permits to read a module.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn end(mut self) -> Result<Arrived<'a>, UploadError> {
        self.file.flush().await?;
        let place = self.place.begin_to_read().await;
        let (file, hash) = (self.file.into_std().await, self.hash.finalize().into());
        Ok(Arrived { file, hash, size: self.size, _place: place })
    }
}

/// An uploaded module, with its permit to be read.
#[derive(Debug)]
pub struct Arrived<'a> {
    file: std::fs::File,
    hash: [u8; 32],
    size: usize,
    _place: UploadPermit<'a>,
}

impl Arrived<'_> {
    /// A function that reads the module, for a thread that may block. It fails when the file cannot
    /// be read or has changed. Keep `self` meanwhile, because it holds the permit.
    pub fn reader(&self) -> impl FnOnce() -> Result<Vec<u8>, UploadError> + Send + use<> {
        let (file, hash, size) = (self.file.try_clone(), self.hash, self.size);
        move || {
            let mut file = file?;
            file.rewind()?;
            let mut bytes = Vec::with_capacity(size);
            file.take(size as u64).read_to_end(&mut bytes)?;
            let is_same = <[u8; 32]>::from(Sha256::digest(&bytes)) == hash;
            let changed = || io::Error::other("the file has changed on the disk").into();
            if is_same { Ok(bytes) } else { Err(changed()) }
        }
    }
}

#[cfg(test)]
mod tests;
