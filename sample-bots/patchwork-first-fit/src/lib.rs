//! Patchwork first fit: buys the first patch on offer that it can pay, and lays it at the first
//! place where it fits, in the order of orientations, rows and columns. The lightest bot for
//! Patchwork, and a template for others.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

use judge_bot::patchwork::{Brain, Move, Position};

/// The player.
#[derive(Debug, Default)]
pub struct FirstFit;

impl Brain for FirstFit {
    fn choose(&mut self, position: &Position) -> Move {
        // Advancing comes last among the moves.
        position.moves().next().unwrap_or(Move::Advance)
    }
}

judge_bot::patchwork_bot!(FirstFit, name: "patchwork-first-fit", author: "judge");

#[cfg(test)]
mod tests {
    use judge_bot::patchwork::Rules;

    use super::*;

    #[test]
    fn advances_only_when_nothing_can_be_bought() {
        let circle = "agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR".parse().unwrap();
        let mut position = Position::new(Rules::default(), circle);
        let mut advanced = 0;
        while !position.is_over() {
            let (made, legal) = (FirstFit.choose(&position), position.moves().count());
            advanced += u32::from(made == Move::Advance);
            assert!(made != Move::Advance || legal == 1, "something could be bought");
            position.play(made).unwrap();
        }
        assert!(advanced > 0);
    }
}
