//! A build of a source to a program for this machine.

use std::path::{Path, PathBuf};

use judge_toolchain::NativeBuilt;

use super::quoted_command;
use crate::Error;
use crate::bots::sources;

/// A built program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeProgram {
    built: NativeBuilt,
}

impl NativeProgram {
    /// Builds a source; by default to a file next to it.
    ///
    /// # Errors
    /// If the source does not exist, no compiler is found, compilation fails, or another file would
    /// be overwritten.
    pub fn build(
        source: &Path,
        out: Option<&PathBuf>,
        starting: &mut dyn FnMut(),
    ) -> Result<NativeProgram, Error> {
        let (out, defines) = (out.map(PathBuf::as_path), sources::defines());
        let built = judge_toolchain::build_native(source, out, defines, starting)?;
        Ok(NativeProgram { built })
    }

    /// The compiler's warnings, and remarks on the build.
    pub fn remarks(&self) -> &str {
        &self.built.remarks
    }

    /// The program, and the command that plays it.
    pub fn to_text(&self) -> String {
        let NativeBuilt { path, compiler, game, .. } = &self.built;
        let game = game.as_ref().map(|game| format!(" --game {game}"));
        format!(
            "built `{}` for this machine, by {compiler}\nplay it: judge play --native {}{}\n",
            path.display(),
            quoted_command(path),
            game.unwrap_or_else(|| " --game GAME".to_owned())
        )
    }
}
