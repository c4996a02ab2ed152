//! The languages of new bots: names, files, and the place of the strategy.

use crate::Error;
use crate::base::nearest::nearest;

/// A language with templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Cpp,
    Rust,
    Zig,
    Go,
    AssemblyScript,
    JavaScript,
    Python,
    Text,
}

/// Memory of the testcase for Go. Its runtime needs 3 MiB, plus garbage.
const GO_KIB: u32 = 16384;

impl Language {
    pub(super) const ALL: &[Language] = &[
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

    /// Finds the language with a name. The error for an unknown name suggests the nearest one.
    pub(super) fn find(name: &str) -> Result<Language, Error> {
        let small = name.to_lowercase();
        let all = || Language::ALL.iter().flat_map(|language| language.names());
        let found = Language::ALL.iter().find(|one| one.names().contains(&small.as_str()));
        found.copied().ok_or_else(|| {
            let what = format!("no templates for the language `{name}`");
            let near = nearest(&small, all().copied());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let names: Vec<&str> = Language::ALL.iter().map(|one| one.name()).collect();
            Error::usage(what, format!("{near}The languages are `{}`", names.join("`, `")))
        })
    }

    pub(super) fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Names on the command line, the usual one first.
    fn names(self) -> &'static [&'static str] {
        match self {
            Language::C => &["c"],
            Language::Cpp => &["cpp", "c++", "cxx"],
            Language::Rust => &["rust", "rs"],
            Language::Zig => &["zig"],
            Language::Go => &["go", "golang"],
            Language::AssemblyScript => &["assemblyscript", "as", "ts", "typescript"],
            Language::JavaScript => &["javascript", "js"],
            Language::Python => &["python", "py"],
            Language::Text => &["wat", "wasm"],
        }
    }

    /// The language's name for people.
    pub(super) fn title(self) -> &'static str {
        self.builder().title()
    }

    /// The corresponding language of the build crate.
    pub(super) fn builder(self) -> judge_toolchain::Language {
        match self {
            Language::C => judge_toolchain::Language::C,
            Language::Cpp => judge_toolchain::Language::Cpp,
            Language::Rust => judge_toolchain::Language::Rust,
            Language::Zig => judge_toolchain::Language::Zig,
            Language::Go => judge_toolchain::Language::Go,
            Language::AssemblyScript => judge_toolchain::Language::AssemblyScript,
            Language::JavaScript => judge_toolchain::Language::JavaScript,
            Language::Python => judge_toolchain::Language::Python,
            Language::Text => judge_toolchain::Language::Text,
        }
    }

    /// The folder of the language's templates.
    pub(super) fn folder(self) -> &'static str {
        self.name()
    }

    /// The extension of the language's templates.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Rust => "rs",
            Language::Zig => "zig",
            Language::Go => "go",
            Language::AssemblyScript => "ts",
            Language::JavaScript => "js",
            Language::Python => "py",
            Language::Text => "wat",
        }
    }

    /// The file with the strategy, relative to the project.
    pub(super) fn main(self, game: &str) -> &'static str {
        match self {
            Language::C => "bot.c",
            Language::Cpp if game == "mahjong" => "brain.cpp",
            Language::Cpp => "bot.cpp",
            Language::Rust => "src/main.rs",
            Language::Zig => "bot.zig",
            Language::Go => "main.go",
            Language::AssemblyScript => "bot.ts",
            Language::JavaScript => "bot.js",
            Language::Python => "bot.py",
            Language::Text => "bot.wat",
        }
    }

    /// True if commands take the project's folder instead of a file.
    pub(super) fn is_folder(self) -> bool {
        matches!(self, Language::Rust | Language::Go)
    }

    /// The name of the function with the strategy.
    pub(super) fn place(self, game: &str) -> &'static str {
        match (self, game) {
            (Language::Python, "mahjong") => "`choose_move`",
            (Language::Python, _) => "`value`",
            (Language::Text, "patchwork") => "`$choose`",
            (Language::Text, _) => "`$value`",
            (Language::Go | Language::AssemblyScript | Language::JavaScript, "mahjong") => {
                "`chooseMove`"
            }
            (Language::Go | Language::AssemblyScript | Language::JavaScript, _) => "`value`",
            (Language::Cpp, "patchwork") => "`value`",
            (_, "patchwork") => "`choose`",
            _ => "`value`",
        }
    }

    /// The project's own testcase, if the bundled suites do not fit.
    pub(super) fn testcase(self) -> Option<&'static str> {
        (self == Language::Go).then_some("testcase.toml")
    }

    /// Additional files of a project.
    pub(super) fn more(self, game: &str, name: &str) -> impl Iterator<Item = (String, String)> {
        let files: Vec<(&str, String)> = match self {
            Language::Rust => {
                vec![("Cargo.toml", cargo(name)), (".gitignore", "/target\n".to_owned())]
            }
            Language::Go => {
                vec![("go.mod", go_module(name)), ("testcase.toml", testcase(game))]
            }
            Language::AssemblyScript => {
                vec![
                    ("package.json", package(name)),
                    ("tsconfig.json", TSCONFIG.to_owned()),
                    (".gitignore", "/node_modules\n".to_owned()),
                ]
            }
            Language::JavaScript => vec![("jsconfig.json", JSCONFIG.to_owned())],
            Language::C | Language::Python | Language::Cpp | Language::Zig | Language::Text => {
                Vec::new()
            }
        };
        files.into_iter().map(|(name, text)| (name.to_owned(), text))
    }
}

fn cargo(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n# Keeps the package \
         out of other workspaces.\n[workspace]\n"
    )
}

fn go_module(name: &str) -> String {
    format!(
        "module example/{name}\n\ngo 1.21\n\nrequire judgebot v0.0.0\n\nreplace judgebot => ./judgebot\n"
    )
}

/// The `package.json` that makes the compiler available to editors and `npm install`.
fn package(name: &str) -> String {
    let name = name.to_lowercase();
    format!(
        "{{\n  \"name\": \"{name}\",\n  \"private\": true,\n  \"devDependencies\": {{\n    \
         \"assemblyscript\": \"^0.28.0\"\n  }}\n}}\n"
    )
}

const TSCONFIG: &str =
    "{\n  \"extends\": \"assemblyscript/std/assembly.json\",\n  \"include\": [\"./**/*.ts\"]\n}\n";

/// The settings that show editors the types of the kit.
const JSCONFIG: &str = r#"{
  "compilerOptions": {
    "module": "esnext",
    "target": "es2022",
    "lib": ["es2022"],
    "paths": {
      "judge-bot": ["./judge-bot/index.d.ts"],
      "judge-bot/*": ["./judge-bot/*.d.ts", "./judge-bot/*/index.d.ts"]
    }
  }
}
"#;

/// A testcase with more memory than those of the bundled suites.
fn testcase(game: &str) -> String {
    let opponent = crate::bots::players::weakest(game);
    format!(
        "title = \"In Go\"\ngame = \"{game}\"\nopponent = \"{opponent}\"\nseeds = [1, 2, 3, 4, 5, \
         6, 7, 8]\nmin_score = 1\npoints = 10\n\n# Go's runtime does not fit into the 2 MiB of the \
         bundled suites.\n[limits]\ntime_ms = 4000\nmemory_kib = {GO_KIB}\n"
    )
}
