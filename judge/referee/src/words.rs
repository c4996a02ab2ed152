//! A played round as text: its calls as lines of a trace, and its end.

use judge_core::{Call, RoundRecord, printable};

/// One line of a trace: seat, line, answer, cost.
pub fn traced(call: &Call) -> String {
    let answer = call.answer.as_ref().map(|answer| format!(" -> {answer}")).unwrap_or_default();
    let fuel = call.fuel.map(|fuel| format!("  ({fuel} fuel)")).unwrap_or_default();
    printable(&format!("{}: {}{answer}{fuel}", call.seat, call.line), usize::MAX)
}

/// The result, and the fault if there is one, one line each.
pub fn ending(record: &RoundRecord) -> Vec<String> {
    let spec = &record.header.spec;
    let outcome = &record.trailer.outcome;
    let mut lines = vec![match outcome.winner {
        None => format!("draw {}:{} ({})", outcome.scores[0], outcome.scores[1], outcome.reason),
        Some(winner) => format!(
            "seat {winner} ({}) wins {}:{} ({})",
            spec.seat(winner).name(),
            outcome.score(winner),
            outcome.score(winner.other()),
            outcome.reason
        ),
    }];
    if let Some(fault) = &record.trailer.fault {
        let who = match fault.seat {
            None => "the judge".to_owned(),
            Some(seat) => format!("seat {seat} ({})", spec.seat(seat).name()),
        };
        let call = fault.call.map(|call| format!(" at line {}", call + 1)).unwrap_or_default();
        lines.push(format!("{}: {who}{call}: {}", fault.verdict, fault.detail));
    }
    lines.extend(spec.native().map(|seat| {
        let name = spec.seat(seat).name();
        format!(
            "seat {seat} ({name}) is a native program: not sandboxed, not metered, never graded"
        )
    }));
    lines
}
