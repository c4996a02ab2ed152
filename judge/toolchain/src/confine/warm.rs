//! Caches of compilers. A compiler builds its library at its first use, which takes seconds or a
//! minute. A confined build of the judge's own source does this, and shows that the compiler works
//! before an untrusted source is blamed.

use std::path::PathBuf;

use super::process::{BuildFolder, parts};
use super::toolchain::Toolchain;
use super::{Confined, ConfinedFailure, Staged};
use crate::Language;

impl Confined {
    /// The toolchain with a folder of its built libraries.
    pub(super) fn warmed_up(&self, toolchain: Toolchain) -> Result<Toolchain, ConfinedFailure> {
        let Some((name, text)) = toolchain.language.and_then(probe) else { return Ok(toolchain) };
        let key = format!("{} {} {name}", env!("CARGO_PKG_VERSION"), toolchain.stamp);
        let kept = self.cache.folder("confined");
        let kept = kept.map(|folder| folder.join(judge_core::digest(key.as_bytes()).to_string()));
        if let Some(kept) = kept.clone().filter(|kept| kept.is_dir()) {
            return Ok(Toolchain { warm: Some(kept), ..toolchain });
        }
        let main = PathBuf::from(name);
        let staged = Staged { files: vec![(main.clone(), text.as_bytes().to_vec())], main };
        let place = BuildFolder::new(&staged, &toolchain)?;
        let task = self.task(&place, &staged, &toolchain);
        let answer = self.ask(&place, &task, &toolchain)?;
        answer.module(&staged.main, &toolchain, self.seconds).map_err(|failure| {
            let hint = "it failed on the judge's own test source: reinstall it";
            let what = format!("the compiler does not work: {failure}");
            ConfinedFailure::Machine { what, hint: Some(hint.to_owned()) }
        })?;
        let [_, built] = parts(place.path());
        // If it cannot be kept, every build repeats the work.
        let warm = kept.filter(|kept| keep(&built, kept).is_ok());
        Ok(Toolchain { warm, ..toolchain })
    }
}

/// Moves the folder atomically; another process may have been faster.
fn keep(built: &std::path::Path, kept: &std::path::Path) -> std::io::Result<()> {
    let folder = kept.parent().unwrap_or(kept);
    let staging = tempfile::TempDir::with_prefix_in(".new-", folder)?;
    let place = staging.path().join("cache");
    super::process::copy(built, &place)?;
    match std::fs::rename(&place, kept) {
        Err(_) if kept.is_dir() => Ok(()),
        moved => moved,
    }
}

/// A bot that uses what most bots of its language need.
fn probe(language: Language) -> Option<(&'static str, &'static str)> {
    match language {
        Language::C => Some(("probe.c", include_str!("probes/probe.c"))),
        Language::Cpp => Some(("probe.cpp", include_str!("probes/probe.cpp"))),
        Language::Zig => Some(("probe.zig", include_str!("probes/probe.zig"))),
        Language::Go => Some(("probe.go", include_str!("probes/probe.go"))),
        Language::AssemblyScript => Some(("probe.ts", include_str!("probes/probe.ts"))),
        Language::JavaScript | Language::Python | Language::Text | Language::Rust => None,
    }
}
