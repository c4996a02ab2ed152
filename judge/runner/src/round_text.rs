//! A played round in words: its calls as the lines of a trace, and its end in a few lines.

use judge_core::{Call, MatchRecord, Seat, printable};
use judge_report::{fuel_as_ms, kib};

/// One line of a trace: seat, line, answer, cost.
pub(crate) fn traced(call: &Call) -> String {
    let answer = call.answer.as_ref().map(|answer| format!(" -> {answer}")).unwrap_or_default();
    let fuel = call.fuel.map(|fuel| format!("  ({fuel} fuel)")).unwrap_or_default();
    printable(&format!("{}: {}{answer}{fuel}", call.seat, call.line), usize::MAX)
}

/// The end of a round in a few lines: result, fault, resources, log, digest.
pub(crate) fn summary(record: &MatchRecord) -> Vec<String> {
    let spec = &record.header.spec;
    let trailer = &record.trailer;
    let outcome = &trailer.outcome;
    let mut lines = Vec::new();
    lines.push(match outcome.winner {
        None => format!("draw {}:{} ({})", outcome.scores[0], outcome.scores[1], outcome.reason),
        Some(winner) => format!(
            "seat {winner} ({}) wins {}:{} ({})",
            spec.seat(winner).name(),
            outcome.score(winner),
            outcome.score(winner.other()),
            outcome.reason
        ),
    });
    if let Some(fault) = &trailer.fault {
        let who = match fault.seat {
            None => "the judge".to_owned(),
            Some(seat) => format!("seat {seat} ({})", spec.seat(seat).name()),
        };
        let call = fault.call.map(|call| format!(" at line {}", call + 1)).unwrap_or_default();
        lines.push(format!("{}: {who}{call}: {}", fault.verdict, fault.detail));
    }
    for seat in Seat::BOTH.into_iter().filter(|seat| spec.seat(*seat).is_bot()) {
        lines.extend(used(record, seat));
    }
    lines.push(format!("digest {}", record.digest()));
    // Names, reasons and logs come from outside.
    lines.iter().map(|line| printable(line, usize::MAX)).collect()
}

fn used(record: &MatchRecord, seat: Seat) -> Vec<String> {
    let spec = &record.header.spec;
    let memory = record.trailer.peak_memory_bytes[seat];
    let mut lines = vec![format!(
        "seat {seat} ({}): {} of {}, {} of {}",
        spec.seat(seat).name(),
        fuel_as_ms(record.fuel(seat)),
        fuel_as_ms(spec.limits.fuel),
        kib(memory),
        kib(spec.limits.memory_bytes),
    )];
    let log = &record.trailer.logs[seat];
    for line in log.lines() {
        lines.push(format!("seat {seat} log: {line}"));
    }
    match record.trailer.log_dropped[seat] {
        0 => {}
        dropped => lines.push(format!("seat {seat} log: {dropped} bytes more were dropped")),
    }
    lines
}
