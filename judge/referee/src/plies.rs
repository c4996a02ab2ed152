//! Observes a round and notes every answered question.

use judge_core::{Fault, Ply, RecordedFault, RecordedGame, RoundSpec, Seat};
use judge_games::GameState;

use crate::{Conclusion, Observer};

/// Notes every question with its state, for recordings.
#[derive(Debug, Default)]
pub struct PlyObserver {
    plies: Vec<Ply>,
    /// Calls so far, notices included.
    calls: u32,
    /// The number of the last question's call.
    last: Option<u32>,
}

impl Observer for PlyObserver {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn GameState,
    ) {
        if let Some(answer) = answer {
            self.plies.push(Ply {
                seat,
                question: kind(line).to_owned(),
                state: state.state(),
                legal: state.legal_count(),
                scores: state.standing().scores,
                answer: answer.to_owned(),
                fuel,
            });
            self.last = Some(self.calls);
        }
        self.calls += 1;
    }

    fn failed(&mut self, _seat: Seat, _line: &str, _state: &dyn GameState) {}
}

impl PlyObserver {
    /// The whole game, with its number in the recording. An illegal answer is part of the fault and
    /// not a ply.
    ///
    /// # Errors
    /// With the fault, when the judge failed.
    pub fn into_game(
        mut self,
        number: u64,
        spec: &RoundSpec,
        conclusion: Conclusion,
    ) -> Result<RecordedGame, Fault> {
        let fault = match conclusion.fault {
            Some(fault) if fault.seat.is_none() => return Err(fault),
            Some(fault) => self.fault(fault),
            None => None,
        };
        Ok(RecordedGame {
            game: number,
            seed: spec.seed,
            players: spec.seats.each_ref().map(|seat| seat.name().to_owned()),
            outcome: conclusion.outcome,
            fault,
            plies: self.plies,
        })
    }

    fn fault(&mut self, fault: Fault) -> Option<RecordedFault> {
        let refused = fault.call.is_some() && fault.call == self.last;
        let answer = if refused { self.plies.pop().map(|ply| ply.answer) } else { None };
        let Fault { seat, verdict, detail, .. } = fault;
        Some(RecordedFault { seat: seat?, verdict, detail: detail.into(), answer })
    }
}

/// The kind of a question: its first word without the question mark.
fn kind(line: &str) -> &str {
    let word = line.split(' ').next().unwrap_or_default();
    word.trim_end_matches('?')
}
