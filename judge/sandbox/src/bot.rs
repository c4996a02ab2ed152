//! One instance of a module that plays one round, over either transport. Fuel is the clock.

use std::cell::Cell;

use judge_core::{
    Limits, LogPart, Player, PlayerFault, Purpose, Random, Seat, Seed, Usage, Verdict,
};
use judge_guest::random_seed;

use crate::compiled::{Compiled, Ready};
use crate::exports::Exports;
use crate::idle::Idle;
use crate::profile::{Counter, Measured, Profile};
use crate::stdio::Program;
use crate::trap::TrapFrame;

/// A bot in its seat. The first call instantiates the module.
pub struct BotPlayer<'a> {
    compiled: &'a Compiled,
    limits: Limits,
    random: Random,
    running: Option<Running<'a>>,
    idle: Idle,
    calls: u32,
    /// Log output of each call.
    log_parts: Vec<LogPart>,
}

/// A started instance.
enum Running<'a> {
    Exports(Box<Exports<'a>>),
    Stdio(Program<'a>),
}

impl<'a> BotPlayer<'a> {
    /// Returns a new player for one round, with the random source of seat 1 and seed 0.
    pub fn new(compiled: &'a Compiled, limits: Limits) -> BotPlayer<'a> {
        let random = random_seed(Seed(0), Seat::One).random(Purpose::Bot(Seat::One));
        let idle = Idle::default();
        BotPlayer { compiled, limits, random, running: None, idle, calls: 0, log_parts: vec![] }
    }

    /// Sets the random source to that of `seat` in the round with this seed.
    #[must_use]
    pub fn seeded(self, seed: Seed, seat: Seat) -> BotPlayer<'a> {
        self.with_random(random_seed(seed, seat), seat)
    }

    /// Sets the seed of the random source; see [`judge_guest::random_seed`].
    pub(crate) fn with_random(self, random: Seed, seat: Seat) -> BotPlayer<'a> {
        BotPlayer { random: random.random(Purpose::Bot(seat)), ..self }
    }

    /// Counts fuel by function. The module has to be compiled by [`Compiled::instrumented`].
    #[must_use]
    pub fn measured(self, measured: Option<Measured>) -> BotPlayer<'a> {
        let counter = measured.map(Counter::new);
        BotPlayer { idle: Idle { counter, ..self.idle }, ..self }
    }

    /// Removes the grace in which an operator reaches its own check. A call then stops exactly
    /// where its fuel ends, so the trace shows that place.
    #[must_use]
    pub fn strict(self, strict: bool) -> BotPlayer<'a> {
        BotPlayer { idle: Idle { strict, ..self.idle }, ..self }
    }

    /// Returns the fuel by function so far, if it is counted. Counting stops here.
    pub fn profile(&mut self) -> Option<Profile> {
        let counter = match &mut self.running {
            Some(Running::Exports(exports)) => exports.take_counter(),
            Some(Running::Stdio(program)) => program.take_counter(),
            None => self.idle.counter.take(),
        };
        counter.map(Counter::profile)
    }

    /// The functions on the stack when a call trapped, innermost first.
    pub fn trace(&self) -> &[TrapFrame] {
        match &self.running {
            Some(Running::Exports(exports)) => exports.trace(),
            Some(Running::Stdio(program)) => program.trace(),
            None => &self.idle.trace,
        }
    }

    fn running(&mut self) -> Result<&mut Running<'a>, PlayerFault> {
        if self.running.is_none() {
            self.start()?;
        }
        Ok(self.running.as_mut().expect("started above"))
    }

    /// Makes the next call and notes its log output. Log output of an earlier start-up is not part
    /// of the call.
    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut Running<'a>) -> Result<T, PlayerFault>,
    ) -> Result<T, PlayerFault> {
        let number = self.calls;
        self.calls += 1;
        let running = self.running()?;
        let before = running.log_bytes();
        let called = call(running);
        let bytes = u32::try_from(running.log_bytes() - before).unwrap_or(u32::MAX);
        if bytes > 0 {
            self.log_parts.push(LogPart { call: number, bytes });
        }
        called
    }

    fn start(&mut self) -> Result<(), PlayerFault> {
        self.compiled
            .info()
            .check_limits(&self.limits)
            .map_err(|refusal| PlayerFault::new(Verdict::InvalidModule, refusal.to_string()))?;
        match &self.compiled.ready {
            Ready::Exports(module) => {
                let module = (module, &self.compiled.bulk);
                let exports = Exports::start(module, &self.limits, &mut self.idle)?;
                self.running = Some(Running::Exports(Box::new(exports)));
                Ok(())
            }
            Ready::Stdio(module) => {
                let parts = (module, &self.compiled.script, &self.compiled.bulk);
                let random = self.random.clone();
                let mut program = Program::new(parts, &self.limits, random, &mut self.idle);
                let begun = program.begin();
                self.running = Some(Running::Stdio(program));
                begun
            }
        }
    }
}

impl Running<'_> {
    fn log_bytes(&self) -> usize {
        match self {
            Running::Exports(exports) => exports.log_bytes(),
            Running::Stdio(program) => program.log_bytes(),
        }
    }
}

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// True if this thread is running a bot, or was when it panicked.
pub(crate) fn is_running() -> bool {
    RUNNING.get()
}

/// Sets the flag of [`is_running`] while `run` runs. A panic leaves it set.
fn noted<T>(run: impl FnOnce() -> T) -> T {
    RUNNING.set(true);
    let result = run();
    RUNNING.set(false);
    result
}

impl Player for BotPlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        noted(|| {
            self.call(|running| match running {
                Running::Exports(exports) => exports.notice(line).map(Some),
                Running::Stdio(program) => program.notice(line).map(Some),
            })
        })
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        noted(|| {
            self.call(|running| match running {
                Running::Exports(exports) => exports.ask(line, answer).map(Some),
                Running::Stdio(program) => program.ask(line, answer).map(Some),
            })
        })
    }

    fn usage(&mut self) -> Usage {
        let usage = match &mut self.running {
            Some(Running::Exports(exports)) => exports.usage(),
            Some(Running::Stdio(program)) => program.usage(),
            None => std::mem::take(&mut self.idle.usage),
        };
        let log_parts = std::mem::take(&mut self.log_parts);
        Usage { log_parts: (!usage.log.is_empty()).then_some(log_parts), ..usage }
    }
}
