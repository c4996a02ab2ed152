//! The referee's loop: takes the next line from the rules, sends it to a player, takes the answer.

use judge_core::{BySeat, Fault, Player, PlayerFault, RoundResult, Seat, Verdict};
use judge_games::{Game, GameState, IllegalMove, Step};

use crate::Observer;

/// The end reason after a person gave up.
const RESIGNED: &str = "resigned";

/// The end of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conclusion {
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: RoundResult,
    /// The failure that ended it.
    pub fault: Option<Fault>,
}

impl Conclusion {
    /// The end of a round in which the judge failed.
    pub(crate) fn of_judge_error(detail: String) -> Conclusion {
        Conclusion { outcome: no_result(), fault: Some(Fault::judge(detail)) }
    }
}

/// Plays a round to its end. Player faults and illegal moves end it by forfeit; no action of a
/// player can make this fail.
pub fn play<'a>(
    game: &dyn Game,
    state: &mut dyn GameState,
    players: [&'a mut (dyn Player + 'a); 2],
    observer: &'a mut (dyn Observer + 'a),
) -> Conclusion {
    let players = players.into();
    let mut table =
        Referee { players, observer, calls: 0, line: String::new(), answer: String::new() };
    let played = table.greet(game, state).and_then(|()| table.run(state));
    let ended = played.and_then(|outcome| table.farewell(state, &outcome).map(|()| outcome));
    match ended {
        Ok(outcome) => Conclusion { outcome, fault: None },
        Err(fault) => Conclusion { outcome: forfeit(state, &fault), fault: Some(fault) },
    }
}

fn forfeit(state: &dyn GameState, fault: &Fault) -> RoundResult {
    let Some(seat) = fault.seat else { return no_result() };
    let mut outcome = state.forfeit(seat);
    if fault.verdict == Verdict::Resigned {
        RESIGNED.clone_into(&mut outcome.reason);
    }
    outcome
}

fn no_result() -> RoundResult {
    RoundResult { scores: [0, 0], winner: None, reason: "judge error".to_owned() }
}

/// The players, and reused buffers for lines.
struct Referee<'a> {
    players: BySeat<&'a mut (dyn Player + 'a)>,
    observer: &'a mut (dyn Observer + 'a),
    /// Calls so far, over both seats.
    calls: u32,
    line: String,
    answer: String,
}

impl Referee<'_> {
    fn greet(&mut self, game: &dyn Game, state: &dyn GameState) -> Result<(), Fault> {
        let facts = state.facts();
        for seat in Seat::BOTH {
            self.line = format!("game {} seat {seat}", game.name());
            if !facts.is_empty() {
                self.line.push(' ');
                self.line.push_str(&facts);
            }
            self.tell(seat, state)?;
        }
        Ok(())
    }

    fn run(&mut self, state: &mut dyn GameState) -> Result<RoundResult, Fault> {
        loop {
            self.line.clear();
            match state.step(&mut self.line) {
                Step::Tell(seat) => self.tell(seat, state)?,
                Step::Ask(seat) => self.ask(seat, state)?,
                Step::End(outcome) => return Ok(outcome),
            }
        }
    }

    fn farewell(&mut self, state: &dyn GameState, outcome: &RoundResult) -> Result<(), Fault> {
        for seat in Seat::BOTH {
            let (own, other) = (outcome.score(seat), outcome.score(seat.other()));
            self.line = format!("end {} {own} {other}", outcome.result_for(seat));
            self.tell(seat, state)?;
        }
        Ok(())
    }

    fn tell(&mut self, seat: Seat, state: &dyn GameState) -> Result<(), Fault> {
        match self.players[seat].notice(&self.line) {
            Ok(fuel) => self.observer.called(seat, &self.line, None, fuel, state),
            Err(fault) => return Err(self.failed(seat, fault, state)),
        }
        self.calls += 1;
        Ok(())
    }

    fn ask(&mut self, seat: Seat, state: &mut dyn GameState) -> Result<(), Fault> {
        self.answer.clear();
        match self.players[seat].ask(&self.line, &mut self.answer) {
            Ok(fuel) => self.observer.called(seat, &self.line, Some(&self.answer), fuel, state),
            Err(fault) => return Err(self.failed(seat, fault, state)),
        }
        let call = self.calls;
        self.calls += 1;
        state.answer(&self.answer).map_err(|refusal| refused(&refusal, seat, call))
    }

    fn failed(&mut self, seat: Seat, fault: PlayerFault, state: &dyn GameState) -> Fault {
        self.observer.failed(seat, &self.line, state);
        // A player that reports a judge error is not at fault.
        if fault.verdict == Verdict::JudgeError {
            return Fault::judge(fault.detail);
        }
        let call = Some(self.calls);
        Fault { seat: Some(seat), verdict: fault.verdict, detail: fault.detail, call }
    }
}

fn refused(refusal: &IllegalMove, seat: Seat, call: u32) -> Fault {
    let verdict = match refusal {
        IllegalMove::Malformed(_) => Verdict::ProtocolError,
        IllegalMove::Forbidden(_) => Verdict::IllegalMove,
    };
    Fault { seat: Some(seat), verdict, detail: refusal.to_string().into(), call: Some(call) }
}
