//! Messages between judge and worker: a task as one line of JSON, the reply as another, followed by
//! the module.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::process::BuildFolder;
use super::toolchain::Toolchain;
use super::{Confined, ConfinedFailure, Staged, words};
use crate::error::{ENDLESS, ENORMOUS};
use crate::{Identity, Language};

/// Largest module from a worker. Intake would refuse a larger one anyway.
pub(super) const LARGEST_MODULE: usize = 4 << 20;

/// Seconds for which a build may only wait, without using processor time.
pub(super) const LONGEST_WAIT: u64 = 15;

/// A task for a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    /// The folder of this build.
    pub(super) folder: PathBuf,
    /// The source, relative to `source` in that folder.
    pub(super) source: PathBuf,
    /// The name of a project, which has no file name to use.
    pub(super) name: Option<String>,
    /// Paths that may be read and executed.
    pub(super) read: Vec<PathBuf>,
    /// Processor time of each process, in seconds.
    pub(super) seconds: u64,
    /// True to raise the walls.
    pub(super) walls: bool,
    /// True to only test the walls.
    pub(super) try_walls: bool,
}

/// A worker's reply, or the judge's own result instead of one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ChildReply {
    /// The walls are raised, and there was nothing to build.
    Confined,
    /// The module follows.
    Built {
        /// Length of the module.
        bytes: usize,
        #[serde(skip)]
        module: Vec<u8>,
    },
    /// The source is at fault.
    Source { what: String, words: Option<String>, hint: Option<String> },
    /// The machine is at fault.
    Machine { what: String, hint: Option<String> },
    /// The source exceeded the processor time.
    TooLong,
    /// A compiler did not finish.
    Crashed { what: String, hint: Option<String> },
    /// An event that may have nothing to do with the source.
    Interrupted { what: String },
    /// The judge stopped the worker. Never sent by a worker.
    #[serde(skip)]
    Stopped,
    /// The judge stopped the worker because it only waited.
    #[serde(skip)]
    Waited,
    /// The judge stopped the worker because its files became too large.
    #[serde(skip)]
    TooLarge,
    /// The worker crashed. Never sent by a worker.
    #[serde(skip)]
    #[cfg_attr(not(unix), expect(dead_code, reason = "a crash is known by its signal"))]
    BrokeDown,
}

impl Confined {
    /// The task to build a source.
    pub(super) fn task(&self, place: &BuildFolder, staged: &Staged, toolchain: &Toolchain) -> Task {
        let is_project = toolchain.language == Some(Language::Go) && staged.has("go.mod");
        Task {
            folder: place.path().to_owned(),
            source: staged.main.clone(),
            name: is_project.then(|| "bot".to_owned()),
            read: toolchain.read.clone(),
            seconds: self.seconds,
            walls: self.walls,
            try_walls: false,
        }
    }
}

impl Task {
    /// Fields for the module's manifest if the source has none.
    pub(super) fn identity(&self) -> Identity {
        Identity { name: self.name.clone(), ..Identity::default() }
    }
}

impl ChildReply {
    /// The result if the disk was full: a failed build becomes interrupted.
    pub(super) fn without_room(self) -> ChildReply {
        match self {
            ChildReply::Built { .. } | ChildReply::Confined => self,
            _ => ChildReply::Interrupted { what: "no space is left to build in".to_owned() },
        }
    }

    /// True for a reply that may come from a compiler with a killed child. These compilers then
    /// exit with the same status as for a mistake in the source.
    pub(super) fn may_hide_a_kill(&self, toolchain: &Toolchain) -> bool {
        let hides =
            matches!(toolchain.language, Some(Language::Go | Language::Zig)) || toolchain.is_zig();
        match self {
            ChildReply::Source { .. } => hides,
            ChildReply::Crashed { .. } | ChildReply::BrokeDown => true,
            _ => false,
        }
    }

    /// True if the same source and compiler will fail again. A compiler that crashed may find
    /// enough memory the next time.
    pub(super) fn is_lasting(&self) -> bool {
        match self {
            ChildReply::Source { words, .. } => {
                words.as_deref().is_some_and(|words| !words.trim().is_empty())
            }
            ChildReply::TooLong | ChildReply::TooLarge | ChildReply::Waited => true,
            _ => false,
        }
    }

    /// The module, or the reason for the failure.
    pub(super) fn module(
        self,
        main: &Path,
        toolchain: &Toolchain,
        seconds: u64,
    ) -> Result<Vec<u8>, ConfinedFailure> {
        match self {
            ChildReply::Built { module, .. } => Ok(module),
            ChildReply::Source { what, words, hint } => {
                let words = words.map(|words| words::cleaned(&words, toolchain));
                let what = words.map_or(what.clone(), |words| words::below(&what, &words));
                Err(ConfinedFailure::Source { what, hint })
            }
            ChildReply::Machine { what, hint } => Err(ConfinedFailure::Machine { what, hint }),
            ChildReply::TooLong | ChildReply::Stopped => Err(too_long(main, seconds)),
            ChildReply::Waited => Err(ConfinedFailure::Source {
                what: format!(
                    "the compiler only waited for {} s on `{}`",
                    LONGEST_WAIT.min(seconds),
                    named(main)
                ),
                hint: Some(
                    "look for included files that are not yours, for example below `/proc` or `/dev`"
                        .to_owned(),
                ),
            }),
            ChildReply::TooLarge => Err(ConfinedFailure::Source {
                what: format!("`{}` takes more than 1 GiB of files to build", named(main)),
                hint: Some(
                    "look for names, tables or generated code of enormous length".to_owned(),
                ),
            }),
            ChildReply::Crashed { what, hint } => Err(ConfinedFailure::Source { what, hint }),
            ChildReply::BrokeDown => Err(ConfinedFailure::Source {
                what: format!("`{}` needs more memory than a build has", named(main)),
                hint: Some(ENORMOUS.to_owned()),
            }),
            ChildReply::Interrupted { what } => Err(ConfinedFailure::Machine {
                what,
                hint: Some(
                    "free memory or disk space, or lower `--jobs`, then use `--resume`".to_owned(),
                ),
            }),
            ChildReply::Confined => Err(ConfinedFailure::Machine {
                what: "the build worker gave an unexpected answer".to_owned(),
                hint: None,
            }),
        }
    }
}

fn named(main: &Path) -> std::path::Display<'_> {
    let name = if main.as_os_str().is_empty() { Path::new("the project") } else { main };
    name.display()
}

/// The source is at fault for an endless build.
fn too_long(main: &Path, seconds: u64) -> ConfinedFailure {
    ConfinedFailure::Source {
        what: format!("`{}` took more than {seconds} s to compile", named(main)),
        hint: Some(ENDLESS.to_owned()),
    }
}

/// Missing walls are always the machine's fault.
pub(super) fn no_walls(why: &str) -> ConfinedFailure {
    ConfinedFailure::Machine {
        what: format!("cannot confine builds on this machine: {why}"),
        hint: Some(
            "this needs Linux 5.13 or newer with Landlock; grade elsewhere, or collect built \
             modules. `--build-unconfined` builds with all your privileges: only for sources that \
             you have read"
                .to_owned(),
        ),
    }
}
