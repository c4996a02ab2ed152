//! One instance of a module playing one match, over whichever transport it was built for; fuel is
//! the clock.

use std::cell::Cell;

use judge_core::{
    Limits, Player, PlayerFault, Purpose, Random, Seat, Seed, Usage, Verdict, digest,
};

use crate::compiled::{Compiled, Ready};
use crate::exports::Exports;
use crate::stdio::Program;

/// A bot in its seat. The module is instantiated at the first call.
pub struct BotPlayer<'a> {
    compiled: &'a Compiled,
    limits: Limits,
    random: Random,
    running: Option<Running<'a>>,
    /// What a start that failed had used.
    usage: Usage,
}

/// A started instance.
enum Running<'a> {
    Exports(Box<Exports>),
    Stdio(Program<'a>),
}

impl<'a> BotPlayer<'a> {
    /// A fresh player for one match, with the random source of seat 1 and seed 0.
    pub fn new(compiled: &'a Compiled, limits: Limits) -> BotPlayer<'a> {
        let random = random_seed(Seed(0), Seat::One).random(Purpose::Bot(Seat::One));
        BotPlayer { compiled, limits, random, running: None, usage: Usage::default() }
    }

    /// The same with the random source that belongs to a seat of the match with this seed.
    #[must_use]
    pub fn seeded(self, seed: Seed, seat: Seat) -> BotPlayer<'a> {
        self.with_random(random_seed(seed, seat), seat)
    }

    /// The same with a random source out of [`random_seed`].
    pub(crate) fn with_random(self, random: Seed, seat: Seat) -> BotPlayer<'a> {
        BotPlayer { random: random.random(Purpose::Bot(seat)), ..self }
    }

    fn running(&mut self) -> Result<&mut Running<'a>, PlayerFault> {
        if self.running.is_none() {
            self.start()?;
        }
        Ok(self.running.as_mut().expect("started above"))
    }

    fn start(&mut self) -> Result<(), PlayerFault> {
        self.compiled
            .info()
            .check_limits(&self.limits)
            .map_err(|refusal| PlayerFault::new(Verdict::InvalidModule, refusal.to_string()))?;
        match &self.compiled.ready {
            Ready::Exports(module) => {
                let exports = Exports::start(module, &self.limits, &mut self.usage)?;
                self.running = Some(Running::Exports(Box::new(exports)));
                Ok(())
            }
            Ready::Stdio(module) => {
                let mut program = Program::new(module, &self.limits, self.random.clone());
                let begun = program.begin();
                self.running = Some(Running::Stdio(program));
                begun
            }
        }
    }
}

/// The seed of a bot's random source: a hash of the match's seed, so that whoever works the
/// generator backwards from its output does not find the match's luck, and of the seat, so that
/// nobody can tell what the other side draws.
pub fn random_seed(seed: Seed, seat: Seat) -> Seed {
    let hash = digest(format!("random source of a bot, seed {seed}, seat {seat}").as_bytes());
    let (first, _) = hash.bytes().split_first_chunk().expect("a hash has 32 bytes");
    Seed(u64::from_le_bytes(*first))
}

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// True if this thread is inside a bot; after a panic, whether it was.
pub(crate) fn is_running() -> bool {
    RUNNING.get()
}

/// Notes that a bot runs. A panic leaves the note where it is.
fn noted<T>(run: impl FnOnce() -> T) -> T {
    RUNNING.set(true);
    let result = run();
    RUNNING.set(false);
    result
}

impl Player for BotPlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        noted(|| match self.running()? {
            Running::Exports(exports) => exports.notice(line).map(Some),
            Running::Stdio(program) => program.notice(line).map(Some),
        })
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        noted(|| match self.running()? {
            Running::Exports(exports) => exports.ask(line, answer).map(Some),
            Running::Stdio(program) => program.ask(line, answer).map(Some),
        })
    }

    fn usage(&mut self) -> Usage {
        match &mut self.running {
            Some(Running::Exports(exports)) => exports.usage(),
            Some(Running::Stdio(program)) => program.usage(),
            None => std::mem::take(&mut self.usage),
        }
    }
}
