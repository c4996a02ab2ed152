//! Languages by the file names of sources.

use std::fmt;
use std::path::Path;

/// A language of bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// A file `NAME.c`.
    C,
    /// A file `NAME.cpp`, `NAME.cc` or `NAME.cxx`.
    Cpp,
    /// A file `NAME.zig`.
    Zig,
    /// A file `NAME.go`, or a folder with a `go.mod`.
    Go,
    /// A file `NAME.ts`.
    AssemblyScript,
    /// A file `NAME.wat`.
    Text,
    /// A folder with a `Cargo.toml`.
    Rust,
    /// A file `NAME.js` or `NAME.mjs`.
    JavaScript,
    /// A file `NAME.py`.
    Python,
}

/// File endings in lower case, and their languages.
const ENDINGS: &[(&str, Language)] = &[
    ("c", Language::C),
    ("cpp", Language::Cpp),
    ("cc", Language::Cpp),
    ("cxx", Language::Cpp),
    ("zig", Language::Zig),
    ("go", Language::Go),
    ("ts", Language::AssemblyScript),
    ("wat", Language::Text),
    ("js", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("py", Language::Python),
];

/// Endings of sources that cannot be built, with advice.
const OTHERS: &[(&str, &str)] = &[
    ("rs", "name the folder of its `Cargo.toml`; `judge new NAME --lang rust` makes one"),
    ("toml", "name the folder of the `Cargo.toml`"),
    ("h", "name the file that includes it: `bot.cpp`"),
    ("hpp", "name the file that includes it: `bot.cpp`"),
    ("java", "there is no way to build it: see the languages of `judge new --help`"),
];

/// Files that make a folder a project.
pub(crate) const PROJECTS: &[(&str, Language)] =
    &[("Cargo.toml", Language::Rust), ("go.mod", Language::Go)];

impl Language {
    /// All languages.
    pub const ALL: &[Language] = &[
        Language::C,
        Language::Cpp,
        Language::Rust,
        Language::Zig,
        Language::Go,
        Language::AssemblyScript,
        Language::JavaScript,
        Language::Python,
        Language::Text,
    ];

    /// The language of a source.
    ///
    /// # Errors
    /// With advice, when the name is not one of a source that the judge can build.
    pub fn from_path(source: &Path) -> Result<Language, String> {
        let found = if source.is_dir() { of_folder(source) } else { of_ending(source) };
        found.ok_or_else(|| hint(source))
    }

    /// Its name in messages.
    pub fn title(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Zig => "Zig",
            Language::Go => "Go",
            Language::AssemblyScript => "AssemblyScript",
            Language::Text => "WebAssembly text",
            Language::Rust => "Rust",
            Language::JavaScript => "JavaScript",
            Language::Python => "Python",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// True for sources, by the name only. A folder is a source if it has a project file. Sources that
/// cannot be built count as well, so that their authors get advice.
pub fn is_source(path: &Path) -> bool {
    if path.is_dir() {
        return of_folder(path).is_some();
    }
    let ending = ending(path);
    let other = OTHERS.iter().any(|(other, _)| *other == ending && ending != "toml");
    of_ending(path).is_some() || other
}

/// True if a file of this name makes its folder a project.
pub fn is_project_file(name: &std::ffi::OsStr) -> bool {
    PROJECTS.iter().any(|(file, _)| name == *file)
}

/// True if a file may go into a module. Such files in a folder are watched and hashed.
pub fn belongs_to_a_source(path: &Path) -> bool {
    let more = ["h", "hpp", "hxx", "inc", "rs", "toml", "lock", "mod", "sum", "txt"];
    of_ending(path).is_some() || more.contains(&ending(path).as_str())
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn of_ending(path: &Path) -> Option<Language> {
    let ending = ending(path);
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language)
}

fn of_folder(path: &Path) -> Option<Language> {
    PROJECTS.iter().find(|(file, _)| path.join(file).is_file()).map(|(_, language)| *language)
}

fn hint(source: &Path) -> String {
    if source.is_dir() {
        return "a folder needs a `Cargo.toml` or a `go.mod`; for another language name the file: \
                `bot.c`, `brain.cpp`"
            .to_owned();
    }
    let ending = ending(source);
    match OTHERS.iter().find(|(other, _)| *other == ending) {
        Some((_, instead)) => (*instead).to_owned(),
        None => "sources are `.c`, `.cpp`, `.zig`, `.go`, `.ts` (AssemblyScript), `.js`, `.py`, `.wat`, and the \
                 folder of a Rust or Go project"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_recognised_by_their_names() {
        let of = |name: &str| Language::from_path(Path::new(name)).ok();
        assert_eq!(of("brain.cpp"), Some(Language::Cpp));
        assert_eq!(of("a/BOT.C"), Some(Language::C));
        assert_eq!(of("bot.wat"), Some(Language::Text));
        assert_eq!([of("bot.wasm"), of("bot"), of("bot.java")], [None; 3]);
        assert!(is_source(Path::new("bot.java")), "the hint names the alternative");
        assert!(!is_source(Path::new("suite.toml")) && !is_source(Path::new("random")));
    }

    #[test]
    fn a_folder_is_a_source_if_it_is_a_project() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!is_source(folder.path()));
        std::fs::write(folder.path().join("go.mod"), "module x").expect("written");
        assert_eq!(Language::from_path(folder.path()).ok(), Some(Language::Go));
    }
}
