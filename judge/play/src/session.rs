//! A person's round, or that of two people. As on the command line it is played again from its start after each answer, so
//! an answer that is taken back leaves no trace.

use judge_core::{
    Fingerprint, Limits, MatchRecord, MatchSpec, Options, Seat, SeatSpec, Seed, Transcript, Verdict,
};
use judge_games::{Game, Match};
use judge_referee::Retraced;

use crate::partner::Partner;
use crate::refusal::Refusal;

/// The name of a person who gives none.
const HUMAN: &str = "human";

/// A round of a person.
pub struct Session<'a> {
    game: &'static dyn Game,
    spec: MatchSpec,
    person: Seat,
    fingerprint: Fingerprint,
    partner: Box<dyn Partner + 'a>,
    /// True if the person knows the seed before the end.
    shows_seed: bool,
    /// The person's answers, question by question; of two people, those of both.
    given: Vec<String>,
    /// The answers that were taken back, the latest last.
    taken_back: Vec<String>,
    transcript: Transcript,
    /// The round where it stands.
    round: Retraced,
    resigned: bool,
}

/// A round to begin, without its luck and its players' behaviour.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Name of the game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// The seed.
    pub seed: Seed,
    /// The person's seat.
    pub seat: Seat,
    /// What the person is called in the record; none for `human`.
    pub name: Option<String>,
    /// The player opposite.
    pub opposite: SeatSpec,
    /// Limits of a bot.
    pub limits: Limits,
}

impl Setting {
    /// The round and its players.
    pub fn spec(self) -> MatchSpec {
        let name = self.name.filter(|name| !name.is_empty());
        let human = SeatSpec::Human { name: name.unwrap_or_else(|| HUMAN.to_owned()) };
        let seats = match self.seat {
            Seat::One => [human, self.opposite],
            Seat::Two => [self.opposite, human],
        };
        let Setting { game, options, seed, limits, .. } = self;
        MatchSpec { game, options, seed, seats, limits }
    }
}

impl<'a> Session<'a> {
    /// Begins a round and plays it to the person's first question.
    ///
    /// # Errors
    /// When there is no such game or switch, or the judge fails.
    pub fn start(
        spec: MatchSpec,
        person: Seat,
        mut partner: Box<dyn Partner + 'a>,
        fingerprint: Fingerprint,
    ) -> Result<Session<'a>, Refusal> {
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

    /// The same, with a seed that the person learns at the end alone.
    #[must_use]
    pub fn with_secret_seed(self) -> Session<'a> {
        Session { shows_seed: false, ..self }
    }

    /// Answers the question and plays on to the next one or to the end.
    ///
    /// # Errors
    /// With the rules' reason when they do not take the answer, or when the round is over, or the
    /// judge fails.
    pub fn answer(&mut self, text: &str) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.round.try_answer(text)?;
        let given = [self.given.as_slice(), &[text.to_owned()]].concat();
        self.play_again(given)?;
        self.taken_back.clear();
        Ok(())
    }

    /// Takes the last answer back, with what followed from it.
    ///
    /// # Errors
    /// When there is none, or the round is over, or the judge fails.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        let (last, before) = self.given.split_last().ok_or(Refusal::NothingToTakeBack)?;
        let (last, before) = (last.clone(), before.to_vec());
        self.play_again(before)?;
        self.taken_back.push(last);
        Ok(())
    }

    /// Gives the answer again that was taken back last.
    ///
    /// # Errors
    /// When there is none, or the round is over, or the judge fails.
    pub fn redo(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        let last = self.taken_back.last().ok_or(Refusal::NothingToRedo)?;
        let given = [self.given.as_slice(), std::slice::from_ref(last)].concat();
        self.play_again(given)?;
        self.taken_back.pop();
        Ok(())
    }

    /// Gives the round up.
    ///
    /// # Errors
    /// When it is over.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.resigned = true;
        Ok(())
    }

    /// The record of the round.
    ///
    /// # Errors
    /// While the round goes on.
    pub fn record(&self) -> Result<MatchRecord, Refusal> {
        if !self.is_over() {
            return Err(Refusal::NotOver);
        }
        Ok(judge_referee::record(&self.spec, self.fingerprint.clone(), &self.transcript)?)
    }

    /// True if nothing more can be answered.
    pub fn is_over(&self) -> bool {
        // A person who is waited for has given up so far as the transcript goes.
        let fault = self.round.conclusion.fault.as_ref();
        self.resigned || fault.is_none_or(|fault| fault.verdict != Verdict::Resigned)
    }

    /// The game.
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The match and its players.
    pub fn spec(&self) -> &MatchSpec {
        &self.spec
    }

    /// The person's seat; of two people, the seat that is asked.
    pub fn person(&self) -> Seat {
        let fault = self.round.conclusion.fault.as_ref();
        let asked = fault.filter(|_| self.is_between_people()).and_then(|fault| fault.seat);
        asked.unwrap_or(self.person)
    }

    /// True if two people play each other.
    pub fn is_between_people(&self) -> bool {
        self.spec.is_between_people()
    }

    /// The seed, unless it is a secret yet.
    pub fn seed(&self) -> Option<Seed> {
        (self.shows_seed || self.is_over()).then_some(self.spec.seed)
    }

    /// The person's answers so far; of two people, those of both.
    pub fn given(&self) -> &[String] {
        &self.given
    }

    /// The match where it stands.
    pub fn state(&self) -> &dyn Match {
        self.round.state.as_ref()
    }

    /// The round as far as it has come.
    pub(crate) fn round(&self) -> &Retraced {
        &self.round
    }

    /// Plays the round with these answers. If the judge fails, it stays where it was.
    fn play_again(&mut self, given: Vec<String>) -> Result<(), Refusal> {
        match play(&self.spec, self.person, self.partner.as_mut(), &given) {
            Ok((transcript, round)) => {
                (self.transcript, self.round, self.given) = (transcript, round, given);
                Ok(())
            }
            Err(refusal) => {
                // The answer that was tried has changed it.
                self.round = judge_referee::retrace(&self.spec, &self.transcript)?;
                Err(refusal)
            }
        }
    }
}

/// The round with these answers, to the first question without one.
fn play(
    spec: &MatchSpec,
    person: Seat,
    partner: &mut dyn Partner,
    given: &[String],
) -> Result<(Transcript, Retraced), Refusal> {
    let transcript = partner.play(spec, person, given)?;
    let round = judge_referee::retrace(spec, &transcript)?;
    match &round.conclusion.fault {
        Some(fault) if fault.seat.is_none() => Err(Refusal::Judge(fault.detail.to_string())),
        _ => Ok((transcript, round)),
    }
}
