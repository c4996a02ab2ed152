//! The other player of a person's round.

use judge_core::{RoundSpec, Seat, SeatSpec, Transcript};
use judge_games::{Game, OpponentInfo};
use judge_referee::{OwnPlayer, SetupError};

/// The other player of a round.
pub trait Partner {
    /// Plays the round with the person's answers, all of them legal, and resigns after the last
    /// one. In a round between two people, each gives the next answer when asked.
    ///
    /// # Errors
    /// If the round cannot begin.
    fn play(
        &mut self,
        spec: &RoundSpec,
        person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError>;
}

/// The second of two people at one page; both are asked there.
pub struct OtherPerson;

impl OtherPerson {
    /// The name that requests give instead of an opponent's name.
    pub const NAME: &'static str = "human";
}

impl Partner for OtherPerson {
    fn play(
        &mut self,
        spec: &RoundSpec,
        _person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        judge_referee::between_people(spec, given)
    }
}

/// A reference opponent in the same process as the person's round.
pub struct Reference(OwnPlayer);

impl Reference {
    /// Returns the opponent for a round of that game.
    pub fn new(info: &'static OpponentInfo, spec: &RoundSpec, person: Seat) -> Reference {
        let (seat, seed, create) = (person.other(), spec.seed, info.create);
        Reference(OwnPlayer::new(Box::new(move || create(seat, seed))))
    }

    /// Returns the opponent with that name, or the weakest one.
    ///
    /// # Errors
    /// If no opponent has that name.
    pub fn find(
        game: &'static dyn Game,
        name: Option<&str>,
    ) -> Result<&'static OpponentInfo, SetupError> {
        match (name, game.opponents().first()) {
            (None, Some(weakest)) => Ok(weakest),
            (name, _) => judge_referee::opponent(game, name.unwrap_or_default()),
        }
    }

    /// Returns the opponent as a round's seats name it.
    pub fn seat(info: &OpponentInfo) -> SeatSpec {
        SeatSpec::Reference { name: info.name.to_owned() }
    }
}

impl Partner for Reference {
    fn play(
        &mut self,
        spec: &RoundSpec,
        person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        self.0.play(spec, person, given)
    }
}
