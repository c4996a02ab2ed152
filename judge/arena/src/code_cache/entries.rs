//! The entries in a folder: a seal, the compile time and the machine code.

use std::path::Path;
use std::time::Duration;

use super::folder::{FolderEntry, PrivateFolder};
use super::seal::{SEAL_BYTES, UserKey};
use super::{CacheError, CacheUse, CachedCode};

/// Most bytes of one entry's machine code.
pub(super) const MAX_ENTRY_BYTES: usize = 64 << 20;

/// Length of an entry's name: a digest in hexadecimal digits.
const NAME_LENGTH: usize = 64;

/// Bytes of the compile time.
const TIME_BYTES: usize = 8;

/// Counts the entries. Makes folder and key if they are missing.
pub(super) fn count(folder: &Path) -> Result<CacheUse, CacheError> {
    let (folder, _) = open(folder)?;
    let entries = list(&folder)?;
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    Ok(CacheUse { entries: entries.len(), bytes })
}

/// Reads an entry; none if it is missing or not genuine.
pub(super) fn find(folder: &Path, name: &str) -> Option<CachedCode> {
    let (folder, key) = open(folder).ok()?;
    let mut entry = folder.read(name, SEAL_BYTES + TIME_BYTES + MAX_ENTRY_BYTES).ok()??;
    let (seal, content) = entry.split_first_chunk::<SEAL_BYTES>()?;
    if !key.has_sealed(name, content, seal) {
        return None;
    }
    let nanoseconds = u64::from_le_bytes(*content.first_chunk::<TIME_BYTES>()?);
    entry.drain(..SEAL_BYTES + TIME_BYTES);
    // Only the order of removal depends on it.
    let _ = folder.touch(name);
    Some(CachedCode { code: entry, compile_time: Duration::from_nanos(nanoseconds) })
}

/// Writes an entry, and removes others if there are more than `max_bytes` of them. Returns false for
/// an entry that is too large.
pub(super) fn keep(
    folder: &Path,
    name: &str,
    made: &CachedCode,
    max_bytes: u64,
) -> Result<bool, CacheError> {
    if made.code.len() > MAX_ENTRY_BYTES {
        return Ok(false);
    }
    let (folder, key) = open(folder)?;
    let nanoseconds = u64::try_from(made.compile_time.as_nanos()).unwrap_or(u64::MAX);
    let content = [&nanoseconds.to_le_bytes()[..], &made.code].concat();
    folder.replace(name, &[&key.seal(name, &content)[..], &content])?;
    prune(&folder, max_bytes)?;
    Ok(true)
}

/// Removes an entry, if it is there.
pub(super) fn remove(folder: &Path, name: &str) {
    if let Ok((folder, _)) = open(folder) {
        folder.remove(name);
    }
}

fn open(folder: &Path) -> Result<(PrivateFolder, UserKey), CacheError> {
    let folder = PrivateFolder::open(folder)?;
    let key = UserKey::read_or_make(&folder)?;
    Ok((folder, key))
}

/// Removes the entries that were unused for the longest time, until the rest fits.
fn prune(folder: &PrivateFolder, max_bytes: u64) -> Result<(), CacheError> {
    let mut entries = list(folder)?;
    entries.sort_by(|one, other| (one.used, &one.name).cmp(&(other.used, &other.name)));
    let mut sum: u64 = entries.iter().map(|entry| entry.bytes).sum();
    for entry in &entries {
        if sum <= max_bytes {
            break;
        }
        folder.remove(&entry.name);
        sum -= entry.bytes;
    }
    Ok(())
}

/// The entries, without the key. A temporary file of a process that was killed counts as one, so
/// that it is removed in its turn.
fn list(folder: &PrivateFolder) -> Result<Vec<FolderEntry>, CacheError> {
    let mut found = folder.list()?;
    found.retain(|entry| entry.name.len() >= NAME_LENGTH);
    Ok(found)
}
