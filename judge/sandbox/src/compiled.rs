//! A module turned into machine code, ready to be instantiated for any number of matches.

use wasmtime::Module;

use crate::intake::{self, ModuleInfo, Refusal, Transport};
use crate::{Sandbox, exports, stdio};

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
    /// Intake let it through but the engine did not take it: the judge's fault.
    #[error("the engine does not take a module that intake accepted: {0}")]
    Engine(String),
}

impl Compiled {
    /// Checks a module and compiles it. Slow and open to attack by crafted modules: call it in a
    /// worker process.
    ///
    /// # Errors
    /// When intake refuses the module, or the engine fails on it.
    pub fn new(sandbox: &Sandbox, bytes: &[u8]) -> Result<Compiled, CompileError> {
        let info = intake::inspect(bytes)?;
        let ready = compile(sandbox, bytes, info.transport)
            .map_err(|error| CompileError::Engine(format!("{error:#}")))?;
        Ok(Compiled { ready, info })
    }

    /// What intake learned about the module.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }
}

fn compile(sandbox: &Sandbox, bytes: &[u8], transport: Transport) -> wasmtime::Result<Ready> {
    let module = Module::from_binary(&sandbox.engine, bytes)?;
    Ok(match transport {
        Transport::Exports => Ready::Exports(exports::link(&sandbox.engine, &module)?),
        Transport::Stdio => Ready::Stdio(stdio::link(&sandbox.engine, &module)?),
    })
}
