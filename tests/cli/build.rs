//! `judge build`, and sources instead of modules. WebAssembly text needs no compiler, so it
//! represents all languages here; `tests/languages` tests the others.

use std::path::Path;

use crate::support::{Ran, judge, run, sample, says, write};

/// A bot for Mahjong, as text, that discards the drawn tile.
const LOGGER: &str = crate::support::LOGGER;

fn bot(folder: &Path) -> std::path::PathBuf {
    write(folder, "bot.wat", format!(";; judge: game=mahjong author=Ada\n{LOGGER}"))
}

/// A judge that finds no programs.
fn without_compilers<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Ran {
    let empty = tempfile::tempdir().unwrap();
    let mut command = judge();
    for name in ["CC", "CXX", "ASC", "JUDGE_GO", "WASI_SDK_PATH"] {
        command.env_remove(name);
    }
    command.args(arguments).env("PATH", empty.path()).output().unwrap().into()
}

#[test]
fn build_writes_a_module_with_its_game_next_to_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let source = bot(folder.path());
    let ran = run(["build".as_ref(), source.as_os_str()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stdout, &["built `", "bot.wasm`: ", " bytes of ", ", plays mahjong"]);
    let module = std::fs::read(folder.path().join("bot.wasm")).unwrap();
    assert!(module.ends_with(br#"{"name":"bot","author":"Ada","games":["mahjong"]}"#));
    // A second build replaces the file; a build elsewhere gives the same bytes.
    assert_eq!(run(["build".as_ref(), source.as_os_str()]).code, 0);
    let other = folder.path().join("other.wasm");
    let ran = run(["build".as_ref(), source.as_os_str(), "-o".as_ref(), other.as_os_str()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(std::fs::read(other).unwrap(), module);
}

#[test]
fn a_source_and_its_module_get_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let source = bot(folder.path());
    let module = folder.path().join("bot.wasm");
    assert_eq!(run(["build".as_ref(), source.as_os_str()]).code, 0);
    for path in [&source, &module] {
        let ran = run(["grade".as_ref(), path.as_os_str(), "--json".as_ref(), "-".as_ref()]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert_eq!(ran.json()["bots"][0]["bot"]["name"], "bot");
    }
    let digest = |path: &Path| {
        let ran = run(["grade".as_ref(), path.as_os_str(), "--json".as_ref(), "-".as_ref()]);
        ran.json()["bots"][0]["digest"].clone()
    };
    assert_eq!(digest(&source), digest(&module));
    let source = source.to_str().unwrap();
    let weak = sample("mahjong-straightforward");
    let ran = run(["match", source, weak.to_str().unwrap(), "--rounds", "4", "--seed", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let replay = folder.path().join("round.jsonl");
    let replay = replay.to_str().unwrap();
    let ran = run(["play", source, "--against", weak.to_str().unwrap(), "--replay", replay]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    let ran = run(["verify", replay, source, weak.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = run(["tournament", "random", source, "--game", "mahjong", "--rounds", "4"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_compiler_error_is_printed_in_full_and_is_not_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "bot.wat", "(module\n  (func (export 3)))\n");
    for command in ["build", "grade", "play", "check"] {
        let ran = run([command.as_ref(), source.as_os_str()]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{command}: {}", ran.stderr);
        let place = format!("{}:2:10", source.display());
        says(&ran.stderr, &[&place, "(func (export 3)))", "` does not compile"]);
    }
    assert!(!folder.path().join("bot.wasm").exists());
}

#[test]
fn build_reports_a_module_that_grading_would_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "bot.wat", "(module (import \"env\" \"abort\" (func)))");
    let ran = run(["build".as_ref(), source.as_os_str()]);
    assert_eq!(ran.code, 3);
    says(&ran.stderr, &["the judge would refuse `", "`env.abort`", "hint: "]);
}

#[test]
fn a_missing_compiler_is_named_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    for (name, install) in [
        ("brain.cpp", "pip install ziglang"),
        ("bot.c", "pip install ziglang"),
        ("bot.zig", "pip install ziglang"),
        ("bot.ts", "npm install --global assemblyscript"),
        ("bot.go", "https://go.dev/dl"),
    ] {
        let source = write(folder.path(), name, "");
        let ran = without_compilers(["grade".as_ref(), source.as_os_str()]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        says(&ran.stderr, &["error: no compiler for ", "found", install, "Windows"]);
    }
    let project = folder.path().join("project");
    std::fs::create_dir(&project).unwrap();
    write(&project, "Cargo.toml", "[lib]\ncrate-type = [\"cdylib\"]\n");
    let ran = without_compilers(["grade".as_ref(), project.as_os_str()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["no compiler for Rust", "https://rustup.rs"]);
}

#[test]
fn a_file_that_is_not_a_source_is_refused_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let other = write(folder.path(), "Bot.java", "");
    let ran = run(["grade".as_ref(), other.as_os_str()]);
    assert_eq!(ran.code, 3);
    says(&ran.stderr, &["Bot.java` is not a source", "`judge new --help`"]);
    let ran = run(["build".as_ref(), folder.path().as_os_str()]);
    assert_eq!(ran.code, 3);
    says(&ran.stderr, &["a folder needs a `Cargo.toml` or a `go.mod`"]);
    let ran = run(["match", "missing.cpp", "random", "--game", "mahjong"]);
    assert_eq!(ran.code, 3);
    says(&ran.stderr, &["file `missing.cpp` does not exist"]);
}

#[test]
fn build_overwrites_only_modules() {
    let folder = tempfile::tempdir().unwrap();
    let source = bot(folder.path());
    let own = source.to_str().unwrap();
    assert_eq!(run(["build", own, "-o", own]).code, 3);
    let other = write(folder.path(), "other.cpp", "int x;");
    let ran = run(["build", own, "-o", other.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!(std::fs::read(other).unwrap(), b"int x;");
    let notes = write(folder.path(), "notes.txt", "mine");
    let ran = run(["build", own, "-o", notes.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("would be overwritten"), "{}", ran.stderr);
    assert_eq!(std::fs::read(notes).unwrap(), b"mine");
    assert_eq!(run(["build", own, "-o", "-"]).code, 2);
}
