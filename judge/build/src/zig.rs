//! Zig: `zig`, or the one in the Python package `ziglang`.

use std::path::{Path, PathBuf};

use crate::tool::{Tool, run, version};
use crate::{BuildError, Cache, Compiled, Language, explain};

/// The compiler `zig`: in `PATH`, or in a Python package.
pub(crate) fn find() -> Option<Tool> {
    Tool::find(&["zig"]).or_else(of_python)
}

/// The program inside the package, so that Python is asked only where it lies.
fn of_python() -> Option<Tool> {
    let ask = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))";
    let names: &[&str] = if cfg!(windows) { &["py", "python"] } else { &["python3", "python"] };
    let found = |name: &&str| {
        let python = Tool::find(&[name])?;
        let path = PathBuf::from(version(&python, &["-c", ask])?);
        let path = if cfg!(windows) { path.with_extension("exe") } else { path };
        path.is_file().then(|| Tool::new(path))
    };
    names.iter().find_map(found)
}

/// Builds a `.zig`: one with `judge_line` for the judge's own transport, any other as a program
/// that reads and prints lines. The compiler has a cache of its own.
pub(crate) fn build(
    source: &Path,
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let text = std::fs::read_to_string(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::Zig,
        tried: Vec::new(),
    };
    let zig = find().ok_or_else(missing)?;
    starting();
    let work = tempfile::tempdir().map_err(BuildError::writing(&std::env::temp_dir()))?;
    let module = work.path().join("bot.wasm");
    let mut command = zig.command();
    command.arg("build-exe").arg(source);
    let target = match text.contains("judge_line") {
        true => ["-target", "wasm32-freestanding", "-fno-entry", "-rdynamic"].as_slice(),
        false => &["-target", "wasm32-wasi"],
    };
    command.args(target).args(["-O", "ReleaseSafe", "-fstrip", "--stack", "65536"]);
    command.arg("--max-memory=2097152");
    let mut place = std::ffi::OsString::from("-femit-bin=");
    place.push(&module);
    command.arg(place).args(["--color", "off"]);
    let kept = cache.folder("zig").unwrap_or_else(|| work.path().join("cache"));
    command.arg("--cache-dir").arg(&kept).arg("--global-cache-dir").arg(&kept);
    let ran = run(&mut command)?;
    let words = ran.err;
    if !ran.success {
        return Err(explain::refused(source, "compile", words));
    }
    let module = std::fs::read(&module)
        .map_err(|error| BuildError::Read { path: module.clone(), source: error })?;
    let compiler = version(&zig, &["version"]).map(|version| format!("zig {version}"));
    Ok(Compiled { module, compiler, remarks: words, ..Compiled::default() })
}
