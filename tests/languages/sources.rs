//! Sources of each language with a compiler: built by `judge build`, and played.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, root, says, write};

/// A language: its compiler's name, a small source that needs it, and a bot.
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
    /// Writes the source into a folder.
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

    /// Builds it under names that begin like an option or a response file, in its folder.
    pub(crate) fn is_built_under_the_name_of_an_option(&self) {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        let build = |name: &str, arguments: &[&str]| {
            let mut command = judge();
            command.current_dir(folder.path()).env("JUDGE_CACHE", &cache);
            let ran = command.arg("build").args(arguments).arg("--").arg(name).output();
            let ran = Ran::from(ran.unwrap());
            assert_eq!(ran.code, 0, "{name}: {}{}", ran.stdout, ran.stderr);
        };
        let [option, list] = ["-o", "@"].map(|start| format!("{start}{}", self.file));
        for name in [&option, &list] {
            write(folder.path(), name, self.text);
            build(name, &["-o", "bot.wasm"]);
        }
        build(&list, &["--native", "-o", "bot.native"]);
    }

    /// True if its compiler is installed, by the judge's output.
    pub(crate) fn has_compiler(&self) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let ran = judge_with(&["build"], &self.write(folder.path()));
        !ran.stderr.contains("error: no compiler for ")
    }

    /// Builds and plays it; then breaks it, and checks the position in the error.
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

    /// The module's note of its language, if the compiler writes one.
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
        let temporary = std::env::temp_dir().join("judge-tmp-").display().to_string();
        let of_folder = folder.display().to_string();
        let foreign = ran.stderr.replace(&of_folder, "").contains(&temporary);
        assert!(!foreign, "only the author's own paths: {}", ran.stderr);
    }
}

fn judge_with(command: &[&str], source: &Path) -> Ran {
    judge().args(command).arg(source).output().unwrap().into()
}

/// C++ lets a compiler remove an endless loop without effects.
pub(crate) fn compilers_keep_endless_loops() {
    let folder = tempfile::tempdir().unwrap();
    let text = "// judge: game=cc\n#include <vector>\nint main() {\n    std::vector<int> all(3);\n    \
                unsigned at = 0;\n    while (at < all.size()) { if (all[at] > 500) at++; }\n}\n";
    for name in ["bot.cpp", "bot.c"] {
        let plain = text
            .replace("#include <vector>", "")
            .replace("std::vector<int> all(3)", "int all[3] = {0}");
        let plain = plain.replace("all.size()", "3");
        let text = if name == "bot.c" { plain } else { text.to_owned() };
        let ran = judge_with(&["check"], &write(folder.path(), name, text));
        assert!(ran.stdout.contains("Time limit exceeded"), "{}{}", ran.stdout, ran.stderr);
    }
}

/// A changed header gives another bot, although the source is the same.
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

/// The same for the imports of an AssemblyScript source.
pub(crate) fn a_changed_import_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let bot = SOURCES.iter().find(|source| source.language == "assemblyscript").unwrap();
    let text = format!(
        "import {{ own }} from \"./own\";\nexport function more(): i32 {{ return own(); }}\n{}",
        bot.text
    );
    let source = write(folder.path(), "bot.ts", text);
    let built: Vec<(bool, Vec<u8>)> = ["1", "2", "2"]
        .into_iter()
        .map(|value| {
            write(
                folder.path(),
                "own.ts",
                format!("export function own(): i32 {{ return {value}; }}\n"),
            );
            let ran = judge_with(&["build"], &source);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            (
                ran.stderr.contains("building"),
                std::fs::read(folder.path().join("bot.wasm")).unwrap(),
            )
        })
        .collect();
    assert_ne!(built[0].1, built[1].1, "another import is another bot");
    assert!(!built[2].0 && built[2].1 == built[1].1, "it was built before");
}

/// The judge accepts every module of the brains and bots that the kit's own tests build by its
/// script.
pub(crate) fn unusual_brains_are_built() {
    let tests = root().join("sdk/cpp/tests");
    let mut built = 0;
    for entry in std::fs::read_dir(tests.join("brains")).unwrap() {
        let source = entry.unwrap().path();
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("bot.wasm");
        let ran = judge().arg("build").arg(&source).arg("-o").arg(module).output().unwrap();
        let words = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(0), "{}: {words}", source.display());
        let ran = judge_with(&["play", "--seed", "2"], &source);
        assert!(ran.code <= 1 && ran.stdout.contains("digest "), "{}", ran.stderr);
        built += 1;
    }
    assert!(built > 10, "{built}");
}

/// A trap of a brain is shown with the line of its file. The module does not depend on the source's
/// folder, and names no folder of its author.
pub(crate) fn a_trap_has_the_line_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let brain = include_str!("sources/brain.cpp");
    let text =
        format!("{brain}\nint half(int x) {{ if (x > 2) __builtin_trap(); return x / 2; }}\n");
    let marker = "Tile requestDiscard() override {";
    assert!(text.contains(marker), "the test puts a call there");
    let text =
        text.replacen(marker, &format!("{marker} half(hand.size()); if (!*__FILE__) return 0;"), 1);
    let text = text.replacen("class MyBrain", "int half(int);\nclass MyBrain", 1);
    let source = write(folder.path(), "brain.cpp", &text);
    let ran = judge_with(&["play", "--seed", "3"], &source);
    let line = text.lines().count();
    says(&ran.stdout, &[&format!("where the bot failed:\n  at half (brain.cpp:{line})\n")]);
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let other = write(&elsewhere, "brain.cpp", &text);
    // Built from elsewhere, from its folder, from a folder like that of builds, and once more.
    let (above, inside) = (folder.path(), elsewhere.as_path());
    let modules: Vec<Vec<u8>> = [
        (&source, inside, inside),
        (&other, inside, inside),
        (&PathBuf::from("brain.cpp"), inside, above),
        (&source, above, above),
        (&source, above, above),
    ]
    .into_iter()
    .map(|(named, from, temporary)| {
        let cache = tempfile::tempdir().unwrap();
        let mut build = judge();
        build.current_dir(from).env("TMPDIR", temporary).env("JUDGE_CACHE", cache.path());
        let out = cache.path().join("bot.wasm");
        let ran: Ran = build.arg("build").arg(named).arg("-o").arg(&out).output().unwrap().into();
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::read(out).unwrap()
    })
    .collect();
    assert!(modules.iter().all(|module| *module == modules[0]), "its place must not matter");
    let place = folder.path().display().to_string();
    let named = modules[0].windows(place.len()).any(|bytes| bytes == place.as_bytes());
    assert!(!named, "the author's folder is nobody's business");
}

/// Common problems of first-year programs, and the hints for them.
pub(crate) fn common_compiler_errors_are_explained() {
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
        (
            "spelled.cpp",
            "#include \"brain.h\"\nclass Mybrain : public Brain {};\n",
            "spelled like this",
        ),
        (
            "open.cpp",
            "#include \"brain.h\"\nclass MyBrain : public Brain {\n    void getDraw(Tile) override {\n};\n",
            "is missing in your class",
        ),
        (
            "lacks.cpp",
            "#include \"brain.h\"\nclass MyBrain : public Brain {\n    void getDraw(Tile) override {}\n};\n",
            "your class lacks a function",
        ),
    ] {
        let source = write(folder.path(), file, text);
        let ran = judge_with(&["build"], &source);
        assert_eq!(ran.code, 3, "{file}: {}{}", ran.stdout, ran.stderr);
        says(&ran.stderr, &["hint: ", help]);
    }
}
