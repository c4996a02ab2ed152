//! A set of squares: one bit for each of 16 rows of 16, for boards of every size.

use super::Square;

/// A set of squares, iterated row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Squares([u64; 4]);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares([0; 4]);

    /// True if a square is in the set.
    pub fn contains(&self, square: Square) -> bool {
        self.0[word(square)] & bit(square) != 0
    }

    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        self.0[word(square)] |= bit(square);
    }

    /// Takes a square out.
    pub fn remove(&mut self, square: Square) {
        self.0[word(square)] &= !bit(square);
    }

    /// Number of squares in the set: 0 to 256.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// True if no square is in the set.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The squares of either set.
    #[must_use]
    pub fn union(&self, other: &Squares) -> Squares {
        Squares(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// The squares of the set, row by row from the top left.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().zip(0_u8..).flat_map(|(word, high)| {
            let next = |left: &u64| (left & (left - 1) != 0).then_some(left & (left - 1));
            let bits = std::iter::successors((word != 0).then_some(word), next);
            bits.map(move |left| Square::from_index(64 * high + left.trailing_zeros() as u8))
        })
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        let mut set = Squares::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

impl std::fmt::Debug for Squares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

fn word(square: Square) -> usize {
    usize::from(square.index() / 64)
}

fn bit(square: Square) -> u64 {
    1 << (square.index() % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_has_exactly_the_inserted_squares(indices in proptest::collection::btree_set(0_u8.., 0..60)) {
            let mut set: Squares = indices.iter().map(|index| Square::from_index(*index)).collect();
            let listed: Vec<u8> = set.iter().map(Square::index).collect();
            prop_assert_eq!(listed, indices.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(set.len() as usize, indices.len());
            for index in 0..=255 {
                let square = Square::from_index(index);
                prop_assert_eq!(set.contains(square), indices.contains(&index));
                set.remove(square);
            }
            prop_assert!(set.is_empty());
        }
    }

    #[test]
    fn a_full_set_has_256_squares() {
        let full: Squares = (0..=255).map(Square::from_index).collect();
        assert_eq!((full.len(), full.iter().count()), (256, 256));
        assert_eq!(full.union(&Squares::EMPTY), full);
    }
}
