//! The child's side: it reads a request, executes it and replies, until the parent closes the pipe.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use judge_core::{BySeat, GivenAnswers, RoundSpec};
use judge_guest::intake::MAX_MODULE_BYTES;

use super::confine;
use super::confine::probe::Probe;
use super::frame::{self, FrameError};
use super::message::{Hello, PlayReply, Reply, Request};
use super::seated::RoundSlots;
use super::{MAX_TABLE_BYTES, locations, room};
use crate::{CompileError, Compiled, MAX_MACHINE_CODE_BYTES, Sandbox, bot};

/// Stack of the thread that runs guests, in bytes: the guest's own stack and ample room for the
/// host, independent of the main thread's stack.
const THREAD_STACK: usize = 8 << 20;

/// The worker cannot continue.
#[derive(Debug, thiserror::Error)]
#[error("worker: {0}")]
pub struct ServeError(String);

/// Plays rounds in a worker. The crate that knows the rules implements it.
pub trait Host: Sync {
    /// Keeps a table for the trained players of later rounds.
    ///
    /// # Errors
    /// When the bytes are not a table.
    fn keep(&self, table: &[u8]) -> Result<(), String>;

    /// Plays one round with compiled modules in the seats of bots, and with given answers.
    ///
    /// # Errors
    /// When the round cannot begin.
    fn play(
        &self,
        spec: &RoundSpec,
        modules: BySeat<Option<&Compiled>>,
        given: &GivenAnswers,
    ) -> Result<PlayReply, String>;
}

/// Settings of a worker process.
#[derive(Debug, Clone)]
pub struct Life {
    /// Identity of this build of the judge. The parent accepts no reply from a worker with another
    /// one.
    pub identity: String,
    /// Processor time after which the system kills the process, in seconds. Deadlines are far
    /// shorter; this limit works even if the parent no longer enforces them.
    pub processor_seconds: u64,
}

/// Serves requests from standard input until it ends. It confines the process first, and changes
/// how the whole process reports a panic.
///
/// # Errors
/// When the pipe carries invalid requests.
pub fn serve(host: &dyn Host, life: &Life) -> Result<(), ServeError> {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(io::stderr(), "{}", panic_text(panic.payload()));
    }));
    let probe = Probe::prepare();
    // Ask before the walls are raised: afterwards the system no longer answers.
    let short_of_memory = confine::is_short_of_memory();
    let mut walls = confine::confine_process(life.processor_seconds);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(THREAD_STACK);
        let worker = thread.spawn_scoped(scope, || {
            walls.push(confine::confine_calls());
            let identity = life.identity.clone();
            let hello = Hello { identity, walls, short_of_memory };
            let slots = RoundSlots::default();
            let worker = Worker { sandbox: None, module: None, slots, host, hello, probe };
            serve_pipes(&mut io::stdin().lock(), &mut io::stdout().lock(), worker)
        });
        let worker = worker.map_err(|error| ServeError(error.to_string()))?;
        let served = worker.join().map_err(|_| ServeError("the serving thread panicked".into()))?;
        served.map_err(|error| ServeError(error.to_string()))
    })
}

/// The text of a panic in reports, without the thread's number and the source location, which
/// differ between runs and builds.
fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    format!("gave up: {}", text.unwrap_or("for no known reason"))
}

fn serve_pipes(
    requests: &mut impl Read,
    replies: &mut impl Write,
    mut worker: Worker<'_>,
) -> Result<(), FrameError> {
    while let Some(request) = frame::read(requests)? {
        match request {
            Request::Compile { instrumented } => {
                let module = frame::read_bytes(requests, MAX_MODULE_BYTES)?;
                let (reply, code) = worker.compile(&module, instrumented);
                frame::write(replies, &reply)?;
                if let Some(code) = code {
                    frame::write_bytes(replies, &code)?;
                }
            }
            Request::Load => {
                let code = frame::read_bytes(requests, MAX_MACHINE_CODE_BYTES)?;
                frame::write(replies, &worker.load(&code))?;
            }
            Request::Table => {
                let table = frame::read_bytes(requests, MAX_TABLE_BYTES)?;
                frame::write(replies, &worker.keep(&table))?;
            }
            Request::Locate { offsets } => {
                let module = frame::read_bytes(requests, MAX_MODULE_BYTES)?;
                let located = guarded(|| Reply::Located(locations::locate(&module, &offsets)));
                frame::write(replies, &located)?;
            }
            other => frame::write(replies, &worker.handle(other))?,
        }
    }
    Ok(())
}

/// Runs code that may panic; returns `Broke` if it panicked while a bot ran.
pub(super) fn guarded(act: impl FnOnce() -> Reply) -> Reply {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|payload| {
        let words = panic_text(payload.as_ref());
        if bot::is_running() { Reply::Broke(words) } else { Reply::Failed(words) }
    })
}

struct Worker<'a> {
    sandbox: Option<Sandbox>,
    /// The only bot that this process plays, for as long as the process lives.
    module: Option<&'static Compiled>,
    slots: RoundSlots,
    host: &'a dyn Host,
    hello: Hello,
    probe: Probe,
}

impl Worker<'_> {
    fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Hello => Reply::Hello(self.hello.clone()),
            Request::Probe => Reply::Probed(self.probe.attempts()),
            Request::Play { spec, bot, given } => guarded(|| self.play(&spec, bot, &given)),
            Request::Turns(turns) => match self.module {
                Some(module) => self.slots.turns(module, &turns),
                None => Reply::Failed("no module is loaded".to_owned()),
            },
            Request::Inspect { slot } => self.slots.inspect(slot),
            Request::Compile { .. } | Request::Load | Request::Table | Request::Locate { .. } => {
                Reply::Failed("an unexpected request".to_owned())
            }
        }
    }

    /// Compiles a module; returns the machine code too on success.
    fn compile(&mut self, module: &[u8], instrumented: bool) -> (Reply, Option<Vec<u8>>) {
        let mut code = None;
        let compile = if instrumented { Compiled::instrumented } else { Compiled::new };
        let reply = guarded(|| {
            let compiled = self.sandbox().map(|sandbox| compile(&sandbox, module));
            match compiled.map(|compiled| compiled.and_then(|compiled| compiled.machine_code())) {
                Ok(Ok(made)) => {
                    code = Some(made);
                    Reply::Compiled
                }
                Ok(Err(CompileError::Refused(refusal))) => Reply::Refused((&refusal).into()),
                Ok(Err(error)) => Reply::Uncompiled(error.to_string()),
                Err(reason) => Reply::Failed(reason),
            }
        });
        // A panic of the compiler depends only on the module.
        let reply = match reply {
            Reply::Failed(words) if self.sandbox.is_some() => Reply::Uncompiled(words),
            reply => reply,
        };
        (reply, code)
    }

    fn load(&mut self, code: &[u8]) -> Reply {
        if self.module.is_some() {
            return Reply::Failed("this process has its module already".to_owned());
        }
        let loaded = self.sandbox().and_then(|sandbox| Compiled::from_machine_code(&sandbox, code));
        match loaded {
            Ok(module) => {
                self.module = Some(Box::leak(Box::new(module)));
                Reply::Loaded
            }
            Err(reason) => Reply::Failed(reason),
        }
    }

    fn keep(&self, table: &[u8]) -> Reply {
        match self.host.keep(table) {
            Ok(()) => Reply::Loaded,
            Err(reason) => Reply::Failed(reason),
        }
    }

    fn play(&self, spec: &RoundSpec, bot: Option<judge_core::Seat>, given: &GivenAnswers) -> Reply {
        let mut modules = BySeat::default();
        if let Some(seat) = bot {
            let Some(module) = self.module else {
                return Reply::Failed("no module is loaded".to_owned());
            };
            if !room::is_there_for(spec.limits.memory_bytes) {
                return Reply::NoRoom;
            }
            modules[seat] = Some(module);
        }
        match self.host.play(spec, modules, given) {
            Ok(played) => Reply::Played(Box::new(played)),
            Err(reason) => Reply::Failed(reason),
        }
    }

    fn sandbox(&mut self) -> Result<Sandbox, String> {
        if self.sandbox.is_none() {
            self.sandbox = Some(Sandbox::new().map_err(|error| error.to_string())?);
        }
        self.sandbox.clone().ok_or_else(|| "no engine".to_owned())
    }
}
