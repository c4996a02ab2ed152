//! A bot as a child process, with lines over two pipes, like judges without a sandbox.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use judge_core::{Player, PlayerFault, Verdict};
use wait4::Wait4 as _;

/// A bot in a separate process.
pub struct PipePlayer {
    /// Present until the end.
    child: Option<Child>,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Notices that are sent with the next question: one write instead of many.
    waiting: Vec<u8>,
}

impl PipePlayer {
    /// Starts the program.
    ///
    /// # Errors
    /// When the system does not start it.
    pub fn start(program: &Path) -> std::io::Result<PipePlayer> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| std::io::Error::other("no pipes"))?;
        let answers = BufReader::new(answers);
        Ok(PipePlayer { child: Some(child), requests, answers, waiting: Vec::new() })
    }
}

impl PipePlayer {
    /// Ends the process; returns its processor time.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn end(mut self) -> std::io::Result<std::time::Duration> {
        let Some(mut child) = self.child.take() else { return Ok(std::time::Duration::ZERO) };
        child.kill()?;
        let ended = child.wait4()?;
        Ok(ended.rusage.utime + ended.rusage.stime)
    }
}

impl Drop for PipePlayer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn broken(error: std::io::Error) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, error.to_string())
}

impl Player for PipePlayer {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.notice(line)?;
        self.requests.write_all(&self.waiting).map_err(broken)?;
        self.waiting.clear();
        self.answers.read_line(answer).map_err(broken)?;
        answer.truncate(answer.trim_end().len());
        Ok(None)
    }
}
