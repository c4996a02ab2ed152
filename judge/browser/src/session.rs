//! A person's round against a reference opponent. As on the command line it is played again from
//! its start after each answer, so an answer that is taken back leaves no trace.

use judge_core::{Limits, MatchRecord, MatchSpec, Seat, SeatSpec, Transcript, Verdict};
use judge_games::{Game, Match, OpponentInfo};
use judge_referee::{OwnPlayer, Retraced, SetupError};

use crate::engine::fingerprint;
use crate::refusal::Refusal;
use crate::request::Start;

/// The name of a person who gives none.
const HUMAN: &str = "human";

/// A round of a person.
pub struct Session {
    game: &'static dyn Game,
    spec: MatchSpec,
    person: Seat,
    opponent: OwnPlayer,
    /// The person's answers, question by question.
    given: Vec<String>,
    transcript: Transcript,
    /// The round where it stands.
    round: Retraced,
    resigned: bool,
}

impl Session {
    /// Begins a round and plays it to the person's first question.
    ///
    /// # Errors
    /// When there is no such game, opponent or switch, or the seed is no number.
    pub fn start(start: &Start) -> Result<Session, Refusal> {
        let game = judge_referee::find(&start.game)?;
        let opposite = opponent(game, start.opponent.as_deref())?;
        let name = start.name.clone().filter(|name| !name.is_empty());
        let human = SeatSpec::Human { name: name.unwrap_or_else(|| HUMAN.to_owned()) };
        let reference = SeatSpec::Reference { name: opposite.name.to_owned() };
        let seats = match start.seat {
            Seat::One => [human, reference],
            Seat::Two => [reference, human],
        };
        let (seed, options) = (Refusal::seed(&start.seed)?, start.options.clone());
        let game_name = game.name().to_owned();
        let spec = MatchSpec { game: game_name, options, seed, seats, limits: Limits::COURSE };
        let (seat, create) = (start.seat.other(), opposite.create);
        let mut opponent = OwnPlayer::new(Box::new(move || create(seat, seed)));
        let (transcript, round) = play(&spec, start.seat, &mut opponent, &[])?;
        let (given, resigned, person) = (Vec::new(), false, start.seat);
        Ok(Session { game, spec, person, opponent, given, transcript, round, resigned })
    }

    /// Answers the question and plays on to the next one or to the end.
    ///
    /// # Errors
    /// With the rules' reason when they do not take the answer, or when the round is over.
    pub fn answer(&mut self, text: &str) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.round.try_answer(text)?;
        self.given.push(text.to_owned());
        self.play_again()
    }

    /// Takes the last answer back, with what followed from it.
    ///
    /// # Errors
    /// When there is none, or the round is over.
    pub fn undo(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.given.pop().ok_or(Refusal::NothingToTakeBack)?;
        self.play_again()
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
        Ok(judge_referee::record(&self.spec, fingerprint(), &self.transcript)?)
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

    /// The person's seat.
    pub fn person(&self) -> Seat {
        self.person
    }

    /// The person's answers so far.
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

    fn play_again(&mut self) -> Result<(), Refusal> {
        let played = play(&self.spec, self.person, &mut self.opponent, &self.given);
        (self.transcript, self.round) = played?;
        match &self.round.conclusion.fault {
            Some(fault) if fault.seat.is_none() => Err(Refusal::Judge(fault.detail.to_string())),
            _ => Ok(()),
        }
    }
}

/// The entry of the opponent of that name, or of the weakest.
fn opponent(
    game: &'static dyn Game,
    name: Option<&str>,
) -> Result<&'static OpponentInfo, SetupError> {
    match (name, game.opponents().first()) {
        (None, Some(weakest)) => Ok(weakest),
        (name, _) => judge_referee::opponent(game, name.unwrap_or_default()),
    }
}

/// The round with these answers, to the first question without one.
fn play(
    spec: &MatchSpec,
    person: Seat,
    opponent: &mut OwnPlayer,
    given: &[String],
) -> Result<(Transcript, Retraced), SetupError> {
    let transcript = opponent.play(spec, person, given)?;
    let round = judge_referee::retrace(spec, &transcript)?;
    Ok((transcript, round))
}
