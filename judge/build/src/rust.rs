//! Rust: cargo, which keeps what it builds in the project's `target`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tool::{Ran, Tool, run};
use crate::{BuildError, Compiled, Language, explain};

/// What makes a module small and fits it into the course's memory; names of functions stay, so that
/// a trap can tell one.
const FLAGS: &[&str] = &[
    "-Clink-arg=-zstack-size=65536",
    "-Clink-arg=--max-memory=2097152",
    "-Clink-arg=--stack-first",
];

/// The target of a library, and that of a program.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "wasm32-wasip1"];

/// Builds the package of a folder: a library that is a `cdylib`, or a program.
pub(crate) fn build(folder: &Path, starting: &mut dyn FnMut()) -> Result<Compiled, BuildError> {
    let missing = |tried: Vec<String>| BuildError::NoCompiler {
        path: folder.to_owned(),
        language: Language::Rust,
        tried,
    };
    let cargo = Tool::find(&["cargo"]).ok_or_else(|| missing(Vec::new()))?;
    let is_program = folder.join("src/main.rs").is_file();
    let target = TARGETS[usize::from(is_program)];
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if !is_program && !manifest.contains("cdylib") {
        let hint = "write `crate-type = [\"cdylib\"]` under `[lib]` in its `Cargo.toml`, or make \
                    it a program with `src/main.rs`";
        return Err(BuildError::source(folder, "gives no module: it is an ordinary library", hint));
    }
    if has_target(folder, target) == Some(false) {
        return Err(missing(vec![format!(
            "cargo is here, but not for WebAssembly: run `rustup target add {target}`"
        )]));
    }
    starting();
    let ran = cargo_build(&cargo, folder, target)?;
    if !ran.success {
        return Err(explain::refused(folder, "compile", ran.err));
    }
    let Some(path) = artifact(&ran.out) else {
        let hint = "it needs one library of type `cdylib`, or one program";
        return Err(BuildError::source(folder, "gives no module", hint));
    };
    let module = std::fs::read(&path)
        .map_err(|error| BuildError::Read { path: path.clone(), source: error })?;
    let compiler = ask_rustc(folder, &["--version"]);
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}

fn cargo_build(cargo: &Tool, folder: &Path, target: &str) -> Result<Ran, BuildError> {
    let mut command = cargo.command();
    command.current_dir(folder);
    command.args(["build", "--release", "--quiet", "--target", target]);
    command.args(["--message-format", "json-render-diagnostics"]);
    let flags: Vec<String> =
        FLAGS.iter().map(|flag| (*flag).to_owned()).chain(remapped(folder)).collect();
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS");
    command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    command.env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    run(&mut command)
}

/// Places in panics begin with these folders' names for everybody, not with those of this machine.
fn remapped(folder: &Path) -> Vec<String> {
    let home = |name: &str| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(name));
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| home(".cargo"));
    let project = folder.canonicalize().ok();
    let maps = [(cargo, "cargo"), (project, "bot")].into_iter();
    let maps = maps.filter_map(|(from, to)| Some((from?, to)));
    maps.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
}

/// Tells whether the compiler has the standard library of a target; none if it does not say.
fn has_target(folder: &Path, target: &str) -> Option<bool> {
    let root = ask_rustc(folder, &["--print", "sysroot"])?;
    Some(Path::new(&root).join("lib/rustlib").join(target).is_dir())
}

/// The first line that the project's compiler says: a `rust-toolchain.toml` may choose another one.
fn ask_rustc(folder: &Path, arguments: &[&str]) -> Option<String> {
    let rustc = Tool::find(&["rustc"])?;
    let ran = run(rustc.command().args(arguments).current_dir(folder)).ok()?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    ran.success.then(|| text.lines().next().map(|line| line.trim().to_owned()))?
}

/// The module among what cargo says it has written: the last one is the package itself.
fn artifact(messages: &[u8]) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(messages);
    let files = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let files = files.filter(|message| message["reason"] == "compiler-artifact");
    let files = files.flat_map(|message| message["filenames"].as_array().cloned());
    let mut modules = files.flatten().filter_map(|file| file.as_str().map(PathBuf::from));
    let is_module = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "wasm");
    modules.by_ref().filter(is_module).last()
}
