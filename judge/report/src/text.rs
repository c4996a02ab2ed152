//! Escaping of texts that a bot or its author controls.

use std::io::{self, Write};
use std::str;

use judge_core::{escaped_json, printable, steers};

/// Maximum length of such a text in a course tool's format. It bounds the size of results.
const MOST: usize = 2000;

/// The first character of a file, so that spreadsheets read it as UTF-8.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Escapes control characters, characters that reverse the text's direction, and the beginnings of
/// workflow commands, so that a text cannot control a terminal or GitHub's runner.
pub fn tame(text: &str) -> String {
    match text.rsplit_once('\n') {
        Some((above, last)) => {
            // A single colon is part of the frames that some compilers print.
            let line =
                |line: &str| if line.trim() == ":" { line.to_owned() } else { tame_line(line) };
            above.split('\n').map(line).chain([tame_line(last)]).collect::<Vec<_>>().join("\n")
        }
        None => tame_line(text),
    }
}

/// [`tame`], with a maximum length.
pub(crate) fn tame_and_short(text: &str) -> String {
    shorten(&tame(text), MOST)
}

/// [`tame_and_short`] on a single line.
pub(crate) fn tame_in_one_line(text: &str) -> String {
    tame_and_short(text).replace('\n', " – ")
}

/// Cuts a text to this many characters, with an ellipsis instead of the rest.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Escapes workflow commands: `::` at the start of a line, even after spaces, and `##[` anywhere. A
/// single colon at the start is escaped, too, because our text before it may end with one.
fn tame_line(line: &str) -> String {
    let line = printable(line, usize::MAX).replace("##[", r"\u{23}#[");
    match line.trim_start().strip_prefix(':') {
        Some(rest) => format!(r"\u{{3a}}{rest}"),
        None => line,
    }
}

/// Makes a text safe for spreadsheets. A text that starts like a formula gets a leading apostrophe,
/// which spreadsheets do not show, and so does the text after a semicolon, because many of them
/// separate cells by it. Control characters are replaced, and other invisible ones escaped.
pub fn cell(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| match c {
            c if c.is_control() => "\u{fffd}".to_owned(),
            c if steers(c) => c.escape_default().to_string(),
            c => c.to_string(),
        })
        .collect();
    let formula = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let is_formula = |part: &str| part.trim_start().starts_with(formula);
    let safe = |part| if is_formula(part) { format!("'{part}") } else { part.to_owned() };
    clean.split_inclusive(';').map(safe).collect()
}

/// Removes the minus sign of a value that was rounded to zero.
pub fn without_minus_zero(number: String) -> String {
    match number.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| c == '0' || c == '.') => zero.to_owned(),
        _ => number,
    }
}

/// Renders a value as JSON without control characters or invisible ones, for a file or a terminal.
pub fn json_text(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("results hold nothing that JSON cannot");
    escaped_json(&json) + "\n"
}

/// Writes the text of [`json_text`] piece by piece, so that a large value never is in memory as
/// text.
///
/// # Errors
/// If the value cannot be serialized or the text not be written.
pub fn write_json(out: impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer_pretty(Escaping(&mut out), value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Escapes JSON on its way to a writer. The serializer never splits a character.
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let json = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_all(escaped_json(json).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Renders a value as JSON that is safe inside a page, because no tag can start in it.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("results hold nothing that JSON cannot");
    // These characters occur only in strings.
    let json = json.replace('<', r"\u003c").replace('>', r"\u003e").replace('&', r"\u0026");
    json + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_cell_is_a_formula() {
        for (text, expected) in [
            ("Ada", "Ada"),
            ("=1+1", "'=1+1"),
            ("x;=1+1;z", "x;'=1+1;z"),
            ("x; @y;\u{ff0d}1", "x;' @y;'\u{ff0d}1"),
            ("a;b;", "a;b;"),
            ("\t=1", "\u{fffd}=1"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn zero_has_no_minus_sign() {
        let plain =
            ["-0.0", "-0", "0.00", "-0.1", "-10.0"].map(|text| without_minus_zero(text.into()));
        assert_eq!(plain, ["0.0", "0", "0.00", "-0.1", "-10.0"]);
    }

    #[test]
    fn json_written_in_pieces_equals_the_whole() {
        let value = serde_json::json!({"a\u{202e}": ["\u{1f}", "\u{e0001}x\ny"], "ä": 1});
        let mut written = Vec::new();
        write_json(&mut written, &value).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), json_text(&value));
    }

    #[test]
    fn workflow_commands_are_disabled_in_texts() {
        assert_eq!(tame("::error::x"), r"\u{3a}:error::x");
        assert_eq!(tame("fine\n  ::error::x"), "fine\n\\u{3a}:error::x");
        assert_eq!(tame(": :"), r"\u{3a} :");
        assert_eq!(tame("  :\n4 │ return"), "  :\n4 │ return");
        assert_eq!(tame("4 │ return\n:"), "4 │ return\n\\u{3a}", "a colon of ours may follow");
        assert_eq!(tame("a ###[error]x"), r"a #\u{23}#[error]x");
        assert_eq!(tame("a\r::b"), r"a\r::b");
        assert_eq!(tame("in function `ns::f`"), "in function `ns::f`");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shorten("äöü", 2), "äö…");
        assert_eq!(shorten("äö", 2), "äö");
        assert_eq!(tame_and_short(&"x".repeat(5000)).chars().count(), MOST + 1);
    }
}
