//! Modules and tables by their hash: fetched from the database once, then read from the disk and
//! checked each time.

use std::fs::{DirBuilder, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use judge_core::{Digest, digest};
use sqlx::{PgPool, Row as _};

use crate::Error;

const READ: &str = "SELECT bytes FROM blob WHERE hash = $1";

/// The bytes that batches need.
#[derive(Debug)]
pub(super) struct Blobs {
    db: PgPool,
    folder: PathBuf,
}

impl Blobs {
    pub(super) fn new(db: PgPool, folder: &Path) -> Blobs {
        Blobs { db, folder: folder.to_owned() }
    }

    /// The bytes with that hash.
    pub(super) async fn bytes(&self, hash: &Digest) -> Result<Vec<u8>, Error> {
        let path = self.folder.join(hash.to_string());
        if let Ok(bytes) = tokio::task::block_in_place(|| std::fs::read(&path))
            && digest(&bytes) == *hash
        {
            return Ok(bytes);
        }
        let row = sqlx::query(READ).bind(hash.to_string()).fetch_optional(&self.db).await?;
        let bytes: Vec<u8> = match row {
            Some(row) => row.try_get("bytes")?,
            None => return Err(Error::NoBytes(hash.to_string())),
        };
        if digest(&bytes) != *hash {
            return Err(Error::NoBytes(format!("{hash} (the stored bytes have another hash)")));
        }
        if let Err(error) = tokio::task::block_in_place(|| keep(&path, &bytes)) {
            tracing::warn!(%error, "cannot write to the cache");
        }
        Ok(bytes)
    }
}

/// Writes a file as a whole or not at all.
fn keep(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut own = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut own, 0o700);
    own.recursive(true).create(folder)?;
    // A unique name, so that two processes never write to one part. The rename replaces a damaged
    // copy.
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let part = path.with_extension(format!("{:016x}.part", u64::from_le_bytes(random)));
    let written = File::create_new(&part)?.write_all(bytes);
    let kept = written.and_then(|()| std::fs::rename(&part, path));
    if kept.is_err() {
        // The failure is reported; a second one would say nothing new.
        let _ = std::fs::remove_file(&part);
    }
    kept
}
