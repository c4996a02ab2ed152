//! The only place that configures wasmtime; every knob stands with its reason.

use std::fmt::Write as _;

use judge_core::digest;
use wasmtime::{Config, Engine, OptLevel, Strategy, WasmFeatures};

/// Native stack for one module's calls, in bytes. Recursion deeper than this traps.
const STACK_BYTES: usize = 512 << 10;

/// Linear memory reserved up front, in bytes: no testcase may allow more. `memory.grow` then
/// fails at the testcase's cap and nowhere else.
pub(crate) const MEMORY_RESERVATION: u64 = 1 << 30;

/// Unmapped bytes behind each memory, which catch accesses with small constant offsets.
const MEMORY_GUARD: u64 = 64 << 10;

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

/// A configured engine; one per worker process.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) engine: Engine,
}

/// The engine cannot run here.
#[derive(Debug, thiserror::Error)]
#[error("the WebAssembly engine does not start on this machine: {0}")]
pub struct EngineError(String);

impl Sandbox {
    /// Sets up the engine.
    ///
    /// # Errors
    /// When this machine's architecture or address space does not suffice.
    pub fn new() -> Result<Sandbox, EngineError> {
        let engine = Engine::new(&config()).map_err(|error| EngineError(error.to_string()))?;
        Ok(Sandbox { engine })
    }
}

fn config() -> Config {
    let mut config = Config::new();
    // Verdicts are decided by instructions executed, so they must be counted.
    config.consume_fuel(true);
    // NaN bits would otherwise tell processors apart.
    config.cranelift_nan_canonicalization(true);
    // A fixed compiler: an automatic choice could change under a verdict.
    config.strategy(Strategy::Cranelift);
    config.cranelift_opt_level(OptLevel::Speed);
    config.wasm_features(WasmFeatures::all(), false);
    config.wasm_features(FEATURES, true);
    config.max_wasm_stack(STACK_BYTES);
    // Reserved up front and never moved: growing cannot fail before the cap.
    config.memory_reservation(MEMORY_RESERVATION);
    config.memory_reservation_for_growth(0);
    config.memory_may_move(false);
    config.memory_guard_size(MEMORY_GUARD);
    config
}

/// The engine as it appears in every result: its version and a hash of what decides how a module
/// behaves. Results with different fingerprints are never compared as equal.
pub fn fingerprint() -> String {
    let mut knobs = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        knobs,
        "features={:#x} fuel=default nan=canonical stack={STACK_BYTES} start={}",
        FEATURES.bits(),
        judge_core::START_FUEL,
    );
    let version = wasmtime_environ::VERSION;
    format!("wasmtime {version} {}", digest(knobs.as_bytes()).short())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_starts_and_names_itself() {
        assert!(Sandbox::new().is_ok());
        assert!(fingerprint().starts_with("wasmtime 48."), "{}", fingerprint());
    }
}
