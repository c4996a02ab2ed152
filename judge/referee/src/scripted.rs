//! A player that repeats a transcript, for replaying a round without bots.

use judge_core::{Player, PlayerFault, SeatTranscript, Usage, Verdict};

/// Plays one seat from its transcript. Any part that cannot come from an honest worker becomes a
/// judge error.
pub struct ScriptedPlayer<'a> {
    transcript: &'a SeatTranscript,
    /// The failure at the end of this seat's part.
    fault: Option<PlayerFault>,
    /// True if fuel is counted for this seat.
    metered: bool,
    /// True if the fuel is not reported, because it only counts the calls.
    is_silent: bool,
    answers: usize,
    fuel: usize,
    /// Calls so far, including the failed one.
    calls: u32,
}

impl<'a> ScriptedPlayer<'a> {
    /// A player for one seat; `metered` for bots, which have fuel for every call.
    pub fn new(
        transcript: &'a SeatTranscript,
        fault: Option<PlayerFault>,
        metered: bool,
    ) -> ScriptedPlayer<'a> {
        let is_silent = false;
        ScriptedPlayer { transcript, fault, metered, is_silent, answers: 0, fuel: 0, calls: 0 }
    }

    /// The same player without reported fuel: that of a native program only counts its calls.
    pub(crate) fn silent(self, is_silent: bool) -> ScriptedPlayer<'a> {
        ScriptedPlayer { is_silent, ..self }
    }

    /// True if the whole transcript is used up.
    pub fn is_exhausted(&self) -> bool {
        self.answers == self.transcript.answers.len() && self.fuel == self.transcript.fuel.len()
    }

    /// True if the transcript has a log part for a missing call.
    pub(crate) fn logs_beyond_end(&self) -> bool {
        let last = self.transcript.log_parts.as_ref().and_then(|parts| parts.last());
        last.is_some_and(|part| part.call >= self.calls)
    }

    /// The fuel of the next call; the recorded failure if there is no next call.
    fn next_fuel(&mut self) -> Result<Option<u64>, PlayerFault> {
        self.calls += 1;
        if !self.metered {
            return Ok(None);
        }
        let fuel = self.transcript.fuel.get(self.fuel).copied().ok_or_else(|| self.end())?;
        self.fuel += 1;
        Ok(Some(fuel).filter(|_| !self.is_silent))
    }

    fn end(&mut self) -> PlayerFault {
        self.fault.take().unwrap_or_else(|| {
            PlayerFault::new(Verdict::JudgeError, "the transcript ends before the match does")
        })
    }
}

impl Player for ScriptedPlayer<'_> {
    fn notice(&mut self, _line: &str) -> Result<Option<u64>, PlayerFault> {
        self.next_fuel()
    }

    fn ask(&mut self, _line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let fuel = self.next_fuel()?;
        let text = self.transcript.answers.get(self.answers).ok_or_else(|| self.end())?;
        if !judge_protocol::is_line(text.as_bytes()) {
            let detail = "the transcript holds an answer that is not a line";
            return Err(PlayerFault::new(Verdict::JudgeError, detail));
        }
        answer.push_str(text);
        self.answers += 1;
        Ok(fuel)
    }

    fn usage(&mut self) -> Usage {
        Usage {
            peak_memory_bytes: self.transcript.peak_memory_bytes,
            log: self.transcript.log.clone(),
            log_dropped: self.transcript.log_dropped,
            log_parts: self.transcript.log_parts.clone(),
        }
    }
}
