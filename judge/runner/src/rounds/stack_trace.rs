//! The functions that were running when a bot failed, by their names, with file and line where the
//! module has debug information. It is shown with results and is part of none.

use std::time::Duration;

use judge_core::{RoundRecord, Seat};
use judge_sandbox::TrapFrame;
use judge_sandbox::worker::SourceLocation;
use wasmparser::{Parser, Payload};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::function_names::{self, FunctionNames};
use crate::rounds::rerun;

/// The section that has the lines.
const LINES: &str = ".debug_line";

/// Time limit for finding lines: debug information can be made to take very long.
const LOOKED_UP: Duration = Duration::from_secs(3);

/// Most functions that are shown.
const SHOWN: usize = 12;

/// True if a module has kept the names of its functions, or lines.
pub(crate) fn is_told_by(module: &[u8]) -> bool {
    has_section(module, &["name", LINES])
}

fn has_section(module: &[u8], names: &[&str]) -> bool {
    let mut payloads = Parser::new(0).parse_all(module).map_while(Result::ok);
    payloads.any(|payload| {
        matches!(payload, Payload::CustomSection(section) if names.contains(&section.name()))
    })
}

/// The functions that were running when the bot in that seat failed, a line for each, the innermost
/// first; nothing if it did not trap.
///
/// # Errors
/// When a worker fails, or the bot does not do the same again.
pub(crate) fn lines(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) -> Result<Vec<String>, Error> {
    let trace = rerun::inspect(workers, module, (record, seat), None)?.trace;
    let frames = &trace[..trace.len().min(SHOWN)];
    let places = places(workers, module, frames);
    let names = FunctionNames::read(module);
    let shown =
        |(frame, places): (&TrapFrame, Vec<SourceLocation>)| of_frame(&names, frame, &places);
    let mut lines: Vec<String> = std::iter::zip(frames, places).flat_map(shown).collect();
    if trace.len() > SHOWN {
        lines.push("  …".to_owned());
    }
    Ok(lines)
}

/// The places of each frame; none where nothing is known. Unreadable debug information costs the
/// lines, not the trace.
fn places(workers: &Workers, module: &[u8], frames: &[TrapFrame]) -> Vec<Vec<SourceLocation>> {
    let nothing = || vec![Vec::new(); frames.len()];
    if frames.is_empty() || !has_section(module, &[LINES]) {
        return nothing();
    }
    let offsets: Vec<u32> = frames.iter().map(|frame| frame.offset.unwrap_or(0)).collect();
    let located = rerun::start(workers)
        .and_then(|mut worker| worker.locate(module, &offsets, LOOKED_UP).map_err(rerun::failed));
    located.unwrap_or_else(|_| nothing())
}

/// A frame, after the functions that the compiler put into it.
fn of_frame(names: &FunctionNames, frame: &TrapFrame, places: &[SourceLocation]) -> Vec<String> {
    let name = names.name(frame.function);
    if places.is_empty() {
        return vec![format!("  at {name}")];
    }
    let line = |place: &SourceLocation| {
        let function = place.inlined.as_deref().map(function_names::shown);
        let function = function.as_deref().unwrap_or(&name);
        let file = place.file.strip_prefix("./").unwrap_or(&place.file);
        match place.line {
            0 => format!("  at {function} ({file})"),
            line => format!("  at {function} ({file}:{line})"),
        }
    };
    places.iter().map(line).collect()
}
