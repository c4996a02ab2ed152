//! What intake lets through and the engine is set up for: both must agree on it.

use wasmtime::WasmFeatures;

/// WebAssembly features of a bot: what current C, C++, Rust and Zig compilers emit by default.
/// Nothing whose result depends on the machine (threads, relaxed SIMD) is among them.
pub(crate) const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::EXTENDED_CONST);

/// Most tables (of function pointers).
pub const MAX_TABLES: u32 = 4;

/// Most elements of one table.
pub const MAX_TABLE_ELEMENTS: u64 = 20_000;

/// Bytes reported for one table element, on every machine alike.
pub(crate) const TABLE_ELEMENT_BYTES: u64 = 8;
