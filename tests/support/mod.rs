//! What the tests of the whole share: the binary, the sample bots, temporary files.
#![allow(dead_code, reason = "each test binary uses its part of this")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The judge under test, without the environment's say in colours and summaries.
/// `JUDGE_BINARY` names another build of it, such as the one that is released.
pub(crate) fn judge() -> Command {
    let other = std::env::var_os("JUDGE_BINARY");
    let mut command = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_judge").into()));
    command.current_dir(root()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env_remove("GITHUB_STEP_SUMMARY");
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

/// A bot, as text, that answers every question with an empty line.
pub(crate) const SILENT_BOT: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) i32.const 0))"#;

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

impl From<Output> for Ran {
    fn from(Output { status, stdout, stderr }: Output) -> Ran {
        Ran {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }
}

/// Runs the judge to its end.
pub(crate) fn run<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Ran {
    judge().args(arguments).output().unwrap().into()
}

/// Runs the judge to its end, with a text on standard input.
pub(crate) fn run_with_input<I: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = I>,
    text: &str,
) -> Ran {
    let mut command = judge();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    // A command that ends early does not read the rest.
    let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Writes a file into a temporary folder and returns its path.
pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}
