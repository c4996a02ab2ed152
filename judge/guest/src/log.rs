//! A bot's log for its author: kept up to a limit; the rest is only counted.

use judge_core::Limits;

/// Log output of one bot in one round.
#[derive(Debug, Default)]
pub struct Log {
    /// Bytes within the limit.
    pub text: Vec<u8>,
    /// Bytes beyond the limit.
    pub dropped: u64,
    limit: u64,
}

impl Log {
    /// An empty log with the limit of a round.
    pub fn new(limits: &Limits) -> Log {
        Log { limit: limits.log_bytes, ..Log::default() }
    }

    /// Appends bytes, up to the limit.
    pub fn append(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.text.len() as u64);
        let kept = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.text.extend_from_slice(&bytes[..kept]);
        self.dropped += (bytes.len() - kept) as u64;
    }
}
