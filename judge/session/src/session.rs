//! A person's round, or a round between two people. As on the command line, each answer replays the
//! round from its start, so an answer that is taken back leaves no trace.

use judge_core::{
    Fingerprint, Limits, Options, RoundRecord, RoundSpec, Seat, SeatSpec, Seed, Transcript, Verdict,
};
use judge_games::{Game, GameState};
use judge_referee::Retraced;

use crate::partner::Partner;
use crate::refusal::AnswerRefusal;

/// Default name of a person.
const HUMAN: &str = "human";

/// A person's round in progress.
pub struct Session<'a> {
    game: &'static dyn Game,
    spec: RoundSpec,
    person: Seat,
    fingerprint: Fingerprint,
    partner: Box<dyn Partner + 'a>,
    /// True if the person knows the seed before the end.
    shows_seed: bool,
    /// The person's answers, in order; between two people, the answers of both.
    given: Vec<String>,
    /// The answers that were taken back, most recent last.
    taken_back: Vec<String>,
    transcript: Transcript,
    /// The round up to the current question.
    round: Retraced,
    resigned: bool,
}

/// A round to start, and the person in it.
#[derive(Debug, Clone)]
pub struct SessionSetup {
    /// Name of the game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// The seed.
    pub seed: Seed,
    /// The person's seat.
    pub seat: Seat,
    /// The person's name in the record. Default: `human`.
    pub name: Option<String>,
    /// The other player.
    pub opposite: SeatSpec,
    /// Limits of a bot.
    pub limits: Limits,
}

impl SessionSetup {
    /// Returns the round and its players.
    pub fn spec(self) -> RoundSpec {
        let name = self.name.filter(|name| !name.is_empty());
        let human = SeatSpec::Human { name: name.unwrap_or_else(|| HUMAN.to_owned()) };
        let seats = match self.seat {
            Seat::One => [human, self.opposite],
            Seat::Two => [self.opposite, human],
        };
        let SessionSetup { game, options, seed, limits, .. } = self;
        RoundSpec { game, options, seed, seats, limits }
    }
}

impl<'a> Session<'a> {
    /// Starts a round and plays it to the person's first question.
    ///
    /// # Errors
    /// If the game or a switch is unknown, or the judge fails.
    pub fn start(
        spec: RoundSpec,
        person: Seat,
        mut partner: Box<dyn Partner + 'a>,
        fingerprint: Fingerprint,
    ) -> Result<Session<'a>, AnswerRefusal> {
        let game = judge_referee::find(&spec.game)?;
        let (transcript, round) = play(&spec, person, partner.as_mut(), &[])?;
        Ok(Session {
            game,
            spec,
            person,
            fingerprint,
            partner,
            shows_seed: true,
            given: Vec::new(),
            taken_back: Vec::new(),
            transcript,
            round,
            resigned: false,
        })
    }

    /// Keeps the seed secret until the round is over.
    #[must_use]
    pub fn with_secret_seed(self) -> Session<'a> {
        Session { shows_seed: false, ..self }
    }

    /// Answers the question and plays on to the next one or to the end.
    ///
    /// # Errors
    /// If the answer is illegal, with the rules' reason; if the round is over; or if the judge
    /// fails.
    pub fn answer(&mut self, text: &str) -> Result<(), AnswerRefusal> {
        if self.is_over() {
            return Err(AnswerRefusal::Over);
        }
        self.round.try_answer(text)?;
        let given = [self.given.as_slice(), &[text.to_owned()]].concat();
        self.play_again(given)?;
        self.taken_back.clear();
        Ok(())
    }

    /// Takes the last answer back, and everything after it.
    ///
    /// # Errors
    /// If nothing was answered, the round is over, or the judge fails.
    pub fn undo(&mut self) -> Result<(), AnswerRefusal> {
        if self.is_over() {
            return Err(AnswerRefusal::Over);
        }
        let (last, before) = self.given.split_last().ok_or(AnswerRefusal::NothingToTakeBack)?;
        let (last, before) = (last.clone(), before.to_vec());
        self.play_again(before)?;
        self.taken_back.push(last);
        Ok(())
    }

    /// Repeats the answer that was taken back last.
    ///
    /// # Errors
    /// If no answer was taken back, the round is over, or the judge fails.
    pub fn redo(&mut self) -> Result<(), AnswerRefusal> {
        if self.is_over() {
            return Err(AnswerRefusal::Over);
        }
        let last = self.taken_back.last().ok_or(AnswerRefusal::NothingToRedo)?;
        let given = [self.given.as_slice(), std::slice::from_ref(last)].concat();
        self.play_again(given)?;
        self.taken_back.pop();
        Ok(())
    }

    /// Resigns.
    ///
    /// # Errors
    /// If the round is over.
    pub fn resign(&mut self) -> Result<(), AnswerRefusal> {
        if self.is_over() {
            return Err(AnswerRefusal::Over);
        }
        self.resigned = true;
        Ok(())
    }

    /// Returns the record of the round.
    ///
    /// # Errors
    /// If the round is still in progress.
    pub fn record(&self) -> Result<RoundRecord, AnswerRefusal> {
        if !self.is_over() {
            return Err(AnswerRefusal::NotOver);
        }
        Ok(judge_referee::record(&self.spec, self.fingerprint.clone(), &self.transcript)?)
    }

    /// True if the round accepts no more answers.
    pub fn is_over(&self) -> bool {
        // While the round waits for a person, its transcript ends with that person resigning.
        let fault = self.round.conclusion.fault.as_ref();
        self.resigned || fault.is_none_or(|fault| fault.verdict != Verdict::Resigned)
    }

    /// The game.
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The round's setup, with its players.
    pub fn spec(&self) -> &RoundSpec {
        &self.spec
    }

    /// The person's seat; between two people, the seat of the player to answer.
    pub fn person(&self) -> Seat {
        let fault = self.round.conclusion.fault.as_ref();
        let asked = fault.filter(|_| self.is_between_people()).and_then(|fault| fault.seat);
        asked.unwrap_or(self.person)
    }

    /// True if two people play each other.
    pub fn is_between_people(&self) -> bool {
        self.spec.is_between_people()
    }

    /// The seed, unless it is still secret.
    pub fn seed(&self) -> Option<Seed> {
        (self.shows_seed || self.is_over()).then_some(self.spec.seed)
    }

    /// The person's answers so far; between two people, the answers of both.
    pub fn given(&self) -> &[String] {
        &self.given
    }

    /// The current state of the game.
    pub fn state(&self) -> &dyn GameState {
        self.round.state.as_ref()
    }

    /// The round up to the current question.
    pub(crate) fn round(&self) -> &Retraced {
        &self.round
    }

    /// Replays the round with these answers. If the judge fails, the round stays as it was.
    fn play_again(&mut self, given: Vec<String>) -> Result<(), AnswerRefusal> {
        match play(&self.spec, self.person, self.partner.as_mut(), &given) {
            Ok((transcript, round)) => {
                (self.transcript, self.round, self.given) = (transcript, round, given);
                Ok(())
            }
            Err(refusal) => {
                // The caller has already applied the new answer to it.
                self.round = judge_referee::retrace(&self.spec, &self.transcript)?;
                Err(refusal)
            }
        }
    }
}

/// Plays the round with these answers, up to the first question without one.
fn play(
    spec: &RoundSpec,
    person: Seat,
    partner: &mut dyn Partner,
    given: &[String],
) -> Result<(Transcript, Retraced), AnswerRefusal> {
    let transcript = partner.play(spec, person, given)?;
    let round = judge_referee::retrace(spec, &transcript)?;
    match &round.conclusion.fault {
        Some(fault) if fault.seat.is_none() => Err(AnswerRefusal::Judge(fault.detail.to_string())),
        _ => Ok((transcript, round)),
    }
}
