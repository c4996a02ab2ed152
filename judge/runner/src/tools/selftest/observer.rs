//! The process that observes the runs of one lane of the self-test, one after the other. Any child
//! process left after a run belongs to that run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::orphans;
use super::process::{self, Order, ProcessRun};
use crate::Error;

/// Observes the runs that the self-test requests, one per line of standard input, and answers with
/// one line each on standard output.
///
/// # Errors
/// If a request cannot be parsed, or standard input or output fails.
pub fn serve() -> Result<(), Error> {
    orphans::adopt()?;
    let mut replies = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?).map_err(std::io::Error::from)?;
        let ran = process::run(&order).map_err(|error| error.to_string());
        let reply = serde_json::to_string(&ran).map_err(std::io::Error::from)?;
        writeln!(replies, "{reply}").and_then(|()| replies.flush())?;
    }
    Ok(())
}

/// The self-test's handle of an observer process.
pub(super) struct Observer {
    process: Child,
    orders: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Observer {
    /// Starts an observer: the command `worker --observe` of a judge.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(judge: &Path) -> Result<Observer, Error> {
        let mut process = Command::new(judge)
            .args(["worker", "--observe"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(orders), Some(replies)) => {
                Ok(Observer { process, orders, replies: BufReader::new(replies) })
            }
            _ => Err(Error::Judge("the observer has no pipes".to_owned())),
        }
    }

    /// Runs the judge and observes it.
    ///
    /// # Errors
    /// If the judge or the observer cannot be run.
    pub(super) fn run(&mut self, order: &Order) -> Result<ProcessRun, Error> {
        let order = serde_json::to_string(order).map_err(std::io::Error::from)?;
        let mut reply = String::new();
        writeln!(self.orders, "{order}")
            .and_then(|()| self.replies.read_line(&mut reply))
            .and_then(|_| Ok(serde_json::from_str::<Result<ProcessRun, String>>(&reply)?))
            .map_err(|error| Error::Judge(format!("the observer of the self-test: {error}")))?
            .map_err(Error::Judge)
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        // The observer waits for a request, or has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
