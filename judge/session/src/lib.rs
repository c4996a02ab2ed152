//! A person's round as a web page sees it. The page sends a [`Request`] as JSON and gets a reply as
//! JSON. The other player is a [`Partner`]: a reference opponent in the page itself, or a bot in a
//! worker process of a server.

mod partner;
mod refusal;
mod reply;
mod request;
mod session;
mod state;

pub use partner::{OtherPerson, Partner, Reference};
pub use refusal::AnswerRefusal;
pub use reply::{reply, text};
pub use request::{Request, Start};
pub use session::{Session, SessionSetup};
pub use state::{Following, SessionState};
