//! The only interface through which the referee sees a player of any kind.

use serde::{Deserialize, Serialize};

use crate::{LogPart, PlayerFault};

/// A player's resource usage in one round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Peak memory in bytes; 0 if it is not measured.
    pub peak_memory_bytes: u64,
    /// The player's log, unchanged: any bytes.
    pub log: Vec<u8>,
    /// Dropped bytes of log beyond the limit.
    pub log_dropped: u64,
    /// The parts of the log by call; none if they are unknown, or the log is
    /// empty.
    pub log_parts: Option<Vec<LogPart>>,
}

/// The player of one seat in one round: a sandboxed bot, a reference opponent, a person, or a
/// recording.
///
/// Lines come in the order of the protocol (`sdk/PROTOCOL.md`), without line ends. Both calls
/// return the fuel of the call, or none if fuel is not counted.
pub trait Player {
    /// Sends the player a notice, which has no answer.
    ///
    /// # Errors
    /// When the player fails; the round is then over.
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault>;

    /// Asks the player a question and writes its answer, one line, to `answer` (empty on entry).
    ///
    /// # Errors
    /// When the player fails to answer; the round is then over.
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault>;

    /// Resource usage over the round, requested once at its end.
    fn usage(&mut self) -> Usage {
        Usage::default()
    }
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        (**self).notice(line)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        (**self).ask(line, answer)
    }

    fn usage(&mut self) -> Usage {
        (**self).usage()
    }
}
