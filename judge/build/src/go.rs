//! Go: the standard compiler, which keeps a cache of its own.

use std::path::Path;

use crate::tool::{Tool, run, version};
use crate::{BuildError, Compiled, Language, explain};

/// Builds a file or the package in a folder as a program that reads and prints lines.
pub(crate) fn build(source: &Path, starting: &mut dyn FnMut()) -> Result<Compiled, BuildError> {
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::Go,
        tried: Vec::new(),
    };
    let found = Tool::of_variable("JUDGE_GO").or_else(|| Tool::find(&["go"]));
    let go = found.ok_or_else(missing)?;
    starting();
    let work = tempfile::tempdir().map_err(BuildError::writing(&std::env::temp_dir()))?;
    let module = work.path().join("bot.wasm");
    let mut command = go.command();
    command.env("GOOS", "wasip1").env("GOARCH", "wasm").env("GOFLAGS", "-trimpath -buildvcs=false");
    command.args(["build", "-ldflags", "-s -w", "-o"]).arg(&module);
    if source.is_dir() {
        command.current_dir(source).arg(".");
    } else {
        command.arg(source);
    }
    let ran = run(&mut command)?;
    if !ran.success {
        return Err(explain::refused(source, "compile", ran.err));
    }
    let module = std::fs::read(&module)
        .map_err(|error| BuildError::Read { path: module.clone(), source: error })?;
    let compiler =
        version(&go, &["env", "GOVERSION"]).map(|version| version.replacen("go", "go ", 1));
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}
