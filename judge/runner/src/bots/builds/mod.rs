//! Sources of other authors, as they were submitted: each is built in a confined process, or not at all.

mod staging;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use judge_build::confine::SECONDS;
use judge_build::confine::{self, Confined, ConfinedFailure};
pub use judge_build::{Cache, Scratch, are_projects_trusted, clear, trust_projects};
use judge_core::{Blame, BotReport, Explanation, Refused, Verdict};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::handed_in::SubmissionEntry;

/// What happens to sources that somebody else has handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Building {
    /// They are not built: only modules count.
    #[default]
    Never,
    /// Each is built in a confined process.
    Confined {
        /// Processor time of each process of a build.
        seconds: u64,
    },
    /// Each is built with all rights of whoever runs the judge.
    Unconfined {
        /// Processor time of each process of a build.
        seconds: u64,
    },
}

impl Building {
    /// As the options of a command say it.
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

    /// What builds, with walls that were tried; none if nothing is built.
    pub(crate) fn open(self, workers: &Workers) -> Result<Option<Builder>, Error> {
        let (walls, seconds) = match self {
            Building::Never => return Ok(None),
            Building::Confined { seconds } => (true, seconds),
            Building::Unconfined { seconds } => (false, seconds),
        };
        let arguments = ["worker", "--build"].map(OsString::from);
        let program = &workers.command.program;
        let confined = Confined::new(program, &arguments, walls, seconds, Cache::of_user());
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

/// Does the one task that the judge which started this process has for it. The first thread confines
/// the process: there must be no other one.
///
/// # Errors
/// When there is no task, or nobody hears the answer.
pub fn serve() -> Result<(), Error> {
    let served = confine::serve(&mut std::io::stdin(), &mut std::io::stdout());
    served.map_err(|error| {
        Error::Judge(format!("cannot talk to the judge that started this build: {error}"))
    })
}

/// Builds what was handed in.
#[derive(Debug)]
pub(crate) struct Builder {
    confined: Confined,
}

impl Builder {
    /// The module of a source, or why there is none; none if it is no source.
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

    /// Builds all that are sources, as many at a time as there are workers, into files in a folder;
    /// none for each that is no source.
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
                        let module = module.map(|module| kept(module, file));
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

/// The file of a graded bot for commands: the module that was built of another author's source, never
/// that source, which the command would build unconfined. `named` is the bot as it was named.
pub fn file_for_commands(report: &BotReport, named: &str) -> String {
    let (name, sha256) = (&report.bot.name, &report.bot.sha256);
    match Cache::of_user().kept_module(name, sha256) {
        Some(kept) => kept.display().to_string(),
        None if is_module_file(Path::new(named)) => named.to_owned(),
        None => "BOT.wasm".to_owned(),
    }
}

fn is_module_file(path: &Path) -> bool {
    path.is_file() && !judge_build::is_source(path)
}

fn kept(module: Result<Vec<u8>, Refused>, file: PathBuf) -> Result<PathBuf, Refused> {
    let written = std::fs::write(&file, module?);
    written.map(|()| file).map_err(|error| owed(Explanation::without_hint(error.to_string())))
}

/// Converts a failure to a refusal that names who is to blame.
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

/// The machine has failed: there are no points yet, and no fault.
fn owed(why: Explanation) -> Refused {
    Refused { verdict: Verdict::JudgeError, blame: Blame::Judge, why, shows: None }
}
