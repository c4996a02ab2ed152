//! Fuel in a store. The engine charges for a bulk operator before it checks that the bytes are
//! inside the memory, so a wrapped length would look like a timeout. Therefore a grace follows the
//! fuel of a call. When the fuel runs out the engine stops, the judge resumes it, and the operator
//! reaches its check.
//!
//! ```text
//! | fuel of the call, reserve included | grace |
//!                                      ^ the engine stops once; from here on a call is out of time,
//!                                        unless the operator at hand fails its check
//! ```
//!
//! An operator that needs more than the grace at once asks for more bytes than any memory of this
//! round has. So it is known to fail without running.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use wasmtime::{AsContext, AsContextMut, Trap, WasmBacktrace};

use crate::bulk::Bulk;
use crate::limiter::Limiter;

/// Least fuel that is put in at once. A call with less is backed by its reserve.
const LEAST: u64 = 1 << 12;

/// The data of a store with fuel.
pub(crate) trait Fuelled: Send + 'static {
    /// The limiter, which knows the grace and the fuel of grown tables.
    fn limiter(&mut self) -> &mut Limiter;
}

/// The remaining fuel without the grace; 0 for a debt.
pub(crate) fn left<T: Fuelled>(mut store: impl AsContextMut<Data = T>) -> wasmtime::Result<u64> {
    let mut store = store.as_context_mut();
    let limiter = store.data_mut().limiter();
    let apart = limiter.grace.saturating_add(limiter.owed);
    Ok(store.as_context().get_fuel()?.saturating_sub(apart))
}

/// Charges fuel for work of the host.
///
/// # Errors
/// Out of fuel when less than `price` is left.
pub(crate) fn spend<T: Fuelled>(
    mut store: impl AsContextMut<Data = T>,
    price: u64,
) -> wasmtime::Result<()> {
    match left(&mut store)?.checked_sub(price) {
        Some(left) => put(store, left),
        None => Err(Trap::OutOfFuel.into()),
    }
}

/// Replaces the remaining fuel, and puts the whole grace behind it. Never call it during the grace.
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

/// Runs a call to its end. Also returns true if its fuel ran out on the way.
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

/// True for the error of a call that is out of fuel.
pub(crate) fn is_out(error: &wasmtime::Error) -> bool {
    error.downcast_ref::<Trap>() == Some(&Trap::OutOfFuel)
}

/// The final error of a failed call, with `is_out` from [`run`].
pub(crate) fn settled(error: wasmtime::Error, is_out: bool, bulk: &Bulk) -> wasmtime::Error {
    let trap = error.downcast_ref::<Trap>().copied();
    let means = match (is_out, trap, bulk.trap_at(&error)) {
        // It needs more than the grace at once.
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
