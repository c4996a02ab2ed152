//! The child's side: read a request, do it, reply; until the parent closes the pipe.

use std::io::{self, Read, Write};

use judge_core::MatchSpec;

use super::confine::probe::Probe;
use super::confine::{self, Wall};
use super::frame::{self, FrameError};
use super::message::{PlayReply, Reply, Request};
use crate::{CompileError, Compiled, Sandbox};

/// Stack of the thread that runs guests, in bytes: the guest's own stack plus ample room for the
/// host, whatever the main thread was given.
const THREAD_STACK: usize = 8 << 20;

/// The worker cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("worker: {0}")]
pub struct ServeError(String);

/// What a worker does with matches and with what they need beside modules. Given by the crate that
/// knows the rules.
pub trait Host: Sync {
    /// Keeps a table for the trained players of later matches.
    ///
    /// # Errors
    /// When the bytes are no table.
    fn keep(&self, table: &[u8]) -> Result<(), String>;

    /// Plays one match with compiled modules in the seats that hold bots, and with a person's
    /// answers.
    ///
    /// # Errors
    /// When the match cannot begin.
    fn play(
        &self,
        spec: &MatchSpec,
        modules: [Option<&Compiled>; 2],
        script: &[String],
    ) -> Result<PlayReply, String>;
}

/// Serves requests from standard input until it ends. Confines the process first, and sets how the
/// whole process tells of a panic.
///
/// # Errors
/// When the pipe carries nonsense.
pub fn serve(host: &dyn Host) -> Result<(), ServeError> {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(io::stderr(), "{}", last_words(panic));
    }));
    let probe = Probe::prepare();
    let mut walls = confine::confine_process();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(THREAD_STACK);
        let worker = thread.spawn_scoped(scope, || {
            walls.push(confine::confine_calls());
            let worker = Worker { sandbox: None, modules: Vec::new(), host, walls, probe };
            serve_pipes(&mut io::stdin().lock(), &mut io::stdout().lock(), worker)
        });
        let worker = worker.map_err(|error| ServeError(error.to_string()))?;
        let served = worker.join().map_err(|_| ServeError("the serving thread panicked".into()))?;
        served.map_err(|error| ServeError(error.to_string()))
    })
}

/// What stands in a report when the process gives up: without the thread's number and the place in
/// the source, which differ from run to run and from build to build.
fn last_words(panic: &std::panic::PanicHookInfo<'_>) -> String {
    format!("gave up: {}", panic.payload_as_str().unwrap_or("for no known reason"))
}

fn serve_pipes(
    requests: &mut impl Read,
    replies: &mut impl Write,
    mut worker: Worker<'_>,
) -> Result<(), FrameError> {
    while let Some(request) = frame::read(requests)? {
        frame::write(replies, &worker.handle(request))?;
    }
    Ok(())
}

struct Worker<'a> {
    sandbox: Option<Sandbox>,
    modules: Vec<Compiled>,
    host: &'a dyn Host,
    /// Which walls stand around this process.
    walls: Vec<Wall>,
    probe: Probe,
}

impl Worker<'_> {
    fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Walls => Reply::Walls(self.walls.clone()),
            Request::Probe => Reply::Probed(self.probe.attempts()),
            Request::Load { module } => self.load(&module),
            Request::Table { table } => match self.host.keep(&table) {
                Ok(()) => Reply::Loaded,
                Err(reason) => Reply::Failed(reason),
            },
            Request::Play { spec, modules, script } => self.play(&spec, modules, &script),
        }
    }

    fn load(&mut self, module: &[u8]) -> Reply {
        let sandbox = match self.sandbox() {
            Ok(sandbox) => sandbox,
            Err(reason) => return Reply::Failed(reason),
        };
        match Compiled::new(&sandbox, module) {
            Ok(compiled) => {
                self.modules.push(compiled);
                Reply::Loaded
            }
            Err(CompileError::Refused(refusal)) => Reply::Refused(refusal.to_string()),
            Err(error @ CompileError::Engine(_)) => Reply::Failed(error.to_string()),
        }
    }

    fn play(&self, spec: &MatchSpec, modules: [Option<u32>; 2], script: &[String]) -> Reply {
        let compiled = modules.map(|number| self.modules.get(number? as usize));
        if std::iter::zip(modules, compiled)
            .any(|(number, found)| number.is_some() != found.is_some())
        {
            return Reply::Failed("a module was named that is not loaded".to_owned());
        }
        match self.host.play(spec, compiled, script) {
            Ok(played) => Reply::Played(Box::new(played)),
            Err(reason) => Reply::Failed(reason),
        }
    }

    /// The engine, started at first use.
    fn sandbox(&mut self) -> Result<Sandbox, String> {
        if self.sandbox.is_none() {
            self.sandbox = Some(Sandbox::new().map_err(|error| error.to_string())?);
        }
        self.sandbox.clone().ok_or_else(|| "no engine".to_owned())
    }
}
