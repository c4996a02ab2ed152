//! One instance of a module playing one match over transport A: lines through a buffer in the
//! guest's memory, fuel as the clock.

use judge_core::{Limits, Player, PlayerFault, START_FUEL, Usage, Verdict};
use judge_protocol::{
    BUFFER_BYTES, EXPORT_BUFFER, EXPORT_INITIALIZE, EXPORT_LINE, EXPORT_MEMORY, MAX_LINE,
};
use wasmtime::{Instance, Memory, Store, TypedFunc};

use crate::Compiled;
use crate::compiled::Guest;
use crate::trap;

/// Fuel put into the store beyond what is left of the budget. The engine looks at fuel only at
/// loops and function entries, so a call may overshoot a little; with this reserve the exact
/// figure is still known, and a call is in time if and only if it cost no more than was left.
const RESERVE: u64 = 1 << 20;

/// Most bytes of a bot's answer that are quoted in a message.
const EXCERPT: usize = 64;

/// A bot in its seat. The module is instantiated at the first call.
pub struct BotPlayer<'a> {
    compiled: &'a Compiled,
    limits: Limits,
    running: Option<Running>,
    usage: Usage,
}

/// A started instance.
struct Running {
    store: Store<Guest>,
    memory: Memory,
    line: TypedFunc<i32, i32>,
    /// Start of the line buffer in the guest's memory.
    buffer: usize,
    /// Fuel in the store after the last call, reserve included.
    fuel: u64,
}

impl<'a> BotPlayer<'a> {
    /// A fresh player for one match.
    pub fn new(compiled: &'a Compiled, limits: Limits) -> BotPlayer<'a> {
        BotPlayer { compiled, limits, running: None, usage: Usage::default() }
    }

    /// Sends a line; returns the length of the answer in the buffer and the call's fuel.
    fn call(&mut self, line: &str) -> Result<(&[u8], u64), PlayerFault> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        let running = self.running.as_mut().expect("started above");
        let (length, fuel) = running.call(line)?;
        let start = running.buffer;
        Ok((&running.memory.data(&running.store)[start..start + length], fuel))
    }

    fn start(&mut self) -> Result<Running, PlayerFault> {
        self.compiled
            .info()
            .check_limits(&self.limits)
            .map_err(|refusal| PlayerFault::new(Verdict::InvalidModule, refusal.to_string()))?;
        let engine = self.compiled.pre.module().engine();
        let mut store = Store::new(engine, Guest::new(&self.limits));
        store.limiter(|guest| &mut guest.limiter);
        let started = start_up(&mut store, self.compiled);
        match started {
            Ok((instance, buffer)) => Running::new(store, instance, buffer, self.limits.fuel),
            Err(error) => {
                self.usage = usage(store.data_mut());
                Err(start_fault(&error, &store))
            }
        }
    }
}

/// What an instance used, and its log.
fn usage(guest: &mut Guest) -> Usage {
    Usage {
        peak_memory_bytes: guest.limiter.used_bytes(),
        log: std::mem::take(&mut guest.log),
        log_dropped: guest.log_dropped,
    }
}

/// Instantiates and runs the module's own start-up, under a budget of its own: how much fuel
/// instantiation takes differs between platforms, so it never counts against the testcase.
fn start_up(store: &mut Store<Guest>, compiled: &Compiled) -> wasmtime::Result<(Instance, u32)> {
    store.set_fuel(START_FUEL)?;
    let instance = compiled.pre.instantiate(&mut *store)?;
    if instance.get_export(&mut *store, EXPORT_INITIALIZE).is_some() {
        instance.get_typed_func::<(), ()>(&mut *store, EXPORT_INITIALIZE)?.call(&mut *store, ())?;
    }
    let buffer = instance.get_typed_func::<(), i32>(&mut *store, EXPORT_BUFFER)?;
    let address = buffer.call(&mut *store, ())? as u32;
    Ok((instance, address))
}

fn start_fault(error: &wasmtime::Error, store: &Store<Guest>) -> PlayerFault {
    if trap::is_out_of_fuel(error) {
        let ms = START_FUEL / judge_core::FUEL_PER_MS;
        let detail = format!(
            "still starting up after {ms} ms: `_initialize`, `start` or \
                              `{EXPORT_BUFFER}` does too much"
        );
        return PlayerFault::new(Verdict::TimeLimitExceeded, detail);
    }
    let mut fault = trap::explain(error, store.data().limiter.refused);
    fault.detail.push_str(" while starting up");
    fault
}

impl Running {
    fn new(
        mut store: Store<Guest>,
        instance: Instance,
        buffer: u32,
        budget: u64,
    ) -> Result<Running, PlayerFault> {
        let engine_fault = |error: wasmtime::Error| {
            PlayerFault::new(Verdict::JudgeError, format!("after intake: {error:#}"))
        };
        let line = instance.get_typed_func(&mut store, EXPORT_LINE).map_err(engine_fault)?;
        let memory = instance.get_memory(&mut store, EXPORT_MEMORY).ok_or_else(|| {
            PlayerFault::new(Verdict::JudgeError, "after intake: no memory".to_owned())
        })?;
        let (start, size) = (buffer as usize, memory.data_size(&store));
        if start.checked_add(BUFFER_BYTES).is_none_or(|end| end > size) {
            let detail = format!(
                "`{EXPORT_BUFFER}` returned {buffer}, but {BUFFER_BYTES} bytes from there do not \
                 fit into the memory of {size} bytes"
            );
            return Err(PlayerFault::new(Verdict::ProtocolError, detail));
        }
        let fuel = budget.saturating_add(RESERVE);
        store.set_fuel(fuel).map_err(engine_fault)?;
        Ok(Running { store, memory, line, buffer: start, fuel })
    }

    /// One call of `judge_line`: length of the answer, and fuel.
    fn call(&mut self, line: &str) -> Result<(usize, u64), PlayerFault> {
        let text = line.as_bytes();
        self.memory.data_mut(&mut self.store)[self.buffer..][..text.len()].copy_from_slice(text);
        let length = match self.line.call(&mut self.store, text.len() as i32) {
            Ok(length) => length,
            Err(error) if trap::is_out_of_fuel(&error) => return Err(PlayerFault::out_of_time()),
            Err(error) => {
                return Err(trap::explain(&error, self.store.data().limiter.refused));
            }
        };
        let left = self.store.get_fuel().unwrap_or(0);
        let used = self.fuel - left;
        self.fuel = left;
        if left < RESERVE {
            return Err(PlayerFault::out_of_time());
        }
        match usize::try_from(length) {
            Ok(length) if length <= MAX_LINE => Ok((length, used)),
            _ => Err(bad_length(length)),
        }
    }
}

/// The fault for an answer that is empty or holds bytes that no line may hold.
fn no_line(question: &str, answer: &[u8]) -> PlayerFault {
    let detail = match answer {
        [] => format!("no answer to `{question}`"),
        _ => format!(
            "answered `{}` to `{question}`: only printable ASCII may be sent",
            excerpt(answer)
        ),
    };
    PlayerFault::new(Verdict::ProtocolError, detail)
}

/// The beginning of `bytes`, with everything escaped that is not printable ASCII.
fn excerpt(bytes: &[u8]) -> String {
    let dots = if bytes.len() > EXCERPT { "…" } else { "" };
    format!("{}{dots}", bytes[..bytes.len().min(EXCERPT)].escape_ascii())
}

fn bad_length(length: i32) -> PlayerFault {
    let detail = format!(
        "`{EXPORT_LINE}` returned {length}: expected the answer's length, \
                          0 to {MAX_LINE}"
    );
    let verdict = match length {
        ..0 => Verdict::ProtocolError,
        _ => Verdict::OutputLimitExceeded,
    };
    PlayerFault::new(verdict, detail)
}

impl Player for BotPlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let (answer, fuel) = self.call(line)?;
        if answer.is_empty() {
            return Ok(Some(fuel));
        }
        let detail = format!("answered `{}` to `{line}`, which is no question", excerpt(answer));
        Err(PlayerFault::new(Verdict::ProtocolError, detail))
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let (text, fuel) = self.call(line)?;
        match std::str::from_utf8(text) {
            Ok(text) if !text.is_empty() && judge_protocol::is_line(text.as_bytes()) => {
                answer.push_str(text);
                Ok(Some(fuel))
            }
            _ => Err(no_line(line, text)),
        }
    }

    fn usage(&mut self) -> Usage {
        if let Some(running) = &mut self.running {
            self.usage = usage(running.store.data_mut());
        }
        std::mem::take(&mut self.usage)
    }
}
