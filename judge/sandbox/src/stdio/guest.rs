//! A program's side of the conversation: what the host keeps for one instance, and how it changes
//! hands when the program waits for a line.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use judge_core::{Limits, Random};
use wasmtime::{Caller, Memory};

use crate::fuel::{self, Fuelled};
use crate::limiter::Limiter;
use crate::log::Log;
use crate::profile::{Counted, Counter};

/// What the host keeps for one instance.
pub(crate) struct Guest {
    pub(super) limiter: Limiter,
    /// None while the module is being instantiated, when no host function may be called.
    pub(super) memory: Option<Memory>,
    pub(super) random: Random,
    /// Which of the three standard descriptors are open.
    pub(super) open: [bool; 3],
    pub(super) clock: GuestClock,
    pub(super) pipes: Pipes,
    slot: Slot,
}

/// What program and judge tell each other, and the log.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) input: Vec<u8>,
    /// How much of the input was read.
    pub(super) read: usize,
    /// No more input will come.
    pub(super) end_of_input: bool,
    pub(super) output: Vec<u8>,
    pub(super) log: Log,
    /// What counts the fuel, if anything does.
    pub(super) counter: Option<Counter>,
    /// For the program when it goes on: its new fuel.
    pub(super) grant: Option<u64>,
    /// From the program when it stopped: true if it wants a line.
    pub(super) waits: bool,
    /// From the program when it stopped: the fuel that was left.
    pub(super) fuel: u64,
    /// Its memory and tables, in bytes.
    pub(super) memory_bytes: u64,
    /// True if it was refused more memory.
    pub(super) refused: bool,
}

/// Where the pipes lie while the program waits, and after it has ended: one side has them at a
/// time, the other an empty set.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Pipes>>);

impl Slot {
    pub(super) fn pipes(&self) -> MutexGuard<'_, Pipes> {
        // A panic elsewhere does not make bytes wrong.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest time that the clock shows by sleeping: 146 years, which fit into every type for time.
const LATEST: u64 = 1 << 62;

/// The virtual clock: fuel spent since the program began, over all its grants, and the time that it
/// slept.
#[derive(Default)]
pub(super) struct GuestClock {
    granted: u64,
    before: u64,
}

impl GuestClock {
    /// New fuel replaces what was left of the old.
    pub(super) fn grant(&mut self, left: u64, granted: u64) {
        self.before = self.now(left);
        self.granted = granted;
    }

    /// Sleeps until a time, if it has not come yet.
    pub(super) fn sleep_until(&mut self, time: u64, left: u64) {
        let missing = time.min(LATEST).saturating_sub(self.now(left));
        self.before = self.before.saturating_add(missing);
    }

    /// The time when this much fuel is left.
    pub(super) fn now(&self, left: u64) -> u64 {
        self.before.saturating_add(self.granted.saturating_sub(left))
    }
}

impl Pipes {
    /// Bytes that wait to be read.
    pub(super) fn unread(&self) -> &[u8] {
        &self.input[self.read..]
    }

    /// Notes that a call has ended with this much fuel left.
    pub(super) fn end_call(&mut self, left: u64) {
        self.fuel = left;
        if let Some(counter) = &mut self.counter {
            counter.end(left);
        }
    }

    /// Puts a line in; whatever was left unread of the one before stays in front of it.
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
}

impl Guest {
    pub(super) fn new(
        limits: &Limits,
        limiter: Limiter,
        random: Random,
        counter: Option<Counter>,
        slot: Slot,
    ) -> Guest {
        Guest {
            limiter,
            memory: None,
            random,
            open: [true; 3],
            clock: GuestClock::default(),
            pipes: Pipes { log: Log::new(limits), counter, ..Pipes::default() },
            slot,
        }
    }

    /// Leaves the pipes to the judge, or takes them back.
    fn swap(&mut self) {
        std::mem::swap(&mut self.pipes, &mut *self.slot.pipes());
    }

    /// Leaves the pipes to the judge.
    pub(super) fn hand_over(&mut self) {
        self.pipes.memory_bytes = self.limiter.used_bytes();
        self.pipes.refused = self.limiter.refused;
        self.swap();
    }
}

/// Stops the program until the judge has put something in.
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
    // After the end of the input it only cleans up.
    if let (Some(counter), false) = (&mut pipes.counter, pipes.end_of_input) {
        counter.begin(left);
    }
    Ok(())
}
