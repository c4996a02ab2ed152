//! The referee's loop: takes the next line from the rules, sends it to a player, takes the answer.

use std::fmt::Write as _;

use judge_core::{
    Branch, BySeat, Fault, GivenAnswers, Player, PlayerFault, RoundResult, RoundSpec, Seat, Seed,
    Verdict,
};
use judge_games::{Game, GameState, IllegalMove, Step};

use crate::Observer;
use crate::setup::{SetupError, start};

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
    play_given(game, state, players, observer, None)
}

/// Plays a round to its end as [`play`] does, with given answers in place of the players'.
pub(crate) fn play_given<'a, 'g>(
    game: &dyn Game,
    state: &mut dyn GameState,
    players: [&'a mut (dyn Player + 'a); 2],
    observer: &'a mut (dyn Observer + 'a),
    given: Option<Overruling<'g>>,
) -> Conclusion {
    let (referee, players) = (Referee::new(), players.into());
    let (given, seated) = (given.map(AnswersToCome::new), BySeat::default());
    let (unasked, spent) = (BySeat::default(), BySeat::default());
    let mut round = LiveRound { referee, players, seated, unasked, spent, observer, given };
    match round.run(game, state) {
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

/// A round for a caller that sends the lines, and may send several notices at once.
pub struct OpenRound {
    game: &'static dyn Game,
    state: Box<dyn GameState>,
    referee: Referee,
}

impl OpenRound {
    /// A round at its start.
    ///
    /// # Errors
    /// When the round cannot begin.
    pub fn start(spec: &RoundSpec) -> Result<OpenRound, SetupError> {
        let (game, state) = start(spec)?;
        Ok(OpenRound { game, state, referee: Referee::new() })
    }

    /// Makes the next line.
    pub fn step(&mut self) -> NextStep {
        self.referee.next(self.game, self.state.as_mut())
    }

    /// The last line.
    pub fn line(&self) -> &str {
        &self.referee.line
    }

    /// The number of the last line, counted from 0 over both seats.
    pub fn call(&self) -> u32 {
        self.referee.call()
    }

    /// Applies the answer to the last line, a question to `seat`.
    ///
    /// # Errors
    /// With the fault of an illegal answer.
    pub fn answer(&mut self, seat: Seat, answer: &str) -> Result<(), Fault> {
        self.referee.answer(self.state.as_mut(), seat, answer)
    }
}

/// The next need of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Send the line to this player, as a notice.
    Tell(Seat),
    /// Send the line to this player, as a question, and pass on the answer.
    Ask(Seat),
    /// Nothing: the round is over.
    End(RoundResult),
}

/// The lines of a round, one after the other: greetings, the game, farewells.
#[derive(Debug)]
struct Referee {
    stage: Stage,
    /// Lines so far, over both seats.
    calls: u32,
    line: String,
}

#[derive(Debug)]
enum Stage {
    Greeting(Seat),
    Playing,
    Farewell(Seat, RoundResult),
    Over(RoundResult),
}

impl Referee {
    fn new() -> Referee {
        Referee { stage: Stage::Greeting(Seat::One), calls: 0, line: String::new() }
    }

    /// The number of the last line, counted from 0 over both seats.
    fn call(&self) -> u32 {
        self.calls.saturating_sub(1)
    }

    /// Makes the next line.
    fn next(&mut self, game: &dyn Game, state: &mut dyn GameState) -> NextStep {
        self.line.clear();
        loop {
            let (next, then) = match &self.stage {
                Stage::Greeting(seat) => greet(game, state, *seat, &mut self.line),
                Stage::Playing => match state.step(&mut self.line) {
                    Step::Tell(seat) => (NextStep::Tell(seat), Stage::Playing),
                    Step::Ask(seat) => (NextStep::Ask(seat), Stage::Playing),
                    Step::End(outcome) => {
                        self.line.clear();
                        self.stage = Stage::Farewell(Seat::One, outcome);
                        continue;
                    }
                },
                Stage::Farewell(seat, outcome) => farewell(outcome, *seat, &mut self.line),
                Stage::Over(outcome) => return NextStep::End(outcome.clone()),
            };
            self.stage = then;
            self.calls += 1;
            return next;
        }
    }

    /// Applies the answer to the last line, a question to `seat`.
    fn answer(&self, state: &mut dyn GameState, seat: Seat, answer: &str) -> Result<(), Fault> {
        state.answer(answer).map_err(|refusal| refused(&refusal, seat, self.call()))
    }
}

/// Writes the first line to a player.
fn greet(
    game: &dyn Game,
    state: &dyn GameState,
    seat: Seat,
    line: &mut String,
) -> (NextStep, Stage) {
    // Writing to a string cannot fail.
    let _ = write!(line, "game {} seat {seat}", game.name());
    let facts = state.facts();
    if !facts.is_empty() {
        line.push(' ');
        line.push_str(&facts);
    }
    let then = if seat == Seat::One { Stage::Greeting(Seat::Two) } else { Stage::Playing };
    (NextStep::Tell(seat), then)
}

/// Writes the last line to a player.
fn farewell(outcome: &RoundResult, seat: Seat, line: &mut String) -> (NextStep, Stage) {
    let (own, other) = (outcome.score(seat), outcome.score(seat.other()));
    // Writing to a string cannot fail.
    let _ = write!(line, "end {} {own} {other}", outcome.result_for(seat));
    let then = match seat {
        Seat::One => Stage::Farewell(Seat::Two, outcome.clone()),
        Seat::Two => Stage::Over(outcome.clone()),
    };
    (NextStep::Tell(seat), then)
}

/// A referee with its players, who get each line at once.
struct LiveRound<'a, 'g> {
    referee: Referee,
    players: BySeat<&'a mut (dyn Player + 'a)>,
    observer: &'a mut (dyn Observer + 'a),
    /// New players, in seats where another answer has counted than the old player's.
    seated: BySeat<Option<Box<dyn Player + 'g>>>,
    /// True for new players that get no notice before their next question.
    unasked: BySeat<bool>,
    /// Fuel of the calls so far.
    spent: BySeat<u64>,
    given: Option<AnswersToCome<'g>>,
}

/// Answers that count in place of the players' own.
pub struct Overruling<'a> {
    /// The answers.
    pub answers: &'a GivenAnswers,
    /// Starts a new player for a seat, if that is possible, without the given fuel that the old one
    /// has spent. A game in which players remember their own answers needs one when another answer
    /// has counted.
    pub again: &'a mut Restart<'a>,
}

/// Starts a new player for a seat; its earlier players have spent that much fuel.
type Restart<'a> = dyn FnMut(Seat, u64) -> Option<Box<dyn Player + 'a>> + 'a;

/// Given answers that the round may still come to.
struct AnswersToCome<'a> {
    again: &'a mut Restart<'a>,
    /// The rest of its beginning.
    beginning: std::slice::Iter<'a, String>,
    branch: Option<&'a Branch>,
    /// Questions so far to the player that the branch is about.
    questions: u32,
}

impl<'a> AnswersToCome<'a> {
    fn new(given: Overruling<'a>) -> AnswersToCome<'a> {
        let Overruling { answers, again } = given;
        let (beginning, branch) = (answers.beginning.iter(), answers.branch.as_ref());
        AnswersToCome { again, beginning, branch, questions: 0 }
    }

    /// The answer to this question, the next one to `seat`, and the seed for the luck from there
    /// on.
    fn at_question(&mut self, seat: Seat) -> (Option<&'a String>, Option<Seed>) {
        let given = self.beginning.next();
        let Some(branch) = self.branch.filter(|branch| branch.seat == seat) else {
            return (given, None);
        };
        self.questions += 1;
        match self.questions - 1 == branch.question {
            true => (branch.answer.as_ref().or(given), branch.luck),
            false => (given, None),
        }
    }
}

impl LiveRound<'_, '_> {
    fn run(&mut self, game: &dyn Game, state: &mut dyn GameState) -> Result<RoundResult, Fault> {
        let mut answer = String::new();
        loop {
            match self.referee.next(game, state) {
                NextStep::Tell(seat) => self.send_notice(seat, state)?,
                NextStep::Ask(seat) => {
                    if self.ask(seat, state, &mut answer)? {
                        self.seat_again(seat, game, state);
                    }
                }
                NextStep::End(outcome) => return Ok(outcome),
            }
        }
    }

    /// The player that has the seat now.
    fn player(&mut self, seat: Seat) -> &mut (dyn Player + '_) {
        match &mut self.seated[seat] {
            Some(player) => player.as_mut(),
            None => self.players[seat],
        }
    }

    /// Gives the seat to a new player that knows the position, in a game where the old one cannot
    /// know which answer counted. The lines that it reads for that are not a part of the round; a
    /// failure there becomes its failure at its next line.
    fn seat_again(&mut self, seat: Seat, game: &dyn Game, state: &dyn GameState) {
        let Some(lines) = state.resume_notices(seat) else { return };
        let spent = self.spent[seat];
        let again = self.given.as_mut().and_then(|given| (given.again)(seat, spent));
        let Some(mut player) = again else { return };
        let mut greeting = String::new();
        greet(game, state, seat, &mut greeting);
        for line in std::iter::once(greeting).chain(lines) {
            if let Err(fault) = player.notice(&line) {
                player = Box::new(FailedPlayer(fault));
                break;
            }
        }
        self.seated[seat] = Some(player);
        self.unasked[seat] = state.resumes_at_question();
    }

    /// Adds the fuel of a call. A worker may lie about it, with any sum.
    fn count(&mut self, seat: Seat, fuel: Option<u64>) {
        self.spent[seat] = self.spent[seat].saturating_add(fuel.unwrap_or(0));
    }

    fn send_notice(&mut self, seat: Seat, state: &dyn GameState) -> Result<(), Fault> {
        if self.unasked[seat] {
            self.observer.called(seat, &self.referee.line, None, Some(0), state);
            return Ok(());
        }
        let line = std::mem::take(&mut self.referee.line);
        let told = self.player(seat).notice(&line);
        self.referee.line = line;
        match told {
            Ok(fuel) => {
                self.count(seat, fuel);
                self.observer.called(seat, &self.referee.line, None, fuel, state);
                Ok(())
            }
            Err(fault) => Err(self.failed(seat, fault, state)),
        }
    }

    /// Asks a player, and returns true if another answer counts than its own.
    fn ask(
        &mut self,
        seat: Seat,
        state: &mut dyn GameState,
        answer: &mut String,
    ) -> Result<bool, Fault> {
        answer.clear();
        self.unasked[seat] = false;
        let given = self.given.as_mut().map(|given| given.at_question(seat));
        let (other, luck) = given.unwrap_or_default();
        let line = std::mem::take(&mut self.referee.line);
        let asked = self.player(seat).ask(&line, answer);
        self.referee.line = line;
        let fuel = match asked {
            Ok(fuel) => fuel,
            Err(fault) => return Err(self.failed(seat, fault, state)),
        };
        self.count(seat, fuel);
        let other = other.filter(|other| *other != answer);
        if let Some(other) = other {
            answer.clone_from(other);
        }
        self.observer.called(seat, &self.referee.line, Some(answer), fuel, state);
        if let Some(seed) = luck {
            state.redeal(seed);
        }
        self.referee.answer(state, seat, answer)?;
        Ok(other.is_some())
    }

    fn failed(&mut self, seat: Seat, fault: PlayerFault, state: &dyn GameState) -> Fault {
        self.observer.failed(seat, &self.referee.line, state);
        // A player that reports a judge error is not at fault.
        if fault.verdict == Verdict::JudgeError {
            return Fault::judge(fault.detail);
        }
        let call = Some(self.referee.call());
        Fault { seat: Some(seat), verdict: fault.verdict, detail: fault.detail, call }
    }
}

/// A player that failed before it could read its next line.
struct FailedPlayer(PlayerFault);

impl Player for FailedPlayer {
    fn notice(&mut self, _line: &str) -> Result<Option<u64>, PlayerFault> {
        Err(self.0.clone())
    }

    fn ask(&mut self, line: &str, _answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.notice(line)
    }
}

fn refused(refusal: &IllegalMove, seat: Seat, call: u32) -> Fault {
    let verdict = match refusal {
        IllegalMove::Malformed(_) => Verdict::ProtocolError,
        IllegalMove::Forbidden(_) => Verdict::IllegalMove,
    };
    Fault { seat: Some(seat), verdict, detail: refusal.to_string().into(), call: Some(call) }
}
