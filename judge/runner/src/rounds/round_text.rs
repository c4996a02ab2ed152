//! The end of a round in a few lines.

use std::collections::BTreeMap;

use judge_core::{RoundRecord, Seat, printable};
pub(crate) use judge_referee::traced;
use judge_report::{fuel_as_ms, kib};

/// The calls of a round whose log lines are already shown: those from an index on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownLog {
    /// None of them.
    None,
    /// The calls from this index on, counted over both seats.
    From(usize),
}

impl ShownLog {
    /// All of them. Only the lines of the start-up are missing.
    pub const ALL: ShownLog = ShownLog::From(0);
}

/// Summarizes the end of a round: result, fault, resources, the log as far as it is not shown yet,
/// digest.
pub(crate) fn summary(record: &RoundRecord, shown: ShownLog) -> Vec<String> {
    let spec = &record.header.spec;
    let mut lines = judge_referee::ending(record);
    for seat in Seat::BOTH {
        if spec.seat(seat).is_bot() {
            lines.push(used(record, seat));
        }
        lines.extend(log(record, seat, shown));
    }
    lines.push(format!("digest {}", record.digest()));
    // Names, reasons and logs are untrusted.
    lines.iter().map(|line| printable(line, usize::MAX)).collect()
}

/// The log lines by call, if it is known which call wrote them.
pub(crate) struct Logged {
    /// Lines by the index of the call.
    lines: BTreeMap<usize, Vec<String>>,
    /// Calls that start a step: answered questions, and the call in which a player failed.
    steps: Vec<usize>,
}

impl Logged {
    pub(crate) fn new(record: &RoundRecord) -> Logged {
        let of = |seat: Seat| {
            let calls = record.logged(seat).unwrap_or_default().into_iter();
            calls.map(move |(call, text)| (call, text.lines().map(logged(seat)).collect()))
        };
        let failed = record.trailer.fault.as_ref().and_then(|fault| fault.call);
        let failed = failed.and_then(|call| usize::try_from(call).ok());
        let calls = record.calls.iter().enumerate();
        let steps = calls.filter(|(at, call)| call.answer.is_some() || failed == Some(*at));
        Logged {
            lines: Seat::BOTH.into_iter().flat_map(of).collect(),
            steps: steps.map(|(at, _)| at).collect(),
        }
    }

    /// The lines of the call with that index.
    pub(crate) fn of_call(&self, call: usize) -> impl Iterator<Item = &str> {
        self.lines.get(&call).into_iter().flatten().map(String::as_str)
    }

    /// The index of the last step, if there is one.
    pub(crate) fn last_step(&self) -> Option<usize> {
        self.steps.last().copied()
    }

    /// The lines of the calls before the first step.
    pub(crate) fn of_start(&self) -> impl Iterator<Item = &str> {
        self.within(0, self.steps.first())
    }

    /// The lines from the call with that index to the next step.
    pub(crate) fn of_step(&self, call: usize) -> impl Iterator<Item = &str> {
        let next = self.steps.partition_point(|step| *step <= call);
        self.within(call, self.steps.get(next))
    }

    /// The lines of the calls from one index up to another or to the end.
    fn within(&self, from: usize, to: Option<&usize>) -> impl Iterator<Item = &str> {
        let calls = self.lines.range(from..to.copied().unwrap_or(usize::MAX));
        calls.flat_map(|(_, lines)| lines).map(String::as_str)
    }
}

/// Formats a log line for display below its call.
fn logged(seat: Seat) -> impl Fn(&str) -> String {
    move |line| format!("  seat {seat} log: {}", printable(line, usize::MAX))
}

/// The fuel that a seat has spent. If its time ran out, this is its whole budget, because the
/// record has no cost for the last call.
pub(crate) fn fuel_spent(record: &RoundRecord, seat: Seat) -> u64 {
    let ran_out = record.trailer.fault.as_ref().filter(|fault| fault.spent_the_budget());
    match ran_out {
        Some(fault) if fault.seat == Some(seat) => record.header.spec.limits.fuel,
        _ => record.fuel(seat),
    }
}

fn used(record: &RoundRecord, seat: Seat) -> String {
    let spec = &record.header.spec;
    let memory = record.trailer.peak_memory_bytes[seat];
    format!(
        "seat {seat} ({}): {} of {}, {} of {}",
        spec.seat(seat).name(),
        fuel_as_ms(fuel_spent(record, seat)),
        fuel_as_ms(spec.limits.fuel),
        kib(memory),
        kib(spec.limits.memory_bytes),
    )
}

fn log(record: &RoundRecord, seat: Seat, shown: ShownLog) -> Vec<String> {
    let (label, log) = match rest_of_log(record, seat, shown) {
        (rest, 1..) => ("earlier log", rest),
        (rest, 0) => ("log", rest),
    };
    let mut lines: Vec<String> =
        log.lines().map(|line| format!("seat {seat} {label}: {line}")).collect();
    match record.trailer.log_dropped[seat] {
        0 => {}
        dropped => lines.push(format!("seat {seat} log: {dropped} more bytes were dropped")),
    }
    lines
}

/// The part of a seat's log that is not shown yet, and the first call whose log is shown, or 0 if
/// there is none.
fn rest_of_log(record: &RoundRecord, seat: Seat, shown: ShownLog) -> (&str, usize) {
    let log = record.trailer.logs[seat].as_str();
    let (ShownLog::From(from), Some(parts)) = (shown, record.logged(seat)) else { return (log, 0) };
    let shown: usize =
        parts.iter().filter(|(call, _)| *call >= from).map(|(_, text)| text.len()).sum();
    (&log[..log.len() - shown], from)
}
