//! The host's side of the count: values for the globals before a call, and their meaning after it.

use crate::layout::{bulk, state};

/// Most fuel that a straight piece of code uses between two checks.
const STRAIGHT: u64 = 1 << 23;

/// Least fuel that is put in at once. A call with less is backed by its reserve.
const LEAST: u64 = 1 << 12;

/// Fuel of an instance against the size of its memory. It counts as `judge/sandbox/src/fuel.rs` does.
#[derive(Debug, Clone, Copy)]
pub struct FuelAccount {
    grace: u64,
}

/// Values of the globals [`crate::FUEL`], [`crate::REST`] and [`crate::OWED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Funds {
    /// Fuel until the call is out of time.
    pub fuel: i64,
    /// Fuel after that.
    pub rest: i64,
    /// Fuel for elements by which tables have grown.
    pub owed: i64,
}

/// The meaning of a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnding {
    /// The call ran out of fuel.
    OutOfFuel,
    /// A bulk operator left the memory.
    OutsideMemory,
    /// A bulk operator left a table.
    OutsideTable,
    /// The engine refused memory that the bot may have.
    NoMemory,
    /// The virtual stack is used up.
    Overflow,
    /// The call ran out of fuel, or the engine's own reason holds: the sandbox's compiler decides.
    InDoubt,
    /// The engine's own reason holds. If that is a full stack, the engine has too small a one, and
    /// the bot is not to blame.
    Trap,
}

impl FuelAccount {
    /// The account of an instance with a memory of at most this many bytes.
    pub fn new(cap_bytes: u64) -> FuelAccount {
        FuelAccount { grace: cap_bytes.saturating_add(STRAIGHT) }
    }

    /// Globals for a call with this much fuel.
    pub fn put(&self, fuel: u64) -> Funds {
        let first = fuel.max(LEAST);
        let rest = fuel.saturating_add(self.grace).saturating_sub(first);
        Funds { fuel: signed(first), rest: signed(rest), owed: 0 }
    }

    /// The remaining fuel without the grace; 0 for a debt.
    pub fn left(&self, funds: Funds) -> u64 {
        let all = funds.fuel.saturating_add(funds.rest).max(0).unsigned_abs();
        all.saturating_sub(self.grace.saturating_add(funds.owed.max(0).unsigned_abs()))
    }

    /// Globals after work of the host; none if less than `price` is left.
    pub fn spend(&self, funds: Funds, price: u64) -> Option<Funds> {
        Some(self.put(self.left(funds).checked_sub(price)?))
    }
}

fn signed(fuel: u64) -> i64 {
    i64::try_from(fuel).unwrap_or(i64::MAX)
}

/// The meaning of a trap, with the globals [`crate::STATE`] and [`crate::BULK`] after it.
pub fn ending(state: i32, bulk: i32) -> CallEnding {
    let has = |bit: i32| state & bit != 0;
    let outside = match bulk {
        bulk::MEMORY => Some(CallEnding::OutsideMemory),
        bulk::TABLE => Some(CallEnding::OutsideTable),
        _ => None,
    };
    match (has(state::OUT), has(state::STOPPED), outside) {
        _ if has(state::NO_MEMORY) => CallEnding::NoMemory,
        (false, false, _) if has(state::OVERFLOW) => CallEnding::Overflow,
        // It needs more than the grace at once.
        (false, true, Some(outside)) | (true, false, Some(outside)) => outside,
        (false, false, None) if has(state::DOUBT) => CallEnding::InDoubt,
        (false, false, _) => CallEnding::Trap,
        _ => CallEnding::OutOfFuel,
    }
}

/// True if a growth of the memory was refused, with the global [`crate::STATE`].
pub fn is_refused(state: i32) -> bool {
    state & state::REFUSED != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_is_refunded_only_without_a_debt() {
        let account = FuelAccount::new(1 << 16);
        for fuel in [0, 1, LEAST, 1 << 40] {
            let funds = account.put(fuel);
            assert_eq!(account.left(funds), fuel);
            let less = Funds { fuel: funds.fuel - 1, ..funds };
            assert_eq!(account.left(less), fuel.saturating_sub(1));
            assert_eq!(account.left(Funds { owed: 7, ..less }), fuel.saturating_sub(8));
        }
        assert_eq!(account.spend(account.put(9), 10), None);
        assert_eq!(account.spend(account.put(9), 4), Some(account.put(5)));
    }

    #[test]
    fn an_operator_that_traps_is_not_a_timeout() {
        assert_eq!(ending(state::STOPPED, bulk::NONE), CallEnding::OutOfFuel);
        assert_eq!(ending(state::STOPPED, bulk::MEMORY), CallEnding::OutsideMemory);
        assert_eq!(ending(state::OUT | state::STOPPED, bulk::MEMORY), CallEnding::OutOfFuel);
        assert_eq!(ending(state::OUT, bulk::TABLE), CallEnding::OutsideTable);
        assert_eq!(ending(state::OUT, bulk::NONE), CallEnding::OutOfFuel);
        assert_eq!(ending(0, bulk::MEMORY), CallEnding::Trap);
        assert_eq!(ending(state::DOUBT, bulk::MEMORY), CallEnding::Trap);
        assert_eq!(ending(state::DOUBT, bulk::NONE), CallEnding::InDoubt);
        assert_eq!(ending(state::DOUBT | state::OUT, bulk::NONE), CallEnding::OutOfFuel);
        assert_eq!(ending(state::OVERFLOW, bulk::NONE), CallEnding::Overflow);
        assert_eq!(ending(state::OVERFLOW | state::OUT, bulk::NONE), CallEnding::OutOfFuel);
        assert_eq!(ending(state::NO_MEMORY | state::OUT, bulk::NONE), CallEnding::NoMemory);
    }
}
