//! Finds a C or C++ compiler that can build a small module.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::tool::{Tool, run};
use crate::{BuildError, Cache, Language, Scratch, zig};

/// The target's newer and older name. Debian's headers are found only by the older one.
const TARGETS: [&str; 2] = ["wasm32-wasip1", "wasm32-wasi"];

/// Small programs that need the standard library.
const PROBE_C: &str = "#include <stdio.h>\nint main(void) { return puts(\"\"); }\n";
const PROBE_CPP: &str = "#include <vector>\n#include <cstdio>\nint main() { return int(std::vector<int>(2).size()) + puts(\"\"); }\n";

/// A compiler that builds modules.
pub(crate) struct Compiler {
    pub(super) tool: Tool,
    pub(super) target: String,
    /// Name and version, in the format of the kit's scripts: `clang 22.1.8`.
    pub(super) version: String,
    sysroot: Option<String>,
    /// True if it supports [`ISOLATED`]. Older versions do not.
    is_isolated: bool,
    /// True if it builds programs for this machine instead of modules.
    pub(super) is_native: bool,
}

/// Option that makes clang ignore all option files of the user and the system.
const ISOLATED: &str = "--no-default-config";

/// Cached results of a probe.
#[derive(Serialize, Deserialize)]
struct CompilerFacts {
    target: String,
    version: String,
    is_isolated: bool,
}

/// The reason why a tool is not used.
#[derive(Debug, thiserror::Error)]
enum ToolFailure {
    /// It does not build for WebAssembly.
    #[error("{0}")]
    Unfit(String),
    /// It could not be tried.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Compiler {
    /// The compiler of this machine's programs.
    pub(crate) fn native(tool: Tool) -> Compiler {
        let (target, version, sysroot) = (String::new(), String::new(), None);
        Compiler { tool, target, version, sysroot, is_isolated: false, is_native: true }
    }

    /// Finds the first compiler that builds a small program.
    pub(super) fn find(
        source: &Path,
        language: Language,
        cache: &Cache,
    ) -> Result<Compiler, BuildError> {
        let mut tried = Vec::new();
        for tool in candidates(language) {
            match Compiler::try_tool(tool, language, cache) {
                Ok(compiler) => return Ok(compiler),
                Err(ToolFailure::Unfit(why)) => tried.push(why),
                Err(ToolFailure::Build(error)) => return Err(error),
            }
        }
        Err(BuildError::NoCompiler { path: source.to_owned(), language, tried })
    }

    fn try_tool(tool: Tool, language: Language, cache: &Cache) -> Result<Compiler, ToolFailure> {
        let sysroot = std::env::var("WASI_SYSROOT").ok().or_else(|| sysroot_beside(&tool));
        let key = format!("probe {language} {sysroot:?} {}", tool.stamp());
        let kept = cache.find(&key).and_then(|kept| serde_json::from_slice(&kept.bytes).ok());
        if let Some(CompilerFacts { target, version, is_isolated }) = kept {
            let is_native = false;
            return Ok(Compiler { tool, target, version, sysroot, is_isolated, is_native });
        }
        let (target, version) = (String::new(), String::new());
        let (is_isolated, is_native) = (true, false);
        let mut compiler = Compiler { tool, target, version, sysroot, is_isolated, is_native };
        let mut why = String::new();
        compiler.is_isolated = !compiler.is_zig() && compiler.can_be_isolated();
        for target in TARGETS {
            compiler.target = target.to_owned();
            match compiler.probe(language, cache)? {
                None => {
                    compiler.version = compiler.ask_version();
                    let (target, version) = (target.to_owned(), compiler.version.clone());
                    // Three plain fields: serialization cannot fail.
                    let known =
                        CompilerFacts { target, version, is_isolated: compiler.is_isolated };
                    let known = serde_json::to_vec(&known).unwrap_or_default();
                    cache.keep(&key, &[], &known, "");
                    return Ok(compiler);
                }
                Some(error) => why = error,
            }
        }
        let name = compiler.tool.name();
        Err(ToolFailure::Unfit(format!("`{name}` does not build for WebAssembly: {why}")))
    }

    /// Builds a small program; returns the first line with an error, if there is one.
    fn probe(&self, language: Language, cache: &Cache) -> Result<Option<String>, BuildError> {
        let work = Scratch::new("probe-").map_err(BuildError::writing(&std::env::temp_dir()))?;
        let (name, text) = match language {
            Language::C => ("probe.c", PROBE_C),
            _ => ("probe.cpp", PROBE_CPP),
        };
        let source = work.path().join(name);
        std::fs::write(&source, text).map_err(BuildError::writing(&source))?;
        let mut command = self.command(cache);
        if language == Language::Cpp {
            command.arg("-fno-exceptions");
        }
        let ran = run(command.arg(&source).arg("-o").arg(work.path().join("probe.wasm")))?;
        let first = || ran.err.lines().find(|line| line.contains("error")).unwrap_or("it fails");
        Ok((!ran.success).then(|| first().trim().to_owned()))
    }

    fn can_be_isolated(&self) -> bool {
        run(self.tool.command().args([ISOLATED, "--version"])).is_ok_and(|ran| ran.success)
    }

    /// Returns for example `clang 22.1.8` or `zig-clang 22.1.8`.
    fn ask_version(&self) -> String {
        let ran = run(self.tool.command().arg("--version"));
        let text = ran.map(|ran| String::from_utf8_lossy(&ran.out).into_owned());
        let text = text.unwrap_or_default();
        let after = text.split("clang version ").nth(1).unwrap_or_default();
        let number = after.split([' ', '\n', '(']).next().unwrap_or_default();
        format!("{} {number}", if self.is_zig() { "zig-clang" } else { "clang" })
    }

    /// True if it is part of zig.
    pub(super) fn is_zig(&self) -> bool {
        self.tool.first.iter().any(|word| word == "c++" || word == "cc")
    }

    /// A command for the target.
    pub(super) fn command(&self, cache: &Cache) -> std::process::Command {
        let mut command = self.tool.command();
        if self.is_native {
            command.args(["-fdiagnostics-color=never", "-Wno-attributes"]);
        } else {
            command.arg(format!("--target={}", self.target)).arg("-Wno-deprecated");
            command.arg("-Wno-unused-command-line-argument").arg("-fno-color-diagnostics");
        }
        if self.is_isolated {
            command.arg(ISOLATED);
        }
        if let Some(sysroot) = &self.sysroot {
            command.arg(format!("--sysroot={sysroot}"));
        }
        if let Some(folder) = self.is_zig().then(|| cache.folder("zig")).flatten() {
            command.env("ZIG_LOCAL_CACHE_DIR", &folder).env("ZIG_GLOBAL_CACHE_DIR", &folder);
        }
        command
    }

    /// Identifies this compiler in cache keys.
    pub(super) fn key(&self) -> String {
        format!("{} {} {:?} {}", self.version, self.target, self.sysroot, self.tool.stamp())
    }
}

/// The sysroot of a wasi-sdk compiler, by its path inside the SDK.
fn sysroot_beside(tool: &Tool) -> Option<String> {
    let sysroot = tool.program.parent()?.parent()?.join("share/wasi-sysroot");
    sysroot.is_dir().then(|| sysroot.display().to_string())
}

/// The installed compilers, in the order of attempts.
fn candidates(language: Language) -> impl Iterator<Item = Tool> {
    let (variable, clang, zig_word) = match language {
        Language::C => ("CC", "clang", "cc"),
        _ => ("CXX", "clang++", "c++"),
    };
    let of_variable = Tool::of_variable(variable);
    let sdk = std::env::var_os("WASI_SDK_PATH").map(std::path::PathBuf::from);
    let sdk = sdk.map(|folder| folder.join("bin").join(clang)).filter(|path| path.is_file());
    let numbered = (16..=26).rev().map(move |version| format!("{clang}-{version}"));
    let named = numbered.chain([clang.to_owned()]);
    let named = named.filter_map(|name| Tool::find(&[&name]));
    let zig = std::iter::once_with(move || zig::find().map(|zig| zig.with(&[zig_word]))).flatten();
    of_variable.into_iter().chain(sdk.map(Tool::new)).chain(named).chain(zig)
}
