//! Rounds that people play against bots on this server. Each has a thread of its own, and the bot a
//! worker process of its own, as in grading: nothing of a stranger's runs here or in the page.

mod bot;
mod refused;
mod rounds;
mod table;

pub use bot::{Bot, Variant, variants};
pub use refused::Refused;
pub use rounds::Rounds;
