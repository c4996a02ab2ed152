//! From a transcript to a record: replays the rules over the players' answers, so that the referee
//! itself determines lines, luck, legality and score.

use judge_core::{
    BySeat, Call, Fault, Fingerprint, GivenAnswers, LogPart, PlayerFault, REPLAY_VERSION,
    RecordHeader, RecordTrailer, RoundRecord, RoundSpec, Seat, SeatSpec, SeatTranscript,
    Transcript, Verdict,
};
use judge_games::{GameState, IllegalMove};

use crate::logs;
use crate::observer::{Observer, RecordObserver};
use crate::play::{Conclusion, Overruling, play_given};
use crate::scripted::ScriptedPlayer;
use crate::setup::{SetupError, start};

/// Longest explanation of a fault that is accepted from a transcript, in bytes.
pub const MAX_DETAIL: usize = 16 << 10;

/// Replays a round. A transcript that no honest worker sends results in a record that ends in a
/// judge error.
///
/// # Errors
/// When the round itself cannot begin.
pub fn record(
    spec: &RoundSpec,
    fingerprint: Fingerprint,
    transcript: &Transcript,
) -> Result<RoundRecord, SetupError> {
    Ok(retrace(spec, transcript)?.into_record(spec, fingerprint, transcript))
}

/// The message for log parts that do not fit the calls.
const IMPOSSIBLE_PARTS: &str = "the parts of the log fit neither its calls nor its length";

/// A replayed round, up to the end of its transcript.
pub struct Retraced {
    /// The state at its end, or at the question on which a player failed.
    pub state: Box<dyn GameState>,
    /// Every line so far.
    pub calls: Vec<Call>,
    /// The end.
    pub conclusion: Conclusion,
}

/// Replays a round and keeps its last state.
///
/// # Errors
/// When the round itself cannot begin.
pub fn retrace(spec: &RoundSpec, transcript: &Transcript) -> Result<Retraced, SetupError> {
    retrace_given(spec, transcript, None)
}

/// Replays a round with given answers in place of the players', and keeps its last state.
///
/// # Errors
/// When the round itself cannot begin.
pub fn retrace_given(
    spec: &RoundSpec,
    transcript: &Transcript,
    given: Option<&GivenAnswers>,
) -> Result<Retraced, SetupError> {
    let mut observer = RecordObserver::default();
    let (conclusion, state) = follow(spec, transcript, &mut observer, given)?;
    Ok(Retraced { state, calls: observer.calls, conclusion })
}

impl Retraced {
    /// Checks the pending question's `answer` by the rules, and applies it if it is legal. To
    /// continue, retrace a longer transcript.
    ///
    /// # Errors
    /// With the rules' reason, when it is illegal; the round then stays unchanged.
    pub fn try_answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if !judge_protocol::is_line(answer.as_bytes()) {
            let most = judge_protocol::MAX_LINE;
            let what = format!("an answer is printable ASCII, at most {most} characters of it");
            return Err(IllegalMove::Malformed(what));
        }
        self.state.answer(answer)
    }

    /// The record of the round, for the `spec` and `transcript` of the retrace.
    pub fn into_record(
        self,
        spec: &RoundSpec,
        fingerprint: Fingerprint,
        transcript: &Transcript,
    ) -> RoundRecord {
        let Retraced { calls, conclusion, .. } = self;
        let record = |calls, trailer: RecordTrailer| {
            let header = RecordHeader { replay: REPLAY_VERSION, spec: spec.clone(), fingerprint };
            RoundRecord { header, calls, trailer }
        };
        if conclusion.fault.as_ref().is_some_and(|fault| fault.seat.is_none()) {
            // Data that came with the judge's own failure does not count, so it is not
            // kept.
            return record(Vec::new(), RecordTrailer::new(conclusion.outcome, conclusion.fault));
        }
        let seats = transcript.seats.each_ref();
        let trailer = RecordTrailer {
            outcome: conclusion.outcome,
            fault: conclusion.fault,
            peak_memory_bytes: seats.map(|seat| seat.peak_memory_bytes),
            logs: seats.map(|seat| String::from_utf8_lossy(&seat.log).into_owned()),
            log_dropped: seats.map(|seat| seat.log_dropped),
            log_parts: BySeat::from_fn(|seat| logs::to_record(seat, seats[seat], &calls)),
        };
        record(calls, trailer)
    }
}

/// Replays a round for `observer`.
///
/// # Errors
/// When the round itself cannot begin.
pub fn walk(
    spec: &RoundSpec,
    transcript: &Transcript,
    observer: &mut dyn Observer,
) -> Result<Conclusion, SetupError> {
    follow(spec, transcript, observer, None).map(|(conclusion, _)| conclusion)
}

fn follow(
    spec: &RoundSpec,
    transcript: &Transcript,
    observer: &mut dyn Observer,
    given: Option<&GivenAnswers>,
) -> Result<(Conclusion, Box<dyn GameState>), SetupError> {
    let (game, mut state) = start(spec)?;
    let mut players = Seat::BOTH.map(|seat| {
        let fault = fault_of(transcript, seat);
        let metered = is_metered(spec, transcript, seat);
        let player = ScriptedPlayer::new(transcript.seat(seat), fault, metered);
        player.silent(spec.seat(seat).is_native())
    });
    let [one, two] = &mut players;
    // A transcript has the answers that counted.
    let mut nobody = |_: Seat, _: u64| None;
    let given = given.map(|answers| Overruling { answers, again: &mut nobody });
    let mut conclusion = play_given(game, state.as_mut(), [one, two], observer, given);
    let all_used = players.iter().all(ScriptedPlayer::is_exhausted);
    let logs_beyond_end = players.iter().any(ScriptedPlayer::logs_beyond_end);
    let found_out = conclusion.fault.as_ref().is_some_and(|fault| fault.seat.is_none());
    let suspicion = suspect(spec, transcript)
        .or((!found_out && !all_used).then_some("it continues after the end"))
        .or(logs_beyond_end.then_some(IMPOSSIBLE_PARTS))
        .or((!comes_up(transcript, &conclusion))
            .then_some("its fault does not occur in the replay"));
    if let Some(suspicion) = suspicion {
        let detail = format!("the transcript cannot be true: {suspicion}");
        conclusion = Conclusion::of_judge_error(detail);
    }
    Ok((conclusion, state))
}

/// True if each call of that seat must have its fuel, as a bot's does. A native program has 0 for
/// each, which only counts its calls. A bot may fail before the
/// round starts (it cannot be compiled, or its process dies). Then the other bot gets the notices
/// before that, without counted fuel.
pub(crate) fn is_metered(spec: &RoundSpec, transcript: &Transcript, seat: Seat) -> bool {
    let silent = |seat: &SeatTranscript| seat.answers.is_empty() && seat.fuel.is_empty();
    let other_failed = transcript.fault.as_ref().and_then(|fault| fault.seat) == Some(seat.other());
    let uncounted = other_failed && transcript.seats.iter().all(silent);
    let counts_calls = spec.seat(seat).is_bot() || spec.seat(seat).is_native();
    counts_calls && !uncounted
}

/// The recorded failure, if it is this seat's. The judge's own failure appears in either seat.
pub(crate) fn fault_of(transcript: &Transcript, seat: Seat) -> Option<PlayerFault> {
    let fault = transcript.fault.as_ref()?;
    let concerned = fault.seat.is_none_or(|failed| failed == seat);
    concerned.then(|| PlayerFault::new(fault.verdict, fault.detail.clone()))
}

/// True if the round really ended with the failure in the transcript.
fn comes_up(transcript: &Transcript, conclusion: &Conclusion) -> bool {
    let Some(told) = &transcript.fault else { return true };
    conclusion.fault.as_ref().is_some_and(|fault| fault.verdict == told.verdict)
}

/// A part of a transcript that no honest worker sends under the limits of `spec`.
fn suspect(spec: &RoundSpec, transcript: &Transcript) -> Option<&'static str> {
    if let Some(fault) = &transcript.fault {
        if !fault.verdict.is_fault() {
            return Some("its fault is none");
        }
        if fault.verdict == Verdict::IllegalMove {
            return Some("it reports an illegal move, which only the referee does");
        }
        if fault.detail.as_str().len() > MAX_DETAIL {
            return Some("its fault has too long a description");
        }
        if let Some(suspicion) = fault.seat.and_then(|seat| suspect_fault(spec.seat(seat), fault)) {
            return Some(suspicion);
        }
    }
    transcript.seats.iter().find_map(|seat| suspect_seat(spec, seat))
}

/// A fault that this kind of player cannot have.
fn suspect_fault(player: &SeatSpec, fault: &Fault) -> Option<&'static str> {
    let resigned = fault.verdict == Verdict::Resigned;
    match player {
        SeatSpec::Bot { .. } => resigned.then_some("a bot gave up"),
        SeatSpec::Reference { .. } => Some("a reference opponent failed"),
        SeatSpec::Trained { .. } => Some("a trained player failed"),
        SeatSpec::Human { .. } => (!resigned).then_some("a person failed other than by giving up"),
        SeatSpec::Native { .. } => resigned.then_some("a program gave up"),
    }
}

fn suspect_seat(spec: &RoundSpec, seat: &SeatTranscript) -> Option<&'static str> {
    let limits = &spec.limits;
    let fuel = seat.fuel.iter().try_fold(0_u64, |sum, fuel| sum.checked_add(*fuel));
    if fuel.is_none_or(|fuel| fuel > limits.fuel) {
        return Some("more fuel was spent than there was");
    }
    if seat.peak_memory_bytes > limits.memory_bytes {
        return Some("more memory was held than allowed");
    }
    if log_bytes(&seat.log) > limits.log_bytes {
        return Some("the log is longer than allowed");
    }
    let fit = |parts: &Vec<LogPart>| LogPart::fit(parts, seat.log.len());
    (!seat.log_parts.as_ref().is_none_or(fit)).then_some(IMPOSSIBLE_PARTS)
}

/// The size of a log in the player's bytes. A record has U+FFFD for each byte that is not text,
/// which takes three bytes.
fn log_bytes(log: &[u8]) -> u64 {
    let size = |c: char| if c == char::REPLACEMENT_CHARACTER { 1 } else { c.len_utf8() as u64 };
    String::from_utf8_lossy(log).chars().map(size).sum()
}

/// The transcript inside a record, as the input for a replay.
pub fn transcript_of(record: &RoundRecord) -> Transcript {
    let mut transcript = Transcript::default();
    for call in &record.calls {
        let seat = transcript.seat_mut(call.seat);
        seat.answers.extend(call.answer.clone());
        seat.fuel.extend(call.fuel);
    }
    let trailer = &record.trailer;
    for seat in Seat::BOTH {
        let told = transcript.seat_mut(seat);
        told.peak_memory_bytes = trailer.peak_memory_bytes[seat];
        told.log = trailer.logs[seat].clone().into_bytes();
        told.log_dropped = trailer.log_dropped[seat];
        told.log_parts = logs::to_transcript(record, seat);
    }
    // The rules find illegal moves again by themselves.
    transcript.fault = trailer.fault.clone().filter(|fault| !found_by_rules(record, fault));
    count_native_calls(record, &mut transcript);
    transcript
}

/// Adds the fuel 0 for each call to which a native program returned. A record has none.
fn count_native_calls(record: &RoundRecord, transcript: &mut Transcript) {
    let Some(seat) = record.header.spec.native() else { return };
    let calls = record.calls.iter().filter(|call| call.seat == seat).count();
    let has_failed = transcript.fault.as_ref().is_some_and(|fault| fault.seat == Some(seat));
    transcript.seat_mut(seat).fuel = vec![0; calls.saturating_sub(usize::from(has_failed))];
}

/// True if the rules found the fault in an answer, rather than the player reporting it.
fn found_by_rules(record: &RoundRecord, fault: &Fault) -> bool {
    let judged = matches!(fault.verdict, Verdict::IllegalMove | Verdict::ProtocolError);
    judged && record.calls.last().is_some_and(|call| call.answer.is_some())
}
