//! WebAssembly features that are off: detection in a module, and compiler flags that avoid each.

use wasmparser::{Validator, WasmFeatures};

use crate::allowed::FEATURES;

/// A feature that is off.
#[derive(Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name, for messages.
    pub name: &'static str,
    /// All bits of the feature.
    bits: WasmFeatures,
    /// Advice for clang, and for Emscripten, which takes the same flags.
    pub clang: &'static str,
    /// Advice for Rust.
    pub rust: &'static str,
    /// Advice for Zig.
    pub zig: &'static str,
    /// Advice for AssemblyScript.
    pub assemblyscript: &'static str,
}

impl Feature {
    /// Advice for an unknown compiler.
    pub fn flags(&self) -> String {
        let name = self.name;
        match (self.clang, self.rust) {
            (NOTHING, NOTHING) => format!("{name}: {NOTHING}"),
            (clang, rust) => format!("{name}: in C and C++ {clang}; in Rust {rust}"),
        }
    }
}

/// Advice for compilers that never use the feature by themselves.
const NOTHING: &str = "build without it";

const GC: WasmFeatures = WasmFeatures::GC.union(WasmFeatures::GC_TYPES);

/// A feature that is part of another comes before it.
static OFF: [Feature; 14] = [
    Feature {
        name: "reference types (`externref`)",
        bits: WasmFeatures::GC_TYPES,
        clang: "compile with `-mno-reference-types`, and keep nothing in `__externref_t`",
        rust: "leave out `wasm-bindgen`, or pass `-C target-feature=-reference-types`",
        zig: "leave `reference_types` out of `-mcpu`",
        assemblyscript: "leave out `--enable reference-types`, and use no `externref`",
    },
    Feature {
        name: "exceptions",
        bits: WasmFeatures::EXCEPTIONS
            .union(WasmFeatures::LEGACY_EXCEPTIONS)
            .union(WasmFeatures::GC_TYPES),
        clang: "compile with `-fno-exceptions`, without `-fwasm-exceptions` and `-mllvm \
                -wasm-enable-sjlj`",
        rust: "set `panic = \"abort\"` in the profile, or pass `-C panic=abort`",
        zig: "leave `exception_handling` out of `-mcpu`",
        assemblyscript: "leave out `--enable exception-handling`",
    },
    Feature {
        name: "threads",
        bits: WasmFeatures::THREADS.union(WasmFeatures::SHARED_EVERYTHING_THREADS),
        clang: "leave out `-pthread`, `-matomics` and `-Wl,--shared-memory`",
        rust: "build for `wasm32-wasip1`, not `wasm32-wasip1-threads`, and without \
               `-C target-feature=+atomics`",
        zig: "build with `-fsingle-threaded`, and leave `atomics` out of `-mcpu`",
        assemblyscript: "leave out `--enable threads`",
    },
    Feature {
        name: "memory64 (addresses of 64 bits)",
        bits: WasmFeatures::MEMORY64,
        clang: "compile for `--target=wasm32-wasip1`, not wasm64, and without `-sMEMORY64`",
        rust: "build for `wasm32-wasip1`, not a `wasm64` target",
        zig: "build for `-target wasm32-wasi`, not wasm64",
        assemblyscript: "leave out `--enable memory64`",
    },
    Feature {
        name: "multi-memory (several memories)",
        bits: WasmFeatures::MULTI_MEMORY,
        clang: "compile with `-mno-multimemory`",
        rust: "leave `+multimemory` out of `-C target-feature`",
        zig: "leave `multimemory` out of `-mcpu`",
        assemblyscript: "declare one memory",
    },
    Feature {
        name: "relaxed SIMD",
        bits: WasmFeatures::RELAXED_SIMD,
        clang: "compile with `-mno-relaxed-simd`; `-msimd128` may stay",
        rust: "pass `-C target-feature=-relaxed-simd`; `+simd128` may stay",
        zig: "leave `relaxed_simd` out of `-mcpu`; `simd128` may stay",
        assemblyscript: "leave out `--enable relaxed-simd`; `--enable simd` may stay",
    },
    Feature {
        name: "tail calls",
        bits: WasmFeatures::TAIL_CALL,
        clang: "compile with `-mno-tail-call`",
        rust: "pass `-C target-feature=-tail-call`",
        zig: "leave `tail_call` out of `-mcpu`",
        assemblyscript: NOTHING,
    },
    Feature {
        name: "custom page sizes",
        bits: WasmFeatures::CUSTOM_PAGE_SIZES,
        clang: "leave out `-mcustom-page-sizes` and `-Wl,--page-size`",
        rust: "leave out `-C link-arg=--page-size` and `+custom-page-sizes`",
        zig: "leave `custom_page_sizes` out of `-mcpu`",
        assemblyscript: NOTHING,
    },
    Feature {
        name: "wide arithmetic",
        bits: WasmFeatures::WIDE_ARITHMETIC,
        clang: "compile with `-mno-wide-arithmetic`",
        rust: "pass `-C target-feature=-wide-arithmetic`",
        zig: "leave `wide_arithmetic` out of `-mcpu`",
        assemblyscript: NOTHING,
    },
    Feature {
        name: "typed function references",
        bits: WasmFeatures::FUNCTION_REFERENCES,
        clang: NOTHING,
        rust: NOTHING,
        zig: NOTHING,
        assemblyscript: NOTHING,
    },
    Feature {
        name: "GC (garbage-collected types)",
        bits: GC.union(WasmFeatures::FUNCTION_REFERENCES),
        clang: "compile with `-mno-gc`",
        rust: "pass `-C target-feature=-gc`",
        zig: NOTHING,
        assemblyscript: "leave out `--enable gc`",
    },
    Feature {
        name: "stack switching",
        bits: WasmFeatures::STACK_SWITCHING
            .union(GC)
            .union(WasmFeatures::FUNCTION_REFERENCES)
            .union(WasmFeatures::EXCEPTIONS),
        clang: NOTHING,
        rust: NOTHING,
        zig: NOTHING,
        assemblyscript: NOTHING,
    },
    Feature {
        name: "memory control",
        bits: WasmFeatures::MEMORY_CONTROL,
        clang: NOTHING,
        rust: NOTHING,
        zig: NOTHING,
        assemblyscript: NOTHING,
    },
    Feature {
        name: "compact imports",
        bits: WasmFeatures::COMPACT_IMPORTS,
        clang: "link without `-Wl,--compact-imports`",
        rust: "link without `-C link-arg=--compact-imports`",
        zig: NOTHING,
        assemblyscript: NOTHING,
    },
];

/// The features that are off and that the module needs to be valid. Empty if the module is invalid
/// even with all of them.
pub(super) fn needed(module: &[u8]) -> Vec<&'static Feature> {
    let with = |more: WasmFeatures| is_valid(module, FEATURES.union(more));
    let union = |features: &[&Feature]| {
        features.iter().fold(WasmFeatures::empty(), |bits, feature| bits.union(feature.bits))
    };
    let all: Vec<&Feature> = OFF.iter().collect();
    if !with(union(&all)) {
        return Vec::new();
    }
    if let Some(one) = OFF.iter().find(|feature| with(feature.bits)) {
        return vec![one];
    }
    // Several features may be needed: drop each that is not.
    let mut kept = all;
    for feature in OFF.iter().rev() {
        let fewer: Vec<_> = kept.iter().copied().filter(|one| *one != feature).collect();
        if with(union(&fewer)) {
            kept = fewer;
        }
    }
    kept
}

fn is_valid(module: &[u8], features: WasmFeatures) -> bool {
    Validator::new_with_features(features).validate_all(module).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let module = wat::parse_str(text).expect("a module");
        needed(&module).into_iter().map(|feature| feature.name).collect()
    }

    #[test]
    fn each_feature_is_found() {
        let cases = [
            ("(tag) (func (throw 0))", "exceptions"),
            ("(tag) (func (try_table (catch_all 0)))", "exceptions"),
            ("(tag) (func try catch_all end)", "exceptions"),
            (
                "(tag) (func (block (result exnref) (try_table (catch_all_ref 0)) unreachable) throw_ref)",
                "exceptions",
            ),
            ("(memory 1 1 shared)", "threads"),
            ("(memory 1) (func (drop (i32.atomic.load (i32.const 0))))", "threads"),
            ("(memory i64 1)", "memory64 (addresses of 64 bits)"),
            ("(table i64 1 funcref)", "memory64 (addresses of 64 bits)"),
            ("(memory 1) (memory 1)", "multi-memory (several memories)"),
            (
                "(func (param v128) (result v128) (i8x16.relaxed_swizzle (local.get 0) (local.get 0)))",
                "relaxed SIMD",
            ),
            ("(func $f (return_call $f))", "tail calls"),
            ("(memory 1 (pagesize 1))", "custom page sizes"),
            (
                "(func (param i64) (result i64 i64) (i64.mul_wide_u (local.get 0) (local.get 0)))",
                "wide arithmetic",
            ),
            ("(table 1 externref)", "reference types (`externref`)"),
            ("(func (param externref))", "reference types (`externref`)"),
            (
                "(type $f (func)) (func (param (ref $f)) (call_ref $f (local.get 0)))",
                "typed function references",
            ),
            ("(type (struct (field i32)))", "GC (garbage-collected types)"),
            (
                "(type $f (func)) (type $c (cont $f)) (func (param (ref $c)) (resume $c (local.get 0)))",
                "stack switching",
            ),
        ];
        for (fields, name) in cases {
            assert_eq!(names(&format!("(module {fields})")), [name], "{fields}");
        }
    }

    #[test]
    fn all_missing_features_are_named() {
        let both = "(module (memory i64 1) (func $f (return_call $f)))";
        assert_eq!(names(both), ["memory64 (addresses of 64 bits)", "tail calls"]);
        assert_eq!(needed(b"\0asm\x01\0\0\0\x01\x01"), Vec::<&Feature>::new());
        let mut cut = wat::parse_str("(module (memory 1 1 shared))").expect("a module");
        cut.pop();
        assert_eq!(needed(&cut), Vec::<&Feature>::new());
    }
}
