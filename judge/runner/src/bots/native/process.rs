//! The process of a native program: its pipes, its log, and its end. It has a separate process
//! group, which is killed with it.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use judge_core::{LogPart, Usage};
use judge_toolchain::Running;

use super::NativeCommand;

/// Bytes to read or write at once. A pipe with any room takes as many.
const CHUNK: usize = 4096;

/// Longest wait for the rest of the log after the end: another process may hold the pipe.
const REST: Duration = Duration::from_millis(200);

/// A running program.
pub(super) struct NativeProcess {
    running: Running,
    status: Option<ExitStatus>,
    input: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Output that was not taken yet.
    pub(super) output: Vec<u8>,
    log: Log,
}

/// A log up to a limit, with its parts by call.
struct Log {
    text: Vec<u8>,
    most: usize,
    dropped: u64,
    parts: Vec<LogPart>,
    /// The current call; none before the first.
    call: Option<u32>,
}

impl NativeProcess {
    pub(super) fn start(command: &NativeCommand, log_bytes: u64) -> io::Result<NativeProcess> {
        let mut process = Command::new(command.program());
        process.args(command.arguments());
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Running::start(&mut process)?;
        let Child { stdin, stdout, stderr, .. } = &mut running.child;
        let (input, stdout, stderr) = (stdin.take(), stdout.take(), stderr.take());
        let most = usize::try_from(log_bytes).unwrap_or(usize::MAX);
        let log = Log { text: Vec::new(), most, dropped: 0, parts: Vec::new(), call: None };
        Ok(NativeProcess { running, status: None, input, stdout, stderr, output: Vec::new(), log })
    }

    pub(super) fn id(&self) -> u32 {
        self.running.child.id()
    }

    /// Begins the next call.
    pub(super) fn begin_call(&mut self) {
        self.log.call = Some(self.log.call.map_or(0, |call| call.saturating_add(1)));
    }

    /// The exit status, if the program has ended. The rest of its process group ends with it.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() && self.running.has_ended()? {
            self.status = Some(self.running.kill()?);
        }
        Ok(self.status)
    }

    /// True until the program has closed its output.
    pub(super) fn prints(&self) -> bool {
        self.stdout.is_some()
    }

    /// Ends its input.
    pub(super) fn end_input(&mut self) {
        self.input = None;
    }

    /// Waits until something can be read or, if there is something `to_write`, written, and does
    /// so. Returns true if anything happened.
    pub(super) fn exchange(&mut self, to_write: &mut Vec<u8>, wait: Duration) -> io::Result<bool> {
        let ready = poll::ready(
            self.input.as_ref().filter(|_| !to_write.is_empty()),
            self.stdout.as_ref(),
            self.stderr.as_ref(),
            wait,
        )?;
        if ready.input {
            self.write(to_write);
        }
        let mut buffer = [0; CHUNK];
        if ready.stderr
            && let Some(pipe) = &mut self.stderr
        {
            match pipe.read(&mut buffer) {
                Ok(0) | Err(_) => self.stderr = None,
                Ok(count) => self.log.add(&buffer[..count]),
            }
        }
        if ready.stdout
            && let Some(pipe) = &mut self.stdout
        {
            match pipe.read(&mut buffer) {
                Ok(0) | Err(_) => self.stdout = None,
                Ok(count) => self.output.extend_from_slice(&buffer[..count]),
            }
        }
        Ok(ready.input || ready.stdout || ready.stderr)
    }

    /// Writes a part that fits into the pipe. A program that has closed its input gets nothing.
    fn write(&mut self, to_write: &mut Vec<u8>) {
        let Some(input) = &mut self.input else { return };
        match input.write(&to_write[..to_write.len().min(CHUNK)]) {
            Ok(count) => drop(to_write.drain(..count)),
            Err(_) => {
                self.input = None;
                to_write.clear();
            }
        }
    }

    /// Reads everything that has been printed so far.
    pub(super) fn catch_up(&mut self, most: usize) -> io::Result<()> {
        while self.output.len() <= most && self.exchange(&mut Vec::new(), Duration::ZERO)? {}
        Ok(())
    }

    /// Kills the program and its process group, and reads the rest of its log.
    pub(super) fn end(&mut self) {
        self.input = None;
        if let Ok(status) = self.running.kill() {
            self.status.get_or_insert(status);
        }
        self.stdout = None;
        while self.stderr.is_some() && self.exchange(&mut Vec::new(), REST).unwrap_or(false) {}
    }

    /// The log so far.
    pub(super) fn usage(&self) -> Usage {
        let Log { text, dropped, parts, .. } = &self.log;
        Usage {
            peak_memory_bytes: 0,
            log: text.clone(),
            log_dropped: *dropped,
            log_parts: (!text.is_empty()).then(|| parts.clone()),
        }
    }
}

impl Log {
    fn add(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(self.most - self.text.len());
        self.text.extend_from_slice(&bytes[..kept]);
        self.dropped = self.dropped.saturating_add((bytes.len() - kept) as u64);
        let (Some(call), Ok(added @ 1..)) = (self.call, u32::try_from(kept)) else { return };
        match self.parts.last_mut() {
            Some(part) if part.call == call => part.bytes = part.bytes.saturating_add(added),
            _ => self.parts.push(LogPart { call, bytes: added }),
        }
    }
}

#[cfg(unix)]
mod poll {
    use std::io;
    use std::os::fd::AsFd;
    use std::process::{ChildStderr, ChildStdin, ChildStdout};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    /// The pipes with something to do.
    #[derive(Default)]
    pub(super) struct Ready {
        pub(super) input: bool,
        pub(super) stdout: bool,
        pub(super) stderr: bool,
    }

    /// Waits for one of the given pipes.
    pub(super) fn ready(
        input: Option<&ChildStdin>,
        stdout: Option<&ChildStdout>,
        stderr: Option<&ChildStderr>,
        wait: Duration,
    ) -> io::Result<Ready> {
        let given = [input.is_some(), stdout.is_some(), stderr.is_some()];
        let pipes = [
            input.map(|pipe| (pipe.as_fd(), PollFlags::OUT)),
            stdout.map(|pipe| (pipe.as_fd(), PollFlags::IN)),
            stderr.map(|pipe| (pipe.as_fd(), PollFlags::IN)),
        ];
        let pipes = pipes.into_iter().flatten();
        let mut fds: Vec<PollFd<'_>> =
            pipes.map(|(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags)).collect();
        let time = Timespec::try_from(wait).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&time)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut found = fds.iter().map(|fd| !fd.revents().is_empty());
        let [input, stdout, stderr] = given.map(|given| given && found.next().unwrap_or(false));
        Ok(Ready { input, stdout, stderr })
    }
}

#[cfg(not(unix))]
mod poll {
    use std::io;
    use std::process::{ChildStderr, ChildStdin, ChildStdout};
    use std::time::Duration;

    /// The pipes with something to do.
    #[derive(Default)]
    pub(super) struct Ready {
        pub(super) input: bool,
        pub(super) stdout: bool,
        pub(super) stderr: bool,
    }

    /// Native programs are refused on such systems before they start.
    pub(super) fn ready(
        _: Option<&ChildStdin>,
        _: Option<&ChildStdout>,
        _: Option<&ChildStderr>,
        _: Duration,
    ) -> io::Result<Ready> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
