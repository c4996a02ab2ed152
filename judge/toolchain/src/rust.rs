//! Rust: cargo, which builds into the project's `target`. A project that runs code during the
//! build, or has its own settings or tools for cargo, is built only if it is trusted.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tool::{Tool, ToolRun, run, run_within};
use crate::{
    BuildError, Cache, Compiled, Define, Language, Scratch, are_projects_trusted, bounds, explain,
};

mod home;
mod scripts;

use home::Home;

/// Flags that make a module small and fit it into the course's memory. Function names stay, so that
/// a trap can name one.
const FLAGS: &[&str] = &[
    "-Clink-arg=-zstack-size=65536",
    "-Clink-arg=--max-memory=2097152",
    "-Clink-arg=--stack-first",
    // Makes the kit log the message of a panic.
    "--cfg=judge_tells_panics",
];

/// The source of a program.
const MAIN: &str = "src/main.rs";

/// Targets of a library and of a program.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "wasm32-wasip1"];

/// The folders, relative to a project, in which a build for the judge leaves its module. Without
/// `src/main.rs`, it can be a library, or a program with another name.
pub fn outputs(folder: &Path) -> Vec<PathBuf> {
    let is_program = folder.join(MAIN).is_file();
    let targets = TARGETS.iter().skip(usize::from(is_program));
    targets.map(|target| Path::new("target").join(target).join("release")).collect()
}

/// The target of a project.
fn target(folder: &Path) -> &'static str {
    TARGETS[usize::from(folder.join(MAIN).is_file())]
}

/// Builds the package of a folder: a `cdylib` library or a program.
pub(crate) fn build(
    folder: &Path,
    defines: &[Define],
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let missing = |tried: Vec<String>| BuildError::NoCompiler {
        path: folder.to_owned(),
        language: Language::Rust,
        tried,
    };
    let cargo = Tool::find(&["cargo"]).ok_or_else(|| missing(Vec::new()))?;
    let is_program = folder.join(MAIN).is_file();
    let target = target(folder);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if !is_program && manifest.contains("[workspace]") && !manifest.contains("[package]") {
        let hint = "name the folder of the bot's own package";
        return Err(BuildError::source(folder, "produces no module: it is a workspace", hint));
    }
    if !is_program && !manifest.contains("cdylib") {
        let hint = "write `crate-type = [\"cdylib\"]` under `[lib]` in its `Cargo.toml`, or make \
                    it a program with `src/main.rs`";
        return Err(BuildError::source(folder, "gives no module: it is an ordinary library", hint));
    }
    let whole = std::path::absolute(folder)
        .map_err(|source| BuildError::Read { path: folder.to_owned(), source })?;
    let home = Home::new(&whole, cache)?;
    if has_target(&home, target) == Some(false) {
        return Err(missing(vec![format!(
            "cargo is here, but not for WebAssembly: run `rustup target add {target}`"
        )]));
    }
    starting();
    if !are_projects_trusted() {
        scripts::refuse(&cargo, &home, folder, &whole, target)?;
    }
    let ran = cargo_build(&cargo, &home, &whole, target, (defines, cache))?;
    if !ran.success {
        return Err(explain::failed(folder, "compile", ran));
    }
    let Some(path) = artifact(&ran.out) else {
        let hint = "it needs one library of type `cdylib`, or one program";
        return Err(BuildError::source(folder, "gives no module", hint));
    };
    let module = std::fs::read(&path)
        .map_err(|error| BuildError::Read { path: path.clone(), source: error })?;
    let compiler = ask_rustc(&home, &["--version"]);
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}

fn cargo_build(
    cargo: &Tool,
    home: &Home,
    folder: &Path,
    target: &str,
    (defines, cache): (&[Define], &Cache),
) -> Result<ToolRun, BuildError> {
    let mut command = home.command(cargo);
    if !defines.is_empty() {
        // In the project's own folder it would be taken for the module without constants.
        let folder = cache.folder("rust-constants").unwrap_or_else(|| folder.join("target"));
        command.env("CARGO_TARGET_DIR", folder).envs(variables(defines));
    }
    command.args(["build", "--release", "--quiet", "--target", target]);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.args(["--message-format", "json-render-diagnostics"]);
    let flags: Vec<String> =
        FLAGS.iter().map(|flag| (*flag).to_owned()).chain(remapped(home, folder)).collect();
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    command.env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    run_within(&command, bounds::PROJECT_SECONDS)
}

/// Variables that `option_env!("JUDGE_NAME")` reads. The prefix keeps them apart from the variables
/// that cargo and the compiler read.
fn variables(defines: &[Define]) -> impl Iterator<Item = (String, &str)> {
    defines.iter().map(|define| (format!("JUDGE_{}", define.name), define.value.as_str()))
}

/// Builds the package of a folder for this machine.
pub(crate) fn native(
    cargo: &Tool,
    folder: &Path,
    defines: &[Define],
    cache: &Cache,
) -> Result<ToolRun, BuildError> {
    let whole = std::path::absolute(folder)
        .map_err(|source| BuildError::Read { path: folder.to_owned(), source })?;
    let home = Home::new(&whole, cache)?;
    if !are_projects_trusted() {
        scripts::refuse(cargo, &home, folder, &whole, TARGETS[1])?;
    }
    let mut command = home.command(cargo);
    command.envs(variables(defines));
    command.args(["build", "--quiet", "--message-format", "json-render-diagnostics"]);
    command.arg("--manifest-path").arg(whole.join("Cargo.toml"));
    // Numbers wrap in the module, which is built for release.
    command.env("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false");
    command.env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    run_within(&command, bounds::PROJECT_SECONDS)
}

/// The only program in cargo's list of artifacts.
pub(crate) fn program(messages: &[u8]) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(messages);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs =
        messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    programs.next().filter(|_| programs.next().is_none())
}

/// Makes paths in panics begin with the same folder names on every machine.
fn remapped(home: &Home, folder: &Path) -> Vec<String> {
    let project = folder.canonicalize().ok();
    let cargo = home.path.canonicalize().ok();
    let maps = [(Some(home.path.clone()), "cargo"), (cargo, "cargo"), (project, "bot")].into_iter();
    let maps = maps.filter_map(|(from, to)| Some((from?, to)));
    maps.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).collect()
}

/// True if the compiler has a target's standard library; none if it does not say.
fn has_target(home: &Home, target: &str) -> Option<bool> {
    let root = ask_rustc(home, &["--print", "sysroot"])?;
    Some(Path::new(&root).join("lib/rustlib").join(target).is_dir())
}

/// The first line of the compiler's output. A trusted project's `rust-toolchain.toml` may choose
/// another compiler.
fn ask_rustc(home: &Home, arguments: &[&str]) -> Option<String> {
    let rustc = Tool::find(&["rustc"])?;
    let ran = run(home.command(&rustc).args(arguments)).ok()?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    ran.success.then(|| text.lines().next().map(|line| line.trim().to_owned()))?
}

/// The module in cargo's list of artifacts: the last one is the package itself.
fn artifact(messages: &[u8]) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(messages);
    let files = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let files = files.filter(|message| message["reason"] == "compiler-artifact");
    let files = files.flat_map(|message| message["filenames"].as_array().cloned());
    let mut modules = files.flatten().filter_map(|file| file.as_str().map(PathBuf::from));
    let is_module = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "wasm");
    modules.by_ref().filter(is_module).last()
}
