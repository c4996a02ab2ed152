//! Answers of bots as text, and the fuel reserve of a call, for both transports.

use judge_core::{PlayerFault, Verdict};

/// Fuel in the store beyond the remaining budget. The engine checks fuel only at loops and function
/// entries, so a call may overshoot slightly. The reserve keeps the exact figure known, and a call
/// is in time if and only if it used at most the remaining budget.
pub const RESERVE: u64 = 1 << 20;

/// Most bytes of a bot's output that a message quotes.
const EXCERPT: usize = 64;

/// The beginning of `bytes`, with escapes for everything but printable ASCII.
pub fn excerpt(bytes: &[u8]) -> String {
    let dots = if bytes.len() > EXCERPT { "…" } else { "" };
    format!("{}{dots}", bytes[..bytes.len().min(EXCERPT)].escape_ascii())
}

/// Returns an answer as text.
///
/// # Errors
/// A protocol error when the answer is empty or has bytes that a line may not have.
pub fn line_of<'a>(question: &str, answer: &'a [u8]) -> Result<&'a str, PlayerFault> {
    if let Ok(text) = std::str::from_utf8(answer)
        && !text.is_empty()
        && judge_protocol::is_line(answer)
    {
        return Ok(text);
    }
    let detail = match answer {
        [] => format!("no answer to `{question}`"),
        _ => format!(
            "answered `{}` to `{question}`: only printable ASCII may be sent",
            excerpt(answer)
        ),
    };
    Err(PlayerFault::new(Verdict::ProtocolError, detail))
}
