//! Cache of earlier builds. The key is the content of all inputs.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use judge_core::{Digest, digest};
use serde::{Deserialize, Serialize};

/// Most files in the cache.
const MOST: usize = 400;

/// Most bytes of all files in the cache.
const MOST_BYTES: u64 = 256 << 20;

/// Folder of earlier builds; none disables the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache(Option<PathBuf>);

/// The first line of an entry; the bytes follow it.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Inputs that the key does not cover, and the hashes of their content.
    inputs: Vec<(PathBuf, String)>,
    remarks: String,
    sha256: String,
}

/// Content of an entry.
pub(crate) struct CacheEntry {
    pub(crate) bytes: Vec<u8>,
    pub(crate) remarks: String,
}

impl Cache {
    /// The user's cache: in `$JUDGE_CACHE`, or in the system's folder for caches.
    pub fn of_user() -> Cache {
        Cache(Cache::folder_of_user().map(|folder| folder.join("build")))
    }

    /// The folder for the user's caches; none if the system has none.
    pub fn folder_of_user() -> Option<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let absolute = |path: &PathBuf| path.is_absolute();
        let system = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            variable("HOME").map(|home| home.join("Library/Caches"))
        } else {
            let home = || variable("HOME").map(|home| home.join(".cache"));
            variable("XDG_CACHE_HOME").filter(absolute).or_else(home)
        };
        let system = system.filter(absolute).map(|folder| folder.join("judge"));
        variable("JUDGE_CACHE").filter(absolute).or(system)
    }

    /// A cache in the given folder.
    pub fn at(folder: &Path) -> Cache {
        Cache(Some(folder.to_owned()))
    }

    /// No cache: every source is built again.
    pub fn none() -> Cache {
        Cache(None)
    }

    /// A folder inside for a compiler's own cache.
    pub(crate) fn folder(&self, name: &str) -> Option<PathBuf> {
        let folder = self.0.as_ref()?.join(name);
        std::fs::create_dir_all(&folder).ok()?;
        Some(folder)
    }

    /// Keeps a module built from another author's source, and returns its file. Commands take this
    /// file, so that the source is never built again. None if it cannot be kept.
    pub fn keep_module(&self, name: &str, module: &[u8]) -> Option<PathBuf> {
        let path = self.module_file(name, &digest(module))?;
        self.write(&path, &[module]).ok()?;
        Some(path)
    }

    /// The file of a kept module; none if the cache has none.
    pub fn kept_module(&self, name: &str, sha256: &Digest) -> Option<PathBuf> {
        self.module_file(name, sha256).filter(|path| path.is_file())
    }

    fn module_file(&self, name: &str, sha256: &Digest) -> Option<PathBuf> {
        const LONGEST: usize = 100;
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = name.chars().map(plain).take(LONGEST / 4).collect();
        let file = format!("{name}-{}.wasm", sha256.short());
        Some(self.0.as_ref()?.join("built").join(file))
    }

    /// The entry for a key, if all other inputs are unchanged.
    pub(crate) fn find(&self, key: &str) -> Option<CacheEntry> {
        let path = self.entry(key)?;
        let entry = std::fs::read(&path).ok()?;
        let end = entry.iter().position(|byte| *byte == b'\n')?;
        let head: Head = serde_json::from_slice(&entry[..end]).ok()?;
        let bytes = entry[end + 1..].to_vec();
        let same = |(path, sha256): &(PathBuf, String)| hash_of(path).as_ref() == Some(sha256);
        let whole = digest(&bytes).to_string() == head.sha256;
        if !whole || !head.inputs.iter().all(same) {
            return None;
        }
        // Pruning removes the oldest entries; this one is in use.
        let file = std::fs::File::options().append(true).open(&path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        Some(CacheEntry { bytes, remarks: head.remarks })
    }

    /// Stores an entry. An unwritable cache is not an error.
    pub(crate) fn keep(&self, key: &str, inputs: &[PathBuf], bytes: &[u8], remarks: &str) {
        let inputs: Option<Vec<_>> =
            inputs.iter().map(|path| Some((path.clone(), hash_of(path)?))).collect();
        let (Some(path), Some(inputs)) = (self.entry(key), inputs) else { return };
        let (remarks, sha256) = (remarks.to_owned(), digest(bytes).to_string());
        let Ok(head) = serde_json::to_vec(&Head { inputs, remarks, sha256 }) else { return };
        let _ = self.write(&path, &[&head, b"\n", bytes]);
    }

    fn write(&self, path: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
        let Some(folder) = path.parent() else { return Ok(()) };
        std::fs::create_dir_all(folder)?;
        prune(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.persist(path)?;
        Ok(())
    }

    fn entry(&self, key: &str) -> Option<PathBuf> {
        let name = digest(key.as_bytes()).to_string();
        Some(self.0.as_ref()?.join("modules").join(name))
    }
}

fn hash_of(path: &Path) -> Option<String> {
    Some(digest(&std::fs::read(path).ok()?).to_string())
}

/// Removes the entries that were unused for the longest time.
fn prune(folder: &Path) -> std::io::Result<()> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        found.push((metadata.modified()?, entry.path(), metadata.len()));
    }
    // The newest come first.
    found.sort_by(|one, other| other.cmp(one));
    let mut bytes = 0;
    let kept = found.iter().take(MOST).take_while(|(.., size)| {
        bytes += size;
        bytes <= MOST_BYTES
    });
    let kept = kept.count();
    found.iter().skip(kept).try_for_each(|(_, path, _)| std::fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_entry_is_valid_while_its_inputs_are_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(&folder.path().join("cache"));
        let header = folder.path().join("own.h");
        std::fs::write(&header, "1").expect("written");
        assert!(cache.find("key").is_none());
        cache.keep("key", std::slice::from_ref(&header), b"module", "a remark");
        let kept = cache.find("key").expect("it is there");
        assert_eq!((kept.bytes.as_slice(), kept.remarks.as_str()), (&b"module"[..], "a remark"));
        assert!(cache.find("other").is_none());
        std::fs::write(&header, "2").expect("written");
        assert!(cache.find("key").is_none(), "a header is another one");
        std::fs::write(&header, "1").expect("written");
        assert!(cache.find("key").is_some());
    }

    #[test]
    fn a_cached_module_is_found_by_its_hash() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        let name = "../../éve; rm -rf";
        let kept = cache.keep_module(name, b"module").expect("kept");
        assert_eq!(std::fs::read(&kept).expect("read"), b"module");
        assert!(kept.starts_with(folder.path().join("built")), "{}", kept.display());
        assert_eq!(cache.kept_module(name, &digest(b"module")), Some(kept));
        assert_eq!(cache.kept_module(name, &digest(b"other")), None);
        assert_eq!(Cache::none().keep_module(name, b"module"), None);
    }

    #[test]
    fn a_damaged_cache_entry_is_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        cache.keep("key", &[], b"module", "");
        let path = cache.entry("key").expect("a path");
        let mut bytes = std::fs::read(&path).expect("read");
        bytes.pop();
        std::fs::write(&path, bytes).expect("written");
        assert!(cache.find("key").is_none());
    }

    #[test]
    fn entries_unused_for_long_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..MOST + 3 {
            std::fs::write(folder.path().join(number.to_string()), "").expect("written");
        }
        prune(folder.path()).expect("pruned");
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), MOST);
    }

    #[test]
    fn entries_of_more_than_the_most_bytes_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let listed = || std::fs::read_dir(folder.path()).expect("listed").count();
        for number in 0..5 {
            let file = std::fs::File::create(folder.path().join(number.to_string()));
            file.expect("created").set_len(MOST_BYTES / 3).expect("sized");
        }
        prune(folder.path()).expect("pruned");
        assert_eq!(listed(), 3);
        prune(folder.path()).expect("pruned");
        assert_eq!(listed(), 3);
    }
}
