//! Patchwork quilter: plans the purchases on paper, and sews with the next patches in mind.
//!
//! It answers two questions separately, because each of them is small:
//!
//! 1. *What to buy.* On paper a game is only buttons, time, income and how much of each quilt is
//!    empty (`ledger`). Without places there are at most four moves, so both sides' purchases are
//!    searched several moves deep, and from there every line is played to the last square by a
//!    quick rule of thumb; the scores at that end are compared (`outlook`).
//! 2. *Where to lay it.* Of the places with the least ragged rest, the one that leaves room for
//!    most of the patches that come next and traps the fewest squares (`sewing`).
//!
//! The waste of a place counts against the plan. Nothing depends on clock or chance.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

mod ledger;
mod outlook;
mod sewing;

use judge_bot::patchwork::{Brain, Move, Patch, Position, track};
use ledger::Ledger;
use outlook::Outlook;
use sewing::Place;

/// Squares of time left at which the waste of a quilt counts in full.
const FULL_TIME: i32 = 40;

/// The player.
#[derive(Debug, Default)]
pub struct Quilter;

impl Brain for Quilter {
    fn choose(&mut self, position: &Position) -> Move {
        let places = sewing::best_places(position);
        if position.special_pending() {
            return places.first().map_or(Move::Advance, |place| Move::Place(place.placement));
        }
        let before = sewing::waste(position, position.side(position.turn()).quilt);
        // Near the end few patches will follow, so that raggedness costs less.
        let left = i32::from(track::LAST - position.side(position.turn()).time);
        let worth = |place: &Place| (before - place.waste) * left / FULL_TIME;
        let options: Vec<(Option<Patch>, i32)> = std::iter::once((None, 0))
            .chain(places.iter().map(|place| (Some(place.placement.patch), worth(place))))
            .collect();
        let chosen = Outlook::default().choose(&Ledger::from_position(position), &options);
        match chosen.checked_sub(1).and_then(|index| places.get(index)) {
            Some(place) => Move::Place(place.placement),
            None => Move::Advance,
        }
    }
}

judge_bot::patchwork_bot!(Quilter, name: "patchwork-quilter", author: "judge");

#[cfg(test)]
mod tests;
