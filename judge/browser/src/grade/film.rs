//! A replay as a page shows it: its lines with fuel and log, and the picture at each of them.

use judge_core::{LogPart, Replay, RoundRecord, Seat, SeatSpec};
use judge_games::{GameState, View};
use judge_referee::{Observer, transcript_of};
use serde_json::{Value, json};

use super::request::GradeRefusal;

/// The record of a replay file.
pub(crate) fn record(text: &str) -> Result<RoundRecord, GradeRefusal> {
    let replay = Replay::read(text).map_err(|error| GradeRefusal::Malformed(error.to_string()))?;
    Ok(replay.record)
}

/// The round without pictures.
pub(crate) fn described(record: &RoundRecord) -> Value {
    let logs = Seat::BOTH.map(|seat| logs(record, seat));
    let calls = (0..).zip(&record.calls).map(|(number, call)| {
        let log: Vec<&str> = logs
            .iter()
            .flatten()
            .filter(|(at, _)| *at == Some(number))
            .map(|(_, text)| text.as_str())
            .collect();
        json!({
            "seat": call.seat,
            "line": call.line,
            "answer": call.answer,
            "fuel": call.fuel,
            "log": log.concat(),
        })
    });
    let start: Vec<&str> = logs
        .iter()
        .flatten()
        .filter(|(at, _)| at.is_none())
        .map(|(_, text)| text.as_str())
        .collect();
    json!({
        "game": record.header.spec.game,
        "seed": record.header.spec.seed.to_string(),
        "players": record.header.spec.seats.each_ref().map(SeatSpec::name),
        "calls": calls.collect::<Vec<_>>(),
        "log": start.concat(),
        "ending": judge_referee::ending(record),
        "scores": record.trailer.outcome.scores,
        "digest": record.digest().to_string(),
    })
}

/// The parts of a seat's log, each with its call; none for the start.
fn logs(record: &RoundRecord, seat: Seat) -> Vec<(Option<u32>, String)> {
    let text = &record.trailer.logs[seat];
    let parts = record.trailer.log_parts[seat].as_deref().unwrap_or_default();
    let before = text.len() - usize::try_from(LogPart::total(parts)).unwrap_or(0).min(text.len());
    let start = (before > 0).then(|| (None, text.get(..before).unwrap_or_default().to_owned()));
    let split = LogPart::split(parts, text).unwrap_or_default();
    let split = split.into_iter().map(|(call, text)| (Some(call), text.to_owned()));
    start.into_iter().chain(split).collect()
}

/// The board at a call, as SVG; after the last call, the board at the end.
pub(crate) fn frame(record: &RoundRecord, at: usize) -> Result<String, GradeRefusal> {
    let transcript = transcript_of(record);
    let spec = &record.header.spec;
    if at >= record.calls.len() {
        let ended = judge_referee::retrace(spec, &transcript)?;
        return Ok(ended.state.svg(View::Everything));
    }
    let mut observer = FrameObserver { at, call: 0, picture: String::new() };
    judge_referee::walk(spec, &transcript, &mut observer)?;
    Ok(observer.picture)
}

/// Draws the board at one call.
struct FrameObserver {
    at: usize,
    call: usize,
    picture: String,
}

impl FrameObserver {
    fn see(&mut self, state: &dyn GameState) {
        if self.call == self.at {
            self.picture = state.svg(View::Everything);
        }
        self.call += 1;
    }
}

impl Observer for FrameObserver {
    fn called(
        &mut self,
        _seat: Seat,
        _line: &str,
        _answer: Option<&str>,
        _fuel: Option<u64>,
        state: &dyn GameState,
    ) {
        self.see(state);
    }

    fn failed(&mut self, _seat: Seat, _line: &str, state: &dyn GameState) {
        self.see(state);
    }
}
