//! Remedies for a problem, in the terms of the toolchain that made the module.

use super::contents::{Contents, Maker};
use crate::intake::{Feature, IntakeRefusal};

/// The remedy for a refused module; none if the refusal's own hint is better.
pub(super) fn of_refusal(contents: &Contents, refusal: &IntakeRefusal) -> Option<String> {
    let toolchain = contents.toolchain;
    let known = match refusal {
        IntakeRefusal::ForbiddenImports { .. } => of_imports(contents),
        IntakeRefusal::MissingExports { .. } => of_exports(contents),
        IntakeRefusal::SwitchedOff { features, .. } => return of_features(toolchain, features),
        IntakeRefusal::TooLarge { .. } => of_size(toolchain),
        IntakeRefusal::TooMuchMemory { .. } => of_memory(toolchain),
        _ => None,
    };
    known.map(str::to_owned)
}

/// The remedy for imports, the most specific first.
fn of_imports(contents: &Contents) -> Option<&'static str> {
    let wants = |start: &str| contents.imports.iter().any(|name| name.starts_with(start));
    let known: [(&str, &str); 11] = [
        (
            "env.emscripten_notify_memory_growth",
            "Emscripten: leave out `-sALLOW_MEMORY_GROWTH` and give the size that the testcase \
             allows: `-sINITIAL_MEMORY=2MB -sSTACK_SIZE=64KB`",
        ),
        ("env.abort", "AssemblyScript: compile with `--use abort=`, as `judge build bot.ts` does"),
        (
            "env.console",
            "AssemblyScript: `console` is not there; `tools.log` of the kit writes to the log",
        ),
        (
            "env.seed",
            "AssemblyScript: `Math.random` needs a seed from outside; the kit has `tools.random`",
        ),
        (
            "wbg.",
            "Rust: leave out `wasm-bindgen` and what needs a browser; build with `judge build FOLDER`",
        ),
        (
            "__wbindgen",
            "Rust: leave out `wasm-bindgen` and what needs a browser; build with `judge build FOLDER`",
        ),
        ("gojs.", "Go: compile with `GOOS=wasip1 GOARCH=wasm`, not `GOOS=js`"),
        (
            "env.emscripten",
            "Emscripten: build with clang or zig instead, as `judge build bot.c` does",
        ),
        (
            "env._emscripten",
            "Emscripten: build with clang or zig instead, as `judge build bot.c` does",
        ),
        (
            "env.__cxa",
            "C++: leave out exceptions (`-fno-exceptions`), or build with `judge build bot.cpp`",
        ),
        (
            "wasi_snapshot_preview1.",
            "a module with `judge_line` may not use files or streams (`printf`, `cout`, `fmt`): write a program with a `main` that reads and prints lines instead, or use a kit",
        ),
    ];
    let of_name = known.iter().find(|(start, _)| wants(start)).map(|(_, remedy)| *remedy);
    let of_nothing = || match contents.toolchain {
        Maker::Clang => Some(
            "C, C++: a function is declared and not defined. Link without `--allow-undefined`, and \
             the linker names the place",
        ),
        Maker::Rust => Some(
            "Rust: an `extern` function is declared and not defined, and a bot cannot import it",
        ),
        _ => None,
    };
    of_name.or_else(of_nothing)
}

fn of_exports(contents: &Contents) -> Option<&'static str> {
    let has_main = contents.exports.iter().any(|name| name == "main");
    match contents.toolchain {
        Maker::Rust if has_main => Some(
            "Rust: build programs for `wasm32-wasip1`, not `wasm32-unknown-unknown`; `judge build \
             FOLDER` does",
        ),
        Maker::Clang => Some(
            "C, C++: write `__attribute__((export_name(\"judge_line\")))` before the function, or a \
             program with a `main`; `judge build bot.c` passes the rest",
        ),
        Maker::Rust => Some(
            "Rust: use a macro of the kit (`judge_bot::mahjong_bot!`), or write `#[unsafe(no_mangle)] \
             pub extern \"C\"` before both functions and `crate-type = [\"cdylib\"]`; or make it a \
             program with `src/main.rs`",
        ),
        Maker::Zig => Some("Zig: `export fn judge_line`, and `-fno-entry -rdynamic`"),
        Maker::AssemblyScript => Some(
            "AssemblyScript: `export function judge_buffer` and `judge_line` in the first file",
        ),
        Maker::Go => Some("Go: `package main` with a `func main`, and no `-buildmode=c-shared`"),
        Maker::Emscripten => Some("Emscripten: build with `judge build bot.c` instead"),
        Maker::TinyGo | Maker::DotNet | Maker::Unknown => None,
    }
}

/// The remedy for disabled features.
fn of_features(toolchain: Maker, features: &[&Feature]) -> Option<String> {
    let flags = |feature: &&Feature| match toolchain {
        Maker::Clang | Maker::Emscripten => Some(feature.clang),
        Maker::Rust => Some(feature.rust),
        Maker::Zig => Some(feature.zig),
        Maker::AssemblyScript => Some(feature.assemblyscript),
        _ => None,
    };
    let named = |feature: &&Feature| Some(format!("{}: {}", feature.name, flags(feature)?));
    let each: Option<Vec<String>> = features.iter().map(named).collect();
    Some(format!("{}: {}", toolchain.title()?, each?.join("; ")))
}

fn of_size(toolchain: Maker) -> Option<&'static str> {
    match toolchain {
        Maker::Clang => Some("C, C++: `-Os -Wl,--strip-debug`"),
        Maker::Rust => Some("Rust: `strip = \"debuginfo\"` and `opt-level = \"s\"` in the profile"),
        Maker::Go => Some("Go: `-ldflags '-s -w'`, and fewer packages"),
        Maker::Zig => Some("Zig: `-O ReleaseSmall -fstrip`"),
        Maker::AssemblyScript => Some("AssemblyScript: `-O3s`, without `--debug`"),
        _ => None,
    }
}

/// The remedy for too much initial memory.
fn of_memory(toolchain: Maker) -> Option<&'static str> {
    match toolchain {
        Maker::Clang => Some(
            "C, C++: link with `-Wl,-z,stack-size=65536` and make global arrays smaller; `judge \
             build` passes the first",
        ),
        Maker::Rust => Some(
            "Rust: its stack is 1 MiB unless told otherwise: `-C link-arg=-zstack-size=65536`, or \
             `judge build FOLDER`",
        ),
        Maker::Zig => Some("Zig: its stack is 16 MiB with WASI: `--stack 65536`"),
        Maker::AssemblyScript => Some("AssemblyScript: leave out `--initialMemory`"),
        Maker::Go => Some(
            "Go: its runtime needs 3 MiB, so a bot in Go plays where a testcase has \
             `memory_kib = 3072` or more",
        ),
        Maker::Emscripten => Some(
            "Emscripten: `-sINITIAL_MEMORY=1MB -sSTACK_SIZE=64KB`, without `-sALLOW_MEMORY_GROWTH`",
        ),
        Maker::TinyGo | Maker::DotNet | Maker::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(toolchain: Maker, imports: &[&str]) -> Contents {
        let imports = imports.iter().map(|&name| name.to_owned()).collect();
        Contents { toolchain, imports, ..Contents::default() }
    }

    fn remedy(contents: &Contents, refusal: &IntakeRefusal) -> String {
        of_refusal(contents, refusal).unwrap_or_default()
    }

    fn forbidden() -> IntakeRefusal {
        IntakeRefusal::ForbiddenImports { names: Vec::new(), more: 0, transport: None }
    }

    #[test]
    fn a_remedy_has_the_options_of_its_toolchain() {
        let script = contents(Maker::AssemblyScript, &["env.seed", "env.abort"]);
        assert!(remedy(&script, &forbidden()).contains("--use abort="));
        let growing = contents(Maker::Emscripten, &["env.emscripten_notify_memory_growth"]);
        assert!(remedy(&growing, &forbidden()).contains("`-sALLOW_MEMORY_GROWTH`"));
        let rust = contents(Maker::Rust, &[]);
        let exports = IntakeRefusal::MissingExports { missing: Vec::new(), transport: None };
        assert!(remedy(&rust, &exports).contains("no_mangle"));
        let go = contents(Maker::Go, &[]);
        let memory = IntakeRefusal::TooMuchMemory { starts_with: 3, cap: 2 };
        assert!(remedy(&go, &memory).contains("3072"));
        assert_eq!(remedy(&rust, &IntakeRefusal::Empty), "");
    }

    #[test]
    fn a_feature_is_named_with_the_flag_of_its_toolchain() {
        let module = wat::parse_str("(module (memory 1 1 shared) (func $f (return_call $f)))");
        let module = module.expect("a module");
        let refusal = crate::intake::inspect(&module).expect_err("features that are off");
        let reason = refusal.reason();
        assert!(reason.contains("it uses threads, tail calls, off in this judge"), "{reason}");
        let flags = [
            (Maker::Clang, ["`-pthread`", "`-mno-tail-call`"]),
            (Maker::Emscripten, ["`-pthread`", "`-mno-tail-call`"]),
            (Maker::Rust, ["`wasm32-wasip1-threads`", "`-C target-feature=-tail-call`"]),
            (Maker::Zig, ["`-fsingle-threaded`", "leave `tail_call` out"]),
            (Maker::AssemblyScript, ["`--enable threads`", "tail calls: build without it"]),
        ];
        for (toolchain, expected) in flags {
            let text = remedy(&contents(toolchain, &[]), &refusal);
            assert!(expected.iter().all(|flag| text.contains(flag)), "{toolchain:?}: {text}");
        }
        assert_eq!(remedy(&contents(Maker::Unknown, &[]), &refusal), "");
        let hint = refusal.hint();
        assert!(hint.contains("in C and C++ leave out `-pthread`"), "{hint}");
    }
}
