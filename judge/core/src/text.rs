//! Text from outside, made harmless for terminals and logs.

/// Whether a terminal would act on the character, or it would reorder or hide its neighbours.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The text with every character that [`steers`] escaped, at most `most` characters of it.
pub fn printable(text: &str, most: usize) -> String {
    let tame = |c: char| if steers(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().take(most).map(tame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_escaped_and_the_rest_is_kept() {
        assert_eq!(printable("a\u{1b}[31mb\nc", 99), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("ab\u{202e}cd", 99), "ab\\u{202e}cd");
        assert_eq!(printable("größer – 猫", 99), "größer – 猫");
        assert_eq!(printable("abcdef", 3), "abc");
    }
}
