//! The interface between a bot module and the judge: names of exports, sizes, the shape of a line.
//! Shared by the sandbox and the Rust kit, so neither can drift from the other.
#![no_std]

/// Version of the line protocol described in `sdk/PROTOCOL.md`.
pub const VERSION: u32 = 1;

/// Longest line in either direction, in bytes, without a line end.
pub const MAX_LINE: usize = 4096;

/// Smallest buffer that a module must offer at the address from [`EXPORT_BUFFER`], in bytes.
pub const BUFFER_BYTES: usize = 4096;

/// Export: the linear memory through which lines travel.
pub const EXPORT_MEMORY: &str = "memory";

/// Export `() -> i32`: address of the line buffer, asked once after instantiation.
pub const EXPORT_BUFFER: &str = "judge_buffer";

/// Export `(len: i32) -> i32`: takes the line in the buffer, leaves an answer there and returns
/// its length in bytes (0 for a notice).
pub const EXPORT_LINE: &str = "judge_line";

/// Optional export `() -> ()`: called before anything else (constructors of C++ globals).
pub const EXPORT_INITIALIZE: &str = "_initialize";

/// Module of the only import that a bot may have.
pub const IMPORT_MODULE: &str = "judge";

/// Optional import `(ptr: i32, len: i32) -> ()`: appends bytes to the bot's log.
pub const IMPORT_LOG: &str = "log";

/// Custom section with the bot's manifest (name, author, games, kit) as JSON.
pub const MANIFEST_SECTION: &str = "judge";

/// True if `line` is a question, which takes exactly one line as its answer.
///
/// The first token of a question ends in `?`.
pub fn is_question(line: &str) -> bool {
    first_token(line).ends_with('?')
}

/// The first token of `line`, up to the first space.
pub fn first_token(line: &str) -> &str {
    line.split(' ').next().unwrap_or(line)
}

/// True if `bytes` are a valid protocol line: printable ASCII and spaces, at most [`MAX_LINE`]
/// bytes.
pub fn is_line(bytes: &[u8]) -> bool {
    bytes.len() <= MAX_LINE && bytes.iter().all(|byte| (0x20..0x7f).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_mark_ends_the_first_token_of_a_question() {
        assert!(is_question("win? 7d self"));
        assert!(is_question("discard?"));
        assert!(!is_question("draw 3b"));
        assert!(!is_question("draw 3b?"));
        assert!(!is_question(""));
    }

    #[test]
    fn a_line_is_printable_ascii_of_bounded_length() {
        assert!(is_line(b"win? 7d self"));
        assert!(is_line(&[b'x'; MAX_LINE]));
        assert!(!is_line(&[b'x'; MAX_LINE + 1]));
        assert!(!is_line(b"two\nlines"));
        assert!(!is_line("naïve".as_bytes()));
        assert!(!is_line(b"\x7f"));
    }
}
