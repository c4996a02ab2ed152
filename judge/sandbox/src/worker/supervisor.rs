//! The parent's side: it starts a worker, sends requests with a deadline, and kills it.

use std::ffi::OsString;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use judge_core::{Explanation, GivenAnswers, RoundSpec, Seat, printable};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame::{self, FrameError};
use super::group::{ControlGroup, Membership};
use super::message::{PlayReply, Reply, Request, SourceLocation};
use super::pipe::Pipe;
use super::watchdog::{Killed, Meter, Watched};
use crate::MAX_MACHINE_CODE_BYTES;

/// Most bytes of a worker's standard error that a message keeps.
const MAX_STDERR: usize = 4096;

/// Most characters of a line from a worker, before escaping.
const MAX_WORDS: usize = 300;

/// Most characters of a line of a refusal, which may have advice for several features.
const MAX_ADVICE: usize = 2000;

/// Working folder of workers, so that they keep no folder of the user open.
const ROOT: &str = if cfg!(windows) { "C:\\" } else { "/" };

/// The Windows flag for a process outside its parent's group.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Longest wait for a process to end by itself after it closed its pipe.
const END_WAIT: Duration = Duration::from_millis(200);

/// Longest wait for the standard error of an ended process. The pipe closes with the process, so
/// only a busy machine needs this long.
const STDERR_WAIT: Duration = Duration::from_secs(5);

/// The command that starts a worker process.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The program: normally this binary.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its expected identity; see [`super::Life::identity`].
    pub identity: String,
}

/// Conditions of a worker process.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Meter that adds up its processor time with that of others.
    pub meter: Option<Arc<Meter>>,
    /// Arguments in addition to those of the command.
    pub arguments: Vec<OsString>,
    /// Control group in which it gets a separate one; none if the system has not delegated one.
    pub group: Option<Arc<ControlGroup>>,
}

/// A failed request to a worker. After any error but [`WorkerError::Refused`] the worker cannot be
/// used again.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Intake refused the module: the bot's fault.
    #[error("{0}")]
    Refused(Explanation),
    /// The process could not be started.
    #[error("cannot start the worker process `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The process runs another program, for example because the file was replaced during a run.
    #[error(
        "the worker process is another program than this judge: it says `{found}`, this is \
         `{expected}`\nhint: was the program replaced during the run? start again"
    )]
    OtherProgram {
        /// Its reported identity.
        found: String,
        /// The expected identity.
        expected: String,
    },
    /// The process ended during a request.
    #[error("the worker process ended: {what}")]
    Died {
        /// Its exit status and last output.
        what: String,
        /// True if it was killed from outside: by a person, or by a system that ran out of memory.
        killed: bool,
    },
    /// The process used up a deadline in processor time, and was killed.
    #[error("the worker process did not reply within {0} s of processor time and was killed")]
    Deadline(u64),
    /// The process exceeded a deadline by the wall clock, on a machine that is busy or does not
    /// report processor time, and was killed.
    #[error("the worker process did not reply in time ({0} s) and was killed")]
    Late(u64),
    /// The submission's processor time was used up, and the process was killed.
    #[error("the processor time of the submission is used up")]
    Spent,
    /// No honest worker sends such a reply. The process was killed.
    #[error("the worker process sent an invalid message: {0}")]
    Impossible(String),
    /// The judge's code panicked while the bot ran.
    #[error("the judge's code around the bot {0}")]
    Broke(String),
    /// The process has too little memory for a round. It checks that before the round begins.
    #[error("the worker process cannot reserve memory for a round: an outer limit is too low")]
    NoRoom,
    /// The compiler rejected a module that passed intake.
    #[error("{0}")]
    Uncompiled(String),
    /// The worker reports a failure.
    #[error("the worker process failed: {0}")]
    Failed(String),
    /// The saved error of an earlier attempt, which was not repeated.
    #[error("{0}")]
    Hopeless(String),
}

impl WorkerError {
    /// True if the module in the process may be the cause. If the error happens again in a new
    /// process with nothing else in it, the module is the cause.
    pub fn may_be_the_modules(&self) -> bool {
        match self {
            WorkerError::Died { killed, .. } => !killed,
            WorkerError::Deadline(_)
            | WorkerError::Impossible(_)
            | WorkerError::Broke(_)
            | WorkerError::Uncompiled(_) => true,
            WorkerError::Refused(_)
            | WorkerError::Start { .. }
            | WorkerError::OtherProgram { .. }
            | WorkerError::Late(_)
            | WorkerError::Spent
            | WorkerError::NoRoom
            | WorkerError::Failed(_)
            | WorkerError::Hopeless(_) => false,
        }
    }
}

/// A running worker process. Dropping it kills the process.
///
/// The caller's thread writes and reads. A watchdog kills the process at the deadline, which ends
/// both, so no deadline depends on the behavior of the process.
pub struct Supervisor {
    process: Arc<Watched>,
    requests: Pipe<ChildStdin>,
    replies: BufReader<Pipe<ChildStdout>>,
    words: Receiver<Vec<u8>>,
    identity: String,
    short_of_memory: bool,
    /// Dropped after the process has ended.
    _group: Option<Membership>,
}

/// Moves a process out of the terminal's process group: the judge handles Ctrl-C, and may need the
/// current rounds. Without the judge a worker ends by itself.
fn apart(process: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(process, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(process, CREATE_NEW_PROCESS_GROUP);
}

impl Supervisor {
    /// Starts a worker with an empty environment.
    ///
    /// # Errors
    /// [`WorkerError::Start`] when the system does not start it.
    pub fn start(command: &WorkerCommand, terms: &Terms) -> Result<Supervisor, WorkerError> {
        let mut process = Command::new(&command.program);
        // The name in a list of processes, independent of the program's path.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut process, "judge");
        apart(&mut process);
        let mut child = process
            .args(&command.arguments)
            .args(&terms.arguments)
            .env_clear()
            .current_dir(ROOT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| WorkerError::Start {
                program: command.program.display().to_string(),
                source,
            })?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let errors = child.stderr.take();
        let failed =
            |source| WorkerError::Start { program: command.program.display().to_string(), source };
        let number = child.id();
        let process = Watched::start(child, terms.meter.clone()).map_err(failed)?;
        // It still waits for its first request.
        let group = terms.group.as_ref().map(|group| group.enter(number)).transpose();
        let group = group.inspect_err(|_| _ = process.end()).map_err(failed)?;
        let rest = both_pipes(pipes, &process).and_then(|pipes| Ok((pipes, listen(errors)?)));
        match rest {
            Ok(((requests, replies), words)) => {
                let identity = command.identity.clone();
                Ok(Supervisor {
                    process,
                    requests,
                    replies,
                    words,
                    identity,
                    short_of_memory: false,
                    _group: group,
                })
            }
            Err(source) => {
                // It must end, because nothing reads its output; its status does not matter.
                let _ = process.end();
                Err(failed(source))
            }
        }
    }

    /// Checks that the worker runs the same program; returns its walls. Call it before the worker
    /// sees any module.
    ///
    /// # Errors
    /// When it runs another program, or fails.
    pub fn hello(&mut self, deadline: Duration) -> Result<Vec<Wall>, WorkerError> {
        match self.request(&Request::Hello, None, deadline)? {
            Reply::Hello(hello) if hello.identity == self.identity => {
                self.short_of_memory = hello.short_of_memory;
                Ok(hello.walls)
            }
            Reply::Hello(hello) => {
                let found = printable(&hello.identity, MAX_WORDS);
                Err(WorkerError::OtherProgram { found, expected: self.identity.clone() })
            }
            other => Err(self.unexpected(other)),
        }
    }

    /// True if the worker reports less memory than verdicts need.
    pub fn is_short_of_memory(&self) -> bool {
        self.short_of_memory
    }

    /// Processor time of the process so far, if the system reports it.
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
    }

    /// Lets the worker try the forbidden actions. Call it before the worker sees any module.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn probe(&mut self, deadline: Duration) -> Result<Vec<Attempt>, WorkerError> {
        match self.request(&Request::Probe, None, deadline)? {
            Reply::Probed(attempts) => Ok(attempts),
            other => Err(self.unexpected(other)),
        }
    }

    /// Checks and compiles a module in the worker. Returns its machine code for
    /// [`Supervisor::load`] in another worker.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] when intake refuses it.
    pub fn compile(&mut self, module: &[u8], deadline: Duration) -> Result<Vec<u8>, WorkerError> {
        self.compile_as(module, false, deadline)
    }

    /// Compiles a module with counted fuel by function. No verdict comes from it.
    ///
    /// # Errors
    /// As [`Supervisor::compile`].
    pub fn compile_instrumented(
        &mut self,
        module: &[u8],
        deadline: Duration,
    ) -> Result<Vec<u8>, WorkerError> {
        self.compile_as(module, true, deadline)
    }

    fn compile_as(
        &mut self,
        module: &[u8],
        instrumented: bool,
        deadline: Duration,
    ) -> Result<Vec<u8>, WorkerError> {
        match self.request(&Request::Compile { instrumented }, Some(module), deadline)? {
            Reply::Compiled => {}
            other => return Err(self.unexpected(other)),
        }
        self.process.start_deadline(deadline);
        let code = frame::read_bytes(&mut self.replies, MAX_MACHINE_CODE_BYTES);
        let killed = self.process.received();
        code.map_err(|error| self.lost(error, killed, deadline))
    }

    /// Sends the worker the machine code of its only bot.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn load(&mut self, code: &[u8], deadline: Duration) -> Result<(), WorkerError> {
        self.hand_over(&Request::Load, code, deadline)
    }

    /// Sends the worker a table for trained players.
    ///
    /// # Errors
    /// When the worker fails or rejects it: never a bot's fault.
    pub fn table(&mut self, table: &[u8], deadline: Duration) -> Result<(), WorkerError> {
        self.hand_over(&Request::Table, table, deadline)
    }

    fn hand_over(
        &mut self,
        request: &Request,
        bytes: &[u8],
        deadline: Duration,
    ) -> Result<(), WorkerError> {
        match self.request(request, Some(bytes), deadline)? {
            Reply::Loaded => Ok(()),
            other => Err(self.unexpected(other)),
        }
    }

    /// Plays a round in the worker, with the loaded bot in seat `bot` and these given answers.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn play(
        &mut self,
        spec: &RoundSpec,
        bot: Option<Seat>,
        given: &GivenAnswers,
        deadline: Duration,
    ) -> Result<PlayReply, WorkerError> {
        let (spec, given) = (Box::new(spec.clone()), given.clone());
        match self.request(&Request::Play { spec, bot, given }, None, deadline)? {
            Reply::Played(played) => Ok(*played),
            other => Err(self.unexpected(other)),
        }
    }

    /// Looks up source locations in a module's debug information, which is untrusted: use a worker
    /// that does nothing else.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn locate(
        &mut self,
        module: &[u8],
        offsets: &[u32],
        deadline: Duration,
    ) -> Result<Vec<Vec<SourceLocation>>, WorkerError> {
        let request = Request::Locate { offsets: offsets.to_vec() };
        match self.request(&request, Some(module), deadline)? {
            Reply::Located(places) if places.len() == offsets.len() => Ok(places),
            other => Err(self.unexpected(other)),
        }
    }

    pub(super) fn request(
        &mut self,
        request: &Request,
        bytes: Option<&[u8]>,
        deadline: Duration,
    ) -> Result<Reply, WorkerError> {
        self.send(request, bytes, deadline)?;
        self.receive(deadline)
    }

    /// Sends a request and starts the deadline of its reply.
    pub(super) fn send(
        &mut self,
        request: &Request,
        bytes: Option<&[u8]>,
        deadline: Duration,
    ) -> Result<(), WorkerError> {
        self.process.start_deadline(deadline);
        let sent = frame::write(&mut self.requests, request).and_then(|()| {
            bytes.map_or(Ok(()), |bytes| frame::write_bytes(&mut self.requests, bytes))
        });
        sent.map_err(|error| {
            let killed = self.process.received();
            self.lost(error, killed, deadline)
        })
    }

    pub(super) fn receive(&mut self, deadline: Duration) -> Result<Reply, WorkerError> {
        let ended = || FrameError::Pipe(std::io::ErrorKind::UnexpectedEof.into());
        let received = frame::read(&mut self.replies).and_then(|reply| reply.ok_or_else(ended));
        let killed = self.process.received();
        received.map_err(|error| self.lost(error, killed, deadline))
    }

    /// The reason for a missing reply.
    fn lost(
        &mut self,
        error: FrameError,
        killed: Option<Killed>,
        deadline: Duration,
    ) -> WorkerError {
        match (killed, error) {
            (Some(Killed::Deadline), _) => WorkerError::Deadline(deadline.as_secs()),
            (Some(Killed::Late), _) => WorkerError::Late(deadline.as_secs()),
            (Some(Killed::Meter), _) => WorkerError::Spent,
            (None, FrameError::Pipe(_)) => self.died(),
            (None, error) => self.impossible(&error.to_string()),
        }
    }

    /// The error of a reply to another request than the one sent.
    pub(super) fn unexpected(&mut self, reply: Reply) -> WorkerError {
        match reply {
            Reply::Refused(why) => {
                WorkerError::Refused(shortened(&why.to_string(), MAX_ADVICE).into())
            }
            Reply::Failed(reason) => WorkerError::Failed(excerpt(&reason)),
            Reply::Broke(words) => WorkerError::Broke(excerpt(&words)),
            Reply::Uncompiled(reason) => WorkerError::Uncompiled(excerpt(&reason)),
            Reply::NoRoom => WorkerError::NoRoom,
            _ => self.impossible("a reply of the wrong kind"),
        }
    }

    pub(super) fn impossible(&mut self, what: &str) -> WorkerError {
        self.process.kill();
        WorkerError::Impossible(what.to_owned())
    }

    /// The exit status of the process, with the end of its standard error.
    fn died(&mut self) -> WorkerError {
        // Report its own ending, not that it was killed afterwards.
        self.process.wait_for_end(END_WAIT);
        let status = self.process.end();
        let words = self.words.recv_timeout(STDERR_WAIT).unwrap_or_default();
        let killed = status.as_ref().is_ok_and(was_killed);
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let words = printable(String::from_utf8_lossy(&words).trim(), MAX_WORDS);
        let what = if words.is_empty() { status } else { format!("{status}: {words}") };
        WorkerError::Died { what, killed }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // Its status no longer matters.
        let _ = self.process.end();
    }
}

fn both_pipes(
    pipes: (Option<ChildStdin>, Option<ChildStdout>),
    process: &Arc<Watched>,
) -> std::io::Result<(Pipe<ChildStdin>, BufReader<Pipe<ChildStdout>>)> {
    let none = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
    let requests = Pipe::new(pipes.0.ok_or_else(none)?, process)?;
    let replies = Pipe::new(pipes.1.ok_or_else(none)?, process)?;
    Ok((requests, BufReader::new(replies)))
}

/// True if the process was killed from outside. A bot cannot end its process in this way.
#[cfg(unix)]
fn was_killed(status: &ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;

    status.signal() == Some(rustix::process::Signal::KILL.as_raw())
}

#[cfg(not(unix))]
fn was_killed(_status: &ExitStatus) -> bool {
    false
}

/// Keeps the beginning of a worker's standard error, and drains the rest.
fn listen(pipe: Option<ChildStderr>) -> std::io::Result<Receiver<Vec<u8>>> {
    let (last, words) = sync_channel(1);
    let keep = move || {
        let (mut kept, Some(mut pipe)) = (Vec::new(), pipe) else { return };
        // A read error is not worth a second failure.
        let _ = pipe.by_ref().take(MAX_STDERR as u64).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        let _ = last.send(kept);
    };
    std::thread::Builder::new().spawn(keep)?;
    Ok(words)
}

/// Text of a worker, escaped and short enough for any record.
fn excerpt(text: &str) -> String {
    shortened(text, MAX_WORDS)
}

fn shortened(text: &str, most: usize) -> String {
    let lines: Vec<String> = text.lines().take(4).map(|line| printable(line, most)).collect();
    lines.join("\n")
}
