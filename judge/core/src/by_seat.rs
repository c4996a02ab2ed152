//! A value for each seat, indexed by seat and not by number.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use crate::Seat;

/// A pair of values, one for each seat; a list of two in files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BySeat<T>([T; 2]);

impl<T> BySeat<T> {
    /// Makes a value for each seat.
    pub fn from_fn(mut of: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat(Seat::BOTH.map(&mut of))
    }

    /// Both values, seat 1 first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Both values, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Converts each value.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.map(change))
    }

    /// References to both values.
    pub fn each_ref(&self) -> BySeat<&T> {
        BySeat(self.0.each_ref())
    }

    /// Both values as an array, seat 1 first.
    pub fn into_array(self) -> [T; 2] {
        self.0
    }
}

impl<T> From<[T; 2]> for BySeat<T> {
    fn from(both: [T; 2]) -> BySeat<T> {
        BySeat(both)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut BySeat<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_seat_are_lists_of_two_in_files() {
        let mut both = BySeat::from_fn(|seat| u8::from(seat) * 10);
        both[Seat::Two] += 1;
        assert_eq!((both[Seat::One], both[Seat::Two]), (10, 21));
        let json = serde_json::to_string(&both).expect("JSON");
        assert_eq!(json, serde_json::to_string(&[10, 21]).expect("JSON"));
        assert_eq!(serde_json::from_str::<BySeat<u8>>(&json).expect("two"), both);
        for wrong in ["[1]", "[1,2,3]", r#"{"1":1,"2":2}"#] {
            assert!(serde_json::from_str::<BySeat<u8>>(wrong).is_err(), "{wrong}");
        }
        let sum = both.map(u32::from).into_iter().sum::<u32>();
        assert_eq!((sum, both.each_ref().into_array()), (31, [&10, &21]));
    }
}
