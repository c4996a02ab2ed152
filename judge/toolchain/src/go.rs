//! Go: the standard compiler, which has its own cache.

use std::path::Path;

use crate::tool::{Tool, run};
use crate::{BuildError, Compiled, Define, Language, Scratch, are_projects_trusted, explain};

/// Variables of the compiler, which then reads none from a file.
const SETTINGS: &[(&str, &str)] = &[
    ("CGO_ENABLED", "0"),
    ("GOARCH", "wasm"),
    ("GOENV", "off"),
    ("GOFLAGS", "-trimpath -buildvcs=false"),
    ("GOOS", "wasip1"),
    ("GOTELEMETRY", "off"),
    ("GOWORK", "off"),
];

/// Without this, a line of `go.mod` can make Go download and run another compiler.
const TOOLCHAIN: (&str, &str) = ("GOTOOLCHAIN", "local");

/// Finds the compiler.
pub(crate) fn find() -> Option<Tool> {
    Tool::of_variable("JUDGE_GO").or_else(|| Tool::find(&["go"]))
}

/// The value of a compiler variable. Go runs in an empty folder, because the current one may have a
/// `go.mod`.
pub(crate) fn ask(go: &Tool, name: &str) -> Option<String> {
    let folder = Scratch::new("go-").ok()?;
    let mut command = go.command();
    command.args(["env", name]).envs(SETTINGS.iter().copied()).env(TOOLCHAIN.0, TOOLCHAIN.1);
    let ran = run(command.current_dir(folder.path())).ok().filter(|ran| ran.success)?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

/// Options of the linker that set string variables of the package `main`. Go has no constants that
/// a build can set. A value with both kinds of quotes is not possible, and the linker says so.
pub(crate) fn variables(defines: &[Define]) -> String {
    let quoted = |define: &Define| match define.value.contains('\'') {
        true => format!(" -X \"main.{define}\""),
        false => format!(" -X 'main.{define}'"),
    };
    defines.iter().map(quoted).collect()
}

/// Builds a file, or a folder's package, as a program that reads and prints lines.
pub(crate) fn build(
    source: &Path,
    defines: &[Define],
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::Go,
        tried: Vec::new(),
    };
    let go = find().ok_or_else(missing)?;
    starting();
    let work = Scratch::new("build-").map_err(BuildError::writing(&std::env::temp_dir()))?;
    let module = work.path().join("bot.wasm");
    let mut command = go.command();
    command.envs(SETTINGS.iter().copied());
    if !are_projects_trusted() {
        command.env(TOOLCHAIN.0, TOOLCHAIN.1);
    }
    let linker = format!("-s -w{}", variables(defines));
    command.args(["build", "-ldflags", &linker, "-o"]).arg(&module);
    if source.is_dir() {
        command.current_dir(source).arg(".");
    } else {
        command.arg(source);
    }
    let ran = run(&command)?;
    if !ran.success {
        return Err(explain::failed(source, "compile", ran));
    }
    let module = std::fs::read(&module)
        .map_err(|error| BuildError::Read { path: module.clone(), source: error })?;
    let compiler = ask(&go, "GOVERSION").map(|version| version.replacen("go", "go ", 1));
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}
