//! The other side of a person's round.

use judge_core::{MatchSpec, Seat, SeatSpec, Transcript};
use judge_games::{Game, OpponentInfo};
use judge_referee::{OwnPlayer, SetupError};

/// The other side of a round.
pub trait Partner {
    /// The round as it goes when the person gives these answers and then gives up. Every one of them
    /// is legal. Of two people, each gives the next answer when asked.
    ///
    /// # Errors
    /// When the round cannot begin.
    fn play(
        &mut self,
        spec: &MatchSpec,
        person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError>;
}

/// The other one of two people at one page, which asks both.
pub struct OtherPerson;

impl OtherPerson {
    /// The name that requests give instead of an opponent's.
    pub const NAME: &'static str = "human";
}

impl Partner for OtherPerson {
    fn play(
        &mut self,
        spec: &MatchSpec,
        _person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        judge_referee::between_people(spec, given)
    }
}

/// A reference opponent, which plays where the person's round is kept.
pub struct Reference(OwnPlayer);

impl Reference {
    /// The opponent for a round of that game.
    pub fn new(info: &'static OpponentInfo, spec: &MatchSpec, person: Seat) -> Reference {
        let (seat, seed, create) = (person.other(), spec.seed, info.create);
        Reference(OwnPlayer::new(Box::new(move || create(seat, seed))))
    }

    /// The entry of the opponent of that name, or of the weakest.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn find(
        game: &'static dyn Game,
        name: Option<&str>,
    ) -> Result<&'static OpponentInfo, SetupError> {
        match (name, game.opponents().first()) {
            (None, Some(weakest)) => Ok(weakest),
            (name, _) => judge_referee::opponent(game, name.unwrap_or_default()),
        }
    }

    /// The opponent in a round's seats.
    pub fn seat(info: &OpponentInfo) -> SeatSpec {
        SeatSpec::Reference { name: info.name.to_owned() }
    }
}

impl Partner for Reference {
    fn play(
        &mut self,
        spec: &MatchSpec,
        person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        self.0.play(spec, person, given)
    }
}
