//! The functions that were running when a bot failed, with file and line if the module has debug
//! information. They are shown with results, but are not a part of them.

use std::time::Duration;

use judge_core::{FailureTrace, RoundRecord, Seat, Verdict};
use judge_sandbox::worker::SourceLocation;
use judge_sandbox::{TrapFrame, interpreter_of};
use wasmparser::{Parser, Payload};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::function_names::{self, FunctionNames};
use crate::rounds::rerun;

/// The section with line numbers.
const LINES: &str = ".debug_line";

/// Time limit for finding line numbers, because malicious debug information can take very long.
const LOOKED_UP: Duration = Duration::from_secs(3);

/// True if [`complete`] can add anything for this module.
pub(crate) fn has_trace_data(module: &[u8]) -> bool {
    has_section(module, &["name", LINES]) || interpreter_of(module).is_some()
}

fn has_section(module: &[u8], names: &[&str]) -> bool {
    let mut payloads = Parser::new(0).parse_all(module).map_while(Result::ok);
    payloads.any(|payload| {
        matches!(payload, Payload::CustomSection(section) if names.contains(&section.name()))
    })
}

/// The end of a round in which the bot in that seat failed, without its log: the runtime's message
/// and the running functions, line by line. A round that cannot be repeated has only the message.
pub(crate) fn lines(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) -> Vec<String> {
    let mut trace = FailureTrace::of_round(record).unwrap_or_default();
    complete(&mut trace, workers, module, (record, seat));
    trace.log.clear();
    trace.lines()
}

/// Adds the functions that were running when the bot in that seat failed, as far as they can be
/// found: by replaying the round.
pub(crate) fn complete(
    trace: &mut FailureTrace,
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) {
    let round = (record, seat);
    let fault = record.trailer.fault.as_ref();
    let out_of_time = fault.is_some_and(|fault| fault.verdict == Verdict::TimeLimitExceeded);
    if interpreter_of(module).is_some() {
        let log = out_of_time.then(|| rerun::interrupt(workers, module, round).ok()).flatten();
        trace.add_interrupted(&log.unwrap_or_default());
    } else if let Some(fault) = fault.filter(|_| has_section(module, &["name", LINES])) {
        trace.add_frames(&frames(workers, module, round).unwrap_or_default(), fault);
    }
}

/// The functions that were running when the bot in that seat failed, innermost first; empty without
/// a trap.
///
/// # Errors
/// If a worker fails, or the bot behaves differently.
fn frames(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) -> Result<Vec<String>, Error> {
    let trace = rerun::inspect(workers, module, (record, seat), None)?.trace;
    let places = source_locations(workers, module, &trace);
    let names = FunctionNames::read(module);
    let shown =
        |(frame, places): (&TrapFrame, Vec<SourceLocation>)| of_frame(&names, frame, &places);
    Ok(std::iter::zip(&trace, places).flat_map(shown).collect())
}

/// The source locations of each frame; empty if unknown. With unreadable debug information the
/// trace has no lines.
fn source_locations(
    workers: &Workers,
    module: &[u8],
    frames: &[TrapFrame],
) -> Vec<Vec<SourceLocation>> {
    let nothing = || vec![Vec::new(); frames.len()];
    if frames.is_empty() || !has_section(module, &[LINES]) {
        return nothing();
    }
    let offsets: Vec<u32> = frames.iter().map(|frame| frame.offset.unwrap_or(0)).collect();
    let located = rerun::start(workers)
        .and_then(|mut worker| worker.locate(module, &offsets, LOOKED_UP).map_err(rerun::failed));
    located.unwrap_or_else(|_| nothing())
}

/// Formats a frame, after the functions that the compiler inlined into it.
fn of_frame(names: &FunctionNames, frame: &TrapFrame, places: &[SourceLocation]) -> Vec<String> {
    let name = names.name(frame.function);
    if places.is_empty() {
        return vec![name];
    }
    let line = |place: &SourceLocation| {
        let function = place.inlined.as_deref().map(function_names::shown);
        let function = function.as_deref().unwrap_or(&name);
        let file = place.file.strip_prefix("./").unwrap_or(&place.file);
        match place.line {
            0 => format!("{function} ({file})"),
            line => format!("{function} ({file}:{line})"),
        }
    };
    places.iter().map(line).collect()
}
