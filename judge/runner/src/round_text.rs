//! A played round in words: its end in a few lines.

use judge_core::{MatchRecord, Seat, printable};
pub(crate) use judge_referee::traced;
use judge_report::{fuel_as_ms, kib};

/// The end of a round in a few lines: result, fault, resources, log, digest.
pub(crate) fn summary(record: &MatchRecord) -> Vec<String> {
    let spec = &record.header.spec;
    let mut lines = judge_referee::ending(record);
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
