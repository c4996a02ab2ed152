//! Text input and output of a person at a terminal: numbered answers, commands, prompts, scores.

mod answers;
mod command;
mod words;

pub use answers::{Answers, NoSuchNumber};
pub use command::{HELP, TypedCommand};
pub use words::{as_it_stands, as_it_stands_between, prompt, score};
