//! Mahjong hunter: weighs Faan against speed.
//!
//! A quick plain win is worth some 55 points, a full flush of seven pairs 48 and more only for its
//! Faan, but it takes half of the wall. So every decision compares expected scores:
//!
//! 1. A hand of 13 tiles can be carried on by several *plans*: the nearest ordinary win, the
//!    nearest win within one suit, and seven pairs, of one suit or any (`plans`).
//! 2. The speed of an ordinary win follows from distance, useful tiles and outs, each turn being
//!    one draw and, when ready, one throw of the opponent more (`race`).
//! 3. Seven pairs with their roots are a small decision process over how many kinds are held
//!    once, twice, three and four times; solved backwards from the last turn (`pairs`).
//! 4. A hand of one suit is finished by playing many sampled walls to their end, because then it
//!    matters which copies are gone; all candidates meet the same walls (`futures`).
//! 5. The bot throws the tile without which the hand is worth most, and wins unless declining
//!    promises more.
//!
//! All factors come from the rules in the judge's first line. Nothing depends on clock or chance:
//! the sampled walls follow from the state of the round.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

mod flush;
mod futures;
mod holding;
mod melds;
mod pairs;
mod plans;
mod race;
mod view;

use judge_bot::mahjong::{Brain, Rules, Seat, Tile, faan_with, round_score};
use plans::Plans;
use view::View;

/// The player.
#[derive(Default)]
pub struct Hunter {
    view: View,
    plans: Option<Plans>,
}

impl Hunter {
    /// The plans for the rules of the greeting, or for the default rules without one.
    fn plans(&mut self) -> &Plans {
        self.plans.get_or_insert_with(|| Plans::new(&Rules::default()))
    }
}

impl Brain for Hunter {
    fn rules(&mut self, _seat: Seat, rules: &Rules) {
        self.plans = Some(Plans::new(rules));
    }

    fn draw(&mut self, tile: Tile) {
        self.view.draw(tile);
    }

    fn discard(&mut self) -> Tile {
        let view = self.view.clone();
        let (tile, _) = self.plans().best_throw(&view);
        self.view = view.without(tile);
        tile
    }

    fn opponent_discard(&mut self, tile: Tile) {
        self.view.see(tile);
    }

    fn win(&mut self, tile: Tile, self_draw: bool) -> bool {
        let view = self.view.clone();
        let plans = self.plans();
        let faan = faan_with(&view.hand, tile, plans.rules());
        let mut declined = view;
        let (left, otherwise) = if self_draw {
            declined.draw(tile);
            (declined.left, plans.best_throw(&declined).1)
        } else {
            declined.see(tile);
            let left = declined.left - 1;
            // After the last tile of the wall no other chance is left.
            (left, if left == 0 { 0.0 } else { plans.value(&declined) })
        };
        round_score(faan, left) as f32 >= otherwise
    }
}

judge_bot::mahjong_bot!(Hunter, name: "hunter", author: "judge");

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().expect("a tile")
    }

    fn dealt(hand: &str) -> Hunter {
        let mut hunter = Hunter::default();
        hunter.rules(Seat::One, &Rules::default());
        let hand: judge_bot::mahjong::Hand = hand.parse().expect("a hand");
        hand.iter().for_each(|tile| hunter.draw(tile));
        hunter
    }

    #[test]
    fn a_win_that_cannot_be_improved_is_taken() {
        assert!(dealt("1112222333344d").win(tile("1d"), true));
        assert!(dealt("123789b456c2299d").win(tile("2d"), true));
        assert!(dealt("123789b456c2299d").win(tile("9d"), false));
    }

    #[test]
    fn a_cheap_win_is_declined_for_a_valuable_one() {
        // 111 123 234 456 55 would be 8 Faan; seven pairs with a root or two are 32 and more.
        let mut hunter = dealt("1111223344555c");
        assert!(!hunter.win(tile("6c"), true));
    }

    #[test]
    fn the_last_win_is_taken() {
        let mut hunter = dealt("1111223344555c");
        hunter.view.left = 1;
        assert!(hunter.win(tile("6c"), false));
    }

    #[test]
    fn the_hunter_discards_only_held_tiles() {
        for suit in ["b", "c", "d"] {
            let mut hunter = dealt("1478b122367c138d");
            for rank in 1..=9 {
                let next = tile(&format!("{rank}{suit}"));
                hunter.draw(next);
                let held = hunter.view.hand;
                assert!(held.contains(hunter.discard()), "of `{held}`");
                assert_eq!(hunter.view.hand.len(), 13);
            }
        }
    }

    #[test]
    fn equal_rounds_get_equal_answers() {
        let throws = || {
            let mut hunter = dealt("1122335577899c");
            (0..2)
                .map(|_| {
                    hunter.draw(tile("4c"));
                    hunter.discard()
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(throws(), throws());
    }
}
