//! C++ with the kit of `sdk/cpp`, which is embedded in the judge: a `MyBrain` or a `MyBot`. The
//! steps are those of the kit's `build.sh`, except that this keeps function names and line numbers.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use judge_core::Digest;

use super::attempt::{CPP, Workshop};
use super::{EMULATED, LIBRARIES};
use crate::{BuildError, Compiled, embedded, explain};

static INCLUDE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/cpp/include");
static PRELUDE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/cpp/prelude");
static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/cpp/src");

/// Name of the kit in modules.
pub(super) const NAME: &str = "cpp 0.1";

/// The game of a `MyBrain`.
pub(crate) const BRAINS_GAME: &str = "mahjong";

/// The two classes that the kit makes into a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KitClass {
    Brain,
    Bot,
}

impl KitClass {
    const ALL: [KitClass; 2] = [KitClass::Brain, KitClass::Bot];

    fn base(self) -> &'static str {
        match self {
            KitClass::Brain => "Brain",
            KitClass::Bot => "Bot",
        }
    }

    fn class(self) -> &'static str {
        match self {
            KitClass::Brain => "MyBrain",
            KitClass::Bot => "MyBot",
        }
    }

    fn seat(self) -> &'static str {
        match self {
            KitClass::Brain => "brain_seat.h",
            KitClass::Bot => "bot_seat.h",
        }
    }

    /// Include folders. The kit's come before the student's, so that a copy of the lab's `brain.h`
    /// does not replace the kit's. A `Bot` gets only the kit's `bot.h`, so that its own `game.h` is
    /// not mistaken for the lab's.
    fn folders(self, shop: &Workshop<'_>) -> Vec<String> {
        let kit = shop.place("kit/include").display().to_string();
        let own = shop.source_folder().display();
        match self {
            KitClass::Brain => {
                vec![format!("-iquote{kit}"), format!("-I{kit}"), format!("-iquote{own}")]
            }
            KitClass::Bot => vec![
                format!("-iquote{kit}/bot"),
                format!("-iquote{own}"),
                format!("-I{kit}/bot"),
                format!("-I{kit}"),
            ],
        }
    }

    /// Definitions that name the class for the kit's sources.
    fn names(self, shop: &Workshop<'_>) -> Vec<String> {
        let source = shop.place("student/source.cpp").display().to_string().replace('\\', "/");
        let define = |name: &str, value: &str| format!("-DJUDGE_KIT_{name}={value}");
        vec![
            define("SOURCE", &format!("\"{source}\"")),
            define("BASE", self.base()),
            define("CLASS", self.class()),
            define("SEAT", &format!("\"{}\"", self.seat())),
        ]
    }
}

/// Flags for all sources.
const COMMON: &[&str] =
    &[CPP, "-O2", "-ffunction-sections", "-fdata-sections", "-fno-threadsafe-statics"];

/// Flags that accept mistakes which other compilers let first-year students make.
const STUDENT: &[&str] = &[
    "-Dmain=judge_kit_main_of_the_student",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ftrivial-auto-var-init=zero",
    "-Wno-register",
    "-fno-strict-return",
    super::ENDLESS,
    "-UNDEBUG",
    "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_AUTO_PTR",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_BINDERS",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_RANDOM_SHUFFLE",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION",
    "-D_LIBCPP_ENABLE_CXX20_REMOVED_BINDER_TYPEDEFS",
    "-D_LIBCPP_ENABLE_CXX20_REMOVED_NEGATORS",
    "-D_LIBCPP_ENABLE_CXX20_REMOVED_TYPE_TRAITS",
];

/// The flags for the student's file. Those for modules only are left out for this machine.
fn student(shop: &Workshop<'_>) -> impl Iterator<Item = &'static str> {
    const MODULES_ONLY: &[&str] = &["-fno-strict-return"];
    let native = shop.compiler.is_native;
    STUDENT.iter().copied().filter(move |flag| !native || !MODULES_ONLY.contains(flag))
}

/// A way to compile the student's file.
struct Attempt {
    /// Remark on success.
    note: &'static str,
    /// File to include first.
    prelude: Option<&'static str>,
    /// Parts of first errors that this attempt may help against. Spelling mistakes are reported at
    /// once.
    helps: &'static [&'static str],
}

/// Attempts to compile a file, in order until one succeeds: without type information, which makes
/// it smaller; with it; with the whole standard library included; with `using namespace std` as
/// well.
const ATTEMPTS: [Attempt; 4] = [
    Attempt { note: "", prelude: None, helps: &[""] },
    Attempt { note: "", prelude: None, helps: &["rtti"] },
    Attempt {
        note: "an `#include` is missing: compiled with <bits/stdc++.h> before it",
        prelude: Some("everything.h"),
        helps: UNKNOWN_NAMES,
    },
    Attempt {
        note: "compiled with `using namespace std;` before it",
        prelude: Some("using_std.h"),
        helps: UNKNOWN_NAMES,
    },
];

/// Finds the same mistakes without compiling.
const CHECK: &str = "-fsyntax-only";

/// Parts of the compiler's errors for unknown names.
const UNKNOWN_NAMES: &[&str] = &[
    "undeclared identifier",
    "unknown type name",
    "unknown class name",
    "no type named",
    "no template named",
    "no member named",
    "incomplete type",
    "undefined template",
    "a type specifier is required",
    "unknown template name",
    "was not declared",
    "does not name a",
    "is not a member of",
    "rtti",
];

/// The flags for all files that the kit compiles.
pub(super) fn flags() -> String {
    format!("{COMMON:?} {STUDENT:?} {EMULATED:?} {LIBRARIES:?} {:?}", super::LINKING)
}

/// Hash of the kit's files.
pub(super) fn hash() -> Digest {
    static HASH: LazyLock<Digest> = LazyLock::new(|| embedded::hash(files()));
    *HASH
}

/// The kit's files by their paths in its folder.
pub(super) fn files() -> impl Iterator<Item = (String, &'static [u8])> {
    let folders = [("include/", &INCLUDE), ("prelude/", &PRELUDE), ("src/", &SOURCES)];
    folders.into_iter().flat_map(|(prefix, folder)| embedded::files(folder, prefix))
}

/// The kit's class in the source, if there is one. The build's folder then has the kit and the
/// source's headers. The preprocessor removes comments and inserts headers, which may contain the
/// class.
pub(crate) fn find(shop: &Workshop<'_>) -> Result<Option<KitClass>, BuildError> {
    for (path, bytes) in files() {
        shop.write(&format!("kit/{path}"), bytes)?;
    }
    let staged = stage(shop)?;
    let mut found = Vec::new();
    for form in KitClass::ALL {
        let mut command = shop.command();
        command
            .args(COMMON)
            .args(EMULATED)
            .args(student(shop))
            .args(shop.defines())
            .args(form.folders(shop))
            .args(form.names(shop));
        let ran = shop.run(command.args(["-E", "-P"]).arg(&staged))?;
        // If preprocessing fails, compiling shows the errors.
        let text = if ran.success { ran.out } else { shop.text.to_vec() };
        if has_word(&String::from_utf8_lossy(&text), form.class()) {
            found.push(form);
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [form] => Ok(Some(*form)),
        _ => {
            let hint = "call one of them something else";
            Err(BuildError::source(shop.source, "has both `MyBrain` and `MyBot`", hint))
        }
    }
}

/// Copies the source under its own name for messages. Removes the byte order mark of some editors,
/// and adds a missing line end.
fn stage(shop: &Workshop<'_>) -> Result<PathBuf, BuildError> {
    let name = shop.source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let text = shop.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(shop.text);
    let first = format!("#line 1 \"{name}\"\n");
    shop.write("student/source.cpp", &[first.as_bytes(), text, b"\n"].concat())
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).any(|found| found == word)
}

/// Builds a source with one of the classes.
pub(super) fn build(shop: &Workshop<'_>, form: KitClass) -> Result<Compiled, BuildError> {
    let (compile, mut remarks) = compile_source(shop, form)?;
    let mut parts = vec![shop.place("entry.o")];
    for (part, more) in [("bot", &[][..]), ("failure", &[TELLS_WHAT]), ("wasi", &[]), ("log", &[])]
    {
        parts.push(compile_part(shop, form, part, more)?);
    }
    let (mut module, said) = link(shop, &parts, &compile)?;
    // A program that prints gets the log from the start, for the last output of a bot that fails,
    // and one that throws for the text of its exception. The import is encoded as `judge`, the
    // length of the next name, `log`.
    let has = |text: &[u8]| module.windows(text.len()).any(|bytes| bytes == text);
    if has(b"judge\x03log") || has(b"exception thrown: ") {
        let last = parts.len() - 1;
        parts[last] = compile_part(shop, form, "log", &["-DJUDGE_KIT_OFFER_LOG"])?;
        module = link(shop, &parts, &compile)?.0;
    }
    remarks += &said;
    let game = (form == KitClass::Brain).then_some(BRAINS_GAME);
    Ok(Compiled { module, remarks, game, kit: Some(NAME), ..Compiled::default() })
}

fn link(
    shop: &Workshop<'_>,
    parts: &[PathBuf],
    compile: &Command,
) -> Result<(Vec<u8>, String), BuildError> {
    let mut command = shop.command();
    shop.link(command.arg("-mexec-model=reactor").args(parts).args(LIBRARIES), compile)
}

/// Compiles the student's file; returns the command and the compiler's remarks.
fn compile_source(shop: &Workshop<'_>, form: KitClass) -> Result<(Command, String), BuildError> {
    let mut first = String::new();
    for (number, attempt) in ATTEMPTS.iter().enumerate() {
        if !attempt.helps.iter().any(|words| first.contains(words)) {
            continue;
        }
        // A typo is also an unknown name: try whether the widest attempt helps at all.
        if number == 2 && !shop.run(ATTEMPTS[3].command(shop, form, false).arg(CHECK))?.success {
            break;
        }
        let mut command = attempt.command(shop, form, number == 0);
        let ran = shop.run(&mut command)?;
        if ran.success {
            let note = (!attempt.note.is_empty()).then(|| format!("{}\n", attempt.note));
            return Ok((command, ran.err + &note.unwrap_or_default()));
        }
        if number == 0 {
            first = ran.err;
        }
    }
    Err(explain::refused(shop.source, "compile", first))
}

impl Attempt {
    fn command(&self, shop: &Workshop<'_>, form: KitClass, lean: bool) -> Command {
        let mut command = of_kit(shop, form, &shop.place("kit/src/entry.cpp"));
        command.args(student(shop)).args(shop.defines());
        command.args(["-MMD", "-MF"]).arg(shop.place("inputs.d"));
        if lean {
            command.arg("-fno-rtti");
        }
        if let Some(prelude) = self.prelude {
            command.arg("-include").arg(shop.place(&format!("kit/prelude/{prelude}")));
        }
        command.arg("-o").arg(shop.place("entry.o"));
        command
    }
}

/// Compiles the student's file for this machine; returns the compiler's remarks.
pub(crate) fn compile_native(shop: &Workshop<'_>, form: KitClass) -> Result<String, BuildError> {
    compile_source(shop, form).map(|(_, remarks)| remarks)
}

/// A command that compiles and links a `main` of the kit for this machine.
pub(crate) fn of_native(shop: &Workshop<'_>, form: KitClass) -> Command {
    let mut command = shop.command();
    command.arg(CPP).args(form.folders(shop)).args(form.names(shop));
    command.arg(format!("-I{}", shop.place("kit/src").display()));
    command
}

/// Makes `failure.cpp` log the text of an exception, too.
const TELLS_WHAT: &str = "-DJUDGE_KIT_TELLS_WHAT";

/// Makes it write to standard error.
const TELLS_STDERR: &str = "-DJUDGE_KIT_TELLS_STDERR";

/// Compiles the kit's handlers for exceptions and other abnormal ends of C++ programs, which trap.
/// Only a `program` has a standard error.
pub(super) fn endings(shop: &Workshop<'_>, program: bool) -> Result<PathBuf, BuildError> {
    let more: &[&str] = if program { &[TELLS_WHAT, TELLS_STDERR] } else { &[] };
    compile_part(shop, KitClass::Bot, "failure", more)
}

/// Compiles one of the kit's own sources, or takes it from the cache.
fn compile_part(
    shop: &Workshop<'_>,
    form: KitClass,
    part: &str,
    more: &[&str],
) -> Result<PathBuf, BuildError> {
    let object = shop.place(&format!("{part}.o"));
    let key = format!("part {} {} {form:?} {part} {more:?}", hash(), shop.compiler.key());
    if let Some(kept) = shop.cache.find(&key) {
        return shop.write(&format!("{part}.o"), &kept.bytes);
    }
    let mut command = of_kit(shop, form, &shop.place(&format!("kit/src/{part}.cpp")));
    let ran = shop.run(command.arg("-fno-rtti").args(more).arg("-o").arg(&object))?;
    if !ran.success {
        return Err(explain::refused(shop.source, "compile", ran.err));
    }
    let bytes = std::fs::read(&object)
        .map_err(|source| BuildError::Read { path: object.clone(), source })?;
    shop.cache.keep(&key, &[], &bytes, "");
    Ok(object)
}

/// A command that compiles a source of the kit.
fn of_kit(shop: &Workshop<'_>, form: KitClass, source: &Path) -> Command {
    let mut command = shop.command();
    command
        .args(COMMON)
        .args(EMULATED)
        .args(form.folders(shop))
        .args(form.names(shop))
        .arg("-c")
        .arg(source);
    if shop.compiler.is_native {
        // After the level of modules. GCC would take the zeros of new objects for dead.
        command.arg("-O0").args(lenient(shop));
    }
    command
}

/// A flag of GCC that other compilers do not know.
fn lenient(shop: &Workshop<'_>) -> Option<&'static str> {
    let is_gcc = shop.compiler.tool.name().contains("g++");
    is_gcc.then_some("-fno-lifetime-dse")
}
