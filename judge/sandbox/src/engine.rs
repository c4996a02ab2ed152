//! The only place that configures wasmtime; every knob stands with its reason.

use std::fmt::Write as _;

use judge_core::digest;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Strategy,
    WasmFeatures,
};

use crate::intake::{MAX_TABLE_ELEMENTS, MAX_TABLES};

/// Native stack for one module's calls, in bytes. Recursion deeper than this traps.
const STACK_BYTES: usize = 512 << 10;

/// Largest memory cap that a testcase may set, in bytes. That much address space is reserved for
/// each memory up front: `memory.grow` then fails at the testcase's cap and nowhere else.
pub const MAX_MEMORY_BYTES: u64 = 256 << 20;

/// Matches have two seats, and a worker plays one match at a time.
const INSTANCES: u32 = 2;

/// Bytes of a memory that are zeroed in place between matches; what lies beyond is given back to
/// the system. Giving back and faulting in again costs more than zeroing what small bots use.
const KEEP_RESIDENT: usize = 256 << 10;

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

/// Where instances get their memory from. Changes speed and address space, but no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// Slots reserved once, zeroed between matches: a match starts in microseconds.
    Pooled,
    /// Mapped anew for each match, in little address space.
    OnDemand,
}

impl Sandbox {
    /// Sets up the engine: pooled, or on demand where address space is short (`ulimit -v`).
    ///
    /// # Errors
    /// When this machine's architecture or address space does not suffice.
    pub fn new() -> Result<Sandbox, EngineError> {
        Sandbox::with(Allocation::Pooled).or_else(|_| Sandbox::with(Allocation::OnDemand))
    }

    /// Sets up the engine with a given source of memory.
    ///
    /// # Errors
    /// As [`Sandbox::new`].
    pub fn with(allocation: Allocation) -> Result<Sandbox, EngineError> {
        let mut config = config();
        match allocation {
            Allocation::Pooled => {
                // Instances in reserved slots start ten times as fast. The reservation of 4 GiB a
                // slot, the default, also lets the compiler leave out bounds checks.
                config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
            }
            Allocation::OnDemand => {
                config.memory_reservation(MAX_MEMORY_BYTES);
                config.memory_guard_size(64 << 10);
            }
        }
        let engine = Engine::new(&config).map_err(|error| EngineError(format!("{error:#}")))?;
        Ok(Sandbox { engine })
    }
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::default();
    pool.total_core_instances(INSTANCES);
    pool.total_memories(INSTANCES);
    pool.total_tables(INSTANCES * MAX_TABLES);
    pool.max_tables_per_module(MAX_TABLES);
    pool.table_elements(MAX_TABLE_ELEMENTS as usize);
    pool.max_memory_size(MAX_MEMORY_BYTES as usize);
    pool.linear_memory_keep_resident(KEEP_RESIDENT);
    pool.table_keep_resident(KEEP_RESIDENT);
    pool
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
    // Never moved: growing stays within the reservation and cannot fail before the cap.
    config.memory_reservation_for_growth(0);
    config.memory_may_move(false);
    // Initial data is copied on every system alike, and no file is needed: workers may not write
    // any.
    config.memory_init_cow(false);
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
        assert!(Sandbox::with(Allocation::Pooled).is_ok());
        assert!(Sandbox::with(Allocation::OnDemand).is_ok());
        assert!(fingerprint().starts_with("wasmtime 48."), "{}", fingerprint());
    }
}
