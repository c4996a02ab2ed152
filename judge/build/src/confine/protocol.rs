//! What judge and worker say to each other: a task in a line of JSON, an answer in another, and behind
//! it the module.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::process::BuildFolder;
use super::toolchain::Toolchain;
use super::{Confined, ConfinedFailure, Staged, words};
use crate::error::{ENDLESS, ENORMOUS};
use crate::{Identity, Language};

/// Largest module that is taken from a worker: what intake refuses anyway ends there.
pub(super) const LARGEST_MODULE: usize = 16 << 20;

/// What a worker is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    /// The build's own folder.
    pub(super) folder: PathBuf,
    /// The source, from the folder `source` in it.
    pub(super) source: PathBuf,
    /// The name of a project, which has no file to take it from.
    pub(super) name: Option<String>,
    /// What may be read and run.
    pub(super) read: Vec<PathBuf>,
    /// Processor time of each process.
    pub(super) seconds: u64,
    /// True to put up the walls.
    pub(super) walls: bool,
    /// True to try them, and to build nothing.
    pub(super) try_walls: bool,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ChildReply {
    /// The walls stand, and there was nothing to build.
    Confined,
    /// The module follows.
    Built {
        /// Length of the module.
        bytes: usize,
        #[serde(skip)]
        module: Vec<u8>,
    },
    /// The source is to blame.
    Source { what: String, words: Option<String>, hint: Option<String> },
    /// The machine is.
    Machine { what: String, hint: Option<String> },
    /// The source took more processor time than there is.
    TooLong,
    /// A compiler did not get to its end.
    Crashed { what: String, hint: Option<String> },
    /// Something came in between that the source may have nothing to do with.
    Interrupted { what: String },
    /// The judge has stopped the worker; no worker says this of itself.
    #[serde(skip)]
    Stopped,
    /// So it has, as the files became too large.
    #[serde(skip)]
    TooLarge,
    /// The worker broke down; nor does one say this of itself.
    #[serde(skip)]
    BrokeDown,
}

impl Confined {
    /// What a worker is to do with a source.
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
    /// What the module says of itself, where its source does not.
    pub(super) fn identity(&self) -> Identity {
        Identity { name: self.name.clone(), ..Identity::default() }
    }
}

impl ChildReply {
    /// What a build without a module comes to if there was no room for it.
    pub(super) fn without_room(self) -> ChildReply {
        match self {
            ChildReply::Built { .. } | ChildReply::Confined => self,
            _ => ChildReply::Interrupted { what: "no space is left to build in".to_owned() },
        }
    }

    /// True for an answer that may come from a compiler whose own child was killed: these compilers then
    /// have the same exit status as for any mistake in a source.
    pub(super) fn may_hide_a_kill(&self, toolchain: &Toolchain) -> bool {
        let hides =
            matches!(toolchain.language, Some(Language::Go | Language::Zig)) || toolchain.is_zig();
        match self {
            ChildReply::Source { .. } => hides,
            ChildReply::Crashed { .. } | ChildReply::BrokeDown => true,
            _ => false,
        }
    }

    /// True for what the same source and compiler will come to again. A compiler that has crashed may have
    /// wanted memory that is there the next time.
    pub(super) fn is_lasting(&self) -> bool {
        match self {
            ChildReply::Source { words, .. } => {
                words.as_deref().is_some_and(|words| !words.trim().is_empty())
            }
            ChildReply::TooLong | ChildReply::TooLarge => true,
            _ => false,
        }
    }

    /// The module, or why there is none.
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
                let what = words.map_or(what.clone(), |words| format!("{what}\n{words}"));
                Err(ConfinedFailure::Source { what, hint })
            }
            ChildReply::Machine { what, hint } => Err(ConfinedFailure::Machine { what, hint }),
            ChildReply::TooLong | ChildReply::Stopped => Err(too_long(main, seconds)),
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

/// The source is to blame for a build without an end.
fn too_long(main: &Path, seconds: u64) -> ConfinedFailure {
    ConfinedFailure::Source {
        what: format!("`{}` took more than {seconds} s to compile", named(main)),
        hint: Some(ENDLESS.to_owned()),
    }
}

/// Walls that do not stand are nobody's fault but the machine's.
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
