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

/// Line and column, both counted from 1, of the first character in which two texts differ.
pub fn parting(one: &str, other: &str) -> Option<(usize, usize)> {
    let same = std::iter::zip(one.bytes(), other.bytes()).take_while(|(a, b)| a == b).count();
    if same == one.len() && same == other.len() {
        return None;
    }
    let whole = (0..=same).rev().find(|&at| one.is_char_boundary(at)).unwrap_or(0);
    let common = &one[..whole];
    let in_line = common.rsplit('\n').next().unwrap_or_default();
    Some((common.matches('\n').count() + 1, in_line.chars().count() + 1))
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

    #[test]
    fn texts_part_at_a_line_and_a_column() {
        assert_eq!(parting("ab\ncd", "ab\ncd"), None);
        assert_eq!(parting("ab\ncd", "ab\ncx"), Some((2, 2)));
        assert_eq!(parting("ab", "ab\n"), Some((1, 3)));
        assert_eq!(parting("ä", "ö"), Some((1, 1)), "they share a byte, but no character");
        assert_eq!(parting("", "x"), Some((1, 1)));
    }
}
