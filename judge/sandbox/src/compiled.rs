//! A module turned into machine code, ready to be instantiated for any number of matches.

use judge_core::Limits;
use judge_protocol::{IMPORT_LOG, IMPORT_MODULE};
use wasmtime::{Caller, Extern, InstancePre, Linker, Module};

use crate::Sandbox;
use crate::intake::{self, ModuleInfo, Refusal};
use crate::limiter::Limiter;
use crate::trap::HostFault;

/// Fuel for one call of `judge.log`, on top of one per byte.
pub(crate) const LOG_CALL_FUEL: u64 = 100;

/// A bot's compiled module.
#[derive(Clone)]
pub struct Compiled {
    pub(crate) pre: InstancePre<Guest>,
    info: ModuleInfo,
}

/// A module that did not get through.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Intake refused it: the bot's fault.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Intake let it through but the engine did not take it: the judge's fault.
    #[error("the engine does not take a module that intake accepted: {0}")]
    Engine(String),
}

/// What the host keeps for one instance.
pub(crate) struct Guest {
    pub(crate) limiter: Limiter,
    pub(crate) log: Vec<u8>,
    pub(crate) log_dropped: u64,
    log_bytes: u64,
}

impl Guest {
    pub(crate) fn new(limits: &Limits) -> Guest {
        Guest {
            limiter: Limiter::new(limits.memory_bytes),
            log: Vec::new(),
            log_dropped: 0,
            log_bytes: limits.log_bytes,
        }
    }

    fn append_log(&mut self, bytes: &[u8]) {
        let room = self.log_bytes.saturating_sub(self.log.len() as u64);
        let kept = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.log.extend_from_slice(&bytes[..kept]);
        self.log_dropped += (bytes.len() - kept) as u64;
    }
}

impl Compiled {
    /// Checks a module and compiles it. Slow and open to attack by crafted modules: call it in a
    /// worker process.
    ///
    /// # Errors
    /// When intake refuses the module, or the engine fails on it.
    pub fn new(sandbox: &Sandbox, bytes: &[u8]) -> Result<Compiled, CompileError> {
        let info = intake::inspect(bytes)?;
        let module = Module::from_binary(&sandbox.engine, bytes).map_err(engine_error)?;
        let mut linker = Linker::new(&sandbox.engine);
        linker.func_wrap(IMPORT_MODULE, IMPORT_LOG, log).map_err(engine_error)?;
        let pre = linker.instantiate_pre(&module).map_err(engine_error)?;
        Ok(Compiled { pre, info })
    }

    /// What intake learned about the module.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn engine_error(error: wasmtime::Error) -> CompileError {
    CompileError::Engine(format!("{error:#}"))
}

/// The import `judge.log`: appends to the bot's log, at a price.
fn log(mut caller: Caller<'_, Guest>, pointer: i32, length: i32) -> wasmtime::Result<()> {
    let (start, count) = (pointer as u32 as usize, length as u32 as usize);
    let fuel = caller.get_fuel()?;
    caller.set_fuel(fuel.saturating_sub(LOG_CALL_FUEL + count as u64))?;
    let Some(Extern::Memory(memory)) = caller.get_export(judge_protocol::EXPORT_MEMORY) else {
        return Err(HostFault("`judge.log` called without a memory".to_owned()).into());
    };
    let (data, guest) = memory.data_and_store_mut(&mut caller);
    let text = start.checked_add(count).and_then(|end| data.get(start..end)).ok_or_else(|| {
        HostFault(format!("`judge.log` of {count} bytes at address {start}, outside of the memory"))
    })?;
    guest.append_log(text);
    Ok(())
}
