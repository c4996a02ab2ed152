//! Plays any move: the weakest opponent of the original.

use super::{Path, Position, Strategy};
use crate::cc::opening::random_path;

/// Chooses uniformly among paths, as the original does: a destination with two paths is twice as
/// likely.
pub(super) struct Random(pub(super) judge_core::Random);

impl Strategy for Random {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        random_path(position, &mut self.0, |_| true).map(|(path, _)| path)
    }
}
