//! Zig for this machine.

use std::path::Path;
use std::process::Command;

use super::{Made, version_of};
use crate::tool::run;
use crate::{BuildError, Cache, Language, Scratch, explain, zig};

/// Builds a `.zig` file: a program, or a file with `judge_line`, which gets a `main`.
pub(super) fn build(source: &Path, out: &Path) -> Result<Made, BuildError> {
    let text = std::fs::read_to_string(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::Zig,
        tried: Vec::new(),
    };
    let zig = zig::find().ok_or_else(missing)?;
    let work = Scratch::new("build-").map_err(BuildError::writing(&std::env::temp_dir()))?;
    let kept = Cache::of_user().folder("zig").unwrap_or_else(|| work.path().join("cache"));
    let run = |command: &mut Command| {
        command.env("ZIG_LOCAL_CACHE_DIR", &kept).env("ZIG_GLOBAL_CACHE_DIR", &kept);
        let ran = run(command)?;
        if ran.success { Ok(ran) } else { Err(explain::failed(source, "compile", ran)) }
    };
    let has_main = !text.contains("judge_line");
    let object = work.path().join("bot.o");
    let mut command = zig.command();
    command.arg(if has_main { "build-exe" } else { "build-obj" }).arg(source);
    if !has_main {
        command.args(["-lc", "-fPIC"]);
    }
    let mut place = std::ffi::OsString::from("-femit-bin=");
    place.push(if has_main { out } else { &object });
    // Debuggers read the information of this backend.
    let ran = run(command.arg(place).args(["-O", "Debug", "-fllvm", "--color", "off"]))?;
    if !has_main {
        let around = work.path().join("exports.c");
        std::fs::write(&around, super::clang::EXPORTS).map_err(BuildError::writing(&around))?;
        run(zig.command().args(["cc", "-g"]).args([&around, &object]).arg("-o").arg(out))?;
    }
    Ok(Made::new(format!("zig {}", version_of(&zig, "version")), ran.err))
}
