//! Fuel in a store. The engine takes the fuel of an operator on many bytes before it looks whether
//! they are inside of the memory, so a length that has wrapped would be put down to time. Behind the
//! fuel of a call there is therefore a grace: where the fuel runs out the engine stops, the judge
//! lets it go on, and the operator gets to its check.
//!
//! ```text
//! | fuel of the call, reserve included | grace |
//!                                      ^ the engine stops once; from here on a call is out of time,
//!                                        unless the operator at hand fails its check
//! ```
//!
//! An operator that takes more than the grace at once asks for more bytes than any memory of this
//! match has, so nothing has to run to know that it fails.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use wasmtime::{AsContext, AsContextMut, Trap, WasmBacktrace};

use crate::bulk::Bulk;
use crate::limiter::Limiter;

/// Least fuel that is put in at once. A call with less has its reserve behind it.
const LEAST: u64 = 1 << 12;

/// The data of a store with fuel.
pub(crate) trait Fuelled: Send + 'static {
    /// The limiter, which knows the grace and the fuel of grown tables.
    fn limiter(&mut self) -> &mut Limiter;
}

/// The fuel left without the grace; 0 for a debt.
pub(crate) fn left<T: Fuelled>(mut store: impl AsContextMut<Data = T>) -> wasmtime::Result<u64> {
    let mut store = store.as_context_mut();
    let limiter = store.data_mut().limiter();
    let apart = limiter.grace.saturating_add(limiter.owed);
    Ok(store.as_context().get_fuel()?.saturating_sub(apart))
}

/// Takes fuel for work of the host.
///
/// # Errors
/// Out of fuel when less is left.
pub(crate) fn spend<T: Fuelled>(
    mut store: impl AsContextMut<Data = T>,
    price: u64,
) -> wasmtime::Result<()> {
    match left(&mut store)?.checked_sub(price) {
        Some(left) => put(store, left),
        None => Err(Trap::OutOfFuel.into()),
    }
}

/// Puts fuel in place of what is left, and the whole grace behind it. Never in the grace itself.
pub(crate) fn put<T: Fuelled>(
    mut store: impl AsContextMut<Data = T>,
    fuel: u64,
) -> wasmtime::Result<()> {
    let mut store = store.as_context_mut();
    let limiter = store.data_mut().limiter();
    limiter.owed = 0;
    let grace = limiter.grace;
    store.fuel_async_yield_interval(Some(fuel.max(LEAST)))?;
    store.set_fuel(fuel.saturating_add(grace))
}

/// Runs a call to its end. True if its fuel ran out on the way.
pub(crate) fn run<T>(call: impl Future<Output = T>) -> (T, bool) {
    let mut call = pin!(call);
    let mut is_out = false;
    loop {
        match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => return (result, is_out),
            Poll::Pending => is_out = true,
        }
    }
}

/// The error of a call out of fuel.
pub(crate) fn is_out(error: &wasmtime::Error) -> bool {
    error.downcast_ref::<Trap>() == Some(&Trap::OutOfFuel)
}

/// The error that a failed call comes to, with `is_out` from [`run`].
pub(crate) fn settled(error: wasmtime::Error, is_out: bool, bulk: &Bulk) -> wasmtime::Error {
    let trap = error.downcast_ref::<Trap>().copied();
    let means = match (is_out, trap, bulk.trap_at(&error)) {
        // More than the grace at once.
        (false, Some(Trap::OutOfFuel), Some(outside)) => outside,
        (false, ..) => return error,
        (true, Some(trap), Some(outside)) if trap == outside => return error,
        (true, ..) => Trap::OutOfFuel,
    };
    match error.downcast::<WasmBacktrace>() {
        Ok(trace) => wasmtime::Error::from(means).context(trace),
        Err(_) => means.into(),
    }
}
