//! The bytes of a build depend only on the source and its compiler, and no tool in a source's own
//! folder runs.

use std::path::{Path, PathBuf};
use std::process::Command;

#[cfg(unix)]
use crate::sources::{SOURCES, Source};
use crate::support::{Ran, judge, sample, says, write};

/// Builds a source with an empty cache, after `change` of the command.
fn build(source: &Path, change: impl FnOnce(&mut Command)) -> (Ran, Vec<u8>) {
    let work = tempfile::tempdir().unwrap();
    let module = work.path().join("bot.wasm");
    let mut command = judge();
    command.env("JUDGE_CACHE", work.path().join("cache"));
    command.arg("build").arg(source).arg("-o").arg(&module);
    change(&mut command);
    let ran = Ran::from(command.output().unwrap());
    (ran, std::fs::read(module).unwrap_or_default())
}

/// A program that fails and leaves a mark.
#[cfg(unix)]
fn program(place: &Path, mark: &Path) {
    use std::os::unix::fs::PermissionsExt as _;

    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(place, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display())).unwrap();
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// An environment that affects a build in every known way.
#[cfg(unix)]
fn hostile(folder: &Path, command: &mut Command) {
    let at = |name: &str| folder.join(name);
    for name in ["tools/wasm-opt", "compiler/wasm-ld", "wrapper"] {
        program(&at(name), &at("mark"));
    }
    std::fs::create_dir_all(at("headers")).unwrap();
    for name in ["stdio.h", "string.h", "iostream", "string", "vector"] {
        write(&at("headers"), name, "#error a header of the environment\n");
    }
    write(folder, "evil.js", "throw new Error('a file of the environment');\n");
    std::fs::create_dir_all(at("cargo")).unwrap();
    let settings = "[build]\nrustc-wrapper = \"/bin/false\"\n[profile.release]\nopt-level = 0\n";
    write(&at("cargo"), "config.toml", settings);
    let path = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(at("tools")).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(folders).unwrap());
    for (name, place) in [
        ("CPATH", "headers"),
        ("C_INCLUDE_PATH", "headers"),
        ("CPLUS_INCLUDE_PATH", "headers"),
        ("LIBRARY_PATH", "headers"),
        ("COMPILER_PATH", "compiler"),
        ("RUSTC_WRAPPER", "wrapper"),
        ("CARGO_BUILD_RUSTC_WRAPPER", "wrapper"),
        ("CARGO_HOME", "cargo"),
        ("CARGO_TARGET_DIR", "target"),
        ("CARGO_BUILD_TARGET_DIR", "target"),
        ("ZIG_LIB_DIR", "headers"),
        ("ZIG_LOCAL_CACHE_DIR", "zig"),
        ("NODE_PATH", "headers"),
        ("GOENV", "go.env"),
    ] {
        command.env(name, at(place));
    }
    write(folder, "go.env", "GOFLAGS=-tags=evil -gcflags=-N\n");
    command.env("NODE_OPTIONS", format!("--require={}", at("evil.js").display()));
    for (name, value) in [
        ("CCC_OVERRIDE_OPTIONS", "# +-O0 +-DNDEBUG"),
        ("SOURCE_DATE_EPOCH", "86400"),
        ("RUSTFLAGS", "-Copt-level=0"),
        ("CARGO_BUILD_RUSTFLAGS", "-Copt-level=0"),
        ("CARGO_ENCODED_RUSTFLAGS", "-Copt-level=0"),
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
        ("CARGO_PROFILE_RELEASE_DEBUG", "2"),
        ("GOFLAGS", "-gcflags=-N"),
        ("GOEXPERIMENT", "nosuchexperiment"),
        ("GOWASM", "satconv"),
        ("ZIG_VERBOSE_CC", "1"),
        ("TZ", "Asia/Tokyo"),
        ("LC_ALL", "de_DE.UTF-8"),
    ] {
        command.env(name, value);
    }
}

/// The same source gives the same bytes in an empty and a hostile environment.
#[cfg(unix)]
fn is_the_same_anywhere(source: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let (ran, expected) = build(source, |_| {});
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // Otherwise cargo's old output could pass for the new module.
    let _ = std::fs::remove_dir_all(source.join("target"));
    let (ran, bytes) = build(source, |command| hostile(folder.path(), command));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(bytes == expected, "{}: the environment has changed the bytes", source.display());
    assert!(!folder.path().join("mark").exists(), "no program of the environment runs");
}

/// No environment variable changes the bytes of a build in this language.
#[cfg(unix)]
pub(crate) fn is_left_out(source: &Source) {
    let folder = tempfile::tempdir().unwrap();
    is_the_same_anywhere(&source.write(folder.path()));
}

#[cfg(unix)]
pub(crate) fn is_left_out_of_go() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../sdk/go/example/main.go");
    is_the_same_anywhere(&write(folder.path(), "bot.go", text));
}

/// A module contains neither the date of the build nor that of the file.
#[cfg(unix)]
pub(crate) fn no_date_is_in_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdio.h>\nint main(void) { puts(__DATE__ __TIME__ __TIMESTAMP__); }\n";
    let source = write(folder.path(), "bot.c", text);
    let (ran, first) = build(&source, |_| {});
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let file = std::fs::File::options().append(true).open(&source).unwrap();
    let other = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    file.set_modified(other).unwrap();
    let (_, second) = build(&source, |_| {});
    assert!(first == second);
    let year = b"1970";
    assert!(first.windows(year.len()).any(|bytes| bytes == year), "the day is the same for all");
}

/// An optimiser in `PATH`, such as binaryen's, has no effect.
#[cfg(unix)]
pub(crate) fn no_optimiser_runs_behind_the_linker() {
    let folder = tempfile::tempdir().unwrap();
    let text = "// judge: game=amazons\n#include <iostream>\n#include <string>\n#include <cstdlib>\n\
                static int __attribute__((noinline)) choose(const std::string &s) {\n    \
                if (s.size() > 3) abort();\n    return 1;\n}\nint main() {\n    std::string line;\n    \
                while (std::getline(std::cin, line)) std::cout << choose(line) << std::endl;\n}\n";
    let source = write(folder.path(), "bot.cpp", text);
    is_the_same_anywhere(&source);
    let (_, module) = build(&source, |_| {});
    let name = b"choose";
    assert!(module.windows(name.len()).any(|bytes| bytes == name), "functions keep their names");
}

/// Clocks, signals and process ids link in programs without the kit, with either compiler.
pub(crate) fn emulated_libraries_are_linked(has_zig: bool) {
    let folder = tempfile::tempdir().unwrap();
    let body = "    struct tms all;\n    signal(SIGINT, SIG_IGN);\n    char line[4098];\n    while \
                (fgets(line, sizeof line, stdin))\n        fprintf(stderr, \"%ld %ld %d\\n\", \
                (long)clock(), (long)times(&all), (int)getpid());\n    void *p = mmap(0, 100, \
                PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n    return p == \
                MAP_FAILED || raise(SIGUSR1);\n";
    let includes = ["stdio.h", "time.h", "signal.h", "unistd.h", "sys/times.h", "sys/mman.h"];
    let includes = includes.map(|name| format!("#include <{name}>\n")).concat();
    let text = format!("/* judge: game=amazons */\n{includes}int main(void) {{\n{body}}}\n");
    for (name, variable, zig) in [("bot.c", "CC", "zig cc"), ("bot.cpp", "CXX", "zig c++")] {
        let source = write(folder.path(), name, &text);
        let compilers = [None, has_zig.then_some(zig)];
        for compiler in compilers.into_iter().take(1 + usize::from(has_zig)) {
            let (ran, module) = build(&source, |command| {
                if let Some(compiler) = compiler {
                    // Zig builds its own libraries once for all tests.
                    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds");
                    command.env(variable, compiler).env("JUDGE_CACHE", cache);
                }
            });
            assert_eq!(ran.code, 0, "{name} by {compiler:?}: {}", ran.stderr);
            let module = write(folder.path(), "bot.wasm", module);
            let ran: Ran = judge().arg("check").arg(module).output().unwrap().into();
            says(&ran.stdout, &[": accepted\n"]);
        }
    }
}

/// An array that is too large is named, whether the compiler or the linker fails.
pub(crate) fn a_large_array_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let pool = |elements: &str| {
        format!(
            "#include <cstdint>\n#include <cstdio>\nconstexpr int MOST = {elements};\nstruct Move {{\n    \
             std::uint8_t from, to, arrow;\n    Move() = default;\n    Move(int a) : from(a), to(a), \
             arrow(a) {{}}\n}};\nstatic Move pool[MOST];\nint main(int n, char **) {{\n    \
             pool[n] = Move(n);\n    std::printf(\"%d\\n\", pool[n / 2].to);\n}}\n"
        )
    };
    for (name, text, array) in [
        ("pool.cpp", pool("150000000"), "pool.cpp:9: the array `pool` takes 450000000 bytes"),
        ("small.cpp", pool("3'000'000"), "small.cpp:9: the array `pool` takes 9000000 bytes"),
        (
            "large.c",
            "static int all[9000000];\nint main(int n, char **v) { return all[n]++; }\n".to_owned(),
            "large.c:1: the array `all` takes 36000000 bytes",
        ),
    ] {
        let (ran, _) = build(&write(folder.path(), name, text), |_| {});
        assert_eq!(ran.code, 3, "{name}: {}", ran.stderr);
        says(&ran.stderr, &["hint: ", array, "2 MiB of memory in all"]);
    }
}

/// A compiler in the project runs only if the project is trusted.
#[cfg(unix)]
pub(crate) fn a_compiler_of_the_project_does_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let bot = SOURCES.iter().find(|source| source.language == "assemblyscript").unwrap();
    let source = bot.write(folder.path());
    let mark = folder.path().join("mark");
    let script = folder.path().join("node_modules/assemblyscript/bin/asc.js");
    std::fs::create_dir_all(script.parent().unwrap()).unwrap();
    let text = format!("require('fs').writeFileSync({:?}, '');\n", mark.display().to_string());
    std::fs::write(&script, text).unwrap();
    let tools = folder.path().join("node_modules/.bin");
    program(&tools.join("asc"), &mark);
    let without = |command: &mut Command| {
        let path = std::env::var_os("PATH").unwrap();
        let has_asc = |folder: &PathBuf| folder.join("asc").exists();
        let others = std::env::split_paths(&path).filter(|folder| !has_asc(folder));
        let folders = std::iter::once(tools.clone()).chain(others);
        command.env("PATH", std::env::join_paths(folders).unwrap()).env_remove("ASC");
        command.current_dir(folder.path());
    };
    let (ran, _) = build(&source, without);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["no compiler for AssemblyScript", "`--trust-project`"]);
    assert!(!mark.exists());
    // A configuration that names a program.
    let settings = "{\"options\": {\"transform\": [\"./evil.js\"]}}";
    write(folder.path(), "asconfig.json", settings);
    let evil = format!(
        "import 'fs';\nimport fs from 'fs';\nfs.writeFileSync({:?}, '');\n",
        mark.display().to_string()
    );
    write(folder.path(), "evil.js", evil);
    let (ran, _) = build(&source, |_| {});
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!mark.exists());
    let (_, _) = build(&source, |command| {
        without(command);
        command.arg("--trust-project");
    });
    assert!(mark.exists(), "it runs for its own author");
}

/// A project in Rust that needs the smaller of the two targets.
fn rust_library(folder: &Path) -> PathBuf {
    let project = folder.join("bot");
    std::fs::create_dir_all(project.join("src")).unwrap();
    let manifest = "[package]\nname = \"bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\n\
                    crate-type = [\"cdylib\"]\n\n[workspace]\n";
    write(&project, "Cargo.toml", manifest);
    let text = "static mut LINE: [u8; 4096] = [0; 4096];\n#[no_mangle]\npub extern \"C\" fn \
                judge_buffer() -> *mut u8 {\n    &raw mut LINE as *mut u8\n}\n#[no_mangle]\npub extern \
                \"C\" fn judge_line(length: u32) -> u32 {\n    [1, 2, 3][length as usize]\n}\n";
    write(&project.join("src"), "lib.rs", text);
    project
}

/// True if the judge can build such a project, by its own output.
pub(crate) fn has_rust() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (ran, _) = build(&rust_library(folder.path()), |_| {});
    !ran.stderr.contains("error: no compiler for ")
}

#[cfg(unix)]
pub(crate) fn is_left_out_of_rust() {
    let folder = tempfile::tempdir().unwrap();
    let project = rust_library(folder.path());
    is_the_same_anywhere(&project);
}

/// A replay of a match's JSON builds its bots as `judge play` does.
pub(crate) fn a_replay_builds_a_trusted_project() {
    let folder = tempfile::tempdir().unwrap();
    let project = rust_library(folder.path());
    let mark = folder.path().join("mark");
    write(
        &project,
        "build.rs",
        format!("fn main() {{ std::fs::write({mark:?}, \"\").unwrap(); }}\n"),
    );
    let document = folder.path().join("m.json");
    let run = |command: &mut Command| {
        command.env("JUDGE_CACHE", folder.path().join("cache"));
        Ran::from(command.output().unwrap())
    };
    let bot = sample("mahjong-distance");
    let mut command = judge();
    command.arg("match").arg(bot).args(["random", "--rounds=2", "--json"]).arg(&document);
    let ran = run(&mut command);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut replay = judge();
    replay.args(["replay", "--round=1"]).arg(&document).arg(&project);
    let ran = run(&mut replay);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["the build script of `bot`", "`--trust-project`"]);
    assert!(!mark.exists());
    let ran = run(replay.arg("--trust-project"));
    assert!(mark.exists(), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--trust-project"), "{}", ran.stderr);
}

/// A Rust project runs no code and uses none of its own settings unless it is trusted.
pub(crate) fn a_rust_project_cannot_choose_its_tools() {
    let folder = tempfile::tempdir().unwrap();
    let project = rust_library(folder.path());
    let mark = folder.path().join("mark");
    let script = format!("fn main() {{ std::fs::write({mark:?}, \"\").unwrap(); }}\n");
    write(&project, "build.rs", &script);
    let (ran, _) = build(&project, |_| {});
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["the build script of `bot`", "`--trust-project`", "ask its author"]);
    assert!(!mark.exists());
    let (ran, module) = build(&project, |command| {
        command.arg("--trust-project");
    });
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(mark.exists() && !module.is_empty(), "it runs for its own author");
    std::fs::remove_file(project.join("build.rs")).unwrap();
    std::fs::remove_dir_all(project.join("target")).unwrap();
    std::fs::create_dir(project.join(".cargo")).unwrap();
    write(&project.join(".cargo"), "config.toml", "[build]\nrustc-wrapper = \"/bin/false\"\n");
    write(&project, "rust-toolchain.toml", "[toolchain]\npath = \"/nonexistent\"\n");
    let (ran, _) = build(&project, |command| {
        command.current_dir(&project);
    });
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}
