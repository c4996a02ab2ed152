//! Transport B: an ordinary program that reads lines and prints lines. It runs as a coroutine that
//! stops when it wants input and none is left.

mod guest;
pub(crate) mod wasi;

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use judge_core::{Limits, PlayerFault, Random, START_FUEL, Usage};
use judge_guest::faults::{EarlyExit, ProgramStage};
use judge_guest::{EXPORT_START, RESERVE, answer};
use wasmtime::{Engine, InstancePre, Linker, Module, Store, Trap};

use self::guest::{Guest, Slot};
use crate::bulk::Bulk;
use crate::fuel;
use crate::idle::Idle;
use crate::profile::{self, Counter};
use crate::script::Block;
use crate::trap::{self, TrapFrame};

/// First token of the line after which a program may end.
const LAST_LINE: &str = "end";

/// A module, linked with its imports.
pub(crate) type Linked = InstancePre<Guest>;

/// Links a module with the supported part of WASI preview 1.
pub(crate) fn link(engine: &Engine, module: &Module) -> wasmtime::Result<Linked> {
    let mut linker = Linker::new(engine);
    wasi::add_to(&mut linker)?;
    profile::add_to(&mut linker)?;
    linker.instantiate_pre(module)
}

/// A host function ended the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum ProgramEnd {
    #[error("exit code {0}")]
    Exit(u32),
    #[error("too much output")]
    Flood,
}

pub(crate) struct Program<'a> {
    /// Owns the instance. The judge polls it directly, because nothing else wakes it.
    run: Pin<Box<dyn Future<Output = wasmtime::Result<()>> + 'a>>,
    ended: bool,
    slot: Slot,
    budget: u64,
    /// Fuel in the store at the last stop, reserve included.
    fuel: u64,
    /// Its stack, if it trapped.
    trace: Vec<TrapFrame>,
    bulk: &'a Bulk,
    /// True for an interpreter, which prints a script's exception before it ends.
    is_script: bool,
}

/// The reason for a stop.
enum Stopped {
    /// It wants a line.
    Waits,
    /// It ended with this exit code.
    Exited(u32),
    /// Any other error.
    Failed(wasmtime::Error),
}

impl<'a> Program<'a> {
    /// Creates a program without running it.
    pub(crate) fn new(
        (module, script, bulk): (&'a Linked, &'a Block, &'a Bulk),
        limits: &Limits,
        random: Random,
        idle: &mut Idle,
    ) -> Program<'a> {
        let (slot, limiter) = (Slot::default(), idle.limiter(limits));
        let handed = (slot.clone(), script.interruption());
        let guest = Guest::new(limits, limiter, random, idle.counter.take(), handed);
        let mut store = Store::new(module.module().engine(), guest);
        store.limiter(|guest| &mut guest.limiter);
        let budget = limits.fuel.saturating_add(RESERVE);
        let run = Box::pin(run(store, module, script));
        let (trace, is_script) = (Vec::new(), script.is_script());
        Program { run, ended: false, slot, budget, fuel: 0, trace, bulk, is_script }
    }

    /// Runs it until it wants its first line, with a separate budget.
    pub(crate) fn begin(&mut self) -> Result<(), PlayerFault> {
        match self.go_on() {
            Stopped::Waits => {}
            Stopped::Exited(code) => {
                return Err(self.exited(code, "before it read its first line"));
            }
            Stopped::Failed(error) if fuel::is_out(&error) => {
                return Err(ProgramStage::Start.too_slow());
            }
            Stopped::Failed(error) => return Err(self.explain(&error, "while starting up")),
        }
        let mut pipes = self.slot.pipes();
        answer::nothing(&pipes.output, "before the first line")?;
        pipes.grant = Some(self.budget);
        self.fuel = self.budget;
        Ok(())
    }

    /// Sends a notice; returns the fuel.
    pub(crate) fn notice(&mut self, line: &str) -> Result<u64, PlayerFault> {
        let last = judge_protocol::first_token(line) == LAST_LINE;
        let fuel = self.send(line, last)?;
        if last && !self.ended {
            self.finish()?;
        }
        answer::nothing(&self.slot.pipes().output, &format!("after `{line}`"))?;
        Ok(fuel)
    }

    /// Sends a question; returns the fuel.
    pub(crate) fn ask(&mut self, line: &str, answer: &mut String) -> Result<u64, PlayerFault> {
        let fuel = self.send(line, false)?;
        let mut pipes = self.slot.pipes();
        answer.push_str(answer::one_line(&pipes.output, line)?);
        pipes.output.clear();
        Ok(fuel)
    }

    /// Bytes of log so far. The log is here while the program waits, and after its end.
    pub(crate) fn log_bytes(&self) -> usize {
        self.slot.pipes().log.text.len()
    }

    /// Its stack, if it trapped.
    pub(crate) fn trace(&self) -> &[TrapFrame] {
        &self.trace
    }

    /// Takes the fuel counter, if there is one.
    pub(crate) fn take_counter(&mut self) -> Option<Counter> {
        self.slot.pipes().counter.take()
    }

    /// Resources used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        let mut pipes = self.slot.pipes();
        Usage {
            peak_memory_bytes: pipes.memory_bytes,
            log: std::mem::take(&mut pipes.log.text),
            log_dropped: pipes.log.dropped,
            log_parts: None,
        }
    }

    /// Sends a line and runs the program until it wants the next; returns the fuel.
    fn send(&mut self, line: &str, may_end: bool) -> Result<u64, PlayerFault> {
        self.slot.pipes().put_line(line);
        match self.go_on() {
            Stopped::Waits => {}
            Stopped::Exited(_) if may_end => {}
            Stopped::Exited(code) => {
                let when = format!("after `{line}`, before the round was over");
                return Err(self.exited(code, &when));
            }
            Stopped::Failed(error) if fuel::is_out(&error) => {
                return Err(PlayerFault::out_of_time());
            }
            Stopped::Failed(error) => return Err(self.explain(&error, &format!("after `{line}`"))),
        }
        let left = self.slot.pipes().fuel;
        let used = self.fuel.saturating_sub(left);
        self.fuel = left;
        if left < RESERVE { Err(PlayerFault::out_of_time()) } else { Ok(used) }
    }

    /// Ends the input and lets the program end, with a separate budget.
    fn finish(&mut self) -> Result<(), PlayerFault> {
        {
            let mut pipes = self.slot.pipes();
            pipes.end_of_input = true;
            pipes.grant = Some(START_FUEL);
        }
        match self.go_on() {
            Stopped::Waits | Stopped::Exited(_) => Ok(()),
            Stopped::Failed(error) if fuel::is_out(&error) => Err(ProgramStage::End.too_slow()),
            Stopped::Failed(error) => Err(self.explain(&error, "after the end of its input")),
        }
    }

    fn go_on(&mut self) -> Stopped {
        if self.ended {
            // This happens only after a fault, which ends the round.
            return Stopped::Exited(0);
        }
        let mut is_out = false;
        let result = loop {
            match self.run.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(result) => break result,
                Poll::Pending if std::mem::take(&mut self.slot.pipes().waits) => {
                    return Stopped::Waits;
                }
                Poll::Pending => is_out = true,
            }
        };
        self.ended = true;
        let result = match result {
            Ok(()) if is_out => Err(Trap::OutOfFuel.into()),
            result => result.map_err(|error| fuel::settled(error, is_out, self.bulk)),
        };
        self.trace = result.as_ref().err().map(trap::frames).unwrap_or_default();
        result.map_or_else(stopped_by, |()| Stopped::Exited(0))
    }

    fn explain(&self, error: &wasmtime::Error, when: &str) -> PlayerFault {
        if let Some(ProgramEnd::Flood) = error.downcast_ref() {
            return answer::flood(&self.slot.pipes().output, when);
        }
        trap::explain(error, self.slot.pipes().refused).with_moment(when)
    }

    /// The fault of a program that ended early.
    fn exited(&self, code: u32, when: &str) -> PlayerFault {
        let pipes = self.slot.pipes();
        let (is_script, output, refused) = (self.is_script, &pipes.output, pipes.refused);
        EarlyExit { code, is_script, output, refused }.fault(when)
    }
}

fn stopped_by(error: wasmtime::Error) -> Stopped {
    match error.downcast_ref() {
        Some(ProgramEnd::Exit(code)) => Stopped::Exited(*code),
        _ => Stopped::Failed(error),
    }
}

/// The coroutine. In every case it gives the pipes back to the judge at its end.
async fn run(mut store: Store<Guest>, module: &Linked, script: &Block) -> wasmtime::Result<()> {
    let result = run_main(&mut store, module, script).await;
    if result.is_ok() {
        let left = fuel::left(&mut store)?;
        store.data_mut().pipes.end_call(left);
    }
    store.data_mut().hand_over();
    result
}

async fn run_main(
    store: &mut Store<Guest>,
    module: &Linked,
    script: &Block,
) -> wasmtime::Result<()> {
    fuel::put(&mut *store, START_FUEL)?;
    let instance = module.instantiate_async(&mut *store).await?;
    let memory = instance.get_memory(&mut *store, judge_protocol::EXPORT_MEMORY);
    if let Some(memory) = memory.filter(|_| script.is_script()) {
        script.lay(memory, store)?;
    }
    // Fuel of an instantiation differs between platforms, so the clock must not show it.
    fuel::put(&mut *store, START_FUEL)?;
    let guest = store.data_mut();
    guest.memory = memory;
    guest.clock.grant(0, START_FUEL);
    let start = instance.get_typed_func::<(), ()>(&mut *store, EXPORT_START)?;
    start.call_async(&mut *store, ()).await
}
