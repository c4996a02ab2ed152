//! The only place that configures wasmtime. Every setting has its reason.

use std::fmt::Write as _;

use judge_core::{MAX_MEMORY_BYTES, digest};
use judge_guest::{FEATURES, LOG_CALL_FUEL, MAX_TABLE_ELEMENTS, MAX_TABLES, TABLE_ELEMENT_BYTES};
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, Module, OptLevel, PoolingAllocationConfig,
    Strategy, WasmFeatures,
};

use crate::costs;
use crate::processor;
use crate::stdio::wasi;

/// Native stack for one module's calls, in bytes. Recursion deeper than this traps.
const STACK_BYTES: usize = 512 << 10;

/// Native stack of a program on stdio, in bytes: its own calls and ample room for the host's, so
/// that a guest's recursion traps before the end of the stack.
const FIBER_BYTES: usize = 2 << 20;

/// Most rounds of its bot that a worker plays at the same time, with the referee in the parent. Each
/// reserves four gigabytes of address space.
pub const SLOTS: u8 = 8;

const INSTANCES: u32 = SLOTS as u32;

/// The same where the address space for more cannot be reserved: a round has two seats.
const FEW_INSTANCES: u32 = 2;

/// Most bytes that the engine itself needs for one instance.
const INSTANCE_BYTES: usize = 4 << 20;

/// Bytes of a memory that are zeroed in place between rounds; the system gets the rest back.
/// Zeroing a small bot's memory is cheaper than returning it and faulting it in again.
const KEEP_RESIDENT: usize = 256 << 10;

/// A configured engine, one per worker process.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) engine: Engine,
}

/// An error of starting the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Verdicts may not come from a processor of this kind.
    #[error("the WebAssembly engine does not run on this machine: {0}")]
    Processor(String),
    /// The engine's own reason.
    #[error(
        "the WebAssembly engine does not start on this machine: {0}; it reserves some 10 GiB of \
         address space (no memory), which `ulimit -v` may forbid"
    )]
    Start(String),
}

impl Sandbox {
    /// Sets up the engine.
    ///
    /// # Errors
    /// When this machine's processor or address space does not suffice.
    pub fn new() -> Result<Sandbox, EngineError> {
        Sandbox::with_config(config()?)
    }

    /// Sets up an engine that compiles to other machine code, without optimising. No verdict comes
    /// from it: it proves that the machine code does not matter. The engine's other compiler
    /// (Winch) cannot prove that: version 48 uses no fuel for the bytes of a bulk operation, and
    /// has vectors only on processors with AVX.
    ///
    /// # Errors
    /// As [`Sandbox::new`].
    pub fn without_optimising() -> Result<Sandbox, EngineError> {
        let mut config = config()?;
        config.cranelift_opt_level(OptLevel::None);
        Sandbox::with_config(config)
    }

    /// Validates a module with the engine. No verdict depends on it: it proves that intake and
    /// engine agree.
    ///
    /// # Errors
    /// With the engine's reason, when the module is not valid.
    pub fn validate(&self, module: &[u8]) -> Result<(), String> {
        Module::validate(&self.engine, module).map_err(|error| format!("{error:#}"))
    }

    fn with_config(mut config: Config) -> Result<Sandbox, EngineError> {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(INSTANCES)));
        let engine = Engine::new(&config).or_else(|_| {
            config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(FEW_INSTANCES)));
            Engine::new(&config)
        });
        let engine = engine.map_err(|error| EngineError::Start(format!("{error:#}")))?;
        Ok(Sandbox { engine })
    }
}

/// Instances in reserved slots start ten times as fast as freshly mapped ones. The default
/// reservation of 4 GiB for each also lets the compiler leave out bounds checks.
fn pool(instances: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::default();
    pool.total_core_instances(instances);
    pool.total_memories(instances);
    pool.total_tables(instances * MAX_TABLES);
    pool.max_tables_per_module(MAX_TABLES);
    pool.table_elements(MAX_TABLE_ELEMENTS as usize);
    pool.max_memory_size(MAX_MEMORY_BYTES as usize);
    // Room for as many globals and functions as intake allows.
    pool.max_core_instance_size(INSTANCE_BYTES);
    pool.linear_memory_keep_resident(KEEP_RESIDENT);
    pool.table_keep_resident(KEEP_RESIDENT);
    pool.total_stacks(instances);
    pool
}

fn config() -> Result<Config, EngineError> {
    processor::check().map_err(EngineError::Processor)?;
    let mut config = Config::new();
    processor::fix(&mut config).map_err(EngineError::Processor)?;
    // Verdicts depend on the number of executed instructions, so they must be counted.
    config.consume_fuel(true);
    config.operator_cost(costs::operator_costs());
    // Otherwise NaN bits differ between processors.
    config.cranelift_nan_canonicalization(true);
    // A fixed compiler: an automatic choice could change a verdict.
    config.strategy(Strategy::Cranelift);
    config.cranelift_opt_level(OptLevel::Speed);
    config.wasm_features(WasmFeatures::all(), false);
    config.wasm_features(FEATURES, true);
    config.max_wasm_stack(STACK_BYTES);
    config.async_stack_size(FIBER_BYTES);
    // The memory never moves: growth stays within the reservation and cannot fail before the cap.
    config.memory_reservation_for_growth(0);
    config.memory_may_move(false);
    // Every system copies initial data in the same way, without a file: workers may not write any.
    config.memory_init_cow(false);
    Ok(config)
}

/// The engine as every result names it: its version and a hash of the settings that decide a
/// module's behavior. Results with different fingerprints are never compared as equal.
pub fn fingerprint() -> String {
    let mut knobs = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        knobs,
        "features={:#x} costs={} nan=canonical stack={STACK_BYTES} start={} log={LOG_CALL_FUEL}+1 \
         wasi={}+{}+1 table={TABLE_ELEMENT_BYTES} elements={MAX_TABLE_ELEMENTS} \
         instructions={}",
        FEATURES.bits(),
        costs::describe(),
        judge_core::START_FUEL,
        wasi::CALL_FUEL,
        wasi::ELEMENT_FUEL,
        processor::DESCRIPTION,
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
