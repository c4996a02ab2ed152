//! The parts of a compiler: the program, the folders that a build may read, and its variables. The
//! judge looks for them with its own privileges, before any untrusted source is present.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::Confined;
use crate::tool::Tool;
use crate::{BuildError, Language, assemblyscript, clang, go, zig};

/// System libraries and headers.
const SYSTEM: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/include",
    "/etc/ld.so.cache",
];

/// Folders of clang's installation, and beginnings of names of its files in them. Other files there
/// may be private: the installation can be `~/.local`.
const PARTS: &[(&str, &[&str])] = &[
    ("bin", &["clang", "lld", "ld", "llvm-", "wasm-ld"]),
    ("lib", LIBRARIES),
    ("lib64", LIBRARIES),
    ("libexec", &["clang", "llvm", "wasi"]),
    ("include", &["c++", "wasm32", "wasi"]),
    ("share", &["clang", "wasi-sysroot"]),
];

/// Beginnings of names of clang's own folders in `lib`, in addition to shared libraries.
const LIBRARIES: &[&str] = &["clang", "wasm32", "wasi", "x86_64-", "aarch64-"];

/// A compiler for confined builds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Toolchain {
    pub(super) language: Option<Language>,
    /// Paths that may be read and executed.
    pub(super) read: Vec<PathBuf>,
    /// Folders of the compiler's installation, which messages do not show.
    pub(super) hidden: Vec<PathBuf>,
    /// Programs in `PATH`.
    pub(super) programs: Vec<PathBuf>,
    /// Environment variables of the build, in addition to the fixed ones.
    pub(super) variables: Vec<(&'static str, String)>,
    /// Identifies this version of the compiler.
    pub(super) stamp: String,
    /// A folder with the libraries that it has already built for itself.
    pub(super) warm: Option<PathBuf>,
}

impl Confined {
    /// True if the judge builds untrusted sources in this language and has found its compiler, or
    /// needs none.
    pub fn is_installed(&self, language: Language) -> bool {
        super::offered(language).is_ok() && Toolchain::find(language).is_ok()
    }

    /// Warms up the compiler for a language before its first source.
    ///
    /// # Errors
    /// When the compiler is missing, or does not work.
    pub fn prepare(&self, language: Language) -> Result<(), super::ConfinedFailure> {
        self.toolchain(language).map(|_| ())
    }

    /// Finds and warms up the compiler for a language, once.
    pub(super) fn toolchain(
        &self,
        language: Language,
    ) -> Result<Toolchain, super::ConfinedFailure> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let toolchain = Arc::clone(known.entry(language).or_default());
        drop(known);
        // Threads with other languages do not wait for the warm-up.
        let found = toolchain.get_or_init(|| {
            let found = Toolchain::find(language).map_err(super::ConfinedFailure::from);
            found.and_then(|found| self.warmed_up(found))
        });
        found.clone()
    }
}

impl Toolchain {
    /// A toolchain without a compiler, but with the libraries that programs need.
    pub(super) fn of_the_system() -> Toolchain {
        Toolchain { read: SYSTEM.iter().map(PathBuf::from).collect(), ..Toolchain::default() }
    }

    fn find(language: Language) -> Result<Toolchain, BuildError> {
        let mut found = Toolchain { language: Some(language), ..Toolchain::of_the_system() };
        match language {
            Language::C => found.take_compiler("CC", language)?,
            Language::Cpp => found.take_compiler("CXX", language)?,
            Language::Zig => {
                let zig = zig::find().ok_or_else(|| missing(language))?;
                found.take_program(&zig.program);
                found.take_parts_of(&zig.program);
                found.variables.push(("PATH", folder_of(&zig.program)));
            }
            Language::AssemblyScript => found.take_assemblyscript()?,
            Language::Go => found.take_go()?,
            Language::JavaScript | Language::Python | Language::Text | Language::Rust => {}
        }
        Ok(found)
    }

    fn take_compiler(
        &mut self,
        variable: &'static str,
        language: Language,
    ) -> Result<(), BuildError> {
        let found = clang::tool(language)?;
        let linkers = folder_of(&found.program);
        let tool = Tool { program: settled(&found.program), ..found };
        self.take_program(&tool.program);
        self.take_parts_of(&tool.program);
        self.variables.push((variable, command(&tool)?));
        self.take_linkers(Path::new(&linkers));
        for name in ["WASI_SYSROOT", "WASI_SDK_PATH"] {
            if let Ok(value) = std::env::var(name) {
                self.read.push(PathBuf::from(&value));
                self.variables.push((name, value));
            }
        }
        Ok(())
    }

    fn take_assemblyscript(&mut self) -> Result<(), BuildError> {
        let tool = assemblyscript::installed().ok_or_else(|| missing(Language::AssemblyScript))?;
        let script = tool.first.first().map(PathBuf::from).unwrap_or_default();
        self.take_program(&tool.program);
        self.take_program(&script);
        // The package, and the packages that it needs: others may be private.
        let packages = script.ancestors().find(|folder| folder.ends_with("node_modules"));
        let needed = ["assemblyscript", "binaryen", "long"].into_iter();
        self.read.extend(
            packages.into_iter().flat_map(|all| needed.clone().map(|package| all.join(package))),
        );
        for folder in ["/usr/share/nodejs", "/usr/share/node_modules"] {
            self.read.push(PathBuf::from(folder));
        }
        self.variables.push(("ASC", command(&tool)?));
        Ok(())
    }

    fn take_go(&mut self) -> Result<(), BuildError> {
        let language = Language::Go;
        let named = Tool::of_variable("JUDGE_GO").or_else(|| Tool::find(&["go"]));
        let named = named.ok_or_else(|| missing(language))?;
        let root = go::ask(&named, "GOROOT").map(PathBuf::from);
        let root = root.filter(|root| root.is_absolute()).ok_or_else(|| missing(language))?;
        let go = Tool::new(root.join("bin/go"));
        self.take_program(&go.program);
        self.read.push(root);
        self.variables.push(("JUDGE_GO", command(&go)?));
        let fixed = [("GOPROXY", "off"), ("GOSUMDB", "off"), ("GOVCS", "*:off")];
        self.variables.extend(fixed.map(|(name, value)| (name, value.to_owned())));
        Ok(())
    }

    /// Debian's clang looks for its linker in `PATH`. We add only the linkers: with `wasm-opt`
    /// there, the same source would give a different module.
    fn take_linkers(&mut self, folder: &Path) {
        let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_linker = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("wasm-ld")
        };
        let mut linkers: Vec<PathBuf> = found.map(|entry| entry.path()).filter(is_linker).collect();
        linkers.sort();
        for linker in linkers {
            self.take_program(&linker);
            self.programs.push(linker);
        }
    }

    /// True if zig starts the C or C++ compiler.
    pub(super) fn is_zig(&self) -> bool {
        let is_zig = |value: &str| value.ends_with(" cc") || value.ends_with(" c++");
        self.variables.iter().any(|(name, value)| ["CC", "CXX"].contains(name) && is_zig(value))
    }

    /// Adds the program's real file, following links.
    fn take_program(&mut self, program: &Path) {
        let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        self.stamp.push_str(&Tool::new(&real).stamp());
        self.stamp.push(' ');
        self.read.push(real);
    }

    /// Adds the needed parts of the program's installation, unless it is in a system folder. The
    /// rest must stay unreadable, because it may be a home folder (`~/bin/zig`).
    fn take_parts_of(&mut self, program: &Path) {
        let Ok(real) = program.canonicalize() else { return };
        self.hidden.extend(real.ancestors().skip(1).take(2).map(Path::to_owned));
        if let Some(library) = zig_library(&real) {
            self.read.push(library);
            return;
        }
        let Some(folder) = real.parent() else { return };
        let is_bin = folder.ends_with("bin");
        let Some(root) = (if is_bin { folder.parent() } else { Some(folder) }) else { return };
        if ["/", "/usr"].map(Path::new).contains(&root) {
            return;
        }
        for (part, names) in PARTS {
            let found = std::fs::read_dir(root.join(part)).into_iter().flatten().flatten();
            let is_part = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_library = name.starts_with("lib") && name.contains(".so");
                is_library || names.iter().any(|begin| name.starts_with(begin))
            };
            let mut parts: Vec<PathBuf> = found.map(|entry| entry.path()).filter(is_part).collect();
            parts.sort();
            self.read.extend(parts);
        }
    }
}

/// The library of zig, which zig looks for in the folders above its program. None for other programs.
fn zig_library(program: &Path) -> Option<PathBuf> {
    let is_zig = program.file_name()?.to_string_lossy().starts_with("zig");
    let mut folders = program
        .ancestors()
        .skip(1)
        .flat_map(|folder| ["lib/zig", "lib"].map(|library| folder.join(library)));
    folders.find(|folder| is_zig && folder.join("std/std.zig").is_file())
}

/// The program by the name that selects its mode (`clang++`), in its real folder: clang uses the
/// files that are next to it there.
fn settled(program: &Path) -> PathBuf {
    let mut place = program.to_owned();
    let Ok(real) = program.canonicalize() else { return place };
    while place.parent() != real.parent() {
        let Ok(target) = std::fs::read_link(&place) else { return program.to_owned() };
        place = place.parent().unwrap_or(Path::new("/")).join(target);
        let folder = place.parent().and_then(|folder| folder.canonicalize().ok());
        let (Some(folder), Some(name)) = (folder, place.file_name()) else { return real };
        place = folder.join(name);
    }
    place
}

fn folder_of(program: &Path) -> String {
    program.parent().unwrap_or(Path::new("/")).display().to_string()
}

/// A command as a variable's value, with spaces between its words.
fn command(tool: &Tool) -> Result<String, BuildError> {
    let words =
        std::iter::once(tool.program.as_os_str()).chain(tool.first.iter().map(|word| &**word));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    match words.iter().find(|word| word.contains(char::is_whitespace)) {
        None => Ok(words.join(" ")),
        Some(word) => Err(BuildError::Start {
            program: word.clone(),
            source: std::io::Error::other("its path has a space in it: install it elsewhere"),
        }),
    }
}

fn missing(language: Language) -> BuildError {
    BuildError::NoCompiler { path: PathBuf::from("a source"), language, tried: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths below a folder that a build may read with the compiler there.
    fn readable(home: &Path, files: &[&str], program: &str) -> Vec<String> {
        for file in files.iter().chain([&program]) {
            let file = home.join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            std::fs::write(file, "").expect("written");
        }
        let mut found = Toolchain::default();
        found.take_parts_of(&home.join(program));
        let inside =
            |path: &PathBuf| path.strip_prefix(home).expect("inside").display().to_string();
        found.read.iter().map(inside).collect()
    }

    #[test]
    fn a_compiler_in_a_home_folder_does_not_expose_the_folder() {
        let private = [
            "bin/secret.h",
            "bin/deploy.sh",
            "lib/secret.h",
            "lib/python3/site.py",
            "include/secret.h",
            "share/keys/key",
        ];
        let with = |files: &[&'static str]| [&private[..], files].concat();
        for (files, program, expected) in [
            (&["lib/zig/std/std.zig"][..], "bin/zig", &["lib/zig"][..]),
            (&["lib/std/std.zig"], "zig", &["lib"]),
            (
                &[
                    "bin/wasm-ld",
                    "lib/clang/22/include/stddef.h",
                    "lib/libLLVM.so.22",
                    "include/c++/v1/vector",
                    "share/wasi-sysroot/include/stdio.h",
                ],
                "bin/clang-22",
                &[
                    "bin/clang-22",
                    "bin/wasm-ld",
                    "lib/clang",
                    "lib/libLLVM.so.22",
                    "include/c++",
                    "share/wasi-sysroot",
                ],
            ),
        ] {
            let home = tempfile::tempdir().expect("a folder");
            let home = home.path().canonicalize().expect("there");
            assert_eq!(readable(&home, &with(files), program), expected, "{program}");
        }
        let mut found = Toolchain::default();
        found.take_parts_of(Path::new("/usr/bin/env"));
        assert!(found.read.iter().all(|path| path != Path::new("/usr")), "{found:?}");
    }
}
