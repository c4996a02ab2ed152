//! Machine code of modules, kept in the user's cache folder for later runs. Only the user can read
//! or write it, and each entry carries a seal under a key of that user. An entry that is damaged,
//! forged or from another user is the same as a missing one.

#[cfg(unix)]
mod entries;
#[cfg(unix)]
mod folder;
#[cfg(not(unix))]
mod no_entries;
#[cfg(unix)]
mod seal;

use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::{Digest, digest};
#[cfg(not(unix))]
use no_entries as entries;

/// Most bytes of all entries. Those that were unused for the longest time go first.
pub const MAX_CACHE_BYTES: u64 = 512 << 20;

/// The cache of one judge build in a folder. It opens the folder for each use, so the folder may be
/// deleted at any time.
#[derive(Debug, Clone)]
pub struct CodeCache {
    folder: PathBuf,
    /// Everything that the machine code of a module depends on, except the module.
    build: String,
    max_bytes: u64,
}

/// Machine code, and the cost of making it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CachedCode {
    pub(crate) code: Vec<u8>,
    /// Processor time of compiling. A submission that uses the entry pays as much as one that
    /// compiles.
    pub(crate) compile_time: Duration,
}

/// Content of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUse {
    /// Number of entries.
    pub entries: usize,
    /// Their size.
    pub bytes: u64,
}

/// The reason why a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The system refuses access.
    #[error("`{path}`: {source}")]
    System {
        /// The folder or file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A link, a device or the like is in its place.
    #[error("`{0}` is a link or of another kind than expected\nhint: remove it")]
    Kind(PathBuf),
    /// It belongs to another user.
    #[error("`{0}` belongs to another user\nhint: set `JUDGE_CACHE` to your own folder")]
    Owner(PathBuf),
    /// Other users have rights to it.
    #[error("`{0}` can be read or written by other users\nhint: remove it")]
    Rights(PathBuf),
    /// The file is larger than any entry.
    #[error("`{0}` is too large\nhint: remove it")]
    Size(PathBuf),
    /// The judge cannot check rights on this system.
    #[error("this system does not report which users can read a file")]
    Unsupported,
}

impl CodeCache {
    /// A cache in that folder for the build of this identity. The folder is made at first use.
    pub fn new(folder: PathBuf, identity: &str) -> CodeCache {
        let build = format!("{identity}; {}", judge_sandbox::machine_code_version());
        CodeCache { folder, build, max_bytes: MAX_CACHE_BYTES }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder and the key if they are missing, and counts the entries.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn check(&self) -> Result<CacheUse, CacheError> {
        entries::count(&self.folder)
    }

    /// The machine code of a module; none if it is missing or not genuine.
    pub(crate) fn find(&self, module: &Digest) -> Option<CachedCode> {
        entries::find(&self.folder, &self.name(module))
    }

    /// Keeps the machine code of a module; returns true if it did. A cache that cannot be written is
    /// not an error.
    pub(crate) fn keep(&self, module: &Digest, made: &CachedCode) -> bool {
        entries::keep(&self.folder, &self.name(module), made, self.max_bytes).unwrap_or(false)
    }

    /// Removes the machine code of a module.
    pub(crate) fn remove(&self, module: &Digest) {
        entries::remove(&self.folder, &self.name(module));
    }

    /// Name of the entry for a module. Another build of the judge has another name for it.
    fn name(&self, module: &Digest) -> String {
        digest(format!("{module} by {}", self.build).as_bytes()).to_string()
    }
}

#[cfg(all(test, unix))]
mod tests;
