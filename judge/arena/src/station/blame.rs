//! Blame for a process that crashes during a round. The bot is at fault if that happens twice in
//! new processes that hold nothing else; otherwise the judge is.

use judge_core::{BySeat, Fault, Seat, Transcript, Verdict};
use judge_sandbox::worker::WorkerError;

/// Crashes of new processes of a bot that prove its fault.
const PROOF: u32 = 2;

/// A failed attempt.
#[derive(Debug)]
pub(super) struct FailedAttempt {
    pub(super) error: WorkerError,
    /// The seat of the failed process, if it held a bot.
    pub(super) seat: Option<Seat>,
    /// True if it failed during a round, not before.
    pub(super) in_play: bool,
    /// True if the failed process ran only the bot, without the referee.
    pub(super) alone: bool,
}

impl FailedAttempt {
    /// A failure without a bot's fault.
    pub(super) fn unblamed(error: WorkerError, in_play: bool) -> FailedAttempt {
        FailedAttempt { error, seat: None, in_play, alone: false }
    }

    /// The failure of a station without a worker.
    pub(super) fn of_no_worker() -> FailedAttempt {
        FailedAttempt::unblamed(WorkerError::Failed("no worker".to_owned()), false)
    }

    /// True if the bot may be the cause.
    pub(super) fn may_be_the_bots(&self) -> bool {
        let declined = matches!(self.error, WorkerError::Failed(_));
        self.error.may_be_the_modules() || self.alone && declined
    }
}

/// Failures of new processes so far, by seat.
#[derive(Debug, Default)]
pub(super) struct Failures(BySeat<u32>);

impl Failures {
    /// Adds a failed attempt. Returns the final transcript if another attempt has no use.
    pub(super) fn take(&mut self, failed: &FailedAttempt, fresh: bool) -> Option<Transcript> {
        if let WorkerError::Refused(why) = &failed.error {
            return Some(ended_by(failed.seat, Verdict::InvalidModule, why.to_string()));
        }
        let seat = failed.seat.filter(|_| failed.in_play)?;
        if !fresh || !failed.may_be_the_bots() {
            return None;
        }
        let count = &mut self.0[seat];
        *count += 1;
        (*count >= PROOF).then(|| blamed_on(seat, &failed.error))
    }
}

/// A round lost by the bot that crashed its process.
fn blamed_on(seat: Seat, error: &WorkerError) -> Transcript {
    match error {
        WorkerError::Deadline(_) => {
            let detail = "stopped by the watchdog, twice: it takes far longer than its time \
                          limit allows for";
            ended_by(Some(seat), Verdict::TimeLimitExceeded, detail.to_owned())
        }
        error => {
            let detail = format!("it crashed its worker process, twice: {error}");
            ended_by(Some(seat), Verdict::RuntimeError, detail)
        }
    }
}

/// An empty transcript with the judge's own failure.
pub(super) fn judges(error: &WorkerError) -> Transcript {
    judge_failed(error.to_string())
}

/// An empty transcript with that reason.
pub(super) fn judge_failed(why: String) -> Transcript {
    Transcript { fault: Some(Fault::judge(why)), ..Transcript::default() }
}

fn ended_by(seat: Option<Seat>, verdict: Verdict, detail: String) -> Transcript {
    let fault = Fault { seat, verdict, detail: detail.into(), call: None };
    Transcript { fault: Some(fault), ..Transcript::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(error: WorkerError, seat: Option<Seat>) -> FailedAttempt {
        FailedAttempt { error, seat, in_play: true, alone: false }
    }

    fn died(killed: bool) -> WorkerError {
        WorkerError::Died { what: "signal: 6".to_owned(), killed }
    }

    #[test]
    fn two_failures_in_isolation_are_blamed_on_the_bot() {
        let mut failures = Failures::default();
        let one = failed(died(false), Some(Seat::Two));
        assert_eq!(failures.take(&one, false), None, "others have played in that process");
        assert_eq!(failures.take(&one, true), None, "once may be bad luck");
        let other = failed(died(false), Some(Seat::One));
        assert_eq!(failures.take(&other, true), None, "that was the other one");
        let ended = failures.take(&one, true).expect("twice");
        let fault = ended.fault.expect("a fault");
        assert_eq!((fault.seat, fault.verdict), (Some(Seat::Two), Verdict::RuntimeError));
    }

    #[test]
    fn failures_that_no_bot_can_cause_are_judge_errors() {
        let mut failures = Failures::default();
        let cases = [
            failed(died(true), Some(Seat::One)),
            failed(WorkerError::Failed("x".to_owned()), Some(Seat::One)),
            failed(WorkerError::NoRoom, Some(Seat::One)),
            failed(WorkerError::Late(30), Some(Seat::One)),
            failed(died(false), None),
            FailedAttempt { in_play: false, ..failed(died(false), Some(Seat::One)) },
        ];
        for case in &cases {
            for _ in 0..4 {
                assert_eq!(failures.take(case, true), None, "{case:?}");
            }
        }
    }

    #[test]
    fn a_process_with_only_one_bot_cannot_decline_a_round() {
        let mut failures = Failures::default();
        let declined = WorkerError::Failed("x".to_owned());
        let declined = FailedAttempt { alone: true, ..failed(declined, Some(Seat::One)) };
        assert_eq!(failures.take(&declined, true), None);
        assert!(failures.take(&declined, true).is_some());
    }

    #[test]
    fn the_emergency_clock_is_a_time_fault() {
        let mut failures = Failures::default();
        let late = failed(WorkerError::Deadline(430), Some(Seat::One));
        assert_eq!(failures.take(&late, true), None);
        let fault = failures.take(&late, true).and_then(|ended| ended.fault).expect("a fault");
        assert_eq!(fault.verdict, Verdict::TimeLimitExceeded);
        assert!(!fault.detail.as_str().contains("430"), "the detail is the same on each machine");
    }
}
