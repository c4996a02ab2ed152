//! A round's players, result and verdict in words.

use judge_core::{Fault, RoundRecord, Seat, SeatSpec, Verdict};

use super::language::PageLanguage;
use super::sheet::tame;
use crate::units::{fuel_as_ms, kib, share};

/// The explanation of a seat.
pub(super) const SEAT: &str = "the place of a player; seat 1 moves first";

/// The kind of a program outside the sandbox.
const NATIVE: &str = "native program, not sandboxed or metered";

/// The player in a seat, and the result for that player.
#[derive(Debug)]
pub(super) struct SeatPlayer {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) score: i64,
    pub(super) won: bool,
    /// SHA-256 of a bot's module or a trained player's table.
    pub(super) module: Option<String>,
    /// Resources that a bot used.
    pub(super) used: Option<String>,
    pub(super) log: Option<Log>,
}

/// Log of a bot.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) text: String,
    pub(super) dropped: u64,
    /// True if it is known which call wrote which line.
    pub(super) has_calls: bool,
}

/// The verdict and its explanation.
#[derive(Debug)]
pub(super) struct Ruling {
    pub(super) label: &'static str,
    pub(super) is_fault: bool,
    /// The winner, and the reason.
    pub(super) result: String,
    /// The description of a fault.
    pub(super) detail: Option<String>,
    /// The party to blame for a fault.
    pub(super) blame: Option<String>,
}

impl SeatPlayer {
    pub(super) fn new(record: &RoundRecord, seat: Seat, language: PageLanguage) -> SeatPlayer {
        let (spec, trailer) = (&record.header.spec, &record.trailer);
        let (kind, module) = match spec.seat(seat) {
            SeatSpec::Bot { sha256, .. } => ("bot", Some(sha256.to_string())),
            SeatSpec::Reference { .. } => ("reference opponent", None),
            SeatSpec::Trained { sha256, .. } => ("trained player", Some(sha256.to_string())),
            SeatSpec::Human { .. } => ("person", None),
            SeatSpec::Native { .. } => (NATIVE, None),
        };
        SeatPlayer {
            seat,
            name: tame(spec.seat(seat).name()),
            kind,
            score: trailer.outcome.score(seat),
            won: trailer.outcome.winner == Some(seat),
            used: spec.seat(seat).is_bot().then(|| used(record, seat, language)),
            log: spec.seat(seat).has_log().then(|| Log {
                text: tame(&trailer.logs[seat]),
                dropped: trailer.log_dropped[seat],
                has_calls: record.logged(seat).is_some(),
            }),
            module,
        }
    }
}

fn used(record: &RoundRecord, seat: Seat, language: PageLanguage) -> String {
    let limits = &record.header.spec.limits;
    let (fuel, memory) = (record.fuel(seat), record.trailer.peak_memory_bytes[seat]);
    let most = format!("{} ({})", fuel_as_ms(limits.fuel), share(fuel, limits.fuel));
    let time = language.t2("{0} of {1}", fuel_as_ms(fuel), most);
    let memory = language.t2("{0} of {1}", kib(memory), kib(limits.memory_bytes));
    format!("{time}, {memory}")
}

impl Ruling {
    pub(super) fn new(record: &RoundRecord, language: PageLanguage) -> Ruling {
        let fault = record.trailer.fault.as_ref();
        Ruling {
            label: fault.map_or("Played to the end", |fault| fault.verdict.label()),
            is_fault: fault.is_some(),
            result: result(record, language),
            detail: fault.map(|fault| detail(record, fault, language)),
            blame: fault.and_then(|fault| blame(record, fault, language)),
        }
    }
}

fn result(record: &RoundRecord, language: PageLanguage) -> String {
    let outcome = &record.trailer.outcome;
    let reason = tame(&outcome.reason);
    match outcome.winner {
        None if record.trailer.fault.is_none() => language.t1("a draw ({0})", reason),
        None => language.t1("no winner ({0})", reason),
        Some(winner) => language.t2("seat {0} wins ({1})", winner, reason),
    }
}

fn detail(record: &RoundRecord, fault: &Fault, language: PageLanguage) -> String {
    let who = match fault.seat {
        None => language.t("the judge"),
        Some(seat) => {
            let name = tame(record.header.spec.seat(seat).name());
            language.t2("seat {0} ({1})", seat, name)
        }
    };
    let line = |call| language.t2("{0} at line {1} of the protocol", &who, u64::from(call) + 1);
    let place = fault.call.map_or_else(|| who.clone(), line);
    format!("{place}: {}", language.t(&tame(fault.detail.as_str())))
}

/// The seat to blame for a fault; none for a resignation.
fn blame(record: &RoundRecord, fault: &Fault, language: PageLanguage) -> Option<String> {
    if fault.verdict == Verdict::Resigned {
        return None;
    }
    let Some(seat) = fault.seat else {
        return Some(language.t("the judge; it counts against neither player"));
    };
    let who = match record.header.spec.seat(seat) {
        SeatSpec::Bot { .. } => "bot",
        SeatSpec::Reference { .. } => "reference opponent",
        SeatSpec::Trained { .. } => "trained player",
        SeatSpec::Human { .. } => "person",
        SeatSpec::Native { .. } => NATIVE,
    };
    Some(language.t2("the {0} in seat {1}", language.t(who), seat))
}
