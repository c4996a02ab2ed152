//! The test suite of the WebAssembly specification: what it calls broken is refused, and what it
//! says of running modules holds in the sandbox.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asserted;
mod bot;
mod broken;
mod cases;
