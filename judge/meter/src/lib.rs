//! Rewrites a WebAssembly module so that any engine counts fuel as the judge does.
//! `judge/docs/decisions/0021-counting-by-rewriting.md` has the rules.

mod account;
mod allowed;
mod body;
mod costs;
mod encode;
mod error;
mod height;
mod helpers;
mod layout;
mod module;

pub use account::{CallEnding, FuelAccount, Funds, ending, is_refused};
pub use allowed::{FEATURES, MAX_TABLE_ELEMENTS};
pub use costs::{TABLE_COPY_ELEMENT, cost};
pub use error::MeterError;
pub use height::{STACK_BYTES, heights};
pub use layout::{BULK, FUEL, OWED, PAGES, PREFIX, REST, STACK, START, STATE, TABLES};
pub use module::rewrite;
