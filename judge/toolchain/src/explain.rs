//! Usual meanings of compiler errors, with advice.

use std::path::Path;

use crate::BuildError;
use crate::tool::ToolRun;

/// Parts of compiler and linker errors, with their meaning for a bot.
const MEANINGS: &[(&[&str], &str)] = &[
    (
        &[
            "undefined symbol: main",
            "undefined symbol: __main_void",
            "undefined symbol: __main_argc_argv",
        ],
        "a program needs a `main` that reads lines and prints answers; in C++ the kit does that for \
         a `class MyBrain : public Brain` or `class MyBot : public Bot`",
    ),
    (
        &["judgebot is not in std", "no required module provides package", "File 'judge-bot"],
        "the source needs other files of its project, such as the kit: build the whole folder, with \
         `judge build FOLDER` for Go, and submit the module",
    ),
    (
        &["'brain.h' file not found", "'bot.h' file not found"],
        "the kit's headers are for C++: call the file `.cpp`, and the class in it `MyBrain` or `MyBot`, \
         spelled like this",
    ),
    (
        &["fatal error: 'judge/"],
        "the kit's headers are there for a `.cpp` file with a class called `MyBot` or `MyBrain`, spelled \
         like this: `judge/` has `mahjong.h`, `patchwork.h`, `agamemnon.h`, `cc.h` and `amazons.h`",
    ),
    (
        &["definition of 'MyBrain' is not complete", "definition of 'MyBot' is not complete"],
        "a `}` or a `;` is missing in your class, so that it has no end: compare the brackets of its \
         functions",
    ),
    (
        &["unimplemented pure virtual method", "of abstract class type 'My"],
        "your class lacks a function of `Brain` or `Bot`, or has it with other parameters: the notes name \
         it",
    ),
    (
        &[
            "'std::basic_ifstream<char>'",
            "'std::basic_ofstream<char>'",
            "undeclared identifier 'fopen'",
        ],
        "a bot has no files: put tables into the source",
    ),
    (
        &[
            "unknown type name 'class'",
            "unknown type name 'namespace'",
            "'iostream' file not found",
            "'vector' file not found",
        ],
        "this looks like C++: call the file `.cpp`",
    ),
    (
        &["stdio.h' file not found", "string.h' file not found", "stdlib.h' file not found"],
        "this compiler has no C library for WebAssembly: `pip install ziglang` has one, and on \
         Debian `apt install wasi-libc`",
    ),
    (
        &[
            "exceptions disabled",
            "undefined symbol: __cxa_throw",
            "undefined symbol: __wasm_lpad_context",
        ],
        "exceptions do not work in a bot: nothing can be caught. Return a value instead of `throw`",
    ),
    (
        &[
            "undefined symbol: pthread",
            "<mutex> is not supported",
            "no member named 'thread'",
            "no type named 'thread'",
            "no type named 'mutex'",
        ],
        "there are no threads in a bot: it has one core, and its time is counted in instructions",
    ),
    (
        FOREIGN_HEADERS,
        "headers like `immintrin.h` and `arm_neon.h` are for one kind of processor, which a bot does \
         not run on: write plain loops",
    ),
    (
        &["undefined symbol: setjmp", "Setjmp/longjmp support requires"],
        "`setjmp` and `longjmp` do not work in a bot",
    ),
    (
        &["initial memory too small", "maximum memory too small", "memory too small"],
        "a bot has 2 MiB of memory in all: make its global arrays smaller",
    ),
    (
        &[
            "undefined symbol: system",
            "'filesystem' file not found",
            "undefined symbol: popen",
            "undefined symbol: fork",
        ],
        "a bot has no files, no network and no other programs",
    ),
    (
        &[
            "winsock",
            "'windows.h' file not found",
            "'conio.h' file not found",
            "'unistd.h' file not found",
        ],
        "a bot runs on no operating system: use what the standard library has",
    ),
    (
        &["Cannot find name 'console'", "Module '~lib/bindings/dom"],
        "AssemblyScript has no console in a bot: import `judge.log` instead (`@external(\"judge\", \
         \"log\")`)",
    ),
    (
        &[
            "can't find crate for `std`",
            "target may not be installed",
            "can't find crate for `core`",
        ],
        "run `rustup target add wasm32-unknown-unknown wasm32-wasip1`",
    ),
    (
        &["linking with `rust-lld` failed", "linker `rust-lld` not found"],
        "the linker of the Rust toolchain is missing: install Rust with https://rustup.rs",
    ),
    (
        &["go.mod file not found", "cannot find main module"],
        "make the folder a module: `go mod init my-bot`",
    ),
    (
        &["package main is not in", "function main is undeclared in the main package"],
        "a program in Go needs `package main` with a `func main`",
    ),
    (
        &["`console_error_panic_hook`", "wasm-bindgen"],
        "crates that talk to a browser do not work in a bot",
    ),
];

/// Parts of errors from a header for one kind of processor. Later errors follow from it.
const FOREIGN_HEADERS: &[&str] = &[
    "This header is only meant to be used on x86 and x64 architecture",
    "is intended only for ARM and AArch64 targets",
    "ACLE intrinsics support not enabled",
    "only supported when targeting AArch64",
];

/// The error for a source that a compiler rejected.
pub(crate) fn refused(path: &Path, step: &'static str, words: String) -> BuildError {
    let words = without_consequences(words);
    let advice = advice(&words);
    BuildError::Refused { path: path.to_owned(), step, words, advice }
}

/// The error for a failed compiler: by its exit status, it crashed or rejected the source.
pub(crate) fn failed(path: &Path, step: &'static str, ran: ToolRun) -> BuildError {
    match ran.crashed {
        true => BuildError::Crashed { path: path.to_owned(), hint: None },
        false => refused(path, step, ran.err),
    }
}

/// The output up to a header for another processor, without the errors inside it.
fn without_consequences(words: String) -> String {
    let is_foreign = |line: &str| FOREIGN_HEADERS.iter().any(|sign| line.contains(sign));
    match words.lines().position(is_foreign) {
        Some(at) => words.lines().take(at + 1).map(|line| format!("{line}\n")).collect(),
        None => words,
    }
}

fn advice(words: &str) -> Vec<String> {
    let said = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
    let meanings = MEANINGS.iter().filter(|(signs, _)| said(signs));
    let meanings = meanings.map(|(_, meaning)| (*meaning).to_owned());
    meanings.chain(missing_include(words)).collect()
}

/// Headers of C++, with names from each that bots use.
const HEADERS: &[(&str, &[&str])] = &[
    ("algorithm", &["sort", "min", "max", "shuffle", "find", "count", "reverse", "fill"]),
    ("array", &["array"]),
    ("cmath", &["sqrt", "pow", "log", "exp", "abs", "floor", "ceil"]),
    ("iostream", &["cout", "cin", "cerr", "endl"]),
    ("map", &["map"]),
    ("memory", &["unique_ptr", "make_unique", "shared_ptr"]),
    ("numeric", &["accumulate", "iota"]),
    ("optional", &["optional", "nullopt"]),
    ("queue", &["queue", "priority_queue"]),
    ("random", &["mt19937", "uniform_int_distribution"]),
    ("set", &["set"]),
    ("sstream", &["istringstream", "ostringstream", "stringstream"]),
    ("string", &["string", "to_string", "stoi", "getline"]),
    ("unordered_map", &["unordered_map"]),
    ("unordered_set", &["unordered_set"]),
    ("utility", &["pair", "move", "swap"]),
    ("vector", &["vector"]),
];

/// The header that the first unknown name of the standard library needs.
fn missing_include(words: &str) -> Option<String> {
    let (before, _) = words.split_once("' in namespace 'std'")?;
    let (_, name) = before.rsplit_once('\'')?;
    let (header, _) = HEADERS.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("`std::{name}` needs `#include <{header}>`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_for_another_processor_is_explained_in_one_sentence() {
        let words = "bot.c:1:1: warning: mine\nIn file included from bot.c:2:\n\
            /lib/immintrin.h:14:2: error: \"This header is only meant to be used on x86 and x64 \
            architecture\"\n   14 | #error\n/lib/mmintrin.h:150:10: error: invalid conversion\n";
        let refused = refused(Path::new("bot.c"), "compile", words.to_owned());
        let BuildError::Refused { words, advice, .. } = refused else { panic!("{refused}") };
        assert_eq!(words.lines().count(), 3, "{words}");
        assert!(words.contains("warning: mine") && !words.contains("conversion"), "{words}");
        assert!(advice[0].contains("`immintrin.h`"), "{advice:?}");
    }

    #[test]
    fn messages_of_a_linker_are_explained() {
        let linker = "wasm-ld: error: crt1-command.o: undefined symbol: main\n";
        assert!(advice(linker)[0].contains("needs a `main`"));
        assert_eq!(advice("bot.c:1:1: error: expected ';'"), Vec::<String>::new());
    }

    #[test]
    fn a_missing_include_is_named() {
        for (words, line) in [
            (
                "b.cpp:3:6: error: no template named 'unordered_set' in namespace 'std'; did you mean",
                "`std::unordered_set` needs `#include <unordered_set>`",
            ),
            (
                "b.cpp:9:10: error: no member named 'cout' in namespace 'std'; did you mean 'count'?",
                "`std::cout` needs `#include <iostream>`",
            ),
        ] {
            assert_eq!(advice(words), [line]);
        }
        let typo = "b.cpp:9:10: error: no member named 'cuot' in namespace 'std'";
        assert_eq!(advice(typo), Vec::<String>::new());
        let kit = "main.go:9:2: package judgebot is not in std (/usr/lib/go/src/judgebot)";
        assert!(advice(kit)[0].contains("other files of its project"));
        let header = "b.cpp:2:10: fatal error: 'judge/patchwork.h' file not found";
        assert!(advice(header)[0].contains("a class called `MyBot`"));
    }
}
