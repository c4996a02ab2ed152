//! C and C++ for this machine: with the kit if the source has a `MyBrain` or a `MyBot`.

use std::path::Path;
use std::process::Command;

use super::{Made, version_of};
use crate::clang::{Compiler, KitClass, Workshop, kit};
use crate::tool::Tool;
use crate::{BuildError, Cache, Define, Language, explain, zig};

/// A `main` for a file with `judge_line`.
pub(super) const EXPORTS: &str = include_str!("../../../../sdk/cpp/native/exports.c");

/// A part of programs that makes each printed line leave at once.
const LINES: &str = include_str!("../../../../sdk/cpp/native/lines.c");

/// A `main` for the kit's classes.
const PIPE: &str = include_str!("../../../../sdk/cpp/native/pipe.cpp");

/// Builds a C or C++ file.
pub(super) fn build(
    (source, language): (&Path, Language),
    defines: &[Define],
    out: &Path,
) -> Result<Made, BuildError> {
    let text = std::fs::read(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing =
        || BuildError::NoCompiler { path: source.to_owned(), language, tried: Vec::new() };
    let tool = candidates(language).next().ok_or_else(missing)?;
    let version = version_of(&tool, "--version");
    // Debuggers look for the source at this path.
    let whole = std::path::absolute(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let cache = Cache::of_user();
    let shop = Workshop::new((&whole, &text), defines, Compiler::native(tool), &cache)?;
    let class = (language == Language::Cpp).then(|| kit::find(&shop)).transpose()?.flatten();
    let (mut link, mut remarks) = match class {
        Some(form) => with_kit(&shop, form)?,
        None => program(&shop, language)?,
    };
    let ran = shop.run(link.arg("-o").arg(out))?;
    if !ran.success {
        return Err(explain::refused(source, "link", ran.err));
    }
    remarks += &ran.err;
    let game = class.filter(|form| *form == KitClass::Brain).map(|_| kit::BRAINS_GAME);
    Ok(Made { game, ..Made::new(version, remarks) })
}

/// Compiles a class of the kit; returns the command that links it.
fn with_kit(shop: &Workshop<'_>, form: KitClass) -> Result<(Command, String), BuildError> {
    let remarks = kit::compile_native(shop, form)?;
    let pipe = shop.write("kit/native/pipe.cpp", PIPE.as_bytes())?;
    let mut link = kit::of_native(shop, form);
    link.arg(pipe).arg(shop.place("entry.o"));
    Ok((link, remarks))
}

/// Compiles a file without the kit; returns the command that links it.
fn program(shop: &Workshop<'_>, language: Language) -> Result<(Command, String), BuildError> {
    let (object, part) = (shop.place("bot.o"), shop.place("part.o"));
    let (name, around) = match String::from_utf8_lossy(shop.text).contains("judge_line") {
        true => ("exports.c", EXPORTS),
        false => ("lines.c", LINES),
    };
    let around = shop.write(name, around.as_bytes())?;
    let mut command = shop.command();
    if language == Language::Cpp {
        command.arg(crate::clang::CPP);
    }
    command.args(shop.defines());
    let ran = shop.run(command.arg("-c").arg(shop.source).arg("-o").arg(&object))?;
    if !ran.success {
        return Err(explain::refused(shop.source, "compile", ran.err));
    }
    let mut second = shop.command();
    let made = shop.run(second.args(["-x", "c", "-c"]).arg(around).arg("-o").arg(&part))?;
    if !made.success {
        return Err(explain::refused(shop.source, "link", made.err));
    }
    let mut link = shop.command();
    link.arg(object).arg(part).arg("-lm");
    Ok((link, ran.err))
}

/// The compilers of this machine, in the order of attempts. A compiler in a variable may build only
/// modules, so it comes after those of the system.
fn candidates(language: Language) -> impl Iterator<Item = Tool> {
    let (variable, names, zig_word): (_, &[&str], _) = match language {
        Language::C => ("CC", &["clang", "gcc", "cc"], "cc"),
        _ => ("CXX", &["clang++", "g++", "c++"], "c++"),
    };
    let zig = std::iter::once_with(move || zig::find().map(|zig| zig.with(&[zig_word]))).flatten();
    Tool::find(names).into_iter().chain(Tool::of_variable(variable)).chain(zig)
}
