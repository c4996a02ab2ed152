//! The answers to the questions of a round: as text, as a list of legal ones, and counted.

use std::fmt;

use super::round::Phase;
use super::{Round, Tile, TileError};
use crate::IllegalMove;
use crate::text::excerpt;

/// A player's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// `yes` to `win?`
    Win,
    /// `no` to `win?`
    Decline,
    /// A tile to `discard?`
    Throw(Tile),
}

impl Answer {
    /// Reads the answer to the question that is pending in `phase`.
    pub(super) fn read(phase: Phase, text: &str) -> Result<Answer, IllegalMove> {
        match (phase, text) {
            (Phase::Discard(_), tile) => tile
                .parse()
                .map(Answer::Throw)
                .map_err(|error: TileError| IllegalMove::Malformed(error.to_string())),
            (Phase::OfferDraw(..) | Phase::OfferDiscard(..), "yes") => Ok(Answer::Win),
            (Phase::OfferDraw(..) | Phase::OfferDiscard(..), "no") => Ok(Answer::Decline),
            (Phase::OfferDraw(..) | Phase::OfferDiscard(..), other) => {
                let reason = format!("expected `yes` or `no`, found `{}`", excerpt(other));
                Err(IllegalMove::Malformed(reason))
            }
            _ => Err(IllegalMove::nothing_asked()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Win => "yes",
            Answer::Decline => "no",
            Answer::Throw(tile) => tile.name(),
        })
    }
}

impl Round {
    /// Every legal answer to the pending question; none when no question is pending.
    pub(super) fn answers(&self) -> impl Iterator<Item = Answer> + use<> {
        let thrown =
            matches!(self.phase(), Phase::Discard(_)).then(|| self.hand(self.turn()).kinds());
        let offered = matches!(self.phase(), Phase::OfferDraw(..) | Phase::OfferDiscard(..))
            .then_some([Answer::Win, Answer::Decline]);
        let thrown = thrown.into_iter().flatten().map(Answer::Throw);
        offered.into_iter().flatten().chain(thrown)
    }
}

/// Number of sequences of `depth` answers from the next question on. Equal tiles are one answer; a
/// round that is over has only the empty sequence.
pub(super) fn perft(round: &Round, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else { return 1 };
    let mut asked = round.clone();
    asked.advance();
    let after = |answer| {
        let mut next = asked.clone();
        // Every answer listed by `answers` is legal.
        next.play(answer).map_or(0, |()| perft(&next, depth))
    };
    asked.answers().map(after).sum()
}
