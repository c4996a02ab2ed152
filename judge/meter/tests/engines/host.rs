//! The host of every engine: it gives the same answers to the same calls and notes the fuel of each.

use std::collections::VecDeque;

use judge_core::digest;

/// Fuel for each call of the host, in addition to one per byte of a log.
const CALL_FUEL: u64 = 100;

/// Error of a function that the host does not have.
const NOT_SUPPORTED: i32 = 52;

/// Most pages of a memory.
pub(crate) const PAGES: u64 = 32;

/// Most bytes of an answer that are noted.
const MAX_ANSWER: usize = 256;

/// Fuel of a start-up.
pub(crate) const START_FUEL: u64 = 5_000_000;

/// A module and its input.
#[derive(Clone)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) module: Vec<u8>,
    /// Fuel of all calls after the start-up.
    pub(crate) fuel: u64,
    pub(crate) lines: Vec<String>,
}

/// A call, by the module or of it, with the fuel left at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostEvent {
    pub(crate) what: String,
    /// None in the start-up: instantiation has a price that depends on the engine.
    pub(crate) left: Option<u64>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Finished,
    /// The host stopped the module, at an exit or a fault in its arguments.
    Stopped,
    OutOfFuel,
    /// The virtual stack, or the native one of the sandbox.
    Overflow,
    InDoubt,
    /// The engine does not compile the module.
    Refused(String),
    NoMemory,
    Trap(String),
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) events: Vec<HostEvent>,
    pub(crate) end: End,
    /// Hash of the memory at the end; none if there is no instance.
    pub(crate) memory: Option<String>,
    pub(crate) refused: bool,
    /// Unused bytes of the virtual stack at the end; none in the sandbox's engine.
    pub(crate) stack: Option<i32>,
}

/// The host's part of a run.
#[derive(Debug, Default)]
pub(crate) struct TestHost {
    lines: VecDeque<String>,
    pub(crate) events: Vec<HostEvent>,
    pub(crate) started: bool,
    /// True if a price was more than the fuel left.
    pub(crate) is_out: bool,
}

/// The error with which the host stops a module.
#[derive(Debug, thiserror::Error)]
#[error("stopped by the host")]
pub(crate) struct HostStop;

/// The host's reply to a call.
pub(crate) enum TestReply {
    /// A result, if the function has one, and its price.
    Result(i32, u64),
    /// The module stops.
    Stop,
}

impl TestHost {
    pub(crate) fn new(case: &Scenario) -> TestHost {
        TestHost { lines: case.lines.iter().cloned().collect(), ..TestHost::default() }
    }

    pub(crate) fn note(&mut self, what: String, left: u64) {
        self.events.push(HostEvent { what, left: self.started.then_some(left) });
    }

    /// Notes a line's answer: its length and its bytes, each as a character.
    pub(crate) fn answered(&mut self, memory: &[u8], address: i32, length: i32, left: u64) {
        let (start, count) = (address as u32 as usize, length.max(0) as usize);
        let bytes = memory.get(start..start + count.min(MAX_ANSWER)).unwrap_or_default();
        let text: String = bytes.iter().copied().map(char::from).collect();
        self.note(format!("line {length} {text}"), left);
    }

    /// The reply to an import's call.
    pub(crate) fn call(
        &mut self,
        name: &str,
        of: &[i64],
        memory: &mut [u8],
        left: u64,
    ) -> TestReply {
        self.note(format!("{name}{of:?}"), left);
        self.reply(name, of, memory).unwrap_or(TestReply::Stop)
    }

    fn reply(&mut self, name: &str, of: &[i64], memory: &mut [u8]) -> Option<TestReply> {
        let at = |place: usize| of.get(place).map(|value| *value as u32 as usize);
        let mut price = CALL_FUEL;
        match name {
            "log" => {
                memory.get(at(0)?..at(0)?.checked_add(at(1)?)?)?;
                price += at(1)? as u64;
            }
            "fd_read" => {
                let (start, room) = (word(memory, at(1)?)?, word(memory, at(1)? + 4)?);
                let line = self.lines.pop_front().map(|line| line + "\n").unwrap_or_default();
                let count = line.len().min(room);
                memory.get_mut(start..start + count)?.copy_from_slice(&line.as_bytes()[..count]);
                put(memory, at(3)?, count)?;
            }
            "fd_write" => {
                let pieces = (0..at(2)?.min(64)).map(|piece| word(memory, at(1)? + 8 * piece + 4));
                let count = pieces.sum::<Option<usize>>()?;
                put(memory, at(3)?, count & 0xffff_ffff)?;
            }
            "environ_sizes_get" | "args_sizes_get" => {
                put(memory, at(0)?, 0)?;
                put(memory, at(1)?, 0)?;
            }
            "clock_time_get" => {
                put(memory, at(2)?, 7)?;
                put(memory, at(2)? + 4, 0)?;
            }
            "random_get" => memory.get_mut(at(0)?..at(0)? + at(1)?)?.fill(7),
            "environ_get" | "args_get" | "sched_yield" => {}
            "proc_exit" => return None,
            _ => return Some(TestReply::Result(NOT_SUPPORTED, price)),
        }
        Some(TestReply::Result(0, price))
    }

    pub(crate) fn trace(&mut self, end: End, memory: Option<&[u8]>, refused: bool) -> Trace {
        let events = std::mem::take(&mut self.events);
        let memory = memory.map(|bytes| digest(bytes).to_string());
        Trace { events, end, memory, refused, stack: None }
    }
}

fn word(memory: &[u8], at: usize) -> Option<usize> {
    let bytes = memory.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes) as usize)
}

fn put(memory: &mut [u8], at: usize, value: usize) -> Option<()> {
    memory.get_mut(at..at + 4)?.copy_from_slice(&(value as u32).to_le_bytes());
    Some(())
}

/// The words of every engine for a trap. Some engines have one word for two traps.
pub(crate) fn trap(message: &str) -> String {
    let kinds: [(&str, &[&str]); 7] = [
        ("unreachable", &["unreachable"]),
        ("memory", &["out of bounds memory", "memory access out of bounds", "data segment is out"]),
        (
            "table",
            &[
                "undefined element",
                "out of bounds table",
                "table index is out of",
                "table initializer",
            ],
        ),
        ("function", &["uninitialized element", "indirect call type", "null function"]),
        ("division by zero", &["divide by zero", "division by zero", "remainder by zero"]),
        ("number", &["integer overflow", "invalid conversion", "unrepresentable"]),
        ("engine's stack", &["call stack exhausted", "Maximum call stack"]),
    ];
    let fits = |(_, words): &&(&str, &[&str])| words.iter().any(|word| message.contains(word));
    kinds.iter().find(fits).map_or(format!("unknown: {message}"), |(kind, _)| (*kind).to_owned())
}

/// The end of a failed call of a rewritten module.
pub(crate) fn failed(stopped: bool, state: i32, bulk: i32, message: &str) -> End {
    match judge_meter::ending(state, bulk) {
        judge_meter::CallEnding::OutOfFuel => End::OutOfFuel,
        judge_meter::CallEnding::OutsideMemory => End::Trap("memory".to_owned()),
        judge_meter::CallEnding::OutsideTable => End::Trap("table".to_owned()),
        judge_meter::CallEnding::NoMemory => End::NoMemory,
        judge_meter::CallEnding::Overflow => End::Overflow,
        judge_meter::CallEnding::InDoubt => End::InDoubt,
        judge_meter::CallEnding::Trap if stopped => End::Stopped,
        judge_meter::CallEnding::Trap => End::Trap(trap(message)),
    }
}
