//! Transport A: each line passes through a buffer in the guest's memory, with one call per line.

use judge_core::{Limits, PlayerFault, START_FUEL, Usage, Verdict};
use judge_guest::{LOG_CALL_FUEL, Log, RESERVE, faults, line_of};
use judge_protocol::{
    EXPORT_BUFFER, EXPORT_INITIALIZE, EXPORT_LINE, EXPORT_MEMORY, IMPORT_LOG, IMPORT_MODULE,
};
use wasmtime::{
    Caller, Engine, Extern, Instance, InstancePre, Linker, Memory, Module, Store, Trap, TypedFunc,
};

use crate::bulk::Bulk;
use crate::fuel::{self, Fuelled};
use crate::idle::Idle;
use crate::limiter::Limiter;
use crate::profile::{self, Counted, Counter};
use crate::trap::{self, HostFault, TrapFrame};

/// Host data of one instance.
pub(crate) struct Guest {
    limiter: Limiter,
    log: Log,
    counter: Option<Counter>,
}

impl Fuelled for Guest {
    fn limiter(&mut self) -> &mut Limiter {
        &mut self.limiter
    }
}

impl Counted for Guest {
    fn counter(&mut self) -> Option<&mut Counter> {
        self.counter.as_mut()
    }
}

/// A module, linked with its imports.
pub(crate) type Linked = InstancePre<Guest>;

/// Links a module with `judge.log`.
pub(crate) fn link(engine: &Engine, module: &Module) -> wasmtime::Result<Linked> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(IMPORT_MODULE, IMPORT_LOG, log)?;
    profile::add_to(&mut linker)?;
    linker.instantiate_pre(module)
}

/// The import `judge.log`: appends to the bot's log and charges fuel.
fn log(mut caller: Caller<'_, Guest>, pointer: i32, length: i32) -> wasmtime::Result<()> {
    let (start, count) = (pointer as u32 as usize, length as u32 as usize);
    let Some(Extern::Memory(memory)) = caller.get_export(EXPORT_MEMORY) else {
        return Err(HostFault("`judge.log` called without a memory".to_owned()).into());
    };
    let (data, guest) = memory.data_and_store_mut(&mut caller);
    let text = start
        .checked_add(count)
        .and_then(|end| data.get(start..end))
        .ok_or_else(|| HostFault(faults::log_outside(pointer as u32, length as u32)))?;
    guest.log.append(text);
    fuel::spend(caller, LOG_CALL_FUEL + count as u64)
}

/// A started instance.
pub(crate) struct Exports<'a> {
    store: Store<Guest>,
    entry: LineBuffer,
    bulk: &'a Bulk,
    /// The stack of the call that trapped.
    trace: Vec<TrapFrame>,
}

/// The line buffer of an instance, with the function that reads it.
struct LineBuffer {
    memory: Memory,
    line: TypedFunc<i32, i32>,
    /// Start of the line buffer in the guest's memory.
    buffer: usize,
    /// Fuel in the store after the last call, reserve included.
    fuel: u64,
}

impl LineBuffer {
    /// Checks the buffer address that the instance returned, and sets the fuel of its calls.
    fn new(
        store: &mut Store<Guest>,
        instance: Instance,
        buffer: u32,
        budget: u64,
    ) -> Result<LineBuffer, PlayerFault> {
        let engine_fault = |error: wasmtime::Error| {
            PlayerFault::new(Verdict::JudgeError, format!("after intake: {error:#}"))
        };
        let line = instance.get_typed_func(&mut *store, EXPORT_LINE).map_err(engine_fault)?;
        let memory = instance.get_memory(&mut *store, EXPORT_MEMORY).ok_or_else(|| {
            PlayerFault::new(Verdict::JudgeError, "after intake: no memory".to_owned())
        })?;
        faults::check_buffer(buffer, memory.data_size(&*store))?;
        let fuel = budget.saturating_add(RESERVE);
        fuel::put(store, fuel).map_err(engine_fault)?;
        Ok(LineBuffer { memory, line, buffer: buffer as usize, fuel })
    }
}

impl<'a> Exports<'a> {
    /// Instantiates a module. On failure, `idle` gets its usage, trace and fuel counter.
    pub(crate) fn start(
        (module, bulk): (&Linked, &'a Bulk),
        limits: &Limits,
        idle: &mut Idle,
    ) -> Result<Exports<'a>, PlayerFault> {
        let limiter = idle.limiter(limits);
        let guest = Guest { limiter, log: Log::new(limits), counter: idle.counter.take() };
        let mut store = Store::new(module.module().engine(), guest);
        store.limiter(|guest| &mut guest.limiter);
        let (begun, is_out) = fuel::run(start_up(&mut store, module));
        let begun = match begun {
            Ok(_) if is_out => Err(Trap::OutOfFuel.into()),
            begun => begun.map_err(|error| fuel::settled(error, is_out, bulk)),
        };
        let started = match begun {
            Ok((instance, buffer)) => LineBuffer::new(&mut store, instance, buffer, limits.fuel),
            Err(error) => {
                idle.usage = usage_of(store.data_mut());
                idle.trace = trap::frames(&error);
                Err(start_fault(&error, &store))
            }
        };
        match started {
            Ok(entry) => Ok(Exports { store, entry, bulk, trace: Vec::new() }),
            Err(fault) => {
                idle.counter = store.data_mut().counter.take();
                Err(fault)
            }
        }
    }

    /// Sends the bot a notice; returns the fuel.
    pub(crate) fn notice(&mut self, line: &str) -> Result<u64, PlayerFault> {
        let (answer, fuel) = self.call(line)?;
        faults::unanswered(answer, line).map(|()| fuel)
    }

    /// Sends the bot a question; returns the fuel.
    pub(crate) fn ask(&mut self, line: &str, answer: &mut String) -> Result<u64, PlayerFault> {
        let (text, fuel) = self.call(line)?;
        answer.push_str(line_of(line, text)?);
        Ok(fuel)
    }

    pub(crate) fn log_bytes(&self) -> usize {
        self.store.data().log.text.len()
    }

    /// The stack of the last call, if it trapped.
    pub(crate) fn trace(&self) -> &[TrapFrame] {
        &self.trace
    }

    /// Takes the fuel counter, if there is one.
    pub(crate) fn take_counter(&mut self) -> Option<Counter> {
        self.store.data_mut().counter.take()
    }

    /// Resources used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        usage_of(self.store.data_mut())
    }

    /// Calls `judge_line` once; returns the answer and the fuel.
    fn call(&mut self, line: &str) -> Result<(&[u8], u64), PlayerFault> {
        let text = line.as_bytes();
        self.entry.memory.data_mut(&mut self.store)[self.entry.buffer..][..text.len()]
            .copy_from_slice(text);
        if let Some(counter) = self.store.data_mut().counter() {
            counter.begin(self.entry.fuel);
        }
        let call = self.entry.line.call_async(&mut self.store, text.len() as i32);
        let (called, is_out) = fuel::run(call);
        let called = called.map_err(|error| fuel::settled(error, is_out, self.bulk));
        let left = fuel::left(&mut self.store).unwrap_or(0);
        // Even for a failed call: it may be the one that used all the fuel.
        if let Some(counter) = self.store.data_mut().counter() {
            counter.end(left);
        }
        if let Err(error) = &called {
            self.trace = trap::frames(error);
        }
        let length = match called {
            Ok(length) => length,
            Err(error) if fuel::is_out(&error) => return Err(PlayerFault::out_of_time()),
            Err(error) => {
                return Err(trap::explain(&error, self.store.data().limiter.refusal()));
            }
        };
        let used = self.entry.fuel - left;
        self.entry.fuel = left;
        if left < RESERVE {
            return Err(PlayerFault::out_of_time());
        }
        let length = faults::answer_length(length)?;
        Ok((&self.entry.memory.data(&self.store)[self.entry.buffer..][..length], used))
    }
}

fn usage_of(guest: &mut Guest) -> Usage {
    Usage {
        peak_memory_bytes: guest.limiter.used_bytes(),
        log: std::mem::take(&mut guest.log.text),
        log_dropped: guest.log.dropped,
        log_parts: None,
    }
}

/// Instantiates the module and runs its start-up code, with a separate budget. Fuel of an
/// instantiation differs between platforms, so it never counts against the testcase.
async fn start_up(store: &mut Store<Guest>, module: &Linked) -> wasmtime::Result<(Instance, u32)> {
    fuel::put(&mut *store, START_FUEL)?;
    let instance = module.instantiate_async(&mut *store).await?;
    if instance.get_export(&mut *store, EXPORT_INITIALIZE).is_some() {
        let initialize = instance.get_typed_func::<(), ()>(&mut *store, EXPORT_INITIALIZE)?;
        initialize.call_async(&mut *store, ()).await?;
    }
    let buffer = instance.get_typed_func::<(), i32>(&mut *store, EXPORT_BUFFER)?;
    let address = buffer.call_async(&mut *store, ()).await? as u32;
    Ok((instance, address))
}

fn start_fault(error: &wasmtime::Error, store: &Store<Guest>) -> PlayerFault {
    if fuel::is_out(error) {
        return faults::slow_start();
    }
    trap::explain(error, store.data().limiter.refusal()).with_moment("while starting up")
}
