//! Rust and Go for this machine.

use std::path::{Path, PathBuf};

use super::{Made, version_of};
use crate::tool::{Tool, run};
use crate::{BuildError, Cache, Define, Language, are_projects_trusted, explain, go, rust};

/// Builds a Rust program in cargo's `dev` profile, except that numbers overflow as in the module.
pub(super) fn rust(folder: &Path, defines: &[Define], out: &Path) -> Result<Made, BuildError> {
    let cargo = Tool::find(&["cargo"]).ok_or_else(|| missing(folder, Language::Rust))?;
    if !folder.join("src/main.rs").is_file() {
        let hint = "move the strategy to a program with `src/main.rs` that reads lines and prints \
                    answers, as `judge new NAME --lang rust` makes it";
        let what = "is a library for modules, and has no program for this machine";
        return Err(BuildError::source(folder, what, hint));
    }
    let ran = rust::native(&cargo, folder, defines, &Cache::of_user())?;
    if !ran.success {
        return Err(explain::failed(folder, "compile", ran));
    }
    let Some(made) = rust::program(&ran.out) else {
        let what = "gives no program, or several";
        return Err(BuildError::source(folder, what, "it needs one program: `src/main.rs`"));
    };
    copy(&made, out)?;
    Ok(Made::new(version_of(&cargo, "--version"), ran.err))
}

/// Builds a Go file or package without the changes that confuse a debugger.
pub(super) fn go(source: &Path, defines: &[Define], out: &Path) -> Result<Made, BuildError> {
    let tool = go::find().ok_or_else(|| missing(source, Language::Go))?;
    let whole = std::path::absolute(out).map_err(BuildError::writing(out))?;
    let mut command = tool.command();
    command.envs([("CGO_ENABLED", "0"), ("GOENV", "off"), ("GOFLAGS", "-buildvcs=false")]);
    command.envs([("GOTELEMETRY", "off"), ("GOWORK", "off")]);
    if !are_projects_trusted() {
        command.env("GOTOOLCHAIN", "local");
    }
    command.args(["build", "-gcflags", "all=-N -l", "-ldflags", &go::variables(defines), "-o"]);
    command.arg(whole);
    match source.is_dir() {
        true => command.current_dir(source).arg("."),
        false => command.arg(source),
    };
    let ran = run(&command)?;
    if !ran.success {
        return Err(explain::failed(source, "compile", ran));
    }
    let version = go::ask(&tool, "GOVERSION").map(|version| version.replacen("go", "go ", 1));
    Ok(Made::new(version.unwrap_or_else(|| "go".to_owned()), ran.err))
}

fn missing(path: &Path, language: Language) -> BuildError {
    BuildError::NoCompiler { path: path.to_owned(), language, tried: Vec::new() }
}

/// Copies a program; a running copy is not overwritten but replaced.
fn copy(from: &PathBuf, to: &Path) -> Result<(), BuildError> {
    if to.exists() {
        std::fs::remove_file(to).map_err(BuildError::writing(to))?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(BuildError::writing(to))
}
