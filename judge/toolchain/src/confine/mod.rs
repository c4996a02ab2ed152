//! Builds untrusted sources, each in a process that first drops its privileges: no network, no
//! files except the compiler's and its own, and bounds on time, memory, files and processes.
//!
//! The judge starts itself again as the [`worker`](serve). That process confines itself, tries the
//! forbidden actions, and only then reads the source. The compilers that it starts inherit the
//! confinement. The judge checks the reply like any untrusted input.

#[cfg(target_os = "linux")]
mod attempts;
#[cfg(target_os = "linux")]
mod calls;
mod child;
mod idle;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod paths;
mod process;
mod protocol;
mod toolchain;
mod warm;
mod words;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

pub use child::serve;
use judge_core::Digest;
use protocol::{ChildReply, Task};
use toolchain::Toolchain;

use crate::language::PROJECTS;
use crate::{BuildError, Cache, Language, clang, embedded, script};

/// Default processor-time limit of each process of a build, in seconds.
pub const SECONDS: u64 = crate::bounds::SECONDS;

/// Largest file of a source, in bytes.
pub const LARGEST_FILE: u64 = 1 << 20;

/// Most files in a source.
pub const MOST_FILES: usize = 500;

/// A submitted source: the content of its files, by their paths in its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staged {
    /// All files, including the main one.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The file to build, or the folder of a project (empty for the folder itself).
    pub main: PathBuf,
}

/// The reason why an untrusted source was not built.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ConfinedFailure {
    /// The source is at fault.
    #[error("{what}")]
    Source {
        /// The reason, and the compiler's output.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
    /// The machine is at fault: no compiler, no space, no confinement.
    #[error("{what}")]
    Machine {
        /// The reason.
        what: String,
        /// Advice.
        hint: Option<String>,
    },
}

/// Builds untrusted sources.
#[derive(Debug)]
pub struct Confined {
    /// The program that becomes a worker, and its arguments.
    program: PathBuf,
    arguments: Vec<OsString>,
    /// False for `--build-unconfined`.
    walls: bool,
    /// Processor time of each process.
    seconds: u64,
    cache: Cache,
    /// The toolchains, from the first source in their language.
    known: Mutex<BTreeMap<Language, Arc<FoundToolchain>>>,
}

/// The result of the search for a toolchain, once it is known.
type FoundToolchain = OnceLock<Result<Toolchain, ConfinedFailure>>;

/// Checks that the judge builds untrusted sources in this language.
///
/// # Errors
/// With the reason, when it does not.
pub fn offered(language: Language) -> Result<(), &'static str> {
    match language {
        Language::Rust => Err(
            "Rust is not built here: a project's `build.rs` and macros would run on this machine, \
             and its dependencies would have to be fetched",
        ),
        _ => Ok(()),
    }
}

impl Confined {
    /// Creates a builder with workers that run this command, and checks that confinement works.
    /// `walls` is false for `--build-unconfined`, which turns confinement off.
    ///
    /// # Errors
    /// When this machine cannot confine builds.
    pub fn new(
        program: &Path,
        arguments: &[OsString],
        walls: bool,
        seconds: u64,
        cache: Cache,
    ) -> Result<Confined, ConfinedFailure> {
        let (program, arguments) = (program.to_owned(), arguments.to_owned());
        let confined =
            Confined { program, arguments, walls, seconds, cache, known: Mutex::default() };
        confined.try_walls()?;
        Ok(confined)
    }

    /// Builds a source, or returns the cached result of the same files and compiler.
    ///
    /// # Errors
    /// When there is no module; the error says whether the source or the machine is at fault.
    pub fn build(&self, staged: &Staged) -> Result<Vec<u8>, ConfinedFailure> {
        let language = language_of(staged)?;
        if staged.main.to_str().is_none() {
            return Err(ConfinedFailure::Source {
                what: format!("`{}` is not valid UTF-8", staged.main.display()),
                hint: Some("use letters, digits, `-` and `_` in its name".to_owned()),
            });
        }
        let toolchain = self.toolchain(language)?;
        let key = staged.key(&toolchain);
        if let Some(kept) = self.cache.find(&key) {
            return Ok(kept.bytes);
        }
        let refused = format!("refused {} {key}", self.seconds);
        if let Some((what, hint)) =
            self.cache.find(&refused).and_then(|kept| cached_refusal(&kept.bytes))
        {
            return Err(ConfinedFailure::Source { what, hint });
        }
        let answer = self.build_again(staged, &toolchain)?;
        let is_lasting = answer.is_lasting();
        let built = answer.module(&staged.main, &toolchain, self.seconds);
        match &built {
            Ok(module) => self.cache.keep(&key, &[], module, ""),
            Err(ConfinedFailure::Source { what, hint }) if is_lasting => {
                let text = serde_json::to_vec(&(what, hint)).unwrap_or_default();
                self.cache.keep(&refused, &[], &text, "");
            }
            Err(_) => {}
        }
        built
    }

    fn build_again(
        &self,
        staged: &Staged,
        toolchain: &Toolchain,
    ) -> Result<ChildReply, ConfinedFailure> {
        let once = || {
            let place = process::BuildFolder::new(staged, toolchain)?;
            let killed = killed_for_memory();
            let answer = self.ask(&place, &self.task(&place, staged, toolchain), toolchain)?;
            if killed != killed_for_memory() && answer.may_hide_a_kill(toolchain) {
                let what = "the machine ran out of memory during a build".to_owned();
                return Ok(ChildReply::Interrupted { what });
            }
            Ok::<_, ConfinedFailure>(if place.is_full() { answer.without_room() } else { answer })
        };
        match once()? {
            // A busy machine may be the reason: try once more.
            ChildReply::Stopped
            | ChildReply::BrokeDown
            | ChildReply::Crashed { .. }
            | ChildReply::Interrupted { .. } => once(),
            answer => Ok(answer),
        }
    }

    /// Checks the confinement with a worker that builds nothing.
    fn try_walls(&self) -> Result<(), ConfinedFailure> {
        if !self.walls {
            return Ok(());
        }
        let staged = Staged::default();
        let toolchain = Toolchain::of_the_system();
        let place = process::BuildFolder::new(&staged, &toolchain)?;
        let task = Task { try_walls: true, ..self.task(&place, &staged, &toolchain) };
        match self.ask(&place, &task, &toolchain)? {
            ChildReply::Confined => Ok(()),
            ChildReply::Machine { what, hint } => Err(ConfinedFailure::Machine { what, hint }),
            _ => Err(protocol::no_walls("the worker did not say that it is confined")),
        }
    }
}

/// Number of processes that the system has killed since its start because it ran out of memory;
/// none if it does not count them.
fn killed_for_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/vmstat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
}

/// A cached refusal.
fn cached_refusal(bytes: &[u8]) -> Option<(String, Option<String>)> {
    serde_json::from_slice(bytes).ok()
}

/// The language of a submitted source, if the judge builds it.
fn language_of(staged: &Staged) -> Result<Language, ConfinedFailure> {
    let name = staged.main.display();
    let project = PROJECTS.iter().find(|(file, _)| staged.has(file));
    let language =
        project.map_or_else(|| Language::from_path(&staged.main), |(_, language)| Ok(*language));
    let language = language.map_err(|hint| ConfinedFailure::Source {
        what: format!("`{name}` is not a source that the judge can build"),
        hint: Some(hint),
    })?;
    offered(language).map(|()| language).map_err(|why| ConfinedFailure::Source {
        what: why.to_owned(),
        hint: Some("submit the built module".to_owned()),
    })
}

impl Staged {
    /// True if the folder to build has a file of this name.
    fn has(&self, name: &str) -> bool {
        let path = self.main.join(name);
        self.files.iter().any(|(file, _)| *file == path)
    }

    /// Cache key of this source with this toolchain.
    fn key(&self, toolchain: &Toolchain) -> String {
        let files = self.files.iter();
        let hashes: Vec<_> =
            files.map(|(path, bytes)| (path, judge_core::digest(bytes).to_string())).collect();
        // The quotes of `{:?}` keep names apart.
        let (version, inside) = (env!("CARGO_PKG_VERSION"), inside());
        let (flags, stamp, variables) =
            (clang::kit_flags(), &toolchain.stamp, &toolchain.variables);
        format!(
            "confined {version} {inside} {flags} {stamp} {variables:?} {:?} {hashes:?}",
            self.main
        )
    }
}

/// Hash of the embedded kits and interpreters, which differ between versions of the judge.
fn inside() -> Digest {
    static HASH: LazyLock<Digest> =
        LazyLock::new(|| embedded::hash(clang::kit_files().chain(script::embedded())));
    *HASH
}

impl From<BuildError> for ConfinedFailure {
    fn from(error: BuildError) -> ConfinedFailure {
        let what = error.to_string();
        let what = error.words().map_or(what.clone(), |words| words::below(&what, &words));
        ConfinedFailure::Machine { what, hint: error.hint() }
    }
}
