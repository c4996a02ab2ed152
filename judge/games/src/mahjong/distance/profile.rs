//! A suit's contribution to an ordinary hand, and the sum of contributions.
//!
//! A *profile* has, for each number of melds and partners that may be used and for a pair allowed
//! or not, the most that the tiles take off the distance. There are only 64 of them, and a table
//! gives the profile of tiles of different suits together, because it depends only on their
//! profiles. An automaton reads the nine counters of a suit one by one to find its profile.
//! `builder.rs` makes the tables.

use super::generated::{AUTOMATON, JOIN, ORDINARY};

/// Number of profiles.
pub(super) const PROFILES: usize = 64;

/// Entries of a state of the automaton: the next state for each counter from 0 to 4, and the
/// profile of a suit that ends here.
pub(super) const ROW: usize = 6;

/// The number of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Profile(u8);

impl Profile {
    /// The profile of one suit.
    pub(super) fn from_word(word: u64) -> Profile {
        let mut state = 0;
        for rank in 0..9 {
            let counter = (word >> (4 * rank) & 15) as usize;
            state = AUTOMATON[state + counter] as usize;
        }
        Profile(AUTOMATON[state + ROW - 1] as u8)
    }

    /// The profile of both together.
    pub(super) fn join(self, other: Profile) -> Profile {
        Profile(JOIN[self.0 as usize][other.0 as usize])
    }

    /// The ordinary distance of tiles with this profile.
    pub(super) fn ordinary(self) -> i32 {
        i32::from(ORDINARY[self.0 as usize])
    }
}
