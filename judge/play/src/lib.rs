//! A person's round as a page sees it: the page sends a [`Request`] as JSON, and gets a reply as
//! JSON. Who sits opposite is a [`Partner`]'s business: a reference opponent in the page itself, or
//! a bot in a worker process of a server.

mod partner;
mod refusal;
mod reply;
mod request;
mod session;
mod state;

pub use partner::{OtherPerson, Partner, Reference};
pub use refusal::Refusal;
pub use reply::{reply, text};
pub use request::{Request, Start};
pub use session::{Session, Setting};
pub use state::{Following, State};
