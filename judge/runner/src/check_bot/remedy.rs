//! Remedies for a problem, in the words of the toolchain that made the module.

use super::contents::{Contents, Toolchain};

/// The remedy for a refused module; none where the refusal's own hint says it best.
pub(super) fn of_refusal(contents: &Contents, reason: &str) -> Option<&'static str> {
    if reason.starts_with("imports what") {
        return of_imports(contents);
    }
    if reason.starts_with("missing exports") {
        return of_exports(contents.toolchain);
    }
    if reason.starts_with("not a valid module") {
        return of_features(contents.toolchain, reason);
    }
    if reason.contains("bytes; at most") {
        return of_size(contents.toolchain);
    }
    None
}

/// The remedy for imports, the most specific first.
fn of_imports(contents: &Contents) -> Option<&'static str> {
    let wants = |start: &str| contents.imports.iter().any(|name| name.starts_with(start));
    let known: [(&str, &str); 10] = [
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
        Toolchain::Clang => Some(
            "C, C++: a function is declared and not defined. Link without `--allow-undefined`, and \
             the linker names the place",
        ),
        Toolchain::Rust => Some("Rust: an `extern` function is defined nowhere"),
        _ => None,
    };
    of_name.or_else(of_nothing)
}

fn of_exports(toolchain: Toolchain) -> Option<&'static str> {
    match toolchain {
        Toolchain::Clang => Some(
            "C, C++: write `__attribute__((export_name(\"judge_line\")))` before the function, or a \
             program with a `main`; `judge build bot.c` passes the rest",
        ),
        Toolchain::Rust => Some(
            "Rust: use a macro of the kit (`judge_bot::mahjong_bot!`), or write `#[unsafe(no_mangle)] \
             pub extern \"C\"` before both functions and `crate-type = [\"cdylib\"]`; or make it a \
             program with `src/main.rs`",
        ),
        Toolchain::Zig => Some("Zig: `export fn judge_line`, and `-fno-entry -rdynamic`"),
        Toolchain::AssemblyScript => Some(
            "AssemblyScript: `export function judge_buffer` and `judge_line` in the first file",
        ),
        Toolchain::Go => {
            Some("Go: `package main` with a `func main`, and no `-buildmode=c-shared`")
        }
        Toolchain::Emscripten => Some("Emscripten: build with `judge build bot.c` instead"),
        Toolchain::TinyGo | Toolchain::DotNet | Toolchain::Unknown => None,
    }
}

/// The remedy for features that are off.
fn of_features(toolchain: Toolchain, reason: &str) -> Option<&'static str> {
    let exceptions = reason.contains("exception");
    let threads = reason.contains("thread") || reason.contains("shared memor");
    match toolchain {
        Toolchain::Clang | Toolchain::Emscripten if exceptions => {
            Some("C++: compile without exceptions: leave out `-fwasm-exceptions`")
        }
        Toolchain::Clang | Toolchain::Emscripten if threads => {
            Some("C, C++: leave out `-pthread` and `-matomics`")
        }
        Toolchain::Rust if exceptions => Some("Rust: `panic = \"abort\"` in the profile"),
        Toolchain::Rust => Some("Rust: leave out `-C target-cpu` and `-C target-feature`"),
        Toolchain::AssemblyScript => Some("AssemblyScript: leave out `--enable`"),
        Toolchain::Zig => Some("Zig: leave out `-mcpu`"),
        _ => None,
    }
}

fn of_size(toolchain: Toolchain) -> Option<&'static str> {
    match toolchain {
        Toolchain::Clang => Some("C, C++: `-Os -Wl,--strip-debug`"),
        Toolchain::Rust => {
            Some("Rust: `strip = \"debuginfo\"` and `opt-level = \"s\"` in the profile")
        }
        Toolchain::Go => Some("Go: `-ldflags '-s -w'`, and fewer packages"),
        Toolchain::Zig => Some("Zig: `-O ReleaseSmall -fstrip`"),
        Toolchain::AssemblyScript => Some("AssemblyScript: `-O3s`, without `--debug`"),
        _ => None,
    }
}

/// The remedy for too much initial memory.
pub(super) fn of_memory(toolchain: Toolchain) -> Option<&'static str> {
    match toolchain {
        Toolchain::Clang => Some(
            "C, C++: link with `-Wl,-z,stack-size=65536` and make global arrays smaller; `judge \
             build` passes the first",
        ),
        Toolchain::Rust => Some(
            "Rust: its stack is 1 MiB unless told otherwise: `-C link-arg=-zstack-size=65536`, or \
             `judge build FOLDER`",
        ),
        Toolchain::Zig => Some("Zig: its stack is 16 MiB with WASI: `--stack 65536`"),
        Toolchain::AssemblyScript => Some("AssemblyScript: leave out `--initialMemory`"),
        Toolchain::Go => Some(
            "Go: its runtime needs 3 MiB, so a bot in Go plays where a testcase has \
             `memory_kib = 3072` or more",
        ),
        Toolchain::Emscripten => Some("Emscripten: `-sINITIAL_MEMORY=1MB -sSTACK_SIZE=65536`"),
        Toolchain::TinyGo | Toolchain::DotNet | Toolchain::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(toolchain: Toolchain, imports: &[&str]) -> Contents {
        let imports = imports.iter().map(|&name| name.to_owned()).collect();
        Contents { toolchain, imports, ..Contents::default() }
    }

    #[test]
    fn a_remedy_is_in_the_words_of_its_toolchain() {
        let of = |contents: &Contents, reason: &str| of_refusal(contents, reason).unwrap_or("");
        let script = contents(Toolchain::AssemblyScript, &["env.seed", "env.abort"]);
        assert!(of(&script, "imports what the judge does not offer: ").contains("--use abort="));
        let rust = contents(Toolchain::Rust, &[]);
        assert!(of(&rust, "missing exports: x").contains("no_mangle"));
        assert!(of(&rust, "not a valid module: exceptions").contains("panic = "));
        assert!(of_memory(Toolchain::Go).is_some_and(|text| text.contains("3072")));
        assert_eq!(of(&rust, "the file is empty"), "");
    }
}
