//! The two functions that an instrumented module calls.

use wasmtime::{Caller, Linker, Trap};

use super::Counter;
use super::instrument::{ENTER, LEAVE, MODULE};
use crate::costs;
use crate::fuel::{self, Fuelled};

/// Fuel of saying that a function is entered: a constant and a call.
const ENTER_FUEL: u64 = 1 + costs::CALL;

/// Fuel of saying that it is left: a call.
const LEAVE_FUEL: u64 = costs::CALL;

/// What the host keeps for an instance, with a counter if it is measured.
pub(crate) trait Counted: Fuelled {
    /// The counter.
    fn counter(&mut self) -> Option<&mut Counter>;
}

/// Offers both functions. Intake lets no module import them that is not the judge's own rewriting.
pub(crate) fn add_to<T: Counted>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    linker.func_wrap(MODULE, ENTER, |mut caller: Caller<'_, T>, function: i32| {
        let left = refund(&mut caller, ENTER_FUEL)?;
        if let Some(counter) = caller.data_mut().counter() {
            counter.enter(function as u32, left);
        }
        Ok(())
    })?;
    linker.func_wrap(MODULE, LEAVE, |mut caller: Caller<'_, T>| {
        let left = refund(&mut caller, LEAVE_FUEL)?;
        if let Some(counter) = caller.data_mut().counter() {
            counter.leave(left);
        }
        Ok(())
    })?;
    Ok(())
}

/// Gives back what this call cost; the fuel that is left.
fn refund<T: Fuelled>(caller: &mut Caller<'_, T>, cost: u64) -> wasmtime::Result<u64> {
    match fuel::left(&mut *caller)? {
        // The engine shows a debt as nothing, and must not be given more than it was owed.
        0 => Err(Trap::OutOfFuel.into()),
        left => {
            fuel::put(caller, left + cost)?;
            Ok(left + cost)
        }
    }
}
