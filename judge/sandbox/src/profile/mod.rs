//! Exact fuel by function. A module is rewritten so that each of its functions calls the host when
//! it is entered and left ([`instrument`]); the host adds up the fuel in between ([`Counter`]). The
//! cost of these calls is given back on the spot, so fuel is at every point the same as without
//! them.

mod counter;
mod hooks;
mod instrument;

use serde::{Deserialize, Serialize};

pub(crate) use counter::Counter;
pub(crate) use hooks::{Counted, add_to};
pub(crate) use instrument::instrument;

/// Calls of a bot that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// Each call of the round.
    Every,
    /// A single one, counted from 0 over the bot's own calls.
    Call(u32),
}

/// Fuel that calls took, by function. Every unit of it is in exactly one `own` of `functions`, or in
/// `outside`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Functions that ran, by ascending index.
    pub functions: Vec<FunctionCost>,
    /// The tree of calls: parents come before their children.
    pub paths: Vec<PathCost>,
    /// Fuel that was taken outside of any function; 0 as far as known.
    pub outside: u64,
}

/// Cost of one function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCost {
    /// Its index in the module, imports included.
    pub function: u32,
    /// Number of times that it was entered.
    pub calls: u64,
    /// Fuel of its operators, and of the judge's functions that it called.
    pub own: u64,
    /// The same with all functions that it called. Of a function that calls itself, the outermost
    /// call counts.
    pub total: u64,
}

/// Cost of a function where it was reached by one chain of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCost {
    /// The place of the caller in the list; none for the function that the judge called.
    pub parent: Option<u32>,
    /// The function's index.
    pub function: u32,
    /// Its own fuel there.
    pub own: u64,
}

impl Profile {
    /// All fuel of the measured calls.
    pub fn fuel(&self) -> u64 {
        let own = self.functions.iter().map(|one| one.own);
        own.fold(self.outside, u64::saturating_add)
    }

    /// True if the tree holds together: parents come first, and paths have as much as functions. To
    /// be asked of one that a worker sends.
    pub(crate) fn is_sound(&self) -> bool {
        let in_order = |(at, path): (usize, &PathCost)| {
            path.parent.is_none_or(|parent| usize::try_from(parent).is_ok_and(|one| one < at))
        };
        let add = |sum: u64, cost: u64| sum.checked_add(cost);
        let own = self.functions.iter().map(|one| one.own).try_fold(0, add);
        let of_paths = self.paths.iter().map(|path| path.own).try_fold(0, add);
        self.paths.iter().enumerate().all(in_order)
            && self.functions.is_sorted_by(|one, next| one.function < next.function)
            && own.is_some()
            && own == of_paths
    }
}
