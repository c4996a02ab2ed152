//! Sources of each language with a compiler: built by `judge build`, and played.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, says, write};

/// A language: its compiler's name for people, a small source that asks for it, and a bot.
pub(crate) struct Source {
    pub(crate) language: &'static str,
    file: &'static str,
    text: &'static str,
}

/// A bot for Mahjong in each language.
pub(crate) const SOURCES: &[Source] = &[
    Source { language: "c", file: "bot.c", text: include_str!("sources/bot.c") },
    Source { language: "c-exports", file: "lines.c", text: include_str!("sources/lines.c") },
    Source { language: "cpp", file: "bot.cpp", text: include_str!("sources/bot.cpp") },
    Source { language: "cpp-kit", file: "brain.cpp", text: include_str!("sources/brain.cpp") },
    Source { language: "zig", file: "bot.zig", text: include_str!("sources/bot.zig") },
    Source { language: "assemblyscript", file: "bot.ts", text: include_str!("sources/bot.ts") },
    Source { language: "rust", file: "rust", text: include_str!("sources/main.rs") },
];

impl Source {
    /// Writes it into a folder.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        if self.language != "rust" {
            return write(folder, self.file, self.text);
        }
        let project = folder.join(self.file);
        std::fs::create_dir_all(project.join("src")).unwrap();
        let manifest = "[package]\nname = \"bot\"\nedition = \"2021\"\n\n[workspace]\n";
        write(&project, "Cargo.toml", manifest);
        write(&project, "src/main.rs", self.text);
        project
    }

    /// Whether its compiler is here: the judge says so itself.
    pub(crate) fn has_compiler(&self) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let ran = judge_with(&["build"], &self.write(folder.path()));
        !ran.stderr.contains("error: no compiler for ")
    }

    /// Builds and plays it; breaks it, and looks for the place.
    pub(crate) fn is_built_and_played(&self) {
        let folder = tempfile::tempdir().unwrap();
        let source = self.write(folder.path());
        let ran = judge_with(&["build"], &source);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        says(&ran.stdout, &["plays mahjong, by "]);
        let ran = judge_with(&["play", "--seed", "3"], &source);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        says(&ran.stdout, &["digest "]);
        assert!(!ran.stdout.contains("error"), "{}", ran.stdout);
        if let Some(made) = self.made_by() {
            let ran = judge_with(&["check"], &source);
            assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
            says(&ran.stdout, &[": accepted\n", "\n made by    ", made]);
        }
        self.is_shown_where_it_is_broken(folder.path(), &source);
    }

    /// What the module says of its language, where the compiler writes it down.
    fn made_by(&self) -> Option<&'static str> {
        match self.language {
            "c" | "c-exports" => Some(" clang "),
            "cpp" | "cpp-kit" => Some("C_plus_plus"),
            "rust" => Some("Rust"),
            _ => None,
        }
    }

    fn is_shown_where_it_is_broken(&self, folder: &Path, source: &Path) {
        let file = if source.is_dir() { source.join("src/main.rs") } else { source.to_owned() };
        std::fs::write(&file, format!("{}\nthis is no code(\n", self.text)).unwrap();
        let ran = judge_with(&["grade"], source);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
        let line = self.text.lines().count() + 2;
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            ran.stderr.contains(&format!("{name}:{line}"))
                || ran.stderr.contains(&format!("{name}({line},")),
            "line {line}: {}",
            ran.stderr
        );
        says(&ran.stderr, &["does not compile"]);
        let temporary = std::env::temp_dir().join(".tmp").display().to_string();
        let of_folder = folder.display().to_string();
        let foreign = ran.stderr.replace(&of_folder, "").contains(&temporary);
        assert!(!foreign, "only the author's own paths: {}", ran.stderr);
    }
}

fn judge_with(command: &[&str], source: &Path) -> Ran {
    judge().args(command).arg(source).output().unwrap().into()
}

/// A header of one's own that changes is another bot, although the source is the same.
pub(crate) fn a_changed_header_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = SOURCES[0].text.replacen("#include", "#include \"own.h\"\n#include", 1);
    let text = text.replace("\"yes\\n\"", "ANSWER");
    let source = write(folder.path(), "bot.c", text);
    let module = folder.path().join("bot.wasm");
    let build = |answer: &str| {
        write(folder.path(), "own.h", format!("#define ANSWER \"{answer}\\n\"\n"));
        let ran = judge_with(&["build"], &source);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        (ran.stderr.contains("building"), std::fs::read(&module).unwrap())
    };
    let (yes, no, again) = (build("yes"), build("no"), build("no"));
    assert!(yes.0 && no.0, "nothing was there before");
    assert!(!again.0, "it was built before");
    assert!(yes.1 != no.1 && no.1 == again.1);
}

/// What first-year programs run into, and the words that help.
pub(crate) fn stumbling_blocks_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text, help) in [
        ("library.c", "int add(int a, int b) { return a + b; }\n", "a program needs a `main`"),
        ("large.c", "static int a[9000000]; int main(void) { for (;;) a[a[0]]++; }\n", "2 MiB"),
        ("plus.c", "#include <vector>\nint main(void) { return 0; }\n", "call the file `.cpp`"),
        (
            "both.cpp",
            "#include \"brain.h\"\nclass MyBrain; class MyBot;\n",
            "call one of them something else",
        ),
        ("nothing.cpp", "int x;\n", "class MyBrain : public Brain"),
    ] {
        let source = write(folder.path(), file, text);
        let ran = judge_with(&["build"], &source);
        assert_eq!(ran.code, 3, "{file}: {}{}", ran.stdout, ran.stderr);
        says(&ran.stderr, &["hint: ", help]);
    }
}
