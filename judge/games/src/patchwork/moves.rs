//! Possible moves of a player, and all legal moves of a position. Finding a patch's places takes
//! one shift for each of its squares, without allocation.

use super::shape::{Orientation, Shape, shape};
use super::{Offer, Patch, Position, Squares};

/// A patch laid on the quilt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The patch.
    pub patch: Patch,
    /// Column of the top left corner of its bounding box, from 0; at most 8.
    pub column: u8,
    /// Row of that corner, from 0; at most 8.
    pub row: u8,
    /// Its orientation.
    pub orientation: Orientation,
}

impl Placement {
    /// The shape that is laid.
    pub fn shape(&self) -> &'static Shape {
        shape(self.patch, self.orientation)
    }

    /// True if it is within the quilt.
    pub fn is_on_quilt(&self) -> bool {
        self.shape().room.contains(self.column, self.row)
    }

    /// The squares it covers; none when it reaches beyond the quilt.
    pub fn squares(&self) -> Squares {
        if !self.is_on_quilt() {
            return Squares::EMPTY;
        }
        self.shape().squares.moved(self.column, self.row)
    }

    /// The same placement with the first orientation letter that gives this shape.
    #[must_use]
    pub fn canonical(self) -> Placement {
        let same = |other: &Orientation| shape(self.patch, *other).squares == self.shape().squares;
        let orientation = Orientation::ALL.into_iter().find(same).unwrap_or(self.orientation);
        Placement { orientation, ..self }
    }
}

/// A move of a player; written as in the course: `BDCA` or `.`.
///
/// ```
/// use judge_games::patchwork::Move;
///
/// let made: Move = "BDCA".parse()?;
/// assert_eq!(made.to_string(), "BDCA");
/// # Ok::<(), judge_games::patchwork::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Moves to the square after the other token, for a button a square.
    Advance,
    /// Buys a patch and lays it, or lays a special patch that was earned.
    Place(Placement),
}

/// The legal moves of a position: patches in the order of the offer, their orientations from `A`,
/// then row by row and column by column; `.` comes last.
#[derive(Debug, Clone)]
pub struct Moves {
    quilt: Squares,
    /// Patches that may still be laid, the next one first.
    patches: [Option<Patch>; Offer::MOST],
    /// The remaining orientations of that patch.
    orientations: std::slice::Iter<'static, Orientation>,
    patch: Patch,
    orientation: Orientation,
    /// The remaining places.
    places: Squares,
    /// True if orientations that repeat a shape are left out.
    distinct: bool,
    advance: bool,
}

impl Moves {
    /// The moves of a position; `distinct` leaves out letters that repeat a shape.
    pub(super) fn new(position: &Position, distinct: bool) -> Moves {
        let mut moves = Moves {
            quilt: position.side(position.turn()).quilt,
            patches: [None; Offer::MOST],
            orientations: [].iter(),
            patch: Patch::SPECIAL,
            orientation: Orientation::ALL[0],
            places: Squares::EMPTY,
            distinct,
            advance: !position.is_over() && !position.special_pending(),
        };
        if position.special_pending() {
            moves.patches[0] = Some(Patch::SPECIAL);
        } else if !position.is_over() {
            let buttons = position.side(position.turn()).buttons;
            let affordable =
                position.offer().iter().filter(|patch| u16::from(patch.info().cost) <= buttons);
            moves.patches.iter_mut().zip(affordable).for_each(|(free, patch)| *free = Some(patch));
        }
        moves
    }

    /// Continues with the next shape; false if there is none.
    fn next_shape(&mut self) -> bool {
        loop {
            let Some(orientation) = self.orientations.next() else {
                let Some(patch) = self.patches[0] else { return false };
                self.patches.rotate_left(1);
                self.patches[Offer::MOST - 1] = None;
                (self.patch, self.orientations) = (patch, Orientation::ALL.iter());
                continue;
            };
            let shape = shape(self.patch, *orientation);
            if shape.distinct || !self.distinct {
                self.orientation = *orientation;
                self.places = self.quilt.places(shape.squares, shape.room);
                return true;
            }
        }
    }
}

impl Iterator for Moves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        loop {
            if let Some((column, row)) = self.places.pop() {
                let (patch, orientation) = (self.patch, self.orientation);
                return Some(Move::Place(Placement { patch, column, row, orientation }));
            }
            if !self.next_shape() {
                return std::mem::take(&mut self.advance).then_some(Move::Advance);
            }
        }
    }
}
