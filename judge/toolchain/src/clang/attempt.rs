//! One build: a folder for intermediate files, and the compiler's commands.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::arrays;
use super::compiler::Compiler;
use crate::tool::{ToolRun, run};
use crate::{BuildError, Cache, Define, Scratch, explain};

/// The C++ standard.
pub(crate) const CPP: &str = "-std=c++20";

/// Options of programs for this machine: all that a debugger needs, and the arithmetic of modules.
const NATIVE: &[&str] = &["-g", "-O0", "-fsigned-char", "-ffp-contract=off"];

/// Start of the line that names the kit's file as the includer.
const INCLUDED_BY_THE_KIT: &str = "In file included from kit/src/entry.cpp";

/// The folder of a build, and the source to build.
pub(crate) struct Workshop<'a> {
    folder: Scratch,
    pub(crate) source: &'a Path,
    pub(crate) text: &'a [u8],
    defines: &'a [Define],
    pub(crate) compiler: Compiler,
    pub(crate) cache: &'a Cache,
}

impl<'a> Workshop<'a> {
    pub(crate) fn new(
        (source, text): (&'a Path, &'a [u8]),
        defines: &'a [Define],
        compiler: Compiler,
        cache: &'a Cache,
    ) -> Result<Workshop<'a>, BuildError> {
        let folder = Scratch::new("build-").map_err(BuildError::writing(&std::env::temp_dir()))?;
        Ok(Workshop { folder, source, text, defines, compiler, cache })
    }

    /// The path of a file in the folder.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, BuildError> {
        let path = self.place(name);
        let folder = path.parent().unwrap_or(self.folder.path());
        std::fs::create_dir_all(folder).map_err(BuildError::writing(folder))?;
        std::fs::write(&path, bytes).map_err(BuildError::writing(&path))?;
        Ok(path)
    }

    /// The folder of the source, by the given path.
    pub(crate) fn source_folder(&self) -> &Path {
        let folder = self.source.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Options that set the constants of this build.
    pub(crate) fn defines(&self) -> impl Iterator<Item = String> + '_ {
        self.defines.iter().map(|define| format!("-D{define}"))
    }

    /// A command of the compiler. The module depends neither on the path of the source nor on that
    /// of this folder. If several prefix maps fit a path, the last one counts.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.compiler.command(self.cache);
        if self.compiler.is_native {
            command.args(NATIVE);
            return command;
        }
        let map = |from: &Path, to: &str| format!("-ffile-prefix-map={}={to}", from.display());
        let beside = format!("-ffile-prefix-map={}/=", self.source_folder().display());
        command.arg("-no-canonical-prefixes").arg(beside);
        command.arg(map(self.folder.path(), "."));
        command.arg(map(&self.place("kit"), "kit"));
        if !self.compiler.is_zig() {
            command.arg("-gline-tables-only").arg("-fdebug-compilation-dir=.");
            // The exit status shows a crash; diagnostics files would only take space.
            command.arg("-fno-crash-diagnostics");
        }
        command
    }

    /// Runs a command; its messages do not contain paths of this folder.
    ///
    /// # Errors
    /// When it does not start, or does not finish.
    pub(crate) fn run(&self, command: &mut Command) -> Result<ToolRun, BuildError> {
        let mut ran = run(command)?;
        if ran.crashed {
            return Err(self.crashed(command));
        }
        let folder = format!("{}{}", self.folder.path().display(), std::path::MAIN_SEPARATOR);
        let words = ran.err.replace(&folder, "").replace("kit\\src", "kit/src");
        // The kit's file includes the source; the author of the source did not write that line.
        let lines = words.split_inclusive('\n');
        ran.err = lines.filter(|line| !line.starts_with(INCLUDED_BY_THE_KIT)).collect();
        Ok(ran)
    }

    /// The error for a compiler crash, most often because the compiler computed every element of an
    /// array.
    fn crashed(&self, command: &Command) -> BuildError {
        BuildError::Crashed { path: self.source.to_owned(), hint: self.largest_array(command) }
    }

    /// A sentence about the largest array of a source, by the command that compiles it. Clang's
    /// assembly has sizes, and in C++17 mode clang does not compute the elements for it.
    fn largest_array(&self, command: &Command) -> Option<String> {
        let (mut again, place) = (Command::new(command.get_program()), self.place("sizes.s"));
        let arguments = command.get_args().map(|argument| match argument.to_str() {
            Some("-c") => "-S".as_ref(),
            Some(CPP) => "-std=c++17".as_ref(),
            _ => argument,
        });
        again.args(arguments).arg("-o").arg(&place);
        let built = run(&again).is_ok_and(|ran| ran.success);
        let assembly = built.then(|| std::fs::read(place).ok()).flatten();
        let assembly = assembly.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        arrays::largest(self.source, self.text, assembly.as_deref())
    }

    /// Links objects; `compile` is the command that compiled the source.
    pub(crate) fn link(
        &self,
        command: &mut Command,
        compile: &Command,
    ) -> Result<(Vec<u8>, String), BuildError> {
        let place = self.place("bot.wasm");
        command.args(super::LINKING);
        if self.compiler.is_zig() {
            // Zig optimises its C library for each module by this option.
            command.arg("-O2");
            // Zig builds its C library for each module, with a megabyte of line numbers that
            // contain paths of this machine.
            command.arg("-Wl,--strip-debug");
        } else {
            // Without `-O2`: with it clang runs any `wasm-opt` that it finds, which changes the
            // module.
            command.arg("-Wl,--stack-first");
            command.arg("-lc-printscan-long-double");
        }
        let ran = self.run(command.arg("-o").arg(&place))?;
        if !ran.success {
            let too_large = ran.err.contains("memory too small");
            let error = explain::refused(self.source, "link", ran.err);
            let hint = too_large.then(|| self.largest_array(compile)).flatten();
            return Err(error.with_advice(hint));
        }
        let module = std::fs::read(&place)
            .map_err(|source| BuildError::Read { path: place.clone(), source })?;
        Ok((module, ran.err))
    }

    /// The user's own headers that the compiler read.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        let rule = std::fs::read_to_string(self.place("inputs.d")).unwrap_or_default();
        let files = dependencies(&rule).into_iter().map(PathBuf::from);
        files.filter(|path| !path.starts_with(self.folder.path())).collect()
    }
}

/// The files after the colon of a `make` rule.
fn dependencies(rule: &str) -> Vec<String> {
    let rule = rule.replace("\\\r\n", " ").replace("\\\n", " ");
    let Some((_, files)) = rule.split_once(": ") else { return Vec::new() };
    let mut found = vec![String::new()];
    let mut letters = files.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if matches!(letters.peek(), Some(' ' | '#')) => {
                found.extend_last(letters.next());
            }
            letter if letter.is_whitespace() => found.push(String::new()),
            letter => found.extend_last(Some(letter)),
        }
    }
    found.retain(|file| !file.is_empty());
    found
}

/// A list of words whose last word can grow.
trait Growing {
    fn extend_last(&mut self, letter: Option<char>);
}

impl Growing for Vec<String> {
    fn extend_last(&mut self, letter: Option<char>) {
        if let Some(last) = self.last_mut() {
            last.extend(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_rule_lists_the_read_files() {
        let rule = "out.o: /tmp/source.cpp \\\n  my\\ folder/own.h \\\n  b.h\n";
        assert_eq!(dependencies(rule), ["/tmp/source.cpp", "my folder/own.h", "b.h"]);
        assert_eq!(dependencies(""), Vec::<String>::new());
    }
}
