//! Sources that students submitted. Each is built in a confined process, or not at all.

mod staging;
mod uploaded;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::{Blame, BotReport, Explanation, Refused, Verdict};
pub use judge_toolchain::confine::SECONDS;
use judge_toolchain::confine::{self, Confined, ConfinedFailure};
pub use judge_toolchain::{Cache, Scratch, are_projects_trusted, clear, trust_projects};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::submitted::SubmissionEntry;

pub use uploaded::{UploadBuilder, is_source_name};

/// The treatment of sources that students submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Building {
    /// Sources are not built, so only modules are graded.
    #[default]
    Never,
    /// Each is built in a confined process.
    Confined {
        /// Processor time of each process of a build.
        seconds: u64,
    },
    /// Each is built with all privileges of the user who runs the judge.
    Unconfined {
        /// Processor time of each process of a build.
        seconds: u64,
    },
}

impl Building {
    /// Converts a command's options.
    pub fn new(build: bool, unconfined: bool, seconds: u64) -> Building {
        match (build, unconfined) {
            (_, true) => Building::Unconfined { seconds },
            (true, false) => Building::Confined { seconds },
            (false, false) => Building::Never,
        }
    }

    /// True if sources count as submissions.
    pub(crate) fn is_wanted(self) -> bool {
        self != Building::Never
    }

    /// Returns the builder after a test of its confinement; none if nothing is built.
    pub(crate) fn open(self, workers: &Workers) -> Result<Option<Builder>, Error> {
        self.open_with(workers, Cache::of_user())
    }

    /// The same with another cache.
    fn open_with(self, workers: &Workers, cache: Cache) -> Result<Option<Builder>, Error> {
        let (walls, seconds) = match self {
            Building::Never => return Ok(None),
            Building::Confined { seconds } => (true, seconds),
            Building::Unconfined { seconds } => (false, seconds),
        };
        let arguments = ["worker", "--build"].map(OsString::from);
        let program = &workers.command.program;
        let confined = Confined::new(program, &arguments, walls, seconds, cache);
        Ok(Some(Builder { confined: confined? }))
    }
}

impl From<ConfinedFailure> for Error {
    fn from(failure: ConfinedFailure) -> Error {
        match failure {
            ConfinedFailure::Source { what, hint } => Error::Input { what, hint },
            ConfinedFailure::Machine { what, hint } => Error::Machine { what, hint },
        }
    }
}

/// Handles the one task from the judge that started this process. The first thread confines the
/// process, so no other thread may exist.
///
/// # Errors
/// If there is no task, or the answer cannot be sent.
pub fn serve() -> Result<(), Error> {
    let served = confine::serve(&mut std::io::stdin(), &mut std::io::stdout());
    served.map_err(|error| {
        Error::Judge(format!("cannot talk to the judge that started this build: {error}"))
    })
}

/// Builds submitted sources.
#[derive(Debug)]
pub(crate) struct Builder {
    confined: Confined,
}

impl Builder {
    /// Builds a source; none for an entry that is not a source.
    pub(crate) fn module(
        &self,
        path: &Path,
        entry: &SubmissionEntry,
    ) -> Option<Result<Vec<u8>, Refused>> {
        let staged = match entry {
            SubmissionEntry::Source => staging::of_file(path),
            SubmissionEntry::FolderWithSource(main) => staging::of_folder(path, main),
            _ => return None,
        };
        Some(staged.and_then(|staged| self.confined.build(&staged).map_err(refused)))
    }

    /// Builds all sources into files in a folder, as many at a time as there are workers; none for
    /// each entry that is not a source.
    pub(crate) fn modules(
        &self,
        sources: &[(PathBuf, SubmissionEntry)],
        jobs: usize,
        folder: &Scratch,
    ) -> Vec<Option<Result<PathBuf, Refused>>> {
        let next = AtomicUsize::new(0);
        let built = Mutex::new(vec![None; sources.len()]);
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, sources.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some((path, entry)) = sources.get(number) else { return };
                        let module = self.module(path, entry);
                        let file = folder.path().join(format!("{number}.wasm"));
                        let module = module.map(|module| written_module(module, file));
                        let mut built =
                            built.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        built[number] = module;
                    }
                });
            }
        });
        built.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The file of a graded bot for suggested commands. For another author's source it is the built
/// module, because a command with the source would build it unconfined. `named` is the bot as
/// given.
pub fn file_for_commands(report: &BotReport, named: &str) -> String {
    let (name, sha256) = (&report.bot.name, &report.bot.sha256);
    match Cache::of_user().kept_module(name, sha256) {
        Some(kept) => kept.display().to_string(),
        None if is_module_file(Path::new(named)) => named.to_owned(),
        None => "BOT.wasm".to_owned(),
    }
}

fn is_module_file(path: &Path) -> bool {
    path.is_file() && !judge_toolchain::is_source(path)
}

fn written_module(module: Result<Vec<u8>, Refused>, file: PathBuf) -> Result<PathBuf, Refused> {
    let written = std::fs::write(&file, module?);
    written.map(|()| file).map_err(|error| owed(Explanation::without_hint(error.to_string())))
}

/// Converts a failure to a refusal that states the party to blame.
fn refused(failure: ConfinedFailure) -> Refused {
    let explained = |what, hint| match hint {
        Some(hint) => Explanation::new(what, hint),
        None => Explanation::without_hint(what),
    };
    match failure {
        ConfinedFailure::Source { what, hint } => Refused::new(explained(what, hint)),
        ConfinedFailure::Machine { what, hint } => owed(explained(what, hint)),
    }
}

/// The refusal after a failure of the machine: the result is missing, and the student is not to
/// blame.
fn owed(why: Explanation) -> Refused {
    Refused { verdict: Verdict::JudgeError, blame: Blame::Judge, why, shows: None }
}
