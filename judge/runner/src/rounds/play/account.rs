//! A short account of a round: players, last answers, and last position.

use judge_core::{Call, RoundRecord, Seat, printable};
use judge_games::View;
use judge_report::{FailedCall, fuel_as_ms};

use crate::Error;
use crate::base::styled_text::Styled;
use crate::rounds::round_text::{Logged, ShownLog};

/// Number of answers to show.
const LAST: usize = 3;
/// Maximum length of an answer.
const LONGEST: usize = 120;
/// Longer questions contain the whole position, which is drawn below.
const LONG_QUESTION: usize = 32;

/// Returns the account of a round as lines; empty if the judge failed.
pub(super) fn account(record: &RoundRecord) -> Result<Styled, Error> {
    let spec = &record.header.spec;
    if record.trailer.fault.as_ref().is_some_and(|fault| fault.seat.is_none()) {
        return Ok(Styled::default());
    }
    let transcript = judge_referee::transcript_of(record);
    let round = judge_referee::retrace(spec, &transcript)?;
    let mut text = Styled::default();
    let lines = std::iter::once(players(record)).chain(costliest(record));
    for line in lines.chain(last_answers(record)) {
        text.append(Styled::seats(&format!("{line}\n")));
    }
    text.push_plain(&format!("\n{}:\n", position(record)));
    text.append(Styled::frame(round.state.as_ref(), View::Everything));
    text.push_plain("\n\n");
    Ok(text)
}

fn players(record: &RoundRecord) -> String {
    let spec = &record.header.spec;
    let [one, two] = Seat::BOTH.map(|seat| format!("seat {seat} {}", spec.seat(seat).name()));
    format!("{}, seed {}: {one}, {two}", spec.game, spec.seed)
}

/// The most expensive call, if fuel was metered.
fn costliest(record: &RoundRecord) -> Option<String> {
    if let Some((at, fuel)) = call_out_of_fuel(record) {
        let Call { seat, line, .. } = record.calls.get(at)?;
        let (what, line) = (line.split(' ').next().unwrap_or_default(), at + 1);
        let ms = fuel_as_ms(fuel);
        return Some(format!(
            "most expensive call: seat {seat}, `{what}` at line {line}: the time ran out after {ms}"
        ));
    }
    let counted = record.calls.iter().enumerate();
    let counted = counted.filter_map(|(at, call)| Some((at, call, call.fuel?)));
    let (at, call, fuel) = counted.min_by_key(|(_, _, fuel)| std::cmp::Reverse(*fuel))?;
    let (seat, what) = (call.seat, call.line.split(' ').next().unwrap_or_default());
    let line = at + 1;
    Some(format!("most expensive call: seat {seat}, `{what}` at line {line}: {}", fuel_as_ms(fuel)))
}

/// True if the time ran out in a call that took nearly all of it.
pub(super) fn looks_endless(record: &RoundRecord) -> bool {
    let longest = record.calls.iter().filter_map(|call| call.fuel).max().unwrap_or(0);
    let limit = record.header.spec.limits.fuel;
    call_out_of_fuel(record).is_some_and(|(_, fuel)| FailedCall::is_endless(fuel, longest, limit))
}

/// The call in which the time ran out, and the remaining time for it, if no other call took more.
/// The record has no cost for it, because it did not end.
fn call_out_of_fuel(record: &RoundRecord) -> Option<(usize, u64)> {
    let fault = record.trailer.fault.as_ref().filter(|fault| fault.spent_the_budget())?;
    let left = record.header.spec.limits.fuel.saturating_sub(record.fuel(fault.seat?));
    let most = record.calls.iter().filter_map(|call| call.fuel).max().unwrap_or(0);
    (left > most).then_some((fault.call? as usize, left))
}

/// The calls whose log the account shows.
pub(super) fn shown_log(record: &RoundRecord) -> ShownLog {
    let answered = answered(record);
    let first = answered.get(answered.len().saturating_sub(LAST));
    first.map_or(ShownLog::None, |call| ShownLog::From(*call))
}

/// The indices of the answered questions.
fn answered(record: &RoundRecord) -> Vec<usize> {
    let calls = record.calls.iter().enumerate();
    calls.filter_map(|(at, call)| call.answer.is_some().then_some(at)).collect()
}

/// The number of answers, and the last of them with the numbers of `judge replay --move`. Below
/// each answer is the log up to the next question, and at the end that of the call in which a bot
/// failed.
fn last_answers(record: &RoundRecord) -> Vec<String> {
    let answered = answered(record);
    let logged = Logged::new(record);
    let first = answered.len().saturating_sub(LAST);
    let mut lines = vec![match answered.len() {
        0 => "no question was answered".to_owned(),
        1 => "1 answer:".to_owned(),
        number if number <= LAST => format!("{number} answers:"),
        number => format!("{number} answers, the last of them:"),
    }];
    for (place, &at) in answered.iter().enumerate().skip(first) {
        lines.push(answer(place + 1, &record.calls[at]));
        lines.extend(logged.of_step(at).map(|line| format!("  {line}")));
    }
    let failed = logged.last_step().filter(|step| answered.last().is_some_and(|last| last < step));
    if let Some(failed) = failed {
        lines.extend(logged.of_step(failed).map(|line| format!("  {line}")));
    }
    lines
}

fn answer(number: usize, call: &Call) -> String {
    let answer = printable(call.answer.as_deref().unwrap_or_default(), LONGEST);
    format!("  move {number}: seat {}: {} -> {answer}", call.seat, question(&call.line))
}

fn question(line: &str) -> &str {
    match line.len() {
        0..=LONG_QUESTION => line,
        _ => line.split(' ').next().unwrap_or_default(),
    }
}

/// The name of the last position.
fn position(record: &RoundRecord) -> String {
    match record.trailer.fault.as_ref().and_then(|fault| fault.call) {
        None => "the last position".to_owned(),
        Some(call) => format!("the position at the fault (line {})", u64::from(call) + 1),
    }
}
