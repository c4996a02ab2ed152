//! Builds of submitted sources: a few at a time over all accounts, and one per account.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use judge_core::Refused;
use judge_runner::bots::builds::{UploadBuilder, is_source_name};
use judge_store::PersonId;

use crate::turns::{AccountTurns, TooManyRequests};

/// Folder of built modules, in the data folder.
const BUILT: &str = "builds";

/// Folders of derived files, in the data folder: built modules with messages, and machine code.
const DERIVED: [&str; 2] = ["builds/modules", "code"];

/// Length of a file's name that is a hash.
const HASH_LENGTH: usize = 64;

/// The builder of this server, if it takes sources.
#[derive(Debug)]
pub struct SourceBuilds {
    turns: AccountTurns,
    builder: OnceLock<Arc<UploadBuilder>>,
}

/// The reason why a source was not built.
#[derive(Debug, thiserror::Error)]
pub enum BuildFailure {
    /// A source of this account is being built.
    #[error(transparent)]
    TooMany(#[from] TooManyRequests),
    /// The source has no module, or the machine failed.
    #[error("{}", .0.why)]
    Refused(Refused),
    /// The thread of the build ended early.
    #[error("a build ended early: {0}")]
    Thread(#[from] tokio::task::JoinError),
}

impl SourceBuilds {
    /// Allows that many builds at the same time, once there is a builder.
    pub fn new(room: usize) -> SourceBuilds {
        SourceBuilds { turns: AccountTurns::new(room, 1), builder: OnceLock::new() }
    }

    /// Takes sources from now on.
    pub fn open(&self, builder: UploadBuilder) {
        // A second builder would be the same.
        let _ = self.builder.set(Arc::new(builder));
    }

    /// Prepares the compilers in a separate thread, so that the first sources do not wait for them.
    pub fn warm_up(&self) {
        let Some(builder) = self.builder.get().map(Arc::clone) else { return };
        std::thread::spawn(move || {
            for (language, problem) in builder.warm_up() {
                tracing::warn!(%language, %problem, "sources in this language cannot be built");
            }
        });
    }

    /// The languages of sources that are built; none if the server takes only modules.
    pub fn languages(&self) -> Vec<&'static str> {
        let languages = self.builder.get().map(|builder| builder.languages());
        languages.into_iter().flatten().map(|language| language.title()).collect()
    }

    /// The languages as a list for a page; none if the server takes only modules.
    pub fn languages_in_words(&self) -> Option<String> {
        self.builder.get().map(|_| self.languages().join(", "))
    }

    /// The builder for a file of this name; none if it is not a source, or if the server takes only
    /// modules.
    pub fn builder(&self, file_name: &str) -> Option<Arc<UploadBuilder>> {
        self.builder.get().filter(|_| is_source_name(file_name)).map(Arc::clone)
    }

    /// Builds a source, as soon as there is room. The build keeps its room until it ends, even if
    /// the caller no longer waits for it.
    ///
    /// # Errors
    /// When the build fails.
    pub async fn module(
        &self,
        builder: Arc<UploadBuilder>,
        person: &PersonId,
        (file_name, source): (String, Vec<u8>),
    ) -> Result<Vec<u8>, BuildFailure> {
        let turn = self.turns.turn(person).await?;
        let build = move || {
            let built = builder.module(&file_name, source);
            drop(turn);
            built
        };
        tokio::task::spawn_blocking(build).await?.map_err(BuildFailure::Refused)
    }
}

/// An empty folder for built modules, which only the server's account can open.
///
/// # Errors
/// When the folder of the last run cannot be removed, or no new one can be created.
pub(crate) fn new_folder(data: &Path) -> std::io::Result<PathBuf> {
    let path = data.join(BUILT);
    match std::fs::remove_dir_all(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path)?;
    Ok(path)
}

/// Removes all files that were derived from submissions. They contain parts of sources and modules,
/// so none may outlive the erasure of a person. Builds and gradings make them again.
pub(crate) fn forget_derived(data: &Path) {
    for folder in DERIVED {
        let files = std::fs::read_dir(data.join(folder)).into_iter().flatten().flatten();
        // Their names are hashes. The key of the machine code has another name.
        for file in files.filter(|file| file.file_name().len() == HASH_LENGTH) {
            if let Err(error) = std::fs::remove_file(file.path()) {
                tracing::warn!(%error, "a file of an erased person may be left");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_files_are_removed_and_the_key_stays() {
        let data = tempfile::tempdir().expect("a folder");
        forget_derived(data.path());
        new_folder(data.path()).expect("made");
        let hash = "0".repeat(HASH_LENGTH);
        for folder in DERIVED {
            let folder = data.path().join(folder);
            std::fs::create_dir(&folder).expect("made");
            for name in ["key", &hash] {
                std::fs::write(folder.join(name), "x").expect("written");
            }
        }
        forget_derived(data.path());
        for folder in DERIVED.map(|folder| data.path().join(folder)) {
            assert!(folder.join("key").exists() && !folder.join(&hash).exists());
        }
        new_folder(data.path()).expect("emptied");
        assert_eq!(std::fs::read_dir(data.path().join(BUILT)).expect("listed").count(), 0);
    }
}
