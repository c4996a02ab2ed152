//! Builds of submitted sources: a few at a time over all accounts, and one per account.

use std::sync::{Arc, OnceLock};

use judge_core::Refused;
use judge_runner::bots::builds::{UploadBuilder, is_source_name};
use judge_store::PersonId;

use crate::turns::{AccountTurns, TooManyRequests};

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
    /// When there is no module.
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
