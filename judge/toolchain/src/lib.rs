//! Builds modules from sources: finds the compiler of a language, passes flags that fit a bot into
//! its limits, and explains compiler errors. Compilers run with the privileges of the calling process,
//! within bounds on time and memory. This crate does not check modules, because intake checks every
//! module.

mod assemblyscript;
mod bounds;
mod cache;
mod clang;
pub mod confine;
mod define;
mod embedded;
mod environment;
mod error;
mod explain;
mod folder;
mod go;
mod identity;
mod ignored;
mod install;
mod language;
mod native;
mod rust;
mod scratch;
mod script;
mod text;
mod tool;
mod trust;
mod zig;

use std::path::{Path, PathBuf};

use tool::as_a_file;

pub use assemblyscript::{PageArguments, PageCompiler, PageCompilerError, page_compiler};
pub use cache::Cache;
pub use define::{Define, DefineError};
pub use error::BuildError;
pub use folder::{files, inputs};
pub use identity::{Identity, sign};
pub use install::advice as install;
pub use language::{Language, belongs_to_a_source, is_project_file, is_source};
pub use native::{NativeBuilt, build_native};
pub use rust::outputs as rust_outputs;
pub use scratch::{Running, Scratch, clear};
pub use trust::{are_projects_trusted, trust_projects};

/// A source to build.
#[derive(Debug, Clone)]
pub struct Request {
    /// The source's file, or the folder of a Rust or Go project, as the user named it.
    pub source: PathBuf,
    /// Identity of the module if its source has none.
    pub identity: Identity,
    /// Cache of earlier builds.
    pub cache: Cache,
    /// Constants that the build sets in the source.
    pub defines: Vec<Define>,
}

impl Request {
    /// A source without other settings, with the user's cache.
    pub fn new(source: &Path) -> Request {
        let (identity, cache) = (Identity::default(), Cache::of_user());
        Request { source: source.to_owned(), identity, cache, defines: Vec::new() }
    }
}

/// A module that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Its bytes.
    pub module: Vec<u8>,
    /// The language of the source.
    pub language: Language,
    /// The compiler and its version; none if the judge needs none.
    pub compiler: Option<String>,
    /// The compiler's warnings, and remarks about the build.
    pub remarks: String,
    /// True if it comes from the cache: the same source and compiler.
    pub cached: bool,
}

/// A module from a compiler, before it is signed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Compiled {
    module: Vec<u8>,
    compiler: Option<String>,
    remarks: String,
    cached: bool,
    /// Data of the kit: the game, and the kit's name and version.
    game: Option<&'static str>,
    kit: Option<&'static str>,
}

/// Builds a source. Calls `starting` before a compiler that may take long, but not for a cached
/// module.
///
/// # Errors
/// When the source cannot be read, there is no compiler, or the compiler rejects the source.
pub fn build(request: &Request, starting: &mut dyn FnMut()) -> Result<Built, BuildError> {
    let source = &as_a_file(&request.source);
    let language = Language::from_path(source).map_err(|hint| BuildError::unknown(source, hint))?;
    if std::fs::metadata(source).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        // Reading a pipe could wait forever.
        let hint = "name a file with the source in it";
        return Err(BuildError::source(source, "is neither a file nor a folder", hint));
    }
    let (cache, defines) = (&request.cache, request.defines.as_slice());
    define::check(source, language, defines)?;
    let said = Identity::of_source(source, language)?;
    let compiled = match language {
        Language::C | Language::Cpp => clang::build((source, language), defines, cache, starting),
        Language::Zig => zig::build(source, cache, starting),
        Language::AssemblyScript => assemblyscript::build(source, defines, cache, starting),
        Language::Text => text::build(source),
        Language::Rust => rust::build(source, defines, cache, starting),
        Language::Go => go::build(source, defines, starting),
        Language::JavaScript | Language::Python => script::build(source, language, defines),
    }?;
    Ok(signed(compiled, request.identity.clone().or(said), source, language))
}

/// Builds a script or WebAssembly text that is not in a file, so that it imports only the kit. The
/// module is that of [`build`] for a file with this name and text.
///
/// # Errors
/// When the name has not the ending of such a language, or the text cannot be built.
pub fn build_text(name: &str, text: &str) -> Result<Built, BuildError> {
    let source = Path::new(name);
    let language = Language::from_path(source).map_err(|hint| BuildError::unknown(source, hint))?;
    let said = Identity::of_start(text.as_bytes());
    let compiled = match language {
        Language::JavaScript | Language::Python => {
            script::build_text(source, &script::checked(source, text.into())?, language, None)
        }
        Language::Text => text::build_text(source, text),
        _ => {
            let hint = "name a file `.js`, `.py` or `.wat`".to_owned();
            Err(BuildError::unknown(source, hint))
        }
    }?;
    Ok(signed(compiled, said, source, language))
}

/// Describes a module that the compiler of another language has made from the text of a file, as
/// [`build`] does.
pub fn sign_text(module: Vec<u8>, name: &str, text: &str) -> Vec<u8> {
    Identity::of_start(text.as_bytes()).sign(module, Path::new(name), None)
}

/// The module with its description.
fn signed(compiled: Compiled, said: Identity, source: &Path, language: Language) -> Built {
    let known = Identity { game: compiled.game.map(str::to_owned), ..Identity::default() };
    let module = said.or(known).sign(compiled.module, source, compiled.kit);
    let Compiled { compiler, remarks, cached, .. } = compiled;
    Built { module, language, compiler, remarks, cached }
}
