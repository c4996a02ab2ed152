//! The parent's side: starts a worker, asks it things under a deadline, kills it.

use std::ffi::OsString;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use judge_core::{Explanation, Limits, PlayerFault, RoundSpec, Seat, Seed, Usage, printable};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame::{self, FrameError};
use super::group::{ControlGroup, Membership};
use super::message::{Inspected, LineResult, PlayReply, Reply, Request, SourceLocation};
use super::pipe::Pipe;
use super::watchdog::{Killed, Meter, Watched};
use crate::{MAX_MACHINE_CODE_BYTES, Measured, Profile};

/// Most bytes of a worker's standard error that are kept for a message.
const MAX_STDERR: usize = 4096;

/// Most characters of a line that a worker says, before each is escaped.
const MAX_WORDS: usize = 300;

/// Most characters of a line of a refusal, with the advice for each feature that is off.
const MAX_ADVICE: usize = 2000;

/// Where workers stand, so that they hold no folder of the user's.
const ROOT: &str = if cfg!(windows) { "C:\\" } else { "/" };

/// The flag of Windows for a process that is no part of its parent's group.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Longest wait for a process to end by itself after it has closed its pipe.
const END_WAIT: Duration = Duration::from_millis(200);

/// Longest wait for the rest of what an ended process wrote to standard error. The end of the process
/// closes that pipe, so only a busy machine makes it last.
const STDERR_WAIT: Duration = Duration::from_secs(5);

/// How a worker process is started.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The program: as a rule this very binary.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it has to say of itself: see [`super::Life::identity`].
    pub identity: String,
}

/// Under which terms a worker process works.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// What counts its processor time together with that of others.
    pub meter: Option<Arc<Meter>>,
    /// Arguments beside those of the command.
    pub arguments: Vec<OsString>,
    /// Control group in which it gets its own; none if the system has not delegated one.
    pub group: Option<Arc<ControlGroup>>,
}

/// A worker that did not do what it was asked. But for [`WorkerError::Refused`] the worker is of no
/// further use.
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
        /// Why.
        source: std::io::Error,
    },
    /// The program that was started is another one, as when it is replaced during a run.
    #[error(
        "the worker process is another program than this judge: it says `{found}`, this is \
         `{expected}`\nhint: was the program replaced during the run? start again"
    )]
    OtherProgram {
        /// What it says of itself.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// The process ended while it was asked something.
    #[error("the worker process ended: {what}")]
    Died {
        /// How, and its last words.
        what: String,
        /// True if somebody else ended it: a person, or a system without memory.
        killed: bool,
    },
    /// No reply within a deadline in processor time; the process was killed.
    #[error("the worker process did not reply within {0} s of processor time and was killed")]
    Deadline(u64),
    /// No reply for so long by the wall clock, on a machine that is busy or does not tell processor
    /// time; the process was killed.
    #[error("the worker process did not reply in time ({0} s) and was killed")]
    Late(u64),
    /// The meter ran out; the process was killed.
    #[error("the processor time of the submission is used up")]
    Spent,
    /// A reply that no honest worker sends; the process was killed.
    #[error("the worker process sent what no worker sends: {0}")]
    Impossible(String),
    /// The judge's code gave up while the bot ran.
    #[error("the judge's code around the bot {0}")]
    Broke(String),
    /// The process has no memory left for a match: it was asked before the match began.
    #[error("the worker process has no room for a match: its memory is limited from outside")]
    NoRoom,
    /// The compiler does not take the module, though intake does.
    #[error("{0}")]
    Uncompiled(String),
    /// The worker reports that it cannot.
    #[error("the worker process failed: {0}")]
    Failed(String),
    /// What was found out when it was tried before; it was not tried again.
    #[error("{0}")]
    Hopeless(String),
}

impl WorkerError {
    /// True if the module that the process held may have brought it about. If it happens again in a
    /// fresh process that holds nothing else, it did.
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
/// It is written to and read from by whoever asks; a watchdog kills the process at the deadline,
/// after which neither waits any longer, so that no deadline depends on what the process does.
pub struct Supervisor {
    process: Arc<Watched>,
    requests: Pipe<ChildStdin>,
    replies: BufReader<Pipe<ChildStdout>>,
    words: Receiver<Vec<u8>>,
    identity: String,
    short_of_memory: bool,
    /// After the process is ended.
    _group: Option<Membership>,
}

/// Sets a process apart from the keys of the terminal: Ctrl-C is the judge's to answer, who may
/// want the rounds under way. Without the judge a worker ends by itself.
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
        // As people see it in a list of processes, wherever the program is.
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
        // It waits for requests, and has none yet.
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
                // What matters is that nobody can listen to it.
                let _ = process.end();
                Err(failed(source))
            }
        }
    }

    /// Makes sure that it is the same program as this one; which walls stand around the worker. To
    /// be asked before it has seen any module.
    ///
    /// # Errors
    /// When it is another program, or fails.
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

    /// True if the system allows the worker less memory than verdicts need, as it said of itself.
    pub fn is_short_of_memory(&self) -> bool {
        self.short_of_memory
    }

    /// Processor time that the process has had so far, where the system tells.
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
    }

    /// Lets the worker try what must not be possible. To be asked before it has seen any module.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn probe(&mut self, deadline: Duration) -> Result<Vec<Attempt>, WorkerError> {
        match self.request(&Request::Probe, None, deadline)? {
            Reply::Probed(attempts) => Ok(attempts),
            other => Err(self.unexpected(other)),
        }
    }

    /// Checks and compiles a module in the worker; its machine code, for [`Supervisor::load`] in
    /// another one.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] when intake refuses it.
    pub fn compile(&mut self, module: &[u8], deadline: Duration) -> Result<Vec<u8>, WorkerError> {
        self.compile_as(module, false, deadline)
    }

    /// The same, with the fuel of its functions to be counted: no verdict comes from it.
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
        self.process.wait(deadline);
        let code = frame::read_bytes(&mut self.replies, MAX_MACHINE_CODE_BYTES);
        let killed = self.process.received();
        code.map_err(|error| self.lost(error, killed, deadline))
    }

    /// Hands the worker the machine code of the one bot that it is to play.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn load(&mut self, code: &[u8], deadline: Duration) -> Result<(), WorkerError> {
        self.hand_over(&Request::Load, code, deadline)
    }

    /// Hands the worker a table for trained players.
    ///
    /// # Errors
    /// When the worker fails or does not take it: never a bot's fault.
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

    /// Plays a match in the worker, with the loaded bot in that seat, and `script` as the answers
    /// of the person, if one takes part.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn play(
        &mut self,
        spec: &RoundSpec,
        bot: Option<Seat>,
        script: &[String],
        deadline: Duration,
    ) -> Result<PlayReply, WorkerError> {
        let (spec, script) = (Box::new(spec.clone()), script.to_vec());
        match self.request(&Request::Play { spec, bot, script }, None, deadline)? {
            Reply::Played(played) => Ok(*played),
            other => Err(self.unexpected(other)),
        }
    }

    /// Seats the loaded bot in a match that is refereed here.
    ///
    /// # Errors
    /// When the worker fails, or has no room for it.
    pub fn begin(
        &mut self,
        limits: &Limits,
        seat: Seat,
        random: Seed,
        deadline: Duration,
    ) -> Result<(), WorkerError> {
        self.begin_inspected(limits, (seat, random), (None, false), deadline)
    }

    /// The same to inspect the bot: with the fuel of these calls counted by function, for which the
    /// module has to be compiled by [`Supervisor::compile_instrumented`]; and as
    /// [`crate::BotPlayer::strict`] does.
    ///
    /// # Errors
    /// As [`Supervisor::begin`].
    pub fn begin_inspected(
        &mut self,
        limits: &Limits,
        (seat, random): (Seat, Seed),
        (measured, strict): (Option<Measured>, bool),
        deadline: Duration,
    ) -> Result<(), WorkerError> {
        let request = Request::Begin { limits: *limits, seat, random, measured, strict };
        match self.request(&request, None, deadline)? {
            Reply::Begun => Ok(()),
            other => Err(self.unexpected(other)),
        }
    }

    /// Passes a line on to the seated bot; what it answers, or how it failed.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn tell(
        &mut self,
        line: &str,
        question: bool,
        deadline: Duration,
    ) -> Result<Result<LineResult, PlayerFault>, WorkerError> {
        let request = Request::Tell { line: line.to_owned(), question };
        match self.request(&request, None, deadline)? {
            Reply::Told(told) if is_answer(&told.answer, question) => Ok(Ok(told)),
            Reply::Faulted(fault) => Ok(Err(fault)),
            other => Err(self.unexpected(other)),
        }
    }

    /// Passes on a line that was sent in an earlier match, as the notice or question that it is.
    ///
    /// # Errors
    /// As [`Supervisor::tell`].
    pub fn tell_again(
        &mut self,
        line: &str,
        deadline: Duration,
    ) -> Result<Result<LineResult, PlayerFault>, WorkerError> {
        self.tell(line, judge_protocol::is_question(line), deadline)
    }

    /// What the functions of the seated bot did, before the match ends for it.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn inspect(&mut self, deadline: Duration) -> Result<Inspected, WorkerError> {
        match self.request(&Request::Inspect, None, deadline)? {
            Reply::Inspected(seen) if seen.profile.as_ref().is_none_or(Profile::is_sound) => {
                Ok(*seen)
            }
            other => Err(self.unexpected(other)),
        }
    }

    /// Looks places up in a module's debug information, which may be anything: for a worker that
    /// does nothing else.
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

    /// Ends the match for the seated bot; what it used.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn finish(&mut self, deadline: Duration) -> Result<Usage, WorkerError> {
        match self.request(&Request::Finish, None, deadline)? {
            Reply::Used(usage) => Ok(usage),
            other => Err(self.unexpected(other)),
        }
    }

    fn request(
        &mut self,
        request: &Request,
        bytes: Option<&[u8]>,
        deadline: Duration,
    ) -> Result<Reply, WorkerError> {
        self.process.wait(deadline);
        let received = self.exchange(request, bytes);
        let killed = self.process.received();
        received.map_err(|error| self.lost(error, killed, deadline))
    }

    fn exchange(&mut self, request: &Request, bytes: Option<&[u8]>) -> Result<Reply, FrameError> {
        frame::write(&mut self.requests, request)?;
        if let Some(bytes) = bytes {
            frame::write_bytes(&mut self.requests, bytes)?;
        }
        let ended = || FrameError::Pipe(std::io::ErrorKind::UnexpectedEof.into());
        frame::read(&mut self.replies)?.ok_or_else(ended)
    }

    /// Why there is no reply.
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

    /// What a reply means that is not the one that was asked for.
    fn unexpected(&mut self, reply: Reply) -> WorkerError {
        match reply {
            Reply::Refused(why) => {
                WorkerError::Refused(shortened(&why.to_string(), MAX_ADVICE).into())
            }
            Reply::Failed(reason) => WorkerError::Failed(excerpt(&reason)),
            Reply::Broke(words) => WorkerError::Broke(excerpt(&words)),
            Reply::Uncompiled(reason) => WorkerError::Uncompiled(excerpt(&reason)),
            Reply::NoRoom => WorkerError::NoRoom,
            _ => self.impossible("a reply to something else"),
        }
    }

    fn impossible(&mut self, what: &str) -> WorkerError {
        self.process.kill();
        WorkerError::Impossible(what.to_owned())
    }

    /// How the process ended, with the end of what it said on standard error.
    fn died(&mut self) -> WorkerError {
        // What it ends by is what is told, and not that it was killed over it.
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

/// Both pipes of a process.
fn both_pipes(
    pipes: (Option<ChildStdin>, Option<ChildStdout>),
    process: &Arc<Watched>,
) -> std::io::Result<(Pipe<ChildStdin>, BufReader<Pipe<ChildStdout>>)> {
    let none = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
    let requests = Pipe::new(pipes.0.ok_or_else(none)?, process)?;
    let replies = Pipe::new(pipes.1.ok_or_else(none)?, process)?;
    Ok((requests, BufReader::new(replies)))
}

/// What the referee may be told as an answer: what any worker says is looked at.
fn is_answer(answer: &str, question: bool) -> bool {
    answer.is_empty() != question && (!question || judge_protocol::is_line(answer.as_bytes()))
}

/// True if somebody else ended the process: nothing that a bot does ends one in this way.
#[cfg(unix)]
fn was_killed(status: &ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;

    status.signal() == Some(rustix::process::Signal::KILL.as_raw())
}

#[cfg(not(unix))]
fn was_killed(_status: &ExitStatus) -> bool {
    false
}

/// Keeps the beginning of what a worker says on standard error, and drains the rest.
fn listen(pipe: Option<ChildStderr>) -> std::io::Result<Receiver<Vec<u8>>> {
    let (last, words) = sync_channel(1);
    let keep = move || {
        let (mut kept, Some(mut pipe)) = (Vec::new(), pipe) else { return };
        // What cannot be read is not worth a second failure.
        let _ = pipe.by_ref().take(MAX_STDERR as u64).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        let _ = last.send(kept);
    };
    std::thread::Builder::new().spawn(keep)?;
    Ok(words)
}

/// What a worker says, made harmless and short enough for any record.
fn excerpt(text: &str) -> String {
    shortened(text, MAX_WORDS)
}

fn shortened(text: &str, most: usize) -> String {
    let lines: Vec<String> = text.lines().take(4).map(|line| printable(line, most)).collect();
    lines.join("\n")
}
