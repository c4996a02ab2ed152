//! Plays anything: the weakest opponent of the original.

use super::{Path, Position, Strategy};
use crate::cc::opening::random_path;

/// Chooses uniformly among paths, as the original does: what can be reached in two ways is twice
/// as likely.
pub(super) struct Random(pub(super) judge_core::Random);

impl Strategy for Random {
    fn choose(&mut self, position: &Position) -> Option<Path> {
        random_path(position, &mut self.0, |_| true).map(|(path, _)| path)
    }
}
