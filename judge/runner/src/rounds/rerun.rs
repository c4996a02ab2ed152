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
    replay(workers, &code, (record, seat), measured)
}

/// Replays one seat's part of a round with a compiled module.
fn replay(
    workers: &Workers,
    code: &[u8],
    (record, seat): (&RoundRecord, Seat),
    measured: Option<Measured>,
) -> Result<Inspected, Error> {
    let mut worker = start(workers)?;
    worker.load(code, COMPILE).map_err(failed)?;
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

/// A point in a script's part of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SamplePoint {
    /// The script's call, counted from 0.
    pub(crate) call: u32,
    /// Fuel of the call up to there.
    pub(crate) fuel: u64,
}

/// Replays a script's part of a round up to each of these points, and interrupts it there. Returns
/// its logs, which end with its lines at that point; none where it did not stop.
///
/// # Errors
/// If the script cannot be compiled.
pub(crate) fn sample(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
    points: &[SamplePoint],
) -> Result<Vec<Option<String>>, Error> {
    let code = start(workers)?.compile_instrumented(module, COMPILE).map_err(failed)?;
    let log = &|point: &SamplePoint| {
        let record = until(record, seat, point.call);
        let measured = Measured::Sampled { call: point.call, fuel: point.fuel };
        // A script that catches the interruption plays a different round.
        replay(workers, &code, (&record, seat), Some(measured)).ok().map(|seen| seen.log)
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let share = points.len().div_ceil(workers.jobs.unwrap_or(processors).max(1)).max(1);
    let logs = std::thread::scope(|scope| {
        let share_of = |points: &'_ [SamplePoint]| {
            let points = points.to_vec();
            scope.spawn(move || points.iter().map(log).collect::<Vec<_>>())
        };
        let threads: Vec<_> = points.chunks(share).map(share_of).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    Ok(logs)
}

/// A round up to one of the seat's calls, which does not return.
fn until(record: &RoundRecord, seat: Seat, call: u32) -> RoundRecord {
    let mut record = record.clone();
    record.trailer.fault = None;
    let room = &mut record.header.spec.limits.log_bytes;
    *room = room.saturating_add(PRINTED_BYTES);
    let mut own = record.calls.iter().enumerate().filter(|(_, call)| call.seat == seat);
    if let Some((last, _)) = own.nth(call as usize) {
        record.calls.truncate(last + 1);
        record.calls[last].fuel = None;
        record.calls[last].answer = None;
    }
    record
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
