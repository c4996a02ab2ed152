//! Plays any legal move.

use super::Strategy;
use crate::patchwork::{Move, Position};

/// Draws one number per move: an index into the legal moves, in the order of [`Position::moves`].
pub(super) struct Random(judge_core::Random);

impl Random {
    pub(super) fn new(random: judge_core::Random) -> Random {
        Random(random)
    }
}

impl Strategy for Random {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.moves();
        let count = u32::try_from(moves.clone().count()).ok().filter(|count| *count > 0)?;
        moves.into_iter().nth(self.0.below(count) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::start;
    use judge_core::{Purpose, Seat, Seed};
    use std::collections::BTreeMap;

    #[test]
    fn every_move_is_equally_likely() {
        let mut random = Random::new(Seed(1).random(Purpose::Opponent(Seat::Two)));
        let (position, mut counts) = (start(), BTreeMap::new());
        for _ in 0..57_900 {
            *counts.entry(random.choose(&position).expect("a move")).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 579);
        assert!(counts.values().all(|count| (50..160).contains(count)), "{counts:?}");
    }
}
