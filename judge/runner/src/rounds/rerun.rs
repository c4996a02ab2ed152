//! Reruns of a bot: it gets the lines of a played round again in a separate process, to collect
//! data that the round does not keep. Nothing is recorded.

use std::time::Duration;

use judge_core::{RoundRecord, Seat, Verdict};
use judge_sandbox::worker::{Inspected, Seating, Supervisor, TellError, Terms, WorkerError};
use judge_sandbox::{Measured, random_seed};

use crate::Error;
use crate::base::workers::Workers;

/// Processor time for the start, for compilation and for a call, as emergency limits.
pub(crate) const START: Duration = Duration::from_secs(30);
const COMPILE: Duration = Duration::from_secs(240);
const CALL: Duration = Duration::from_secs(1800);

/// Replays one seat's part of a round, and returns the activity of the bot's functions. With
/// `measured` their fuel is counted.
///
/// # Errors
/// If a worker fails, or the bot behaves differently.
pub(crate) fn inspect(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
    measured: Option<Measured>,
) -> Result<Inspected, Error> {
    let code = {
        let mut compiler = start(workers)?;
        match measured {
            Some(_) => compiler.compile_instrumented(module, COMPILE),
            None => compiler.compile(module, COMPILE),
        }
        .map_err(failed)?
    };
    let mut worker = start(workers)?;
    worker.load(&code, COMPILE).map_err(failed)?;
    let spec = &record.header.spec;
    let fault = record.trailer.fault.as_ref();
    let strict = fault.is_some_and(|fault| fault.verdict == Verdict::TimeLimitExceeded);
    let random = random_seed(spec.seed, seat);
    let seating = Seating { limits: spec.limits, seat, random, measured, strict };
    worker.begin(seating, START).map_err(failed)?;
    for call in record.calls.iter().filter(|call| call.seat == seat) {
        match worker.tell_again(&call.line, CALL) {
            Ok(told) if call.fuel.is_some() => {
                if told.fuel != call.fuel || call.answer.as_ref().is_some_and(|a| *a != told.answer)
                {
                    return Err(different());
                }
            }
            Err(TellError::Worker(error)) => return Err(failed(error)),
            Err(TellError::Bot(_)) if call.fuel.is_none() => break,
            Ok(_) | Err(TellError::Bot(_)) => return Err(different()),
        }
    }
    worker.inspect(START).map_err(failed)
}

/// Replays one seat's part of a round that a script's last call ended out of time, and interrupts
/// that call in its middle. Returns the script's log, which ends with its lines at that point.
///
/// # Errors
/// As [`inspect`].
pub(crate) fn interrupt(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) -> Result<String, Error> {
    let own = record.calls.iter().filter(|call| call.seat == seat).count();
    let last = u32::try_from(own.saturating_sub(1)).unwrap_or(u32::MAX);
    let mut record = record.clone();
    // The interpreter prints behind what the script has logged.
    let room = &mut record.header.spec.limits.log_bytes;
    *room = room.saturating_add(PRINTED_BYTES);
    let measured = Some(Measured::Interrupted(last));
    Ok(inspect(workers, module, (&record, seat), measured)?.log)
}

/// Room for an interpreter's last message in a log.
const PRINTED_BYTES: u64 = 1 << 16;

/// Starts a worker process.
pub(crate) fn start(workers: &Workers) -> Result<Supervisor, Error> {
    let terms = Terms { group: workers.group.clone(), ..Terms::default() };
    let mut worker = Supervisor::start(&workers.command, &terms).map_err(failed)?;
    worker.hello(START).map_err(failed)?;
    Ok(worker)
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn failed(error: WorkerError) -> Error {
    Error::Judge(error.to_string())
}

fn different() -> Error {
    let what = "the bot did not repeat the round: recursion near the stack limit may end at another \
                depth when inspected";
    Error::Judge(what.to_owned())
}
