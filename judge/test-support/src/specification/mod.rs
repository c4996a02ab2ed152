//! The test suite of the WebAssembly specification, as bots that answer whether an assertion holds.

mod bot;
mod cases;

pub use bot::{RIGHT, bot, line};
pub use cases::{Case, CaseKind, Ends, Pattern, Script, Value, What, scripts};
