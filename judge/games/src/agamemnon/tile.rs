//! The ten kinds of tiles and the letters of the two sides.
//! Numbers, strengths and ranks are those of the tile table in `README.md`.

use judge_core::Seat;

/// A kind of tile; each side has the same 15 tiles of ten kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Leader of the highest rank, strength 1.
    LeaderA,
    /// Leader of the second rank, strength 3.
    LeaderB,
    /// Leader of the third rank, strength 4.
    LeaderC,
    /// Leader of the fourth rank, strength 3.
    LeaderD,
    /// Leader of the lowest rank, strength 2.
    LeaderE,
    /// Warrior of strength 1; three a side.
    WarriorF,
    /// Warrior of strength 2; two a side.
    WarriorG,
    /// Warrior of strength 3.
    WarriorH,
    /// Weft: ends every string that comes to its node, and belongs to each of them; two a side.
    Weft,
    /// Warp: exchanges the types of two edges at its node; two a side.
    Warp,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 10;

    /// Every kind, in the order of the letters `a` to `j`.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::LeaderA,
        Kind::LeaderB,
        Kind::LeaderC,
        Kind::LeaderD,
        Kind::LeaderE,
        Kind::WarriorF,
        Kind::WarriorG,
        Kind::WarriorH,
        Kind::Weft,
        Kind::Warp,
    ];

    /// Position in [`Kind::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of the notation, `a` to `j`.
    pub fn letter(self) -> char {
        char::from(b'a' + self as u8)
    }

    /// The kind of a letter; `None` for anything but `a` to `j`.
    pub fn from_letter(letter: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(letter.checked_sub(b'a')?)).copied()
    }

    /// Its part in the strength of a string: 0 to 4.
    pub fn strength(self) -> u8 {
        [1, 3, 4, 3, 2, 1, 2, 3, 0, 0][self.index()]
    }

    /// Rank of a leader: 0 is the highest, 4 the lowest; `None` for warriors and weavers.
    pub fn rank(self) -> Option<usize> {
        (self <= Kind::LeaderE).then_some(self.index())
    }

    /// Number of tiles of this kind that each side has at the start.
    pub fn supply(self) -> u8 {
        [1, 1, 1, 1, 1, 3, 2, 1, 2, 2][self.index()]
    }

    /// True if it is a Weft or a Warp, which may be put back in a side's first two turns.
    pub fn is_weaver(self) -> bool {
        self >= Kind::Weft
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The letter of a side: `O` moves first, `B` second.
pub fn side_letter(seat: Seat) -> char {
    match seat {
        Seat::One => 'O',
        Seat::Two => 'B',
    }
}

/// The side of a letter; `None` for anything but `O` and `B`.
pub fn side_from_letter(letter: u8) -> Option<Seat> {
    match letter {
        b'O' => Some(Seat::One),
        b'B' => Some(Seat::Two),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_convert_both_ways() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_letter(kind.letter() as u8), Some(kind));
        }
        for letter in [b'A', b'J', b'k', b'`', b' ', 0] {
            assert_eq!(Kind::from_letter(letter), None);
        }
        for seat in Seat::BOTH {
            assert_eq!(side_from_letter(side_letter(seat) as u8), Some(seat));
        }
        assert_eq!(side_from_letter(b'o'), None);
    }

    #[test]
    fn the_tiles_match_their_table() {
        let table: Vec<String> = Kind::ALL
            .iter()
            .map(|kind| format!("{kind}{}{}", kind.supply(), kind.strength()))
            .collect();
        assert_eq!(table.join(" "), "a11 b13 c14 d13 e12 f31 g22 h13 i20 j20");
        assert_eq!(Kind::ALL.iter().map(|kind| kind.supply()).sum::<u8>(), 15);
        assert_eq!(Kind::LeaderE.rank(), Some(4));
        assert_eq!(Kind::WarriorF.rank(), None);
        assert!(Kind::Weft.is_weaver() && Kind::Warp.is_weaver() && !Kind::WarriorH.is_weaver());
    }
}
