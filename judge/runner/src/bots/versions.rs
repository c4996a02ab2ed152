//! Versions of a user's own bots, which are kept in the user's cache so that a new version can be
//! compared with an earlier one.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use judge_core::{Digest, digest};
use judge_toolchain::Cache;

use crate::Error;
use crate::bots::BotSource;

/// Most versions of a bot that are kept.
const MOST: usize = 20;

/// Most bots with versions that are kept.
const MOST_BOTS: usize = 100;

/// The kept versions of a bot, which its path identifies.
#[derive(Debug)]
pub(crate) struct Versions {
    folder: PathBuf,
}

/// A kept version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    /// Its position in the order in which the versions were built.
    number: u64,
    /// The module's file.
    pub(crate) path: PathBuf,
}

impl Versions {
    /// The versions of the bot with that path; none if the user has no folder for caches.
    pub(crate) fn of_bot(bot: &Path) -> Option<Versions> {
        Some(Versions::in_folder(&Cache::folder_of_user()?.join("versions"), bot))
    }

    fn in_folder(all: &Path, bot: &Path) -> Versions {
        let whole = bot.canonicalize().unwrap_or_else(|_| bot.to_owned());
        let key = digest(whole.as_os_str().as_encoded_bytes());
        Versions { folder: all.join(key.to_string()) }
    }

    /// Keeps a module as the newest version. A folder that cannot be written is not an error,
    /// because nothing but a later comparison needs it.
    pub(crate) fn keep(&self, module: &[u8]) {
        let _ = self.keep_or_fail(module);
    }

    fn keep_or_fail(&self, module: &[u8]) -> std::io::Result<()> {
        let kept = self.all();
        let sha256 = digest(module);
        let number = kept.first().map_or(1, |newest| newest.number + 1);
        let path = self.folder.join(format!("{number:06}-{}.wasm", sha256.short()));
        match kept.iter().position(|version| version.has(&sha256)) {
            Some(0) => return Ok(()),
            Some(at) => return std::fs::rename(&kept[at].path, path),
            None => {}
        }
        std::fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        std::io::Write::write_all(&mut file, module)?;
        file.persist(path)?;
        kept.iter().skip(MOST - 1).try_for_each(|version| std::fs::remove_file(&version.path))?;
        remove_oldest_bots(self.folder.parent().unwrap_or(&self.folder))
    }

    /// All versions, newest first.
    fn all(&self) -> Vec<Version> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut all: Vec<Version> =
            entries.filter_map(|entry| Version::from_path(entry.path())).collect();
        all.sort_by_key(|version| std::cmp::Reverse(version.number));
        all
    }

    /// The version that is `back` versions older than a module, from 1.
    pub(crate) fn before(&self, module: &Digest, back: usize) -> Option<Version> {
        let mut others = self.all().into_iter().filter(|version| !version.has(module));
        others.nth(back.checked_sub(1)?)
    }
}

impl Version {
    /// The version in a file; none if the name is not that of a version.
    fn from_path(path: PathBuf) -> Option<Version> {
        let name = path.file_name()?.to_str()?.strip_suffix(".wasm")?;
        let number = name.split_once('-')?.0.parse().ok()?;
        Some(Version { number, path })
    }

    fn has(&self, module: &Digest) -> bool {
        self.path.to_string_lossy().ends_with(&format!("-{}.wasm", module.short()))
    }
}

/// Number of versions back that a player's name stands for: `previous` and `@N` do.
pub(crate) fn back(name: &str) -> Option<usize> {
    match name {
        "previous" => Some(1),
        name => name.strip_prefix('@')?.parse().ok(),
    }
}

/// The version that is that many versions before the new one.
pub(crate) fn earlier(new: &BotSource, back: usize) -> Result<BotSource, Error> {
    let identity = &new.submission.bot;
    let versions = Versions::of_bot(&new.path);
    let old = versions.and_then(|versions| versions.before(&identity.sha256, back));
    let old = old.ok_or_else(|| {
        let what = format!("no version {back} before the present `{}` is kept", new.path.display());
        let hint = "`judge build`, `grade`, `watch` and `compare` keep each version that they \
                    see; for others, name the file";
        Error::Input { what, hint: Some(hint.to_owned()) }
    })?;
    let name = format!("{}@{back}", identity.name);
    Ok(BotSource::new(&old.path, name, Error::read(&old.path)?))
}

/// Removes the versions of the bots that were built the longest time ago.
fn remove_oldest_bots(all: &Path) -> std::io::Result<()> {
    let mut bots: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(all)? {
        let entry = entry?;
        bots.push((entry.metadata()?.modified()?, entry.path()));
    }
    bots.sort();
    let many = bots.len().saturating_sub(MOST_BOTS);
    bots.iter().take(many).try_for_each(|(_, path)| std::fs::remove_dir_all(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(version: Option<Version>) -> Option<Vec<u8>> {
        Some(std::fs::read(version?.path).expect("it is kept"))
    }

    #[test]
    fn an_earlier_version_has_another_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let versions = Versions::in_folder(folder.path(), Path::new("bot.cpp"));
        assert_eq!(versions.before(&digest(b"one"), 1), None);
        for module in [&b"one"[..], b"two", b"two", b"three"] {
            versions.keep(module);
        }
        assert_eq!(versions.all().len(), 3, "equal content is kept once");
        let before = |module: &[u8], back| read(versions.before(&digest(module), back));
        assert_eq!(before(b"three", 1), Some(b"two".to_vec()));
        assert_eq!(before(b"three", 2), Some(b"one".to_vec()));
        assert_eq!(before(b"three", 3), None);
        assert_eq!(before(b"three", 0), None);
        assert_eq!(before(b"new", 1), Some(b"three".to_vec()), "it is not kept yet");
        versions.keep(b"one");
        assert_eq!(before(b"one", 1), Some(b"three".to_vec()), "an old version came back");
        let other = Versions::in_folder(folder.path(), Path::new("other.cpp"));
        assert_eq!(other.before(&digest(b"three"), 1), None);
    }

    #[test]
    fn the_oldest_versions_and_bots_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let versions = Versions::in_folder(folder.path(), Path::new("bot.cpp"));
        for number in 0..MOST as u64 + 5 {
            versions.keep(&number.to_le_bytes());
        }
        assert_eq!(versions.all().len(), MOST);
        let newest = MOST as u64 + 4;
        let oldest = versions.before(&digest(&newest.to_le_bytes()), MOST - 1);
        assert_eq!(read(oldest), Some(5u64.to_le_bytes().to_vec()));
        for number in 0..MOST_BOTS + 5 {
            Versions::in_folder(folder.path(), Path::new(&number.to_string())).keep(b"module");
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), MOST_BOTS);
    }
}
