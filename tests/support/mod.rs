//! What the tests of the whole share: the binary, the sample bots, temporary files.
#![allow(dead_code, reason = "each test binary uses its part of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The judge under test, without the environment's say in colours.
pub(crate) fn judge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
    command.current_dir(root()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A bundled sample bot.
pub(crate) fn sample(name: &str) -> PathBuf {
    root().join("sample-bots/prebuilt").join(name).with_extension("wasm")
}

/// What a finished command printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Parses standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr))
    }
}

/// Runs the judge to its end.
pub(crate) fn run<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Ran {
    let Output { status, stdout, stderr } = judge().args(arguments).output().unwrap();
    Ran {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// Writes a file into a temporary folder and returns its path.
pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}
