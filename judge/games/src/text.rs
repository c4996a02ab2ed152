//! Text that the games share: excerpts of input for messages, numbers in options and states, and
//! sentences for people.

use std::fmt::Display;
use std::str::FromStr;

/// Characters of a text from outside that a message shows.
const SHOWN: usize = 40;

/// A text from outside as a message may show it: printable, and not longer than a line.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// A number in plain digits: no sign and no leading zero, so that each has one spelling.
pub(crate) fn number<N: FromStr + Display>(text: &str) -> Option<N> {
    let number: N = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// A sentence that begins with a capital letter.
pub(crate) fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt("a\u{7}\n"), "a\\u{7}\\n");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
    }

    #[test]
    fn numbers_have_one_spelling() {
        assert_eq!(["0", "7", "255"].map(number::<u8>), [Some(0), Some(7), Some(255)]);
        for text in ["", "+1", "-0", "01", "1 ", " 1", "256", "1e1", "٣"] {
            assert_eq!(number::<u8>(text), None, "{text}");
        }
        assert_eq!(number::<u32>(&"9".repeat(1000)), None);
    }

    #[test]
    fn capitalising_changes_only_the_first_letter() {
        assert_eq!(
            ["", "seat 1", "élan", "7 won"].map(capitalized),
            ["", "Seat 1", "Élan", "7 won"]
        );
    }
}
