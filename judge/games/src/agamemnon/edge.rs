//! The types of edges: the quality that decides a string.
//! A board's types are kept as two bit planes, one bit an edge.

/// The quality that wins an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeType {
    /// `S`: the larger sum of strengths wins.
    Strength,
    /// `L`: the highest leader that the other side does not match wins.
    Leadership,
    /// `F`: more tiles win.
    Force,
    /// `E`, on the Loom only: scores nothing and connects nothing.
    Empty,
}

impl EdgeType {
    /// Number of types.
    pub const COUNT: usize = 4;

    /// Every type, in the order `S`, `L`, `F`, `E`.
    pub const ALL: [EdgeType; EdgeType::COUNT] =
        [EdgeType::Strength, EdgeType::Leadership, EdgeType::Force, EdgeType::Empty];

    /// Position in [`EdgeType::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of the notation: `S`, `L`, `F` or `E`.
    pub fn letter(self) -> char {
        ['S', 'L', 'F', 'E'][self.index()]
    }

    /// The type of a letter; `None` for anything but `S`, `L`, `F` and `E`.
    pub fn from_letter(letter: u8) -> Option<EdgeType> {
        EdgeType::ALL.into_iter().find(|kind| kind.letter() as u8 == letter)
    }
}

impl std::fmt::Display for EdgeType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The type of every edge of a board: edge number to type, two bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeTypes {
    low: u128,
    high: u128,
}

impl EdgeTypes {
    /// All edges of type [`EdgeType::Strength`].
    pub(super) const ZERO: EdgeTypes = EdgeTypes { low: 0, high: 0 };

    /// The type of an edge, by its number on the board.
    pub fn get(&self, edge: usize) -> EdgeType {
        let index = ((self.low >> edge) & 1) | (((self.high >> edge) & 1) << 1);
        EdgeType::ALL[index as usize]
    }

    /// The types of the edges 0, 1, 2, …, as many as the caller takes. Much faster than one by one
    /// where the machine has no native 128-bit numbers, such as in WebAssembly.
    pub fn iter(&self) -> impl Iterator<Item = EdgeType> {
        let (mut low, mut high) = (self.low, self.high);
        std::iter::repeat_with(move || {
            let index = (low as usize & 1) | (high as usize & 1) << 1;
            (low, high) = (low >> 1, high >> 1);
            EdgeType::ALL[index]
        })
    }

    /// Sets the type of an edge.
    pub(super) fn set(&mut self, edge: usize, kind: EdgeType) {
        let (bit, index) = (1 << edge, kind.index());
        self.low = (self.low & !bit) | if index & 1 == 0 { 0 } else { bit };
        self.high = (self.high & !bit) | if index & 2 == 0 { 0 } else { bit };
    }

    /// The edges with different types, one bit each.
    pub(super) fn differences(&self, other: &EdgeTypes) -> u128 {
        (self.low ^ other.low) | (self.high ^ other.high)
    }

    /// Exchanges the types of two edges.
    pub(super) fn exchange(&mut self, one: usize, other: usize) {
        let (of_one, of_other) = (self.get(one), self.get(other));
        self.set(one, of_other);
        self.set(other, of_one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_convert_both_ways() {
        for kind in EdgeType::ALL {
            assert_eq!(EdgeType::from_letter(kind.letter() as u8), Some(kind));
        }
        assert_eq!(EdgeType::from_letter(b's'), None);
    }

    #[test]
    fn each_edge_keeps_its_own_type() {
        let mut types = EdgeTypes::ZERO;
        let kind = |edge: usize| EdgeType::ALL[edge * 7 % 4];
        (0..66).for_each(|edge| types.set(edge, kind(edge)));
        (0..66).for_each(|edge| assert_eq!(types.get(edge), kind(edge)));
        assert!(types.iter().take(66).eq((0..66).map(kind)));
        types.exchange(1, 65);
        assert_eq!((types.get(1), types.get(65)), (kind(65), kind(1)));
        types.exchange(1, 65);
        types.exchange(3, 3);
        (0..66).for_each(|edge| assert_eq!(types.get(edge), kind(edge)));
    }
}
