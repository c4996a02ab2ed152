//! Answers of bots as text, and the fuel that a call may overshoot by, over either transport.

use judge_core::{PlayerFault, Verdict};

/// Fuel in the store beyond the remaining budget. The engine checks fuel only at loops and function
/// entries, so a call may overshoot a little; with this reserve the exact figure is still known,
/// and a call is in time if and only if it cost at most the remaining budget.
pub(crate) const RESERVE: u64 = 1 << 20;

/// Most bytes of what a bot said that are quoted in a message.
const EXCERPT: usize = 64;

/// The beginning of `bytes`, with everything escaped that is not printable ASCII.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let dots = if bytes.len() > EXCERPT { "…" } else { "" };
    format!("{}{dots}", bytes[..bytes.len().min(EXCERPT)].escape_ascii())
}

/// An answer as text.
///
/// # Errors
/// A protocol error when it is empty or holds bytes that no line may hold.
pub(crate) fn line_of<'a>(question: &str, answer: &'a [u8]) -> Result<&'a str, PlayerFault> {
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
