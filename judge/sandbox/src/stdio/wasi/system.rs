//! Other system functions of a program: arguments, time, random bytes, and its end.

use judge_guest::wasi::Errno;
use wasmtime::Caller;

use super::super::ProgramEnd;
use super::super::guest::Guest;
use super::memory::{Answered, ELEMENT_FUEL, MAX_ELEMENTS, bytes, charge, put_u32, put_u64, split};
use crate::fuel;

/// Number of clocks: realtime, monotonic, and those of process and thread. All show the same time.
const CLOCKS: i32 = 4;

/// Sizes of an element of `poll_oneoff`'s input and output.
const SUBSCRIPTION: u32 = 48;
const EVENT: u32 = 32;

/// Returns an empty list, which needs no room.
pub(super) fn empty_list(mut caller: Caller<'_, Guest>, _list: i32, _text: i32) -> Answered {
    super::enter(&mut caller)?;
    Ok(Errno::Success.code())
}

/// Returns the sizes of an empty list: no elements and no bytes.
pub(super) fn empty_sizes(mut caller: Caller<'_, Guest>, count: i32, size: i32) -> Answered {
    super::enter(&mut caller)?;
    let (memory, _) = split(&mut caller)?;
    put_u32(memory, count as u32, 0)?;
    put_u32(memory, size as u32, 0)?;
    Ok(Errno::Success.code())
}

pub(super) fn resolution(mut caller: Caller<'_, Guest>, clock: i32, out: i32) -> Answered {
    super::enter(&mut caller)?;
    if !(0..CLOCKS).contains(&clock) {
        return Ok(Errno::Inval.code());
    }
    put_u64(split(&mut caller)?.0, out as u32, 1)?;
    Ok(Errno::Success.code())
}

/// Returns the time: one nanosecond since 1970 for each unit of fuel spent, plus the time slept.
pub(super) fn time(
    mut caller: Caller<'_, Guest>,
    clock: i32,
    _precision: i64,
    out: i32,
) -> Answered {
    super::enter(&mut caller)?;
    if !(0..CLOCKS).contains(&clock) {
        return Ok(Errno::Inval.code());
    }
    let now = {
        let left = fuel::left(&mut caller)?;
        caller.data().clock.now(left)
    };
    put_u64(split(&mut caller)?.0, out as u32, now)?;
    Ok(Errno::Success.code())
}

/// Offset of a subscription's kind: a clock, input or output.
const KIND: usize = 8;
const CLOCK: u8 = 0;

/// Polls: every awaited event is ready at once. A poll of clocks is a sleep: it takes no time and
/// only the fuel of the call, and afterwards the clock shows the latest awaited time. Input and
/// output are ready at once, so a poll for them is not a sleep.
pub(super) fn poll(
    mut caller: Caller<'_, Guest>,
    subscriptions: i32,
    events: i32,
    count: i32,
    out: i32,
) -> Answered {
    let (subscriptions, events) = (subscriptions as u32, events as u32);
    let count = count as u32;
    super::enter(&mut caller)?;
    if !(1..=MAX_ELEMENTS).contains(&count) {
        return Ok(Errno::Inval.code());
    }
    charge(&mut caller, ELEMENT_FUEL * u64::from(count))?;
    let left = fuel::left(&mut caller)?;
    let (memory, guest) = split(&mut caller)?;
    let now = guest.clock.now(left);
    let mut wakes = Some(now);
    for index in 0..count {
        let asked =
            bytes(memory, subscriptions.saturating_add(index * SUBSCRIPTION), SUBSCRIPTION)?;
        wakes = wakes.zip(alarm(asked, now)).map(|(one, other)| one.max(other));
        let mut event = [0; EVENT as usize];
        // The caller's number for the subscription, and its kind.
        event[..8].copy_from_slice(&asked[..8]);
        event[10] = asked[KIND];
        bytes(memory, events.saturating_add(index * EVENT), EVENT)?.copy_from_slice(&event);
    }
    put_u32(memory, out as u32, count)?;
    if let Some(wakes) = wakes {
        guest.clock.sleep_until(wakes, left);
    }
    Ok(Errno::Success.code())
}

/// The awaited time of a subscription; none if it is not for a clock.
fn alarm(subscription: &[u8], now: u64) -> Option<u64> {
    let number = |at: usize| {
        let bytes = subscription.get(at..at + 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    let (clock, time) = (subscription.get(16..20)?, number(24)?);
    let is_known = (0..CLOCKS).contains(&i32::from_le_bytes(clock.try_into().ok()?));
    let is_absolute = subscription.get(40)? & 1 == 1;
    match (subscription.get(KIND)?, is_known, is_absolute) {
        (&CLOCK, true, true) => Some(time),
        (&CLOCK, true, false) => Some(now.saturating_add(time)),
        // An unknown clock is ready at once.
        (&CLOCK, false, _) => Some(now),
        _ => None,
    }
}

pub(super) fn yield_now(mut caller: Caller<'_, Guest>) -> Answered {
    super::enter(&mut caller)?;
    Ok(Errno::Success.code())
}

/// Fills memory with random bytes: four per number of the generator, the last one cut.
pub(super) fn random(mut caller: Caller<'_, Guest>, address: i32, count: i32) -> Answered {
    let (address, count) = (address as u32, count as u32);
    super::enter(&mut caller)?;
    // Check the address first, so that a wrong one is not reported as a timeout.
    bytes(split(&mut caller)?.0, address, count)?;
    charge(&mut caller, u64::from(count))?;
    let (memory, guest) = split(&mut caller)?;
    for chunk in bytes(memory, address, count)?.chunks_mut(4) {
        let number = guest.random.next_u32().to_le_bytes();
        chunk.copy_from_slice(&number[..chunk.len()]);
    }
    Ok(Errno::Success.code())
}

pub(super) fn exit(mut caller: Caller<'_, Guest>, code: i32) -> wasmtime::Result<()> {
    super::enter(&mut caller)?;
    // Read now: the engine's counter is unreliable after an error.
    let left = fuel::left(&mut caller)?;
    caller.data_mut().pipes.end_call(left);
    Err(ProgramEnd::Exit(code as u32).into())
}
