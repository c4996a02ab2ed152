//! Host data of a program, and its handover between program and judge when the program waits for a
//! line.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use judge_core::{Limits, Random};
use judge_guest::Log;
use judge_guest::faults::MemoryRefusal;
use wasmtime::{Caller, Memory};

use crate::fuel::{self, Fuelled};
use crate::limiter::Limiter;
use crate::profile::{Counted, Counter};

/// Host data of one instance.
pub(crate) struct Guest {
    pub(super) limiter: Limiter,
    /// None during instantiation, when the module may not call host functions.
    pub(super) memory: Option<Memory>,
    pub(super) random: Random,
    /// Open flags of the three standard descriptors.
    pub(super) open: [bool; 3],
    pub(super) clock: GuestClock,
    pub(super) pipes: Pipes,
    /// The words that interrupt a script.
    interruption: &'static [(u32, u32)],
    slot: Slot,
}

/// Data that program and judge exchange, and the log.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) input: Vec<u8>,
    /// Bytes of the input already read.
    pub(super) read: usize,
    /// True if no more input will come.
    pub(super) end_of_input: bool,
    pub(super) output: Vec<u8>,
    pub(super) log: Log,
    /// The fuel counter, if there is one.
    pub(super) counter: Option<Counter>,
    /// For the program when it resumes: its new fuel.
    pub(super) grant: Option<u64>,
    /// From the program when it stops: true if it wants a line.
    pub(super) waits: bool,
    /// From the program when it stops: its remaining fuel.
    pub(super) fuel: u64,
    /// Its memory and tables, in bytes.
    pub(super) memory_bytes: u64,
    /// The reason why a growth of the memory was refused.
    pub(super) refused: Option<MemoryRefusal>,
}

/// The pipes while the program waits, and after its end. Only one side has them at a time; the
/// other has an empty set.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Pipes>>);

impl Slot {
    pub(super) fn pipes(&self) -> MutexGuard<'_, Pipes> {
        // A panic elsewhere does not make the bytes wrong.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest time that the clock can reach by sleeping: 146 years, which fits every time type.
const LATEST: u64 = 1 << 62;

/// The virtual clock: fuel spent since the start of the program, over all its grants, plus its
/// sleeping time.
#[derive(Default)]
pub(super) struct GuestClock {
    granted: u64,
    before: u64,
}

impl GuestClock {
    /// New fuel replaces the rest of the old.
    pub(super) fn grant(&mut self, left: u64, granted: u64) {
        self.before = self.now(left);
        self.granted = granted;
    }

    /// Sleeps until `time`, if that is in the future.
    pub(super) fn sleep_until(&mut self, time: u64, left: u64) {
        let missing = time.min(LATEST).saturating_sub(self.now(left));
        self.before = self.before.saturating_add(missing);
    }

    /// The time when `left` fuel remains.
    pub(super) fn now(&self, left: u64) -> u64 {
        self.before.saturating_add(self.granted.saturating_sub(left))
    }
}

impl Pipes {
    pub(super) fn unread(&self) -> &[u8] {
        &self.input[self.read..]
    }

    /// Notes the end of a call with `left` fuel remaining.
    pub(super) fn end_call(&mut self, left: u64) {
        self.fuel = left;
        if let Some(counter) = &mut self.counter {
            counter.end(left);
        }
    }

    /// Adds a line to the input. Unread bytes of the previous line stay in front of it.
    pub(super) fn put_line(&mut self, line: &str) {
        self.input.drain(..self.read);
        self.read = 0;
        self.input.extend_from_slice(line.as_bytes());
        self.input.push(b'\n');
    }
}

impl Fuelled for Guest {
    fn limiter(&mut self) -> &mut Limiter {
        &mut self.limiter
    }
}

impl Counted for Guest {
    fn counter(&mut self) -> Option<&mut Counter> {
        self.pipes.counter.as_mut()
    }

    fn interruption(&self) -> Option<(Memory, &'static [(u32, u32)])> {
        self.memory.map(|memory| (memory, self.interruption))
    }
}

impl Guest {
    pub(super) fn new(
        limits: &Limits,
        limiter: Limiter,
        random: Random,
        counter: Option<Counter>,
        (slot, interruption): (Slot, &'static [(u32, u32)]),
    ) -> Guest {
        Guest {
            limiter,
            memory: None,
            random,
            open: [true; 3],
            clock: GuestClock::default(),
            pipes: Pipes { log: Log::new(limits), counter, ..Pipes::default() },
            interruption,
            slot,
        }
    }

    /// Gives the pipes to the judge, or takes them back.
    fn swap(&mut self) {
        std::mem::swap(&mut self.pipes, &mut *self.slot.pipes());
    }

    /// Gives the pipes to the judge.
    pub(super) fn hand_over(&mut self) {
        self.pipes.memory_bytes = self.limiter.used_bytes();
        self.pipes.refused = self.limiter.refusal();
        self.swap();
    }
}

/// Stops the program until the judge resumes it.
pub(super) async fn wait(caller: &mut Caller<'_, Guest>) -> wasmtime::Result<()> {
    let left = fuel::left(&mut *caller)?;
    caller.data_mut().pipes.end_call(left);
    caller.data_mut().pipes.waits = true;
    caller.data_mut().hand_over();
    let mut stopped = false;
    std::future::poll_fn(|_| match std::mem::replace(&mut stopped, true) {
        false => Poll::Pending,
        true => Poll::Ready(()),
    })
    .await;
    let guest = caller.data_mut();
    guest.swap();
    if let Some(granted) = guest.pipes.grant.take() {
        let left = guest.pipes.fuel;
        guest.clock.grant(left, granted);
        fuel::put(&mut *caller, granted)?;
    }
    let left = fuel::left(&mut *caller)?;
    let pipes = &mut caller.data_mut().pipes;
    // After the end of the input the program only cleans up, which is not measured.
    if let (Some(counter), false) = (&mut pipes.counter, pipes.end_of_input) {
        counter.begin(left);
    }
    Ok(())
}
