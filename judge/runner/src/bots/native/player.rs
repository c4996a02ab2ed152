//! A native program as a player: the same lines, and the same faults, as a program on stdio.

use std::io;
use std::time::{Duration, Instant};

use judge_core::{Player, PlayerFault, Usage, Verdict};
use judge_sandbox::{MAX_OUTPUT, flood, nothing, one_line};

use super::process::NativeProcess;
use super::{NativeSetup, ending};

/// Interval between looks for the program's end.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time for a program that closed its output to end, too.
const CLOSING: Duration = Duration::from_secs(1);

/// Time for a program to end after the round, unless a debugger holds it.
const FAREWELL: Duration = Duration::from_secs(10);

/// Silence that is explained, unless a debugger causes it.
const SILENCE: Duration = Duration::from_secs(10);

/// The first word of the last line.
const LAST_LINE: &str = "end";

/// A program in a seat. It starts at the first line.
pub(crate) struct NativePlayer {
    setup: NativeSetup,
    log_bytes: u64,
    process: Option<NativeProcess>,
    /// The last line that was sent.
    last: String,
    /// True after the silence was explained.
    explained: bool,
}

impl NativePlayer {
    pub(crate) fn new(setup: NativeSetup, log_bytes: u64) -> NativePlayer {
        NativePlayer { setup, log_bytes, process: None, last: String::new(), explained: false }
    }

    /// The process, which is started if necessary.
    fn process(&mut self) -> Result<&mut NativeProcess, PlayerFault> {
        if self.process.is_none() {
            let process =
                NativeProcess::start(&self.setup.command, self.log_bytes).map_err(|error| {
                    let program = self.setup.command.program();
                    judges(format!("cannot start `{program}`: {error}"))
                })?;
            self.process = Some(attached(process, &self.setup)?);
        }
        self.process.as_mut().ok_or_else(|| judges("no process".to_owned()))
    }

    /// Sends a line, and waits for a line in answer to a question.
    fn send(&mut self, line: &str, asked: bool) -> Result<Vec<u8>, PlayerFault> {
        let before = match self.last.as_str() {
            "" => "before the first line".to_owned(),
            last => format!("after `{last}`"),
        };
        let process = self.process()?;
        process.begin_call();
        if asked {
            settle(process.id());
        }
        process.catch_up(MAX_OUTPUT).map_err(failed)?;
        nothing(&process.output, &before)?;
        line.clone_into(&mut self.last);
        let mut to_write = format!("{line}\n").into_bytes();
        let begun = Instant::now();
        loop {
            let process = self.process()?;
            let answered = process.output.contains(&b'\n');
            if to_write.is_empty() && (answered || !asked) {
                break;
            }
            if process.output.len() > MAX_OUTPUT {
                return Err(flood(&process.output, &format!("after `{line}`")));
            }
            if process.exchange(&mut to_write, LOOK_EVERY).map_err(failed)? {
                continue;
            }
            self.look(line, begun, asked)?;
        }
        let process = self.process()?;
        process.catch_up(MAX_OUTPUT).map_err(failed)?;
        Ok(std::mem::take(&mut process.output))
    }

    /// Looks for the end of a silent program, and for the end of patience.
    fn look(&mut self, line: &str, begun: Instant, asked: bool) -> Result<(), PlayerFault> {
        let (timeout, elapsed) = (self.setup.timeout, begun.elapsed());
        let process = self.process()?;
        if let Some(status) = process.status().map_err(failed)? {
            return Err(ending::early(
                status,
                &format!("after `{line}`, before the round was over"),
            ));
        }
        if !process.prints() && asked && elapsed > CLOSING {
            let text = format!("closed its standard output after `{line}`");
            return Err(PlayerFault::new(Verdict::RuntimeError, text));
        }
        if let Some(timeout) = timeout.filter(|timeout| elapsed > *timeout) {
            return Err(silent(line, timeout, process.output.is_empty()));
        }
        if timeout.is_none() && elapsed > SILENCE && !self.explained {
            self.explained = true;
            let process = self.process()?;
            if !is_traced(process.id()) {
                let text = format!(
                    "no answer to `{line}` for {} s; a program that prints to a pipe must flush \
                     each line; Ctrl-C ends the round",
                    SILENCE.as_secs()
                );
                (self.setup.tell)(&text);
            }
        }
        Ok(())
    }

    /// Ends the input and waits for the end of the program, which may print nothing more.
    fn finish(&mut self, line: &str) -> Result<(), PlayerFault> {
        let patience = self.setup.timeout.unwrap_or(FAREWELL);
        let waits = self.setup.timeout.is_none();
        let process = self.process()?;
        process.end_input();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = process.status().map_err(failed)? {
                break Some(status);
            }
            if begun.elapsed() > patience && !(waits && is_traced(process.id())) {
                break None;
            }
            let printed = process.output.len() > MAX_OUTPUT;
            if printed || !process.exchange(&mut Vec::new(), LOOK_EVERY / 10).map_err(failed)? {
                std::thread::sleep(LOOK_EVERY / 10);
            }
        };
        process.catch_up(MAX_OUTPUT).map_err(failed)?;
        process.end();
        nothing(&process.output, &format!("after `{line}`"))?;
        let Some(status) = status else {
            let text = "it does not stop when there is no more input";
            return Err(PlayerFault::new(Verdict::TimeLimitExceeded, text));
        };
        match ending::crash(status) {
            Some(signal) => {
                let text = format!("ended by {signal} after `{line}`");
                Err(PlayerFault::new(Verdict::RuntimeError, text))
            }
            None => Ok(()),
        }
    }

    /// Ends the program after a fault, so that its log is complete.
    fn ended<T>(&mut self, result: Result<T, PlayerFault>) -> Result<T, PlayerFault> {
        if let (Err(_), Some(process)) = (&result, &mut self.process) {
            process.end();
        }
        result
    }
}

impl Player for NativePlayer {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let mut sent =
            self.send(line, false).and_then(|output| nothing(&output, &format!("after `{line}`")));
        if sent.is_ok() && line.split(' ').next() == Some(LAST_LINE) {
            sent = self.finish(line);
        }
        // The fuel only counts the calls.
        self.ended(sent).map(|()| Some(0))
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let sent = self.send(line, true);
        let sent = sent.and_then(|output| {
            answer.push_str(one_line(&output, line)?);
            Ok(())
        });
        self.ended(sent).map(|()| Some(0))
    }

    fn usage(&mut self) -> Usage {
        let Some(process) = &mut self.process else { return Usage::default() };
        // After a failure the log is the one so far.
        let _ = process.catch_up(MAX_OUTPUT);
        process.usage()
    }
}

/// Announces a process and, if the user wishes, waits for a debugger.
fn attached(mut process: NativeProcess, setup: &NativeSetup) -> Result<NativeProcess, PlayerFault> {
    let (id, name) = (process.id(), setup.command.name());
    (setup.tell)(&format!("`{name}` is process {id}; it is not sandboxed and not metered"));
    if !setup.waits {
        return Ok(process);
    }
    if cfg!(not(target_os = "linux")) {
        (setup.tell)(&format!("attach a debugger (`lldb -p {id}`), then press Enter"));
        std::io::stdin().read_line(&mut String::new()).map_err(failed)?;
        return Ok(process);
    }
    (setup.tell)(&format!("the round begins when a debugger is attached: `gdb -p {id}`"));
    while !is_traced(id) {
        if let Some(status) = process.status().map_err(failed)? {
            return Err(ending::early(status, "before its first line"));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(process)
}

/// Waits briefly while a program works on earlier lines, so that output without a question is not
/// taken for the answer to the next one. Returns at once if the system does not report its state.
fn settle(id: u32) {
    let begun = Instant::now();
    let is_working = || {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
    };
    while is_working() && begun.elapsed() < LOOK_EVERY / 5 {
        std::thread::sleep(LOOK_EVERY / 200);
    }
}

/// True if a debugger is attached to the process; false if the system does not say.
fn is_traced(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

fn silent(line: &str, timeout: Duration, is_empty: bool) -> PlayerFault {
    let what = if is_empty { "printed nothing" } else { "printed no whole line" };
    let seconds = timeout.as_secs_f64();
    let text = format!("{what} for {seconds} s after `{line}`: did you forget to flush?");
    PlayerFault::new(Verdict::TimeLimitExceeded, text)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: io::Error) -> PlayerFault {
    judges(format!("the native program cannot be reached: {error}"))
}

fn judges(text: String) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, text)
}
