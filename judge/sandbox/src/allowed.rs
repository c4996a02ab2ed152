//! Features and tables that both intake and the engine allow. The two must agree.

use wasmtime::WasmFeatures;

/// WebAssembly features of a bot: those that current C, C++, Rust and Zig compilers use by default.
/// It leaves out every feature whose result depends on the machine (threads, relaxed SIMD).
pub(crate) const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::EXTENDED_CONST);

/// Most tables (of function pointers) in a module.
pub const MAX_TABLES: u32 = 4;

/// Most elements of one table.
pub const MAX_TABLE_ELEMENTS: u64 = 20_000;

/// Bytes reported for one table element, the same on every machine.
pub(crate) const TABLE_ELEMENT_BYTES: u64 = 8;
