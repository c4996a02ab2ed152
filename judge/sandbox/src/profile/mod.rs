//! Exact fuel by function. A rewritten module calls the host when each function begins and ends
//! ([`instrument`]); the host adds up the fuel in between ([`Counter`]) and refunds these calls at
//! once. At every point the fuel is the same as without them.

mod counter;
mod hooks;
mod instrument;

use serde::{Deserialize, Serialize};

pub(crate) use counter::Counter;
pub(crate) use hooks::{Counted, add_to};
pub(crate) use instrument::instrument;

/// Selection of a bot's calls to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// Each call of the round.
    Every,
    /// A single one, counted from 0.
    Call(u32),
    /// None: a script is interrupted in this call, when half of its fuel is spent, and logs the
    /// lines that it was at.
    Interrupted(u32),
    /// None: a script is interrupted in this call, once the call has used this much fuel.
    Sampled {
        /// The call, counted from 0.
        call: u32,
        /// The fuel.
        fuel: u64,
    },
}

/// Fuel of calls, by function. Each unit counts in exactly one `own` of `functions`, or in
/// `outside`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Functions that ran, by index.
    pub functions: Vec<FunctionCost>,
    /// The call tree; parents come before their children.
    pub paths: Vec<PathCost>,
    /// Fuel outside of any function; 0 in all known cases.
    pub outside: u64,
}

/// Cost of one function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCost {
    /// Its index in the module, imports included.
    pub function: u32,
    /// Number of its calls.
    pub calls: u64,
    /// Fuel of its operators, and of the judge's functions that it called.
    pub own: u64,
    /// Fuel including all called functions. For a recursive function, only the outermost call
    /// counts.
    pub total: u64,
}

/// Cost of a function in one call chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCost {
    /// Index of the caller in `paths`; none for the function that the judge called.
    pub parent: Option<u32>,
    /// The function's index.
    pub function: u32,
    /// Its own fuel in this chain.
    pub own: u64,
}

impl Profile {
    /// Total fuel of the measured calls.
    pub fn fuel(&self) -> u64 {
        let own = self.functions.iter().map(|one| one.own);
        own.fold(self.outside, u64::saturating_add)
    }

    /// True if the tree is consistent: parents come first, and the fuel of paths and functions
    /// matches. Check this for every profile from a worker.
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
