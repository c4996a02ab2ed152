//! The basis of every bot: lines in, lines out.

/// A bot that speaks the line protocol (`sdk/PROTOCOL.md`). The traits of the games are built on
/// this one; implement it yourself for full control.
pub trait Bot {
    /// Takes a line; for a question, writes the answer to `answer` (empty on entry).
    fn line(&mut self, line: &str, answer: &mut String);
}
