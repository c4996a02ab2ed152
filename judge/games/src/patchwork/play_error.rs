//! Reasons why a move is illegal, in words for its player.

use super::notation::line_letter;
use super::{Move, Offer, Placement};

/// A rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Both tokens are on the last square.
    #[error("`{0}`: the game is over")]
    Over(Move),
    /// A special patch was earned and is not placed yet.
    #[error("`{0}`: the special patch h that was just earned comes first")]
    SpecialPending(Move),
    /// No special patch was earned.
    #[error("`{0}`: no special patch h was earned")]
    NoSpecial(Move),
    /// The patch has been bought before.
    #[error("`{0}`: {patch} is already taken", patch = .0.patch)]
    Taken(Placement),
    /// The patch is not near enough to the neutral token.
    #[error("`{0}`: {patch} is not among the three patches on offer ({1})", patch = .0.patch)]
    NotOffered(Placement, Offer),
    /// The player has too few buttons.
    #[error(
        "`{0}`: {patch} costs {cost}, and the buttons in hand are {1}",
        patch = .0.patch, cost = .0.patch.info().cost
    )]
    TooDear(Placement, u16),
    /// Part of the patch would lie beyond the quilt.
    #[error(
        "`{0}`: {patch} is {width} wide and {height} high there and reaches beyond the quilt",
        patch = .0.patch, width = .0.shape().width, height = .0.shape().height
    )]
    OffQuilt(Placement),
    /// Part of the patch would lie on another one.
    #[error(
        "`{placement}`: column {}, row {} is already covered",
        line_letter(*.column), line_letter(*.row)
    )]
    Overlap {
        /// The placement.
        placement: Placement,
        /// Column of the first square that is covered, from 0.
        column: u8,
        /// Its row, from 0.
        row: u8,
    },
}
