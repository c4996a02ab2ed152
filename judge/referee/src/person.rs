//! A person at the table: gives some answers, then gives up, so that the match stays at the first
//! question without an answer. Opposite sits a player of the judge's own, or another person.

use std::cell::Cell;

use judge_core::{Player, PlayerFault, RoundSpec, Seat, SeatTranscript, Transcript};

use crate::observer::TranscriptObserver;
use crate::play::play;
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

/// Plays a match to its end and writes down what the players did.
///
/// # Errors
/// When the match cannot begin.
pub fn sit_down(
    spec: &RoundSpec,
    mut players: [&mut dyn Player; 2],
) -> Result<Transcript, SetupError> {
    let (game, mut state) = start(spec)?;
    let mut observer = TranscriptObserver::default();
    let [one, two] = &mut players;
    let conclusion = play(game, state.as_mut(), [*one, *two], &mut observer);
    let mut transcript = observer.transcript;
    transcript.fault = conclusion.fault.filter(|_| observer.player_failed);
    for (seat, player) in std::iter::zip(&mut transcript.seats, players) {
        let usage = player.usage();
        seat.peak_memory_bytes = usage.peak_memory_bytes;
        seat.log = usage.log;
        seat.log_dropped = usage.log_dropped;
        seat.log_parts = usage.log_parts;
    }
    Ok(transcript)
}

/// One of two people: the answers of both come from one list, in the order of the questions.
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

/// The match of two people with these answers, in the order of the questions; at the first question
/// without an answer the person in that seat gives up. Every answer must be legal.
///
/// # Errors
/// When the match cannot begin.
pub fn between_people(spec: &RoundSpec, given: &[String]) -> Result<Transcript, SetupError> {
    let left = Cell::new(given);
    let (mut one, mut two) = (OneOfTwo(&left), OneOfTwo(&left));
    sit_down(spec, [&mut one, &mut two])
}

/// A player of the judge's own opposite a person: plays the match from its start for any answers
/// of the person, and thinks only over what is new.
pub struct OwnPlayer(Remembering);

impl OwnPlayer {
    /// The player that `create` makes for the start of the match.
    pub fn new(create: Create) -> OwnPlayer {
        OwnPlayer(Remembering::new(create))
    }

    /// The match as it goes when the person in that seat gives these answers and then gives up.
    /// Every one of them must be legal.
    ///
    /// # Errors
    /// When the match cannot begin.
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
            Seat::One => sit_down(spec, [&mut person, other]),
            Seat::Two => sit_down(spec, [other, &mut person]),
        }
    }
}
