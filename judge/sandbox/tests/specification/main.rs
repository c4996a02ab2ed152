//! The test suite of the WebAssembly specification: modules that it calls broken are refused, and
//! its assertions on running modules hold in the sandbox.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asserted;
mod bot;
mod broken;
mod cases;
