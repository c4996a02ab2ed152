//! Builds the native forms of a C++ sample bot with the kit's own script.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A C++ sample bot, built for this machine.
pub struct Native {
    /// A shared library with one function per callback.
    pub library: PathBuf,
    /// A program that communicates by lines.
    pub pipe: PathBuf,
    /// A program that plays rounds by itself, in C++ without lines.
    pub arcade: PathBuf,
}

impl Native {
    /// Builds the sample bot with that name into the target folder.
    ///
    /// # Errors
    /// The compiler's output, or a note that none is installed.
    pub fn build(bot: &str) -> Result<Native, String> {
        let folder = root().join("target/bench").join(bot);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let form = |form: &str, file: &str| {
            let out = folder.join(file);
            compile(bot, form, &out).map(|()| out)
        };
        Ok(Native {
            library: form("library", "bot.so")?,
            pipe: form("pipe", "pipe")?,
            arcade: form("arcade", "arcade")?,
        })
    }
}

fn compile(bot: &str, form: &str, out: &Path) -> Result<(), String> {
    let script = root().join("sdk/cpp/build-native.sh");
    let source = root().join("sample-bots").join(bot).join("brain.cpp");
    let output = Command::new(&script).arg(&source).arg(form).arg("-o").arg(out).output();
    let output = output.map_err(|error| format!("`{}`: {error}", script.display()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}
