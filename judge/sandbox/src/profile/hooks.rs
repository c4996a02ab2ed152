//! The two functions that an instrumented module calls.

use wasmtime::{Caller, Linker, Memory, Trap};

use super::Counter;
use super::instrument::{ENTER, LEAVE, MODULE};
use crate::costs;
use crate::fuel::{self, Fuelled};

/// Fuel of reporting an entry: a constant and a call.
const ENTER_FUEL: u64 = 1 + costs::CALL;

/// Fuel of reporting a return: a call.
const LEAVE_FUEL: u64 = costs::CALL;

/// Host data of an instance, with a counter if it is measured.
pub(crate) trait Counted: Fuelled {
    fn counter(&mut self) -> Option<&mut Counter>;

    /// The memory of a script, and the words that interrupt it; none for other modules.
    fn interruption(&self) -> Option<(Memory, &'static [(u32, u32)])> {
        None
    }
}

/// Adds both functions to the linker. Intake refuses them in modules that the judge did not
/// rewrite.
pub(crate) fn add_to<T: Counted>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    linker.func_wrap(MODULE, ENTER, |mut caller: Caller<'_, T>, function: i32| {
        let left = refund(&mut caller, ENTER_FUEL)?;
        if let Some(counter) = caller.data_mut().counter() {
            counter.enter(function as u32, left);
            if counter.is_due(left) {
                interrupt(&mut caller)?;
            }
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

/// Makes a script raise an exception at its next step.
fn interrupt<T: Counted>(caller: &mut Caller<'_, T>) -> wasmtime::Result<()> {
    let Some((memory, words)) = caller.data().interruption() else { return Ok(()) };
    for (address, value) in words {
        memory.write(&mut *caller, *address as usize, &value.to_le_bytes())?;
    }
    Ok(())
}

/// Refunds the fuel of this call; returns the remaining fuel.
fn refund<T: Fuelled>(caller: &mut Caller<'_, T>, cost: u64) -> wasmtime::Result<u64> {
    match fuel::left(&mut *caller)? {
        // The engine shows a debt as 0, and must not get back more than its debt.
        0 => Err(Trap::OutOfFuel.into()),
        left => {
            fuel::put(caller, left + cost)?;
            Ok(left + cost)
        }
    }
}
