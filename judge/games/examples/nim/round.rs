//! Heaps, moves, and one round as a machine of notices and questions.

use std::fmt;

use judge_core::{RoundResult, Seat};

use super::render;
use crate::text::{excerpt, number};
use crate::{GameState, IllegalMove, Standing, Step, Term, View};

/// Sizes of the heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Heaps(pub(super) [u32; 3]);

/// A move: so many from a heap, counted from 0. Written `2-5`: five from the second heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Take {
    pub(super) heap: usize,
    pub(super) count: u32,
}

/// A text that is not a valid state.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateError {
    /// Wrong form.
    #[error("`{0}` is not of the form `1 3,4,5`: the seat to move, then the heaps")]
    Form(String),
    /// A heap that no game can have.
    #[error("heap {place} is `{size}`: expected 0 to {max}", max = super::MAX_HEAP)]
    Heap {
        /// Which one, from 1.
        place: usize,
        /// The size in the text.
        size: u32,
    },
}

impl fmt::Display for Heaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two, three] = self.0;
        write!(f, "{one},{two},{three}")
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.heap + 1, self.count)
    }
}

impl Heaps {
    /// Reads `3,4,5`.
    pub(super) fn parse(text: &str) -> Option<Heaps> {
        let sizes: Option<Vec<u32>> = text.split(',').map(number).collect();
        Some(Heaps(sizes?.try_into().ok()?))
    }

    /// The moves, in the order of their notation.
    pub(super) fn moves(self) -> impl Iterator<Item = Take> {
        let heaps = self.0.into_iter().enumerate();
        heaps.flat_map(|(heap, size)| (1..=size).map(move |count| Take { heap, count }))
    }

    fn after(mut self, take: Take) -> Heaps {
        self.0[take.heap] -= take.count;
        self
    }

    fn is_empty(self) -> bool {
        self.0 == [0; 3]
    }
}

/// A game in progress.
pub(super) struct Round {
    misere: bool,
    heaps: Heaps,
    turn: Seat,
    /// The move made last, until the other side has its notice.
    untold: Option<Take>,
    asked: bool,
}

impl Round {
    pub(super) fn new(misere: bool, heaps: Heaps) -> Round {
        Round { misere, heaps, turn: Seat::One, untold: None, asked: false }
    }

    /// Reads what [`GameState::state`] prints.
    pub(super) fn parse(misere: bool, state: &str) -> Result<Round, StateError> {
        let parts = state.split_once(' ').and_then(|(turn, heaps)| {
            let turn = Seat::try_from(number::<u8>(turn)?).ok()?;
            Some((turn, Heaps::parse(heaps)?))
        });
        let (turn, heaps) = parts.ok_or_else(|| StateError::Form(excerpt(state)))?;
        let too_large = |(_, size): &(usize, u32)| *size > super::MAX_HEAP;
        match (1..).zip(heaps.0).find(too_large) {
            Some((place, size)) => Err(StateError::Heap { place, size }),
            None => Ok(Round { turn, ..Round::new(misere, heaps) }),
        }
    }

    pub(super) fn heaps(&self) -> Heaps {
        self.heaps
    }

    pub(super) fn turn(&self) -> Seat {
        self.turn
    }

    /// Once all heaps are empty: the player on turn has lost the race for the last one.
    fn outcome(&self) -> Option<RoundResult> {
        let winner = if self.misere { self.turn } else { self.turn.other() };
        self.heaps.is_empty().then(|| won(winner, "last taken"))
    }
}

/// 1 for the winner, 0 for the loser.
fn won(winner: Seat, reason: &str) -> RoundResult {
    let mut scores = [0; 2];
    scores[winner.index()] = 1;
    RoundResult { scores, winner: Some(winner), reason: reason.to_owned() }
}

impl GameState for Round {
    fn step(&mut self, line: &mut String) -> Step {
        if let Some(take) = self.untold.take() {
            *line = format!("opponent {take}");
            return Step::Tell(self.turn);
        }
        if let Some(outcome) = self.outcome() {
            return Step::End(outcome);
        }
        *line = format!("move? {}", self.heaps);
        self.asked = true;
        Step::Ask(self.turn)
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        let take = answer.split_once('-').and_then(|(heap, count)| {
            let heap = number::<usize>(heap)?.checked_sub(1)?;
            Some(Take { heap, count: number(count)? })
        });
        let form = || format!("`{}` is not of the form `2-5`", excerpt(answer));
        let take = take.filter(|_| self.asked).ok_or_else(|| IllegalMove::Malformed(form()))?;
        if !self.heaps.moves().any(|legal| legal == take) {
            let reason = format!("`{take}`: the heaps are {}", self.heaps);
            return Err(IllegalMove::Forbidden(reason));
        }
        self.heaps = self.heaps.after(take);
        self.turn = self.turn.other();
        self.untold = Some(take);
        self.asked = false;
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        won(loser.other(), "forfeit")
    }

    fn facts(&self) -> String {
        format!("misere={}", self.misere)
    }

    fn legal(&self) -> Vec<String> {
        let moves = self.heaps.moves().filter(|_| self.asked);
        moves.map(|take| take.to_string()).collect()
    }

    fn state(&self) -> String {
        format!("{} {}", self.turn, self.heaps)
    }

    fn standing(&self) -> Standing {
        let outcome = self.outcome();
        let scores = outcome.as_ref().map_or([0; 2], |outcome| outcome.scores);
        let left: u32 = self.heaps.0.iter().sum();
        let terms = vec![Term { name: "left in the heaps", values: [i64::from(left); 2] }];
        Standing { outcome, scores, terms }
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self.heaps, depth)
    }

    fn frame(&self, _view: View) -> String {
        render::frame(self)
    }

    fn svg(&self, _view: View) -> String {
        render::svg(self)
    }
}

/// Number of sequences of `depth` moves.
pub(super) fn perft(heaps: Heaps, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => heaps.moves().map(|take| perft(heaps.after(take), depth - 1)).sum(),
    }
}
