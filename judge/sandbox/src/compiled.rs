//! A module as machine code, ready for any number of rounds.

use judge_guest::intake::{self, IntakeRefusal, Manifest, ModuleInfo, Transport};
use judge_guest::joined_data;
use judge_interpreters::Script;
use wasmtime::Module;

use crate::bulk::Bulk;
use crate::script::Block;
use crate::{Sandbox, engine, exports, processor, profile, stdio, unchecked};

/// Most machine code of a module, with our own data after it, in bytes: ten times that of the
/// largest honest module known.
pub const MAX_MACHINE_CODE_BYTES: usize = 128 << 20;

/// Everything that decides the bytes of [`Compiled::machine_code`] for a module: this crate's source,
/// the engine, the system, and the processor instructions that the compiler uses.
pub fn machine_code_version() -> String {
    let (source, target) = (env!("SANDBOX_SOURCE"), env!("SANDBOX_TARGET"));
    format!("{}, source {source}, {target}, {}", engine::fingerprint(), processor::DESCRIPTION)
}

/// A bot's compiled module.
#[derive(Clone)]
pub struct Compiled {
    pub(crate) ready: Ready,
    pub(crate) script: Block,
    pub(crate) bulk: Bulk,
    info: ModuleInfo,
}

/// A module, linked for its transport.
#[derive(Clone)]
pub(crate) enum Ready {
    Exports(exports::Linked),
    Stdio(stdio::Linked),
}

/// An error of compiling a module.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Intake refused it: the bot's fault.
    #[error(transparent)]
    Refused(#[from] IntakeRefusal),
    /// The engine rejected a module that passed intake: the judge's fault, unless it happens again
    /// in a fresh process.
    #[error("the engine does not take a module that intake accepted: {0}")]
    Engine(String),
    /// The machine code is larger than [`MAX_MACHINE_CODE_BYTES`].
    #[error("it becomes {0} bytes of machine code; the most is {MAX_MACHINE_CODE_BYTES}")]
    TooMuchCode(usize),
}

impl Compiled {
    /// Checks a module and compiles it. This is slow, and a crafted module may attack the compiler:
    /// call it in a worker process.
    ///
    /// # Errors
    /// When intake refuses the module, or the engine fails on it.
    pub fn new(sandbox: &Sandbox, bytes: &[u8]) -> Result<Compiled, CompileError> {
        let info = intake::inspect(bytes)?;
        Compiled::inspected(sandbox, bytes, info, |module| Ok(module.to_vec()))
    }

    /// Compiles a module that is rewritten so that fuel can be counted by function; see
    /// [`crate::BotPlayer::measured`]. It uses the same fuel at every point. No verdict comes from
    /// it.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn instrumented(sandbox: &Sandbox, bytes: &[u8]) -> Result<Compiled, CompileError> {
        let info = intake::inspect(bytes)?;
        let rewrite = |module: &[u8]| profile::instrument(module).map_err(CompileError::Engine);
        Compiled::inspected(sandbox, bytes, info, rewrite)
    }

    fn inspected(
        sandbox: &Sandbox,
        bytes: &[u8],
        info: ModuleInfo,
        rewritten: impl FnOnce(&[u8]) -> Result<Vec<u8>, CompileError>,
    ) -> Result<Compiled, CompileError> {
        let script = Script::in_module(bytes);
        let bytes = script.as_ref().map_or(bytes, |script| script.interpreter.module);
        let script = script.as_ref().map(Block::from_script).unwrap_or_default();
        let joined = joined_data(bytes);
        let joined = joined.map_err(|error| CompileError::Engine(error.to_string()))?;
        let bytes = rewritten(joined.as_deref().unwrap_or(bytes))?;
        let bulk =
            Bulk::from_module(&bytes).map_err(|error| CompileError::Engine(error.to_string()))?;
        let module = Module::from_binary(&sandbox.engine, &bytes).map_err(engine_error)?;
        let ready = link(sandbox, &module, info.transport).map_err(engine_error)?;
        Ok(Compiled { ready, script, bulk, info })
    }

    /// The machine code and intake's result, for another worker process of the same judge on the
    /// same machine.
    ///
    /// # Errors
    /// When the machine code is too large, or the engine cannot serialize it.
    pub fn machine_code(&self) -> Result<Vec<u8>, CompileError> {
        let module = match &self.ready {
            Ready::Exports(linked) => linked.module(),
            Ready::Stdio(linked) => linked.module(),
        };
        let mut code = module.serialize().map_err(engine_error)?;
        self.bulk.write(&mut code);
        self.script.write(&mut code);
        write_info(&self.info, &mut code);
        if code.len() > MAX_MACHINE_CODE_BYTES {
            return Err(CompileError::TooMuchCode(code.len()));
        }
        Ok(code)
    }

    /// The part of a script that is not machine code, for [`Compiled::machine_code_of_script`].
    ///
    /// # Errors
    /// When intake refuses the module.
    pub fn script_part(module: &[u8]) -> Result<Vec<u8>, CompileError> {
        let info = intake::inspect(module)?;
        let script = Script::in_module(module).as_ref().map(Block::from_script).unwrap_or_default();
        let mut part = Vec::new();
        script.write(&mut part);
        write_info(&info, &mut part);
        Ok(part)
    }

    /// The machine code of a script's module, made from the machine code of its interpreter and
    /// from its [`Compiled::script_part`].
    ///
    /// # Errors
    /// When the interpreter's machine code is none.
    pub fn machine_code_of_script(
        interpreter: &[u8],
        part: &[u8],
    ) -> Result<Vec<u8>, CompileError> {
        let (code, bulk, ..) = read_code(interpreter).ok_or_else(no_code)?;
        let mut code = code.to_vec();
        bulk.write(&mut code);
        code.extend(part);
        Ok(code)
    }

    /// Loads the result of [`Compiled::machine_code`]. This runs foreign machine code, so only a
    /// worker process that plays this one module may call it.
    ///
    /// # Errors
    /// When the machine code is not from this judge, or does not link.
    pub(crate) fn from_machine_code(sandbox: &Sandbox, code: &[u8]) -> Result<Compiled, String> {
        let (code, bulk, script, info) = read_code(code).ok_or("no machine code")?;
        let described = |error: wasmtime::Error| format!("{error:#}");
        let module = unchecked::load_machine_code(&sandbox.engine, code).map_err(described)?;
        let ready = link(sandbox, &module, info.transport).map_err(described)?;
        Ok(Compiled { ready, script, bulk, info })
    }

    /// Intake's result for the module.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }
}

/// Appends intake's result to machine code.
fn write_info(info: &ModuleInfo, code: &mut Vec<u8>) {
    code.extend(info.initial_bytes.to_le_bytes());
    code.push(u8::from(info.transport == Transport::Stdio));
}

/// Splits machine code into the engine's part, the bulk operators, the script and intake's result.
fn read_code(code: &[u8]) -> Option<(&[u8], Bulk, Block, ModuleInfo)> {
    let (stdio, code) = code.split_last()?;
    let (code, initial_bytes) = code.split_last_chunk()?;
    let (code, script) = Block::read(code)?;
    let (code, bulk) = Bulk::read(code)?;
    let info = ModuleInfo {
        transport: if *stdio == 1 { Transport::Stdio } else { Transport::Exports },
        initial_bytes: u64::from_le_bytes(*initial_bytes),
        manifest: Manifest::default(),
    };
    Some((code, bulk, script, info))
}

fn no_code() -> CompileError {
    CompileError::Engine("no machine code".to_owned())
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
