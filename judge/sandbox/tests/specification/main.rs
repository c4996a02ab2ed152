//! The test suite of the WebAssembly specification: the judge refuses its broken modules, and its
//! assertions about running modules hold in the sandbox.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asserted;
mod broken;
