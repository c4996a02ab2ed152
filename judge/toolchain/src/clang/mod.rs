//! C and C++: clang with a C library for WASI, or zig, which includes one.

mod arrays;
mod attempt;
mod compiler;
pub(crate) mod kit;
mod program;

use std::path::{Path, PathBuf};

use crate::tool::Tool;
use crate::{BuildError, Cache, Compiled, Define, Language};
pub(crate) use attempt::{CPP, Workshop};
pub(crate) use compiler::Compiler;
pub(crate) use kit::KitClass;

/// Keeps empty endless loops: C++ lets a compiler remove them, and the code after them.
const ENDLESS: &str = "-fno-finite-loops";

/// Options that fit a module into the course's memory. The stack is at the bottom: on overflow, the
/// module traps instead of overwriting its own data. Function names and line numbers stay, so that
/// a trap can name them.
const LINKING: &[&str] = &["-Wl,-z,stack-size=65536", "-Wl,--max-memory=2097152"];

/// The C library requires these definitions before it offers the functions.
const EMULATED: &[&str] = &[
    "-D_WASI_EMULATED_SIGNAL",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_MMAN",
    "-D_WASI_EMULATED_GETPID",
];

/// The libraries that emulate the functions.
const LIBRARIES: &[&str] = &[
    "-lwasi-emulated-signal",
    "-lwasi-emulated-process-clocks",
    "-lwasi-emulated-mman",
    "-lwasi-emulated-getpid",
];

/// Builds a C or C++ file: with the kit if it has a `MyBrain` or a `MyBot`, else unchanged.
pub(crate) fn build(
    (source, language): (&Path, Language),
    defines: &[Define],
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let text = std::fs::read(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let compiler = Compiler::find(source, language, cache)?;
    let key = format!(
        "{language} {} {} {} {} {} {defines:?}",
        env!("CARGO_PKG_VERSION"),
        kit::hash(),
        kit::flags(),
        compiler.key(),
        identity(source, &text),
    );
    if let Some(kept) = cache.find(&key) {
        return Ok(kept_module(&kept.bytes, kept.remarks, &compiler));
    }
    starting();
    let shop = Workshop::new((source, &text), defines, compiler, cache)?;
    let class = (language == Language::Cpp).then(|| kit::find(&shop)).transpose()?.flatten();
    let mut compiled = match class {
        Some(form) => kit::build(&shop, form),
        None => program::build(&shop, language),
    }?;
    // The first byte says whether the kit was used.
    let tag = compiled.game.map_or(u8::from(compiled.kit.is_some()), |_| 2);
    let bytes = [&[tag], compiled.module.as_slice()].concat();
    cache.keep(&key, &shop.inputs(), &bytes, &compiled.remarks);
    compiled.compiler = Some(shop.compiler.version.clone());
    Ok(compiled)
}

/// The compiler that builds a language, as a tool.
pub(crate) fn tool(language: Language) -> Result<Tool, BuildError> {
    Compiler::find(Path::new("a source"), language, &Cache::of_user()).map(|found| found.tool)
}

/// The files of the C++ kit.
pub(crate) fn kit_files() -> impl Iterator<Item = (String, &'static [u8])> {
    kit::files()
}

/// The compiler flags for these files.
pub(crate) fn kit_flags() -> String {
    kit::flags()
}

/// The source's path and content: its headers are found relative to that path.
fn identity(source: &Path, text: &[u8]) -> String {
    let whole: PathBuf = source.canonicalize().unwrap_or_else(|_| source.to_owned());
    format!("{} as {} {}", whole.display(), source.display(), judge_core::digest(text))
}

fn kept_module(bytes: &[u8], remarks: String, compiler: &Compiler) -> Compiled {
    let (tag, module) = bytes.split_first().map_or((0, bytes), |(tag, module)| (*tag, module));
    Compiled {
        module: module.to_vec(),
        compiler: Some(compiler.version.clone()),
        remarks,
        cached: true,
        game: (tag == 2).then_some(kit::BRAINS_GAME),
        kit: (tag > 0).then_some(kit::NAME),
    }
}
