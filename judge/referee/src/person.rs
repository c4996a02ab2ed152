//! A person as a player: gives some answers, then gives up, so that the round ends at the first
//! question without an answer. The other seat has a player of the judge or another person.

use std::cell::Cell;

use judge_core::{Player, PlayerFault, RoundSpec, Seat, SeatTranscript, Transcript};

use crate::observer::TranscriptObserver;
use crate::play::{Overruling, play_given};
use crate::remembering::{Create, Remembering};
use crate::scripted::ScriptedPlayer;
use crate::setup::{SetupError, start};

/// A person's part of a transcript.
pub fn answers(script: &[String]) -> SeatTranscript {
    SeatTranscript { answers: script.to_vec(), ..SeatTranscript::default() }
}

/// A person who gives these answers and then gives up.
pub fn person(script: &SeatTranscript) -> ScriptedPlayer<'_> {
    ScriptedPlayer::new(script, Some(PlayerFault::resigned()), false)
}

/// Plays a round to its end, with given answers in place of the players', and returns its
/// transcript.
///
/// # Errors
/// When the round cannot begin.
pub fn sit_down(
    spec: &RoundSpec,
    mut players: [&mut dyn Player; 2],
    given: Option<Overruling<'_>>,
) -> Result<Transcript, SetupError> {
    let (game, mut state) = start(spec)?;
    let mut observer = TranscriptObserver::default();
    let [one, two] = &mut players;
    let conclusion = play_given(game, state.as_mut(), [*one, *two], &mut observer, given);
    let mut transcript = observer.transcript;
    transcript.fault = conclusion.fault.filter(|_| observer.player_failed);
    for (seat, player) in std::iter::zip(&mut transcript.seats, players) {
        seat.set_usage(player.usage());
    }
    Ok(transcript)
}

/// One of two people. The answers of both come from one list, in the order of the questions.
struct OneOfTwo<'a, 'b>(&'b Cell<&'a [String]>);

impl Player for OneOfTwo<'_, '_> {
    fn notice(&mut self, _line: &str) -> Result<Option<u64>, PlayerFault> {
        Ok(None)
    }

    fn ask(&mut self, _line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let (next, later) = self.0.get().split_first().ok_or_else(PlayerFault::resigned)?;
        self.0.set(later);
        answer.push_str(next);
        Ok(None)
    }
}

/// The round between two people with these answers, in the order of the questions. At the first
/// question without an answer, the asked person gives up. Every answer must be legal.
///
/// # Errors
/// When the round cannot begin.
pub fn between_people(spec: &RoundSpec, given: &[String]) -> Result<Transcript, SetupError> {
    let left = Cell::new(given);
    let (mut one, mut two) = (OneOfTwo(&left), OneOfTwo(&left));
    sit_down(spec, [&mut one, &mut two], None)
}

/// A player of the judge against a person. It plays the round from the start for any answers of the
/// person, and thinks only about new questions.
pub struct OwnPlayer(Remembering);

impl OwnPlayer {
    /// Uses the player that `create` makes for the start of the round.
    pub fn new(create: Create) -> OwnPlayer {
        OwnPlayer(Remembering::new(create))
    }

    /// The round if the person in that seat gives these answers and then gives up. Every answer
    /// must be legal.
    ///
    /// # Errors
    /// When the round cannot begin.
    pub fn play(
        &mut self,
        spec: &RoundSpec,
        seat: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        let script = answers(given);
        let mut person = person(&script);
        self.0.rewind();
        let other: &mut dyn Player = &mut self.0;
        match seat {
            Seat::One => sit_down(spec, [&mut person, other], None),
            Seat::Two => sit_down(spec, [other, &mut person], None),
        }
    }
}
