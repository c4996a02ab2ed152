//! A module turned into machine code, ready to be instantiated for any number of matches.

use wasmtime::Module;

use crate::intake::{self, Manifest, ModuleInfo, Refusal, Transport};
use crate::{Sandbox, exports, stdio, unchecked};

/// Most machine code of a module with what belongs to it, in bytes: ten times what the largest
/// honest module known becomes.
pub const MAX_MACHINE_CODE_BYTES: usize = 128 << 20;

/// A bot's compiled module.
#[derive(Clone)]
pub struct Compiled {
    pub(crate) ready: Ready,
    info: ModuleInfo,
}

/// A module, linked for its transport.
#[derive(Clone)]
pub(crate) enum Ready {
    Exports(exports::Linked),
    Stdio(stdio::Linked),
}

/// A module that did not get through.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Intake refused it: the bot's fault.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Intake let it through but the engine did not take it: the judge's fault, unless it does so
    /// again in a fresh process.
    #[error("the engine does not take a module that intake accepted: {0}")]
    Engine(String),
    /// It became more than [`MAX_MACHINE_CODE_BYTES`].
    #[error("it becomes {0} bytes of machine code; the most is {MAX_MACHINE_CODE_BYTES}")]
    TooMuchCode(usize),
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
        let ready = link(sandbox, &module, info.transport).map_err(engine_error)?;
        Ok(Compiled { ready, info })
    }

    /// The machine code with what intake learned, for a worker that plays it in another
    /// process of the same judge on the same machine.
    ///
    /// # Errors
    /// When it is too much, or the engine cannot write it down.
    pub fn machine_code(&self) -> Result<Vec<u8>, CompileError> {
        let module = match &self.ready {
            Ready::Exports(linked) => linked.module(),
            Ready::Stdio(linked) => linked.module(),
        };
        let mut code = module.serialize().map_err(engine_error)?;
        code.extend(self.info.initial_bytes.to_le_bytes());
        code.push(u8::from(self.info.transport == Transport::Stdio));
        if code.len() > MAX_MACHINE_CODE_BYTES {
            return Err(CompileError::TooMuchCode(code.len()));
        }
        Ok(code)
    }

    /// Loads what [`Compiled::machine_code`] gave. Running foreign machine code: only for a worker
    /// process that plays this one module.
    ///
    /// # Errors
    /// When it is not from this judge, or does not link.
    pub(crate) fn from_machine_code(sandbox: &Sandbox, code: &[u8]) -> Result<Compiled, String> {
        let (stdio, code) = code.split_last().ok_or("no machine code")?;
        let (code, initial_bytes) = code.split_last_chunk().ok_or("no machine code")?;
        let transport = if *stdio == 1 { Transport::Stdio } else { Transport::Exports };
        let described = |error: wasmtime::Error| format!("{error:#}");
        let module = unchecked::load_machine_code(&sandbox.engine, code).map_err(described)?;
        let ready = link(sandbox, &module, transport).map_err(described)?;
        let info = ModuleInfo {
            transport,
            initial_bytes: u64::from_le_bytes(*initial_bytes),
            manifest: Manifest::default(),
        };
        Ok(Compiled { ready, info })
    }

    /// What intake learned about the module.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn engine_error(error: wasmtime::Error) -> CompileError {
    CompileError::Engine(format!("{error:#}"))
}

fn link(sandbox: &Sandbox, module: &Module, transport: Transport) -> wasmtime::Result<Ready> {
    Ok(match transport {
        Transport::Exports => Ready::Exports(exports::link(&sandbox.engine, module)?),
        Transport::Stdio => Ready::Stdio(stdio::link(&sandbox.engine, module)?),
    })
}
