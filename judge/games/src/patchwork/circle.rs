//! The circle of ordinary patches with its neutral token, and its offer. The order never changes:
//! bought patches are only marked as gone.

use std::fmt;
use std::str::FromStr;

use judge_core::{Purpose, Seed};

use super::Patch;
use crate::text::excerpt;

/// Places of the circle.
const PLACES: u32 = Patch::ORDINARY as u32;

/// Every place.
const FULL: u64 = (1 << PLACES) - 1;

/// The 33 ordinary patches in a circle, the remaining ones, and the neutral token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Circle {
    /// The patch at each place at the start.
    order: [Patch; Patch::ORDINARY],
    /// A bit for each place that still has its patch.
    left: u64,
    /// The place of the neutral token: that of the patch bought last, or of `A` at the start.
    neutral: u32,
}

impl Circle {
    /// The circle of a round: the patches in the order of their letters, shuffled by the stream of
    /// chance of `seed`.
    pub fn shuffled(seed: Seed) -> Circle {
        let mut order = Patch::ordinary();
        seed.random(Purpose::Chance).shuffle(&mut order);
        Circle::new(order)
    }

    /// A full circle; `order` has every ordinary patch once.
    fn new(order: [Patch; Patch::ORDINARY]) -> Circle {
        let smallest = order.iter().position(|patch| *patch == Patch::SMALLEST);
        Circle { order, left: FULL, neutral: smallest.unwrap_or(0) as u32 }
    }

    /// The patches on offer: up to three after the neutral token, clockwise.
    pub fn offer(&self) -> Offer {
        let mut offer = Offer::default();
        for place in self.places_ahead().take(Offer::MOST) {
            offer.push(self.order[place as usize]);
        }
        offer
    }

    /// The remaining patches, in the order in which the neutral token comes to them.
    pub fn ahead(&self) -> impl Iterator<Item = Patch> + '_ {
        self.places_ahead().map(|place| self.order[place as usize])
    }

    /// Places of the remaining patches, from the neutral token on.
    fn places_ahead(&self) -> impl Iterator<Item = u32> + use<> {
        let start = (self.neutral + 1) % PLACES;
        let mut rest = (self.left >> start | self.left << (PLACES - start)) & FULL;
        std::iter::from_fn(move || {
            let steps = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (steps < PLACES).then_some((start + steps) % PLACES)
        })
    }

    /// True if a patch has not been bought.
    pub fn has(&self, patch: Patch) -> bool {
        self.ahead().any(|other| other == patch)
    }

    /// Takes a patch out; the neutral token goes to its place. A missing patch changes nothing.
    pub(super) fn take(&mut self, patch: Patch) {
        let place = self.places_ahead().find(|place| self.order[*place as usize] == patch);
        if let Some(place) = place {
            self.left &= !(1 << place);
            self.neutral = place;
        }
    }
}

/// The patches on offer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offer([Option<Patch>; Offer::MOST]);

impl Offer {
    /// Most patches on offer.
    pub const MOST: usize = 3;

    fn push(&mut self, patch: Patch) {
        if let Some(free) = self.0.iter_mut().find(|place| place.is_none()) {
            *free = Some(patch);
        }
    }

    /// The patches, the one next to the neutral token first.
    pub fn iter(&self) -> impl Iterator<Item = Patch> + use<> {
        self.0.into_iter().flatten()
    }

    /// True if a patch is on offer.
    pub fn contains(&self, patch: Patch) -> bool {
        self.0.contains(&Some(patch))
    }
}

impl fmt::Display for Offer {
    /// The letters with commas between them; `none` without patches.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for patch in self.iter() {
            write!(f, "{before}{patch}")?;
            before = ", ";
        }
        f.write_str(if before.is_empty() { "none" } else { "" })
    }
}

/// The reason why a text is not a circle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CircleError {
    /// Not 33 characters.
    #[error("`{text}`: a circle has 33 letters, found {found}")]
    Length {
        /// The text.
        text: String,
        /// Its characters.
        found: usize,
    },
    /// Not the letter of an ordinary patch.
    #[error(
        "`{}` at place {place} of the circle: expected the letters `A` to `Z` and `a` to `g`",
        letter.escape_debug()
    )]
    Letter {
        /// The letter there.
        letter: char,
        /// Its place, from 1.
        place: usize,
    },
    /// A repeated patch, so that another is missing.
    #[error("`{letter}` at place {place} of the circle is there for the second time")]
    Twice {
        /// The letter of the patch.
        letter: char,
        /// The place of its repetition, from 1.
        place: usize,
    },
}

impl FromStr for Circle {
    type Err = CircleError;

    /// Reads the 33 letters of a full circle.
    fn from_str(text: &str) -> Result<Circle, CircleError> {
        let found = text.chars().count();
        if found != Patch::ORDINARY {
            return Err(CircleError::Length { text: excerpt(text), found });
        }
        let mut order = [Patch::SMALLEST; Patch::ORDINARY];
        let mut seen = 0_u64;
        for ((place, letter), patch) in (1..).zip(text.chars()).zip(&mut order) {
            let ordinary = Patch::from_letter(letter).filter(|patch| *patch != Patch::SPECIAL);
            *patch = ordinary.ok_or(CircleError::Letter { letter, place })?;
            if seen >> patch.index() & 1 != 0 {
                return Err(CircleError::Twice { letter, place });
            }
            seen |= 1 << patch.index();
        }
        Ok(Circle::new(order))
    }
}

impl fmt::Display for Circle {
    /// The 33 letters at the start, without regard to purchases.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.order.iter().try_for_each(|patch| write!(f, "{patch}"))
    }
}

impl fmt::Debug for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::CIRCLE;

    const README: &str = include_str!("README.md");

    fn circle() -> Circle {
        CIRCLE.parse().expect("a circle")
    }

    fn refused(text: &str) -> String {
        text.parse::<Circle>().expect_err("no circle").to_string()
    }

    fn patch(letter: char) -> Patch {
        Patch::from_letter(letter).expect("a patch")
    }

    #[test]
    fn the_offer_starts_after_the_neutral_token() {
        let mut circle = circle();
        assert_eq!(circle.offer().to_string(), "B, Q, D");
        circle.take(patch('Q'));
        assert_eq!(circle.offer().to_string(), "D, O, d");
        assert!(!circle.has(patch('Q')) && circle.has(patch('B')));
        assert_eq!(circle.to_string(), CIRCLE);
    }

    #[test]
    fn the_offer_wraps_around_and_runs_out() {
        let mut circle = circle();
        let order: Vec<Patch> = circle.ahead().collect();
        assert_eq!((order.len(), order[32]), (33, Patch::SMALLEST));
        for (taken, next) in order.iter().enumerate() {
            let left = order.iter().skip(taken).take(3).copied();
            assert!(circle.offer().iter().eq(left));
            circle.take(*next);
        }
        assert_eq!(circle.offer().to_string(), "none");
        circle.take(Patch::SMALLEST);
        assert_eq!(circle.ahead().count(), 0);
    }

    #[test]
    fn the_readme_has_the_documented_circle() {
        let circle = Circle::shuffled(Seed(2022)).to_string();
        assert_eq!(circle.parse(), Ok(Circle::shuffled(Seed(2022))));
        assert!(README.contains(&circle), "{circle}");
        assert_ne!(Circle::shuffled(Seed(2023)).to_string(), circle);
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        insta::assert_snapshot!(refused("ABC"), @"`ABC`: a circle has 33 letters, found 3");
        insta::assert_snapshot!(refused(&CIRCLE.replace('g', "h")), @"`h` at place 2 of the circle: expected the letters `A` to `Z` and `a` to `g`");
        insta::assert_snapshot!(refused(&CIRCLE.replace('g', "B")), @"`B` at place 8 of the circle is there for the second time");
    }
}
