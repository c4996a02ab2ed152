//! The functions that were running when a bot failed, with file and line if the module has debug
//! information. They are shown with results, but are not a part of them.

use std::time::Duration;

use judge_core::{RoundRecord, Seat, printable};
use judge_sandbox::TrapFrame;
use judge_sandbox::worker::SourceLocation;
use wasmparser::{Parser, Payload};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::function_names::{self, FunctionNames};
use crate::rounds::rerun;

/// The section with line numbers.
const LINES: &str = ".debug_line";

/// Time limit for finding line numbers, because malicious debug information can take very long.
const LOOKED_UP: Duration = Duration::from_secs(3);

/// Maximum number of lines to show.
const SHOWN: usize = 12;

/// Maximum number of last lines of the log to show.
const LOGGED: usize = 4;

/// Maximum length of such a line.
const LONGEST: usize = 200;

/// Minimum number of repeated lines at the end of a trace that are a recursion without end.
const REPEATED: usize = 10;

/// True if a module has function names or line numbers.
pub(crate) fn is_told_by(module: &[u8]) -> bool {
    has_section(module, &["name", LINES])
}

fn has_section(module: &[u8], names: &[&str]) -> bool {
    let mut payloads = Parser::new(0).parse_all(module).map_while(Result::ok);
    payloads.any(|payload| {
        matches!(payload, Payload::CustomSection(section) if names.contains(&section.name()))
    })
}

/// The functions that were running when the bot in that seat failed, one per line, innermost first;
/// empty without a trap.
///
/// # Errors
/// If a worker fails, or the bot behaves differently.
pub(crate) fn lines(
    workers: &Workers,
    module: &[u8],
    (record, seat): (&RoundRecord, Seat),
) -> Result<Vec<String>, Error> {
    let trace = rerun::inspect(workers, module, (record, seat), None)?.trace;
    let places = places(workers, module, &trace);
    let names = FunctionNames::read(module);
    let shown =
        |(frame, places): (&TrapFrame, Vec<SourceLocation>)| of_frame(&names, frame, &places);
    let lines: Vec<String> = std::iter::zip(&trace, places).flat_map(shown).collect();
    let mut lines = folded(&without_repetition(&lines));
    if lines.len() > SHOWN {
        lines.truncate(SHOWN);
        lines.push("  …".to_owned());
    }
    Ok(lines)
}

/// The last lines that the bot in that seat logged: runtimes of languages write there why they
/// stop.
pub(crate) fn last_logged((record, seat): (&RoundRecord, Seat)) -> Vec<String> {
    let said = |line: &&str| {
        let is_hint = line.starts_with("note: run with `RUST_BACKTRACE");
        !line.trim().is_empty() && !line.starts_with('@') && !is_hint
    };
    let lines: Vec<&str> = record.trailer.logs[seat].lines().filter(said).collect();
    let last = lines[lines.len().saturating_sub(LOGGED)..].iter();
    last.map(|line| format!("  log: {}", printable(&with_type(line), LONGEST))).collect()
}

/// The kit's line about an exception in C++, with the type as the program writes it.
fn with_type(line: &str) -> String {
    const THROWN: &str = "exception thrown: ";
    let Some(mangled) = line.strip_prefix(THROWN) else { return line.to_owned() };
    let name = function_names::shown(&format!("_ZTS{mangled}"));
    let name = name.strip_prefix("typeinfo name for ").unwrap_or(mangled);
    format!("{THROWN}{name}")
}

/// Names the functions of an endless recursion once. Only a trace that repeats to its end is one.
fn without_repetition(lines: &[String]) -> Vec<String> {
    let repeats = |(start, period): &(usize, usize)| {
        let rest = &lines[*start..];
        rest.len() >= (3 * period).max(REPEATED)
            && rest.iter().zip(&rest[*period..]).all(|(one, next)| one == next)
    };
    let candidates = (0..=2).flat_map(|start| (1..=4).map(move |period| (start, period)));
    let Some((start, period)) = candidates.filter(|(start, _)| *start < lines.len()).find(repeats)
    else {
        return lines.to_vec();
    };
    let mut once = lines[..start + period].to_vec();
    once.push("  … the same again and again: a recursion without end".to_owned());
    once
}

/// Folds neighbouring functions of languages and kits into one line, because the author cannot
/// change them.
fn folded(lines: &[String]) -> Vec<String> {
    let mut shown = Vec::new();
    for group in lines.chunk_by(|one, next| is_library(one) == is_library(next)) {
        match group {
            [first, _, ..] if is_library(first) => {
                let count = group.len();
                shown.push(format!("  … {count} functions of the language or the kit"));
            }
            group => shown.extend_from_slice(group),
        }
    }
    shown
}

/// Beginnings of the names of functions that languages bring.
const LIBRARY: [&str; 19] = [
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "<dyn ",
    "__rust",
    "rust_",
    "runtime.",
    "__main_void",
    "__cxa_",
    "__wasi",
    "__libc",
    "__wasm",
    "_start",
    "abort",
    "~lib/",
    "judge_kit::",
];

/// Beginnings of the files that languages and kits bring.
const LIBRARY_FILES: [&str; 4] = ["(kit/", "(cargo/", "(/rustc/", "(library/"];

/// True for a line about a function that is not the author's.
fn is_library(line: &str) -> bool {
    let Some(function) = line.strip_prefix("  at ") else { return false };
    let is_name = LIBRARY.iter().any(|start| function.starts_with(start));
    is_name || LIBRARY_FILES.iter().any(|start| function.contains(start))
}

/// The source locations of each frame; empty if unknown. With unreadable debug information the
/// trace has no lines.
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

/// Formats a frame, after the functions that the compiler inlined into it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split_whitespace().map(|name| format!("  at {name}")).collect()
    }

    #[test]
    fn functions_of_a_language_are_folded_and_those_of_the_author_stay() {
        let frames = lines("abort std::process::abort __rust_start_panic brain::think main::main");
        let shown = folded(&frames);
        assert_eq!(shown[0], "  … 3 functions of the language or the kit");
        assert_eq!(shown[1..], frames[3..]);
        assert_eq!(folded(&lines("think judge_line")), lines("think judge_line"));
        let kit = ["  at take (kit/src/seat.h:2)", "  at judge_line (kit/src/bot.cpp:13)"];
        assert_eq!(folded(&kit.map(str::to_owned)).len(), 1);
        assert_eq!(folded(&lines("abort think")), lines("abort think"), "a single one stays");
    }

    #[test]
    fn a_recursion_without_end_is_named_once() {
        let frames = lines(&"deep deeper ".repeat(10));
        let once = without_repetition(&frames);
        assert_eq!(once[..2], frames[..2]);
        assert_eq!(once[2..], ["  … the same again and again: a recursion without end"]);
        let after = [lines("leaf"), lines(&"deep ".repeat(12))].concat();
        assert_eq!(without_repetition(&after).len(), 3);
        let ended = [lines(&"deep ".repeat(12)), lines("main")].concat();
        assert_eq!(without_repetition(&ended), ended, "it has a beginning");
    }

    #[test]
    fn types_of_exceptions_are_readable() {
        let line = with_type("exception thrown: St13runtime_error");
        assert_eq!(line, "exception thrown: std::runtime_error");
        assert_eq!(
            with_type("exception thrown: a very large one"),
            "exception thrown: a very large one"
        );
        assert_eq!(with_type("panicked"), "panicked");
    }
}
