//! Observers of a round, which see each call and the state of the game at that time.

use judge_core::{Call, Seat, Transcript};
use judge_games::GameState;

/// Watches a round during play.
pub trait Observer {
    /// Reports a notice `line` to a player, or a question with its `answer`. `fuel` is the cost of
    /// the call, if it is counted; `state` is the round before the answer is applied.
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn GameState,
    );

    /// A player failed on `line`.
    fn failed(&mut self, seat: Seat, line: &str, state: &dyn GameState);
}

/// Keeps every line: the calls of a full record.
#[derive(Debug, Default)]
pub struct RecordObserver {
    /// The calls so far.
    pub calls: Vec<Call>,
}

impl Observer for RecordObserver {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        _state: &dyn GameState,
    ) {
        self.calls.push(Call {
            seat,
            line: line.to_owned(),
            answer: answer.map(str::to_owned),
            fuel,
        });
    }

    fn failed(&mut self, seat: Seat, line: &str, _state: &dyn GameState) {
        self.calls.push(Call { seat, line: line.to_owned(), answer: None, fuel: None });
    }
}

/// Keeps only the data that the rules cannot compute again.
#[derive(Debug, Default)]
pub struct TranscriptObserver {
    /// The transcript so far, without the fault.
    pub transcript: Transcript,
    /// True if a player failed, as opposed to an illegal answer.
    pub player_failed: bool,
}

impl Observer for TranscriptObserver {
    fn called(
        &mut self,
        seat: Seat,
        _line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        _state: &dyn GameState,
    ) {
        let seat = self.transcript.seat_mut(seat);
        seat.answers.extend(answer.map(str::to_owned));
        seat.fuel.extend(fuel);
    }

    fn failed(&mut self, _seat: Seat, _line: &str, _state: &dyn GameState) {
        self.player_failed = true;
    }
}
