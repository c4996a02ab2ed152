//! Reasons to refuse a module: one line each, with advice for its author.

use judge_core::Explanation;

use super::features::{self, Feature};
use super::{Limit, MAX_BODY_BYTES, MAX_LOCALS, MAX_MODULE_BYTES, Transport};
use crate::whole_pages;

/// Memory for a small program in Go, in bytes.
const GO_NEEDS: u64 = 3 << 20;

/// A reason to refuse a module. [`IntakeRefusal::hint`] is shown on a second line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntakeRefusal {
    /// No bytes at all.
    Empty,
    /// Larger than [`MAX_MODULE_BYTES`].
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Does not begin like WebAssembly.
    NotWasm {
        /// Format that the first bytes look like.
        looks_like: &'static str,
    },
    /// A component instead of a core module.
    Component,
    /// Invalid WebAssembly.
    Malformed {
        /// Offset of the error in the module.
        offset: usize,
        /// The validator's message.
        reason: String,
    },
    /// Uses features that are off.
    SwitchedOff {
        /// The features.
        features: Vec<&'static Feature>,
        /// Offset of the first use in the module.
        offset: usize,
        /// The validator's message.
        reason: String,
    },
    /// Over the limit of some quantity.
    TooMany {
        /// The quantity.
        limit: Limit,
        /// Its count, as far as it was counted.
        count: u64,
    },
    /// More imports than the judge offers functions.
    RepeatedImports {
        /// Their number.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// A function body over the limit.
    BodyTooLarge {
        /// Index of the function.
        function: u32,
        /// Its size in bytes.
        bytes: usize,
    },
    /// Too many local variables in one function.
    TooManyLocals {
        /// Index of the function.
        function: u32,
        /// Their number.
        count: u32,
    },
    /// Imports that the judge does not offer.
    ForbiddenImports {
        /// `module.name` of each, in order, at most eight.
        names: Vec<String>,
        /// Number of further ones.
        more: usize,
        /// The module's transport, if it has one.
        transport: Option<Transport>,
    },
    /// Imports of the wrong type.
    MistypedImports {
        /// `module.name` of each, in order, at most eight.
        names: Vec<String>,
        /// Number of further ones.
        more: usize,
    },
    /// Missing exports.
    MissingExports {
        /// A description of each missing or wrongly typed export.
        missing: Vec<String>,
        /// The module's transport, if it has one.
        transport: Option<Transport>,
    },
    /// Starts with more memory than the testcase allows.
    TooMuchMemory {
        /// Its initial memory, in bytes.
        starts_with: u64,
        /// The testcase's cap, in bytes.
        cap: u64,
    },
}

impl IntakeRefusal {
    /// Names the features that a module uses, if it is refused because of them.
    pub(super) fn with_features(self, module: &[u8]) -> IntakeRefusal {
        match self {
            IntakeRefusal::Malformed { offset, reason } => match features::needed(module) {
                none if none.is_empty() => IntakeRefusal::Malformed { offset, reason },
                features => IntakeRefusal::SwitchedOff { features, offset, reason },
            },
            other => other,
        }
    }

    /// Advice for the author.
    pub fn hint(&self) -> String {
        match self {
            IntakeRefusal::Empty => "was the build interrupted? build the bot again".to_owned(),
            IntakeRefusal::TooLarge { .. } => {
                "build with `-O2` or `-Os` and without debug information (`-Wl,--strip-all`; \
                 Rust: `strip = true`; Go: `-ldflags '-s -w'`, and few packages)"
                    .to_owned()
            }
            IntakeRefusal::NotWasm { .. } => {
                "submit the linked `.wasm`, not its source or a program for your own machine: \
                 `judge build SOURCE` makes it out of a `.c`, `.cpp`, `.zig`, `.go`, `.ts`, `.js`, \
                 `.py` or `.wat`"
                    .to_owned()
            }
            IntakeRefusal::Component => {
                "build a core module: with Rust `--target wasm32-wasip1` instead of \
                 `wasm32-wasip2`, with TinyGo `-target=wasip1`, with C and C++ \
                 `--target=wasm32-wasip1`, each without a component step"
                    .to_owned()
            }
            IntakeRefusal::Malformed { .. } => {
                "the file is damaged; or its code does not validate (in WebAssembly text: look \
                 at what each instruction takes from the stack and leaves there)"
                    .to_owned()
            }
            IntakeRefusal::SwitchedOff { features, .. } => {
                let flags = features.iter().map(|feature| feature.flags());
                flags.collect::<Vec<_>>().join("; ")
            }
            IntakeRefusal::TooMany { limit, .. } => limit.hint().to_owned(),
            IntakeRefusal::RepeatedImports { .. } => {
                "import each function once: the linker does so by itself".to_owned()
            }
            IntakeRefusal::BodyTooLarge { .. } | IntakeRefusal::TooManyLocals { .. } => format!(
                "at most {MAX_BODY_BYTES} bytes and {MAX_LOCALS} locals a function: split it, move \
                 tables into data, or build with `-O2`"
            ),
            IntakeRefusal::ForbiddenImports { transport: Some(Transport::Stdio), .. } => {
                "a program with `_start` may import the functions of WASI preview 1 \
                 (`wasi_snapshot_preview1`) and nothing else; link everything into the module"
                    .to_owned()
            }
            IntakeRefusal::ForbiddenImports { .. } => {
                "only `judge.log` may be imported; the kits in `sdk/` keep everything else out \
                 (in AssemblyScript use `tools.log` and `tools.random` instead of `console` and \
                 `Math.random`). A program that reads lines and prints lines may import WASI preview 1, if it \
                 exports `_start` and no `judge_line`"
                    .to_owned()
            }
            IntakeRefusal::MistypedImports { .. } => {
                "declare it as the headers of your language's library do, or leave it to that \
                 library: numbers of parameters and results, and their sizes, must be the same"
                    .to_owned()
            }
            IntakeRefusal::MissingExports { transport: Some(Transport::Stdio), .. } => {
                "the toolchain makes `_start` and `memory` of an ordinary program with a `main`: \
                 build one for `wasm32-wasip1`, with the usual start files; see `sdk/c/README.md`"
                    .to_owned()
            }
            IntakeRefusal::MissingExports { .. } => "build with a kit from `sdk/`, or link with \
                 `-Wl,--export=judge_buffer,--export=judge_line`; or build a program that reads \
                 lines and prints lines, with a `main`, for `wasm32-wasip1`: it exports `_start` \
                 (the memory is exported by default)"
                .to_owned(),
            IntakeRefusal::TooMuchMemory { cap, .. } => {
                let go = if *cap < GO_NEEDS { " (Go's runtime needs 3 MiB)" } else { "" };
                let most = whole_pages(*cap);
                format!(
                    "link with `-Wl,-z,stack-size=65536,--max-memory={most}` and make large arrays \
                     smaller{go}"
                )
            }
        }
    }

    /// The reason, as a lowercase fragment.
    pub fn reason(&self) -> String {
        match self {
            IntakeRefusal::Empty => "the file is empty".to_owned(),
            IntakeRefusal::TooLarge { bytes } => {
                format!("the module has {bytes} bytes; at most {MAX_MODULE_BYTES} are allowed")
            }
            IntakeRefusal::NotWasm { looks_like } => {
                format!("not a WebAssembly module: it looks like {looks_like}")
            }
            IntakeRefusal::Component => "a WebAssembly component, not a core module".to_owned(),
            IntakeRefusal::Malformed { offset, reason } => {
                format!("not a valid module: {reason} (at byte {offset})")
            }
            IntakeRefusal::SwitchedOff { features, offset, reason } => {
                let names: Vec<_> = features.iter().map(|feature| feature.name).collect();
                let names = names.join(", ");
                format!(
                    "not a valid module: it uses {names}, off in this judge: {reason} (at byte \
                     {offset})"
                )
            }
            IntakeRefusal::TooMany { limit, count } => {
                let (what, most) = (limit.what(), limit.most());
                format!("the module has {count} {what}; at most {most} are allowed")
            }
            IntakeRefusal::RepeatedImports { count, most } => {
                format!("the module has {count} imports; at most {most} are allowed")
            }
            IntakeRefusal::BodyTooLarge { function, bytes } => {
                format!("function {function} has a body of {bytes} bytes")
            }
            IntakeRefusal::TooManyLocals { function, count } => {
                format!("function {function} has {count} local variables")
            }
            IntakeRefusal::ForbiddenImports { names, more, .. } => {
                format!("unsupported imports: {}", list(names, *more))
            }
            IntakeRefusal::MistypedImports { names, more } => {
                format!("imports of the wrong type: {}", list(names, *more))
            }
            IntakeRefusal::MissingExports { missing, .. } => {
                format!("missing exports: {}", missing.join("; "))
            }
            IntakeRefusal::TooMuchMemory { starts_with, cap } => format!(
                "starts with {} KiB of memory; this testcase allows {} KiB",
                starts_with / 1024,
                cap / 1024
            ),
        }
    }
}

/// The names, separated by commas, and the number of others.
fn list(names: &[String], more: usize) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &rest
}

impl From<&IntakeRefusal> for Explanation {
    fn from(refusal: &IntakeRefusal) -> Explanation {
        Explanation::new(refusal.reason(), refusal.hint())
    }
}

impl std::fmt::Display for IntakeRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Explanation::from(self).fmt(f)
    }
}

impl std::error::Error for IntakeRefusal {}
