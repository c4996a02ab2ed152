//! The parent's side: starts a worker, asks it things under a deadline, kills it.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use judge_core::{MatchSpec, printable};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame::{self, FrameError};
use super::message::{PlayReply, Reply, Request};
use super::patience::Patience;

/// Most bytes of a worker's standard error that are kept for a message.
const MAX_STDERR: usize = 4096;

/// How a worker process is started.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The program: as a rule this very binary.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A worker that did not do what it was asked. But for [`WorkerError::Refused`] it is the judge's
/// failure, and the worker is of no further use.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Intake refused the module: the bot's fault.
    #[error("{0}")]
    Refused(String),
    /// The process could not be started.
    #[error("cannot start the worker process `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// The process ended while it was asked something.
    #[error("the worker process ended: {0}")]
    Died(String),
    /// No reply within the deadline, in processor time where that is known; the process was killed.
    #[error("the worker process did not reply in time ({0} s) and was killed")]
    Deadline(u64),
    /// A reply that no honest worker sends; the process was killed.
    #[error("the worker process sent nonsense: {0}")]
    Nonsense(String),
    /// The worker reports that it cannot.
    #[error("the worker process failed: {0}")]
    Failed(String),
    /// What was found out when it was tried before; it was not tried again.
    #[error("{0}")]
    Hopeless(String),
}

/// Where workers stand, so that they hold no folder of the user's.
const ROOT: &str = if cfg!(windows) { "C:\\" } else { "/" };

/// How long a dead process's last words are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What comes out of a worker's pipe.
type Received = Result<Option<Reply>, FrameError>;

/// A running worker process. Dropping it kills the process.
///
/// Each pipe has a thread of its own, so that no deadline depends on what the process reads or
/// writes; the threads end with the process.
pub struct Supervisor {
    child: Child,
    requests: Sender<Request>,
    replies: Receiver<Received>,
    words: Receiver<Vec<u8>>,
}

impl Supervisor {
    /// Starts a worker with an empty environment.
    ///
    /// # Errors
    /// [`WorkerError::Start`] when the system does not start it.
    pub fn start(command: &WorkerCommand) -> Result<Supervisor, WorkerError> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
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
        let (requests, outgoing) = channel();
        if let Some(pipe) = child.stdin.take() {
            std::thread::spawn(move || send(pipe, &outgoing));
        }
        let (incoming, replies) = sync_channel(1);
        if let Some(pipe) = child.stdout.take() {
            std::thread::spawn(move || receive(pipe, &incoming));
        }
        let (last, words) = sync_channel(1);
        if let Some(pipe) = child.stderr.take() {
            std::thread::spawn(move || listen(pipe, &last));
        }
        Ok(Supervisor { child, requests, replies, words })
    }

    /// Which walls stand around the worker. To be asked before it has seen any module.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn walls(&mut self, deadline: Duration) -> Result<Vec<Wall>, WorkerError> {
        match self.request(Request::Walls, deadline)? {
            Reply::Walls(walls) => Ok(walls),
            _ => Err(self.nonsense("something else in reply to the walls")),
        }
    }

    /// Lets the worker try what must not be possible. To be asked before it has seen any module.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn probe(&mut self, deadline: Duration) -> Result<Vec<Attempt>, WorkerError> {
        match self.request(Request::Probe, deadline)? {
            Reply::Probed(attempts) => Ok(attempts),
            _ => Err(self.nonsense("something else in reply to the probe")),
        }
    }

    /// Checks and compiles a module in the worker. Modules are numbered from 0 as they are loaded.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] when intake refuses it; the worker then goes on.
    pub fn load(&mut self, module: &[u8], deadline: Duration) -> Result<(), WorkerError> {
        match self.request(Request::Load { module: module.to_vec() }, deadline)? {
            Reply::Loaded => Ok(()),
            Reply::Refused(reason) => Err(WorkerError::Refused(reason)),
            Reply::Failed(reason) => Err(WorkerError::Failed(reason)),
            _ => Err(self.nonsense("something else in reply to a module")),
        }
    }

    /// Hands the worker a table for trained players.
    ///
    /// # Errors
    /// When the worker fails or does not take it: never a bot's fault.
    pub fn table(&mut self, table: &[u8], deadline: Duration) -> Result<(), WorkerError> {
        match self.request(Request::Table { table: table.to_vec() }, deadline)? {
            Reply::Loaded => Ok(()),
            Reply::Failed(reason) => Err(WorkerError::Failed(reason)),
            _ => Err(self.nonsense("something else in reply to a table")),
        }
    }

    /// Plays a match in the worker with the loaded modules of those numbers in the bots' seats,
    /// and `script` as the answers of the person, if one takes part.
    ///
    /// # Errors
    /// When the worker fails in any way: never the bot's fault.
    pub fn play(
        &mut self,
        spec: &MatchSpec,
        modules: [Option<u32>; 2],
        script: &[String],
        deadline: Duration,
    ) -> Result<PlayReply, WorkerError> {
        let (spec, script) = (Box::new(spec.clone()), script.to_vec());
        let request = Request::Play { spec, modules, script };
        match self.request(request, deadline)? {
            Reply::Played(played) => Ok(*played),
            Reply::Failed(reason) => Err(WorkerError::Failed(reason)),
            _ => Err(self.nonsense("something else in reply to a match")),
        }
    }

    fn request(&mut self, request: Request, deadline: Duration) -> Result<Reply, WorkerError> {
        // A process that does not take it has ended, or will miss the deadline.
        let _ = self.requests.send(request);
        match self.receive(deadline) {
            Ok(Ok(Some(reply))) => Ok(reply),
            Ok(Ok(None) | Err(FrameError::Pipe(_))) => Err(self.obituary()),
            Ok(Err(error)) => Err(self.nonsense(&error.to_string())),
            Err(RecvTimeoutError::Disconnected) => Err(self.obituary()),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(WorkerError::Deadline(deadline.as_secs()))
            }
        }
    }

    /// What comes next out of the worker's pipe within the deadline.
    fn receive(&self, deadline: Duration) -> Result<Received, RecvTimeoutError> {
        let patience = Patience::new(self.child.id(), deadline);
        while let Some(left) = patience.left() {
            match self.replies.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => {}
                received => return received,
            }
        }
        // It may have come while the clocks were read.
        self.replies.recv_timeout(Duration::ZERO)
    }

    fn nonsense(&mut self, what: &str) -> WorkerError {
        self.kill();
        WorkerError::Nonsense(what.to_owned())
    }

    /// How the process ended, with the end of what it said on standard error.
    fn obituary(&mut self) -> WorkerError {
        self.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |s| s.to_string());
        let words = self.words.recv_timeout(LAST_WORDS).unwrap_or_default();
        let words = printable(String::from_utf8_lossy(&words).trim(), MAX_STDERR);
        WorkerError::Died(if words.is_empty() { status } else { format!("{status}: {words}") })
    }

    /// Ends the process at once. Harmless when it has ended already.
    fn kill(&mut self) {
        // Failing to kill means that it is gone.
        let _ = self.child.kill();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.kill();
        // Reaps the process; its status no longer matters.
        let _ = self.child.wait();
    }
}

/// Passes requests on to a worker until it no longer takes them.
fn send(mut pipe: impl Write, requests: &Receiver<Request>) {
    for request in requests {
        if frame::write(&mut pipe, &request).is_err() {
            return;
        }
    }
}

/// Passes a worker's messages on until the pipe ends, breaks or carries nonsense.
fn receive(mut pipe: impl Read, replies: &SyncSender<Received>) {
    loop {
        let reply = frame::read(&mut pipe);
        let last = !matches!(reply, Ok(Some(_)));
        if replies.send(reply).is_err() || last {
            return;
        }
    }
}

/// Keeps the beginning of what a worker says on standard error, and drains the rest.
fn listen(mut pipe: impl Read, words: &SyncSender<Vec<u8>>) {
    let mut kept = Vec::new();
    // What cannot be read is not worth a second failure.
    let _ = pipe.by_ref().take(MAX_STDERR as u64).read_to_end(&mut kept);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    let _ = words.send(kept);
}
