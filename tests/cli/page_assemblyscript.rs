//! AssemblyScript in a page, compiled by node: the same modules and errors as on the command line.
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::page_grade::has_node;
use crate::support::{Ran, all_tests, judge, root, run, write};

/// A bot without the kit, so that the compiler runs twice.
const WITHOUT_KIT: &str = "// judge: game=mahjong author=Ada\n\
    const buffer = memory.data(4096);\n\
    export function judge_buffer(): usize { return buffer; }\n\
    export function judge_line(length: i32): i32 { return length > 100 ? -1 : 0; }\n";

/// A bot with an error in line 3 and another one in line 2, which the compiler finds later.
const WRONG: &str = "import { Tools } from \"./judge-bot\";\n\
    export function two(): i32 { return missing; }\n\
    export function three(): i32 { return 1 + ; }\n";

/// A site with the compiler in a folder; none without a compiler or without node.
fn site(folder: &Path) -> Option<PathBuf> {
    let site = folder.join("site");
    let path = site.to_str().unwrap();
    let ran = run(["page", path, "--suite=cc", "--assemblyscript"]);
    let missing = ran.stderr.contains("error: no compiler for AssemblyScript");
    assert!(!missing || !all_tests(), "{}", ran.stderr);
    if missing {
        eprintln!("skipped: no compiler for AssemblyScript");
        return None;
    }
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    has_node().then_some(site)
}

/// What the page makes of these sources, in node.
fn in_page(site: &Path, sources: &[PathBuf]) -> Vec<Value> {
    let browser = root().join("judge/browser");
    let mut command = Command::new("node");
    command.arg(browser.join("tests/assemblyscript.mjs"));
    command.arg(browser.join("prebuilt/judge-grade.wasm")).arg(site).args(sources);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The command line's module, as the page describes it.
fn outside(source: &Path) -> Value {
    let module = source.with_extension("wasm");
    let [path, to] = [source, &module].map(|path| path.to_str().unwrap());
    let ran = run(["build", path, "-o", to]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let sha256 = judge_core::digest(&std::fs::read(module).unwrap()).to_string();
    json!({ "sha256": sha256, "refused": null })
}

#[test]
fn assemblyscript_in_a_page_gives_the_module_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let Some(site) = site(folder.path()) else { return };
    let mut sources = Vec::new();
    for game in judge_games::all() {
        let project = folder.path().join(game.name());
        let to = project.to_str().unwrap();
        let made = run(["new", to, "--lang", "assemblyscript", "--game", game.name()]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        sources.push(project.join("bot.ts"));
    }
    sources.push(write(folder.path(), "without.ts", WITHOUT_KIT));
    let expected: Vec<Value> = sources.iter().map(|source| outside(source)).collect();
    assert_eq!(in_page(&site, &sources), expected);
}

#[test]
fn errors_of_assemblyscript_in_a_page_have_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let Some(site) = site(folder.path()) else { return };
    let late = WRONG.replace(" + ", "");
    let [wrong, late] = [("wrong.ts", WRONG), ("-late.ts", &late)]
        .map(|(name, text)| write(folder.path(), name, text));
    let other = write(folder.path(), "other.ts", "import { far } from \"./far\";\nfar();\n");
    let expected = json!([
        { "errors": [{ "message": "Expression expected.", "file": "wrong.ts", "line": 3 }] },
        { "errors": [{ "message": "Cannot find name 'missing'.", "file": "-late.ts", "line": 2 }] },
        { "errors": [{ "message": "File 'far.ts' not found.", "file": "other.ts", "line": 1 }] },
    ]);
    assert_eq!(Value::Array(in_page(&site, &[wrong, late, other])), expected);
}

/// The files below a site's folder for the compiler.
fn compiler_files(site: &Path) -> usize {
    std::fs::read_dir(site.join("assemblyscript")).map_or(0, Iterator::count)
}

#[test]
fn a_site_has_the_compiler_only_if_it_is_requested() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    assert_eq!(run(["page", plain.to_str().unwrap(), "--suite=cc"]).code, 0);
    let data = |site: &Path| -> Value {
        serde_json::from_slice(&std::fs::read(site.join("site.json")).unwrap()).unwrap()
    };
    assert_eq!(compiler_files(&plain), 0);
    assert_eq!(data(&plain)["assemblyscript"], json!(false));
    assert_eq!(data(&plain)["templates"]["cc"]["ts"], Value::Null);
    let Some(site) = site(folder.path()) else { return };
    assert_eq!(compiler_files(&site), 6);
    let with = data(&site);
    assert!(with["templates"]["cc"]["ts"].as_str().unwrap().contains("YOUR STRATEGY"), "{with}");
    assert_eq!(with["pages"], data(&plain)["pages"], "the compiler is kept after its first use");
    let licences = std::fs::read_to_string(site.join("assemblyscript/licences.txt")).unwrap();
    for package in ["assemblyscript: NOTICE", "binaryen: LICENSE", "long: LICENSE"] {
        assert!(licences.contains(package), "{package}");
    }
}

/// A site with the compiler of an environment in which only this is known.
fn page_with(folder: &Path, asc: &str) -> Ran {
    let mut command = judge();
    command.arg("page").arg(folder.join("site")).args(["--suite=cc", "--assemblyscript"]);
    command.env("PATH", folder).env("ASC", asc).output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn a_missing_compiler_leaves_no_site() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let ran = page_with(folder.path(), "");
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("error: no compiler for AssemblyScript found"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: "), "{}", ran.stderr);
    let program = write(folder.path(), "asc", "#!/bin/sh\n");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let node = write(folder.path(), "node", "#!/bin/sh\n");
    std::fs::set_permissions(&node, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = page_with(folder.path(), program.to_str().unwrap());
    let expected = "the package `assemblyscript` of the AssemblyScript compiler was not found";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(!folder.path().join("site").exists());
}
