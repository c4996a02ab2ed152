//! Checks a record as far as possible without its bots: computes the rules, luck and reference
//! opponents again.

use judge_core::{
    Call, FUEL_PER_MS, Fault, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, Player, RoundRecord, Seat,
    SeatSpec, Transcript,
};

use crate::compare::{RecordDifference, first_different_call, headers, trailers};
use crate::observer::RecordObserver;
use crate::play::play;
use crate::replay::{fault_of, is_metered, record, transcript_of};
use crate::scripted::ScriptedPlayer;
use crate::seats::reference;
use crate::setup::{SetupError, start};

/// A contradiction between a record and the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Disproof {
    /// The round cannot begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The limits exceed those of any testcase.
    #[error("its limits are beyond what a judge can set")]
    Limits,
    /// A call that differs from the one by the rules.
    #[error("call {number} is not what the rules give", number = index + 1)]
    Call {
        /// Its index.
        index: usize,
        /// The call by the rules and the reference opponents; none if the round is over there.
        found: Option<Call>,
        /// The failure that ends the round by the rules, if there is one.
        fault: Option<Box<Fault>>,
    },
    /// Every call is right, but the summary is wrong.
    #[error("its first or last line is not what the rules give")]
    Ends(Vec<RecordDifference>),
}

/// Replays the rules over the answers of bots and people; reference opponents answer again. Fuel,
/// memory and logs are only checked for possible values.
///
/// # Errors
/// With the first contradiction.
pub fn check_by_rules(told: &RoundRecord) -> Result<(), Disproof> {
    check_limits(&told.header.spec.limits)?;
    let transcript = transcript_of(told);
    check_calls(told, &transcript)?;
    let spec = &told.header.spec;
    let mut expected = record(spec, told.header.fingerprint.clone(), &transcript)?;
    for seat in Seat::BOTH.into_iter().filter(|seat| !spec.seat(*seat).has_log()) {
        let trailer = &mut expected.trailer;
        trailer.peak_memory_bytes[seat] = 0;
        trailer.logs[seat].clear();
        trailer.log_dropped[seat] = 0;
        trailer.log_parts[seat] = None;
    }
    let mut differences = headers(&told.header, &expected.header);
    differences.extend(trailers(&told.trailer, &expected.trailer));
    // An impossible transcript leaves no calls, and its end has the reason.
    if differences.is_empty() { Ok(()) } else { Err(Disproof::Ends(differences)) }
}

fn check_limits(limits: &Limits) -> Result<(), Disproof> {
    let possible = limits.fuel <= MAX_TIME_MS * FUEL_PER_MS
        && limits.memory_bytes <= MAX_MEMORY_BYTES
        && limits.log_bytes <= Limits::COURSE.log_bytes;
    if possible { Ok(()) } else { Err(Disproof::Limits) }
}

fn check_calls(told: &RoundRecord, transcript: &Transcript) -> Result<(), Disproof> {
    let spec = &told.header.spec;
    if let Some(failure) = told.trailer.fault.as_ref().filter(|fault| fault.seat.is_none()) {
        // A round in which the judge failed has no calls and does not count.
        let fault = Some(Box::new(failure.clone()));
        let call = Disproof::Call { index: 0, found: None, fault };
        return if told.calls.is_empty() { Ok(()) } else { Err(call) };
    }
    let (game, mut state) = start(spec)?;
    let player = |seat: Seat| -> Result<Box<dyn Player + '_>, SetupError> {
        if let SeatSpec::Reference { name } = spec.seat(seat) {
            return reference(game, name, seat, spec.seed);
        }
        let fault = fault_of(transcript, seat);
        let metered = is_metered(spec, transcript, seat);
        let player = ScriptedPlayer::new(transcript.seat(seat), fault, metered);
        Ok(Box::new(player.silent(spec.seat(seat).is_native())))
    };
    let (mut one, mut two) = (player(Seat::One)?, player(Seat::Two)?);
    let mut observer = RecordObserver::default();
    let players: [&mut dyn Player; 2] = [one.as_mut(), two.as_mut()];
    let conclusion = play(game, state.as_mut(), players, &mut observer);
    match first_different_call(&told.calls, &observer.calls) {
        None => Ok(()),
        Some(index) => {
            let found = observer.calls.get(index).cloned();
            Err(Disproof::Call { index, found, fault: conclusion.fault.map(Box::new) })
        }
    }
}
