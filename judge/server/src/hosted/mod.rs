//! Rounds of people against bots on this server. Each has a separate thread, and its bot runs in a
//! worker process, as in grading. Submitted code never runs in the server or in the page.

mod bot;
mod refused;
mod rounds;
mod thread;

pub use bot::{BotSource, HostedBot, Variant, variants};
pub use refused::Refused;
pub use rounds::HostedRounds;
