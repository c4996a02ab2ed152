//! Features and sizes that a module may use, the same for intake, the engine and rewritten modules.

use wasmparser::WasmFeatures;

/// WebAssembly features of a bot: those that current C, C++, Rust and Zig compilers use by default.
/// It leaves out every feature with machine-dependent results (threads, relaxed SIMD).
pub const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::EXTENDED_CONST);

/// Most elements of one table.
pub const MAX_TABLE_ELEMENTS: u64 = 20_000;
