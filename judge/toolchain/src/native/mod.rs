//! Programs for this machine instead of modules, with all that a debugger needs. Their answers are
//! those of the module, as far as a language allows.

mod clang;
mod projects;
mod zig;

use std::path::{Path, PathBuf};

use crate::tool::{Tool, as_a_file, version};
use crate::{BuildError, Define, Identity, Language, define};

/// A built program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeBuilt {
    /// The program's file.
    pub path: PathBuf,
    /// The compiler and its version.
    pub compiler: String,
    /// The compiler's warnings, and remarks about the build.
    pub remarks: String,
    /// The game that the source states.
    pub game: Option<String>,
}

/// Builds a source for this machine; by default next to the source, without an extension.
///
/// # Errors
/// When the source cannot be read or the compiler rejects it, there is no compiler, the language has
/// no programs for this machine, or another file would be overwritten.
pub fn build_native(
    source: &Path,
    out: Option<&Path>,
    defines: &[Define],
    starting: &mut dyn FnMut(),
) -> Result<NativeBuilt, BuildError> {
    let source = &as_a_file(source);
    let language = Language::from_path(source).map_err(|hint| BuildError::unknown(source, hint))?;
    if let Some(hint) = instead(language) {
        let what = format!("is in {language}, which the judge does not build for this machine");
        return Err(BuildError::source(source, what, hint));
    }
    define::check(source, language, defines)?;
    let said = Identity::of_source(source, language)?;
    let path = out.map_or_else(|| program_path(source), Path::to_owned);
    refuse_other_files(&path)?;
    starting();
    let made = match language {
        Language::Rust => projects::rust(source, defines, &path),
        Language::Go => projects::go(source, defines, &path),
        Language::Zig => zig::build(source, &path),
        _ => clang::build((source, language), defines, &path),
    }?;
    let Made { compiler, remarks, game } = made;
    Ok(NativeBuilt { path, compiler, remarks, game: said.game.or(game.map(str::to_owned)) })
}

/// A program that was written to its file.
struct Made {
    compiler: String,
    remarks: String,
    /// The game of the kit.
    game: Option<&'static str>,
}

impl Made {
    fn new(compiler: String, remarks: String) -> Made {
        Made { compiler, remarks, game: None }
    }
}

/// Advice for a language without programs for this machine.
fn instead(language: Language) -> Option<&'static str> {
    match language {
        Language::C | Language::Cpp | Language::Rust | Language::Zig | Language::Go => None,
        Language::Python => Some(
            "a script that reads lines and prints answers needs no build: `judge play --native \
             'python3 -u bot.py'`",
        ),
        Language::JavaScript => Some(
            "a script that reads lines and prints answers needs no build: `judge play --native \
             'node bot.js'`",
        ),
        Language::AssemblyScript | Language::Text => Some(
            "it exists only as a module; `judge play --trace` shows every line, and the log is \
             written by `judge.log`",
        ),
    }
}

/// The program's default path: next to a source file, or in the folder of a project.
fn program_path(source: &Path) -> PathBuf {
    if !source.is_dir() {
        return source.with_extension(std::env::consts::EXE_EXTENSION);
    }
    let whole = source.canonicalize().unwrap_or_else(|_| source.to_owned());
    source.join(whole.file_name().unwrap_or_default()).with_extension("native")
}

/// First bytes of programs on Linux, macOS and Windows.
const MAGICS: &[&[u8]] = &[b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];

/// Refuses to replace any file other than a program.
fn refuse_other_files(path: &Path) -> Result<(), BuildError> {
    if !path.exists() {
        return Ok(());
    }
    let bytes = if path.is_file() { std::fs::read(path) } else { Ok(b"a folder".to_vec()) };
    let bytes = bytes.map_err(|source| BuildError::Read { path: path.to_owned(), source })?;
    if bytes.is_empty() || MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        return Ok(());
    }
    let what = "exists and is not a program, and would be overwritten";
    Err(BuildError::source(path, what, "name another file: `-o FILE`"))
}

/// The first line of a tool's version.
fn version_of(tool: &Tool, argument: &str) -> String {
    version(tool, &[argument]).unwrap_or_else(|| tool.name())
}
