//! The best place of a patch: the one that wastes least.

use judge_bot::patchwork::{Move, Patch, Placement, Position, SIDE, Squares};

use crate::ledger::sews;

/// Places of each patch that are examined closely: those with the least ragged rest.
const CLOSELY: usize = 10;

/// Patches ahead in the circle that should still fit.
const AHEAD: usize = 10;

/// In tenths of a button: a side of an empty square next to a covered square or the border.
const RAGGED: i32 = 4;

/// An empty square with no empty neighbour, or with only one.
const TRAPPED: [i32; 2] = [8, 3];

/// A patch ahead that does not fit any more.
const MISSED: i32 = 6;

/// A place for a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) placement: Placement,
    /// The waste of the quilt with it, in tenths of a button.
    pub(crate) waste: i32,
}

/// The best place of every patch that the side on move can lay now.
pub(crate) fn best_places(position: &Position) -> Vec<Place> {
    let quilt = position.side(position.turn()).quilt;
    let mut placements: Vec<(Patch, u32, Placement)> = position
        .moves()
        .filter_map(|made| match made {
            Move::Advance => None,
            Move::Place(placement) => Some(placement),
        })
        .map(|placement| (placement.patch, quilt.union(placement.squares()).edges(), placement))
        .collect();
    placements.sort_unstable();
    let of_one_patch = placements.chunk_by(|one, other| one.0 == other.0);
    let best = |group: &[(Patch, u32, Placement)]| {
        let places = group.iter().take(CLOSELY).map(|(_, _, placement)| Place {
            placement: *placement,
            waste: waste(position, quilt.union(placement.squares())),
        });
        places.min_by_key(|place| place.waste)
    };
    of_one_patch.filter_map(best).collect()
}

/// The waste of a quilt of the side on move, in tenths of a button: the less there is to fill, the
/// less it matters.
pub(crate) fn waste(position: &Position, quilt: Squares) -> i32 {
    let coming = position.circle().ahead().take(AHEAD);
    let missed = coming.filter(|patch| !sews(quilt, *patch)).count() as i32;
    let trapped: i32 = empty_squares(quilt).map(|square| trap(quilt, square)).sum();
    RAGGED * quilt.edges() as i32 + trapped + MISSED * missed
}

fn empty_squares(quilt: Squares) -> impl Iterator<Item = (u8, u8)> {
    quilt.complement().iter()
}

/// The loss on an empty square with at most one empty neighbour.
fn trap(quilt: Squares, (column, row): (u8, u8)) -> i32 {
    let beside = [
        (column.wrapping_sub(1), row),
        (column + 1, row),
        (column, row.wrapping_sub(1)),
        (column, row + 1),
    ];
    let empty =
        |(column, row): &(u8, u8)| *column < SIDE && *row < SIDE && !quilt.contains(*column, *row);
    TRAPPED.get(beside.iter().filter(|square| empty(square)).count()).copied().unwrap_or(0)
}
