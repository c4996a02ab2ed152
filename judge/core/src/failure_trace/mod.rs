//! The end of a failed round for the bot's author: the runtime's message, the author's functions,
//! the last lines of the log. It explains a result, and no digest covers it.

mod languages;
mod stack;

use serde::{Deserialize, Serialize};

use crate::text::shortened;
use crate::{Fault, RoundRecord, Verdict};

/// Most lines of the log, and most characters of each.
const LOG_LINES: usize = 4;
const LINE_LETTERS: usize = 200;

/// Most characters of a message.
const MESSAGE_LETTERS: usize = 400;

/// Most functions.
const FRAMES: usize = 12;

/// The beginning of a line from the log in [`FailureTrace::lines`].
pub const LOGGED: &str = "log: ";

/// The message for functions that call themselves without end.
const ENDLESS: &str = "endless recursion";

/// The message for such functions if they may also have an end: C, Rust and Zig keep a stack in the
/// memory, and its overflow looks like any other wrong address.
const DEEP: &str = "deep or endless recursion";

/// The beginning of a fault's text for a module that overflowed its stack.
const OVERFLOW: &str = "stack overflow";

/// The beginning of a fault's text for a wrong address.
const OUTSIDE: &str = "access outside of the memory";

/// The explanation of a bot's fault. All texts are the bot's own, and bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureTrace {
    /// The message of the language's runtime: of a panic, an exception, an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The running functions with file and line, innermost first; those of a language or kit are
    /// folded to a line that begins with `…`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// The last lines of the log before the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

impl FailureTrace {
    /// The trace of a bot that failed in a round, from its log; none for a round without a fault
    /// that is its author's, and none without any text.
    pub fn of_round(record: &RoundRecord) -> Option<FailureTrace> {
        let fault = record.trailer.fault.as_ref()?;
        let seat = fault.seat.filter(|seat| record.header.spec.seat(*seat).is_bot())?;
        let log = &record.trailer.logs[seat];
        let is_ended =
            matches!(fault.verdict, Verdict::RuntimeError | Verdict::MemoryLimitExceeded);
        let mut trace = match is_ended {
            // A module that overflows its stack prints nothing: a message is an older one.
            true if fault.detail.as_str().starts_with(OVERFLOW) => {
                let message = Some(ENDLESS.to_owned());
                FailureTrace { message, ..FailureTrace::without_message(log) }
            }
            true => FailureTrace::of_log(log),
            // No message ended the bot, so one in the log is of an exception that it caught.
            false => FailureTrace::without_message(log),
        };
        trace.note_dropped(record.trailer.log_dropped[seat]);
        (!trace.is_empty()).then_some(trace)
    }

    /// The last lines of a log.
    fn without_message(log: &str) -> FailureTrace {
        FailureTrace { log: last(&log.lines().collect::<Vec<_>>()), ..FailureTrace::default() }
    }

    /// The trace as far as the log has it, if a message in it can be the cause of the fault.
    fn of_log(log: &str) -> FailureTrace {
        let lines: Vec<&str> = log.lines().collect();
        let found = languages::find(&lines);
        let before = found.as_ref().map_or(lines.len(), |found| found.start);
        let (message, frames) = found.map(|found| (found.message, found.frames)).unzip();
        let mut trace = FailureTrace { message, frames: Vec::new(), log: last(&lines[..before]) };
        trace.bound();
        let is_endless = trace.message.as_ref().is_some_and(|said| said.starts_with(ENDLESS));
        trace.add(&frames.unwrap_or_default(), is_endless.then_some(ENDLESS));
        trace
    }

    /// Adds the functions that were running at the fault, innermost first, unless the log named
    /// them. A chain of functions that repeats to its end is an endless recursion only after a stack
    /// overflow. After any other fault it may be a deep search, because only the innermost functions
    /// are known.
    pub fn add_frames(&mut self, frames: &[String], fault: &Fault) {
        let detail = fault.detail.as_str();
        let recursion = match () {
            () if detail.starts_with(OVERFLOW) => Some(ENDLESS),
            () if detail.starts_with(OUTSIDE) => Some(DEEP),
            () => None,
        };
        self.add(frames, recursion);
    }

    /// Adds functions. `recursion` is what to call a chain that repeats to its end, if anything.
    fn add(&mut self, frames: &[String], recursion: Option<&str>) {
        let stack = stack::folded(frames, recursion.is_some());
        if self.frames.is_empty() {
            self.frames = stack.lines;
        }
        if let Some((recursion, cycle)) = recursion.zip(stack.cycle) {
            self.message = Some(match self.message.take() {
                Some(said) if !said.starts_with(recursion) => {
                    format!("{recursion}: {cycle} ({said})")
                }
                _ => format!("{recursion}: {cycle}"),
            });
        }
        self.bound();
    }

    /// Adds the lines at which a script was interrupted in a call that ran out of time, from its
    /// log.
    pub fn add_interrupted(&mut self, log: &str) {
        let lines: Vec<&str> = log.lines().collect();
        let Some(found) = languages::find(&lines).filter(|found| !found.frames.is_empty()) else {
            return;
        };
        if let Some(place) = found.frames.iter().find(|frame| !stack::is_library(frame)) {
            self.message = Some(format!("in the middle of the call it was at {place}"));
            self.frames.clear();
            self.add(&found.frames, None);
        }
    }

    fn note_dropped(&mut self, bytes: u64) {
        if bytes > 0 {
            self.log.push(format!("… the log was full: {bytes} more bytes were dropped"));
        }
    }

    fn bound(&mut self) {
        self.message = self.message.take().map(|text| shortened(&text, MESSAGE_LETTERS));
        self.frames.iter_mut().for_each(|line| *line = shortened(line, LINE_LETTERS));
        if self.frames.len() > FRAMES {
            self.frames.truncate(FRAMES);
            self.frames.push("…".to_owned());
        }
    }

    /// True if it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == FailureTrace::default()
    }

    /// True if a judge can have written it: within the bounds.
    pub fn is_possible(&self) -> bool {
        let short = |most: usize| move |line: &String| line.chars().count() <= most + 1;
        self.message.iter().all(short(MESSAGE_LETTERS))
            && self.frames.len() <= FRAMES + 1
            && self.log.len() <= LOG_LINES + 1
            && self.frames.iter().chain(&self.log).all(short(LINE_LETTERS))
    }

    /// The text line by line, for people: the message, the functions, the log.
    pub fn lines(&self) -> Vec<String> {
        let frame = |line: &String| match line.starts_with('…') {
            true => line.clone(),
            false => format!("at {line}"),
        };
        let frames = self.frames.iter().map(frame);
        let log = self.log.iter().map(|line| format!("{LOGGED}{line}"));
        self.message.iter().cloned().chain(frames).chain(log).collect()
    }
}

/// The last lines of a log. Marks for the board are left out.
fn last(lines: &[&str]) -> Vec<String> {
    let is_text = |line: &&&str| {
        let is_hint = line.starts_with("note: run with `RUST_BACKTRACE");
        !line.trim().is_empty() && !line.starts_with('@') && !is_hint
    };
    let said: Vec<&&str> = lines.iter().filter(is_text).collect();
    let last = said[said.len().saturating_sub(LOG_LINES)..].iter();
    last.map(|line| shortened(line, LINE_LETTERS)).collect()
}

#[cfg(test)]
mod tests;
