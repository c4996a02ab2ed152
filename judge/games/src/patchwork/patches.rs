//! The patches: the 33 ordinary ones and the special one, with their shapes, costs and income.
//! The numbers and shapes are those of the course's hand-out; the published game agrees.

use std::fmt;

/// The values printed on a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchInfo {
    /// The letter of its notation.
    pub letter: char,
    /// Its rows in orientation `A`, the top one first: `#` is cloth, `.` is not.
    pub rows: &'static [&'static str],
    /// Price in buttons.
    pub cost: u8,
    /// Squares that the buyer's time token moves.
    pub time: u8,
    /// Buttons that it brings at each income square.
    pub income: u8,
}

/// A kind of patch: one of the 33 ordinary patches, or the special patch, of which there are five.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Patch(u8);

impl Patch {
    /// Number of ordinary patches, one of each.
    pub const ORDINARY: usize = 33;

    /// Number of kinds, the special patch included.
    pub const KINDS: usize = PATCHES.len();

    /// The special patch: one square, no price, no time, no income.
    pub const SPECIAL: Patch = Patch(33);

    /// The smallest ordinary patch: the neutral token starts behind it.
    pub const SMALLEST: Patch = Patch(0);

    /// The patch with that letter, `A` to `Z` or `a` to `h`.
    pub fn from_letter(letter: char) -> Option<Patch> {
        match letter {
            'A'..='Z' => Some(Patch(letter as u8 - b'A')),
            'a'..='h' => Some(Patch(letter as u8 - b'a' + 26)),
            _ => None,
        }
    }

    /// The ordinary patches in the order of their letters.
    pub fn ordinary() -> [Patch; Patch::ORDINARY] {
        std::array::from_fn(|index| Patch(index as u8))
    }

    /// Its place in the order of the letters, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its printed values.
    pub fn info(self) -> &'static PatchInfo {
        &PATCHES[self.index()]
    }

    /// Its letter.
    pub fn letter(self) -> char {
        self.info().letter
    }

    /// Number of squares that it covers.
    pub fn squares(self) -> u32 {
        super::shape::shape(self, super::Orientation::ALL[0]).squares.len()
    }
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// A row of the table below.
const fn patch(
    letter: char,
    rows: &'static [&'static str],
    [cost, time, income]: [u8; 3],
) -> PatchInfo {
    PatchInfo { letter, rows, cost, time, income }
}

/// All kinds in the order of their letters; the numbers are cost, time and income.
#[rustfmt::skip]
pub static PATCHES: [PatchInfo; 34] = [
    patch('A', &["#", "#"], [2, 1, 0]),
    patch('B', &[".#", "##"], [1, 3, 0]),
    patch('C', &[".#", "##"], [3, 1, 0]),
    patch('D', &["#", "#", "#"], [2, 2, 0]),
    patch('E', &[".#", "##", "#."], [3, 2, 1]),
    patch('F', &["#.", "##", "##"], [2, 2, 0]),
    patch('G', &["..#..", "#####", "..#.."], [1, 4, 1]),
    patch('H', &[".#.", "###", ".#.", ".#."], [0, 3, 1]),
    patch('I', &["##", "##"], [6, 5, 2]),
    patch('J', &["#.", "##", "##", ".#"], [4, 2, 0]),
    patch('K', &[".#", "##", ".#"], [2, 2, 0]),
    patch('L', &["##", ".#", ".#", "##"], [1, 5, 1]),
    patch('M', &["#", "#", "#", "#"], [3, 3, 1]),
    patch('N', &["#####"], [7, 1, 1]),
    patch('O', &["#.", "#.", "##", "#."], [3, 4, 1]),
    patch('P', &["#.", "##", "##", "#."], [7, 4, 2]),
    patch('Q', &[".#.", "###", "#.#"], [3, 6, 2]),
    patch('R', &[".#.", ".##", "##.", ".#."], [2, 1, 0]),
    patch('S', &[".#", ".#", "##"], [4, 6, 2]),
    patch('T', &[".#.", "###", ".#."], [5, 4, 2]),
    patch('U', &["#.#", "###", "#.#"], [2, 3, 0]),
    patch('V', &[".#.", "###", "###", ".#."], [5, 3, 1]),
    patch('W', &[".#", ".#", ".#", "##"], [10, 3, 2]),
    patch('X', &[".#.", ".#.", "###"], [5, 5, 2]),
    patch('Y', &["##", "##", ".#", ".#"], [10, 5, 3]),
    patch('Z', &["##.", ".#.", ".#.", ".##"], [1, 2, 0]),
    patch('a', &["#.", "#.", "##"], [4, 2, 1]),
    patch('b', &[".#.", ".#.", ".#.", "###"], [7, 2, 2]),
    patch('c', &["#..", "##.", ".##"], [10, 4, 3]),
    patch('d', &["#.#", "###"], [1, 2, 0]),
    patch('e', &[".#", ".#", "##", "#."], [2, 3, 1]),
    patch('f', &[".##", "##."], [7, 6, 3]),
    patch('g', &[".##", ".##", "##."], [8, 6, 3]),
    patch('h', &["#"], [0, 0, 0]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_patches_convert_both_ways() {
        for (index, info) in PATCHES.iter().enumerate() {
            let patch = Patch::from_letter(info.letter).expect("a letter of the table");
            assert_eq!((patch.index(), patch.letter()), (index, info.letter));
        }
        for letter in ['i', '@', '[', '`', '.', 'é'] {
            assert_eq!(Patch::from_letter(letter), None);
        }
        assert_eq!(Patch::SPECIAL.letter(), 'h');
        assert_eq!(format!("[{:>3}] {:?}", Patch::SMALLEST, Patch::SPECIAL), "[  A] `h`");
    }

    #[test]
    fn the_patches_have_the_totals_of_the_original_game() {
        let sum = |of: fn(Patch) -> u32| Patch::ordinary().into_iter().map(of).sum::<u32>();
        assert_eq!(sum(Patch::squares), 166);
        assert_eq!(sum(|patch| u32::from(patch.info().cost)), 133);
        assert_eq!(sum(|patch| u32::from(patch.info().time)), 107);
        assert_eq!(sum(|patch| u32::from(patch.info().income)), 38);
        assert_eq!(Patch::SPECIAL.squares(), 1);
    }
}
