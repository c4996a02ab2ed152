//! The shapes of all patches in all eight orientations, computed at compile time. `B`, `C` and `D`
//! are clockwise quarter turns of `A`; `E` to `H` are mirrored before they turn.

use std::fmt;

use super::patches::{PATCHES, Patch};
use super::squares::{SIDE, Squares};

/// A rotation and reflection of a patch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(u8);

impl Orientation {
    /// Number of orientations.
    pub const COUNT: usize = 8;

    /// All of them, `A` to `H`.
    pub const ALL: [Orientation; Orientation::COUNT] = {
        let mut all = [Orientation(0); Orientation::COUNT];
        let mut index = 0;
        while index < Orientation::COUNT {
            all[index] = Orientation(index as u8);
            index += 1;
        }
        all
    };

    /// The orientation with that letter, `A` to `H`.
    pub fn from_letter(letter: char) -> Option<Orientation> {
        matches!(letter, 'A'..='H').then(|| Orientation(letter as u8 - b'A'))
    }

    /// Its letter.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// Clockwise quarter turns, after mirroring.
    const fn turns(self) -> u8 {
        self.0 % 4
    }

    /// True if left and right change places before the turns.
    const fn mirrored(self) -> bool {
        self.0 >= 4
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl fmt::Debug for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// A patch in one orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The squares it covers in the top left corner of a quilt.
    pub squares: Squares,
    /// Columns of its bounding box.
    pub width: u8,
    /// Rows of its bounding box.
    pub height: u8,
    /// Places of its top left corner for which it stays within the quilt.
    pub room: Squares,
    /// True if no earlier orientation of the patch gives the same shape.
    pub distinct: bool,
}

/// The shape of a patch in an orientation.
pub fn shape(patch: Patch, orientation: Orientation) -> &'static Shape {
    &SHAPES[patch.index()][usize::from(orientation.0)]
}

/// By patch and orientation.
static SHAPES: [[Shape; Orientation::COUNT]; Patch::KINDS] = {
    let mut shapes = [[oriented(&["#"], Orientation(0)); Orientation::COUNT]; Patch::KINDS];
    let mut patch = 0;
    while patch < Patch::KINDS {
        let mut index = 0;
        while index < Orientation::COUNT {
            let mut shape = oriented(PATCHES[patch].rows, Orientation::ALL[index]);
            let mut earlier = 0;
            while earlier < index {
                // Both are in the corner, so equal squares are equal shapes.
                let squares = shapes[patch][earlier].squares;
                shape.distinct &= !squares.same(shape.squares);
                earlier += 1;
            }
            shapes[patch][index] = shape;
            index += 1;
        }
        patch += 1;
    }
    shapes
};

/// The rows of orientation `A`, mirrored and turned.
const fn oriented(rows: &[&str], orientation: Orientation) -> Shape {
    let (mut width, mut height) = (rows[0].len() as u8, rows.len() as u8);
    let mut squares = Squares::EMPTY;
    let mut square = 0;
    while square < width * height {
        let (column, row) = (square % width, square / width);
        if rows[row as usize].as_bytes()[column as usize] == b'#' {
            let (column, row) = turned(column, row, width, height, orientation);
            squares = squares.with(column, row);
        }
        square += 1;
    }
    if orientation.turns() % 2 == 1 {
        (width, height) = (height, width);
    }
    let room = Squares::rectangle(SIDE - width + 1, SIDE - height + 1);
    Shape { squares, width, height, room, distinct: true }
}

/// The new place of a square in a box of that size.
const fn turned(
    mut column: u8,
    mut row: u8,
    mut width: u8,
    mut height: u8,
    orientation: Orientation,
) -> (u8, u8) {
    if orientation.mirrored() {
        column = width - 1 - column;
    }
    let mut turn = 0;
    while turn < orientation.turns() {
        (column, row) = (height - 1 - row, column);
        (width, height) = (height, width);
        turn += 1;
    }
    (column, row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters that give different shapes.
    fn distinct(letter: char) -> String {
        let patch = Patch::from_letter(letter).expect("a patch");
        let own = |orientation: &Orientation| shape(patch, *orientation).distinct;
        Orientation::ALL.into_iter().filter(own).map(Orientation::letter).collect()
    }

    #[test]
    fn equal_orientations_of_a_patch_count_once() {
        for (letter, letters) in
            [('A', "AB"), ('B', "ABCD"), ('E', "ABEF"), ('F', "ABCDEFGH"), ('I', "A"), ('h', "A")]
        {
            assert_eq!(distinct(letter), letters, "{letter}");
        }
    }

    #[test]
    fn letters_and_orientations_convert_both_ways() {
        for orientation in Orientation::ALL {
            assert_eq!(Orientation::from_letter(orientation.letter()), Some(orientation));
        }
        assert_eq!(Orientation::from_letter('I'), None);
        assert_eq!(format!("{:?}", Orientation::ALL), "[`A`, `B`, `C`, `D`, `E`, `F`, `G`, `H`]");
    }

    #[test]
    fn bounding_boxes_are_minimal() {
        for patch in Patch::ordinary() {
            for orientation in Orientation::ALL {
                let shape = shape(patch, orientation);
                assert_eq!(shape.squares.len(), patch.squares());
                let (columns, rows): (Vec<u8>, Vec<u8>) = shape.squares.iter().unzip();
                assert_eq!(columns.iter().max(), Some(&(shape.width - 1)), "{patch}{orientation}");
                assert_eq!(rows.iter().max(), Some(&(shape.height - 1)), "{patch}{orientation}");
                assert!(columns.contains(&0) && rows.contains(&0));
            }
        }
    }
}
