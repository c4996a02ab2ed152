//! Rules for the content of a module. Nothing runs or compiles here. Every refusal names the
//! problem and a fix.

mod body;
mod features;
mod joins;
mod limit;
mod limits;
mod manifest;
mod refusal;
mod scan;
mod segments;
mod weights;
mod work;

pub use features::Feature;
pub use limit::{Limit, LimitTally};
pub use limits::{
    MAX_BODY_BYTES, MAX_BRANCHES_TIMES_LOCALS, MAX_CODE_KIB, MAX_COMPUTED, MAX_DATA_SEGMENTS,
    MAX_ELEMENT_SEGMENTS, MAX_ELEMENTS, MAX_EXPORTS, MAX_FUNCTION_WEIGHT_KIB, MAX_FUNCTIONS,
    MAX_GLOBALS, MAX_IMPORTS, MAX_JOINS, MAX_LOCAL_KIB, MAX_LOCALS, MAX_LOOP_NESTING,
    MAX_LOOPS_TIMES_LOCALS, MAX_MEMORY_MIB, MAX_MODULE_BYTES, MAX_NESTING, MAX_PARAMETERS,
    MAX_RESULTS, MAX_SIGNATURES, MAX_SQUARE_KIB, MAX_TABLE_ELEMENTS, MAX_TABLES, MAX_TYPES,
    MAX_WEIGHT_KIB, MAX_WORK_KIB,
};
pub use manifest::Manifest;
pub use refusal::IntakeRefusal;
pub use weights::weight;

use judge_core::Limits;

use scan::Scan;

/// Communication between a module and the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Lines pass through a buffer, with one function call per line.
    Exports,
    /// A program that reads its standard input and prints to its standard output.
    Stdio,
}

/// Result of [`inspect`] for an accepted module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleInfo {
    /// Its transport.
    pub transport: Transport,
    /// Linear memory right after instantiation, in bytes.
    pub initial_bytes: u64,
    /// The module's description of itself; empty if it has none.
    pub manifest: Manifest,
}

impl ModuleInfo {
    /// Checks that an instance can start under `limits`.
    ///
    /// # Errors
    /// [`IntakeRefusal::TooMuchMemory`] when its initial memory exceeds the limit.
    pub fn check_limits(&self, limits: &Limits) -> Result<(), IntakeRefusal> {
        if self.initial_bytes <= limits.memory_bytes {
            return Ok(());
        }
        Err(IntakeRefusal::TooMuchMemory {
            starts_with: self.initial_bytes,
            cap: limits.memory_bytes,
        })
    }
}

/// Checks a module: size, kind, features, imports, exports, and the sizes of its parts.
///
/// # Errors
/// The first reason to refuse the module.
pub fn inspect(bytes: &[u8]) -> Result<ModuleInfo, IntakeRefusal> {
    limits::check_kind(bytes)?;
    let scan = Scan::read(bytes).map_err(|refusal| refusal.with_features(bytes))?;
    let transport = scan.transport();
    scan.check_imports(transport)?;
    scan.check_exports(transport)?;
    Ok(ModuleInfo {
        transport: transport.unwrap_or(Transport::Exports),
        initial_bytes: scan.initial_bytes(),
        manifest: scan.manifest(),
    })
}

/// Counts each limited quantity of a module.
///
/// # Errors
/// As [`inspect`]. Counting a refused module stops early.
pub fn tally(bytes: &[u8]) -> Result<LimitTally, IntakeRefusal> {
    limits::check_kind(bytes)?;
    Ok(Scan::read(bytes)?.tally().clone())
}

#[cfg(test)]
mod tests;
