//! Makes external text harmless for terminals and logs.

/// Characters that reorder or hide their neighbors or are invisible, in addition to control
/// characters: Unicode 16's format characters and default-ignorable code points, including
/// unassigned ones, line and paragraph separators, and U+FFFE and U+FFFF. In order. The table is
/// fixed because escaped text is recorded: it must not change with a compiler or library.
const UNSEEN: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{fffe}', '\u{ffff}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// True for a control character, one that reorders or hides its neighbors, or an invisible
/// one.
pub fn steers(c: char) -> bool {
    // Most text is far below the first character of the table.
    c.is_control() || c >= UNSEEN[0].0 && is_unseen(c)
}

fn is_unseen(c: char) -> bool {
    let after = UNSEEN.partition_point(|(first, _)| *first <= c);
    after.checked_sub(1).is_some_and(|at| c <= UNSEEN[at].1)
}

/// At most `most` characters of the text, with escapes for those that [`steers`].
pub fn printable(text: &str, most: usize) -> String {
    let tame = |c: char| if steers(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().take(most).map(tame).collect()
}

/// The [`printable`] text, cut to this many characters with an ellipsis for the rest.
pub fn shortened(text: &str, most: usize) -> String {
    let text = printable(text, most + 1);
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// JSON with escapes for characters that [`steers`], except line breaks between values. Readers get
/// the same value.
pub fn escaped_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        // A line break can only be between values, because JSON strings may not contain one.
        if steers(c) && c != '\n' {
            let escape = |unit: &mut u16| format!("\\u{unit:04x}");
            text.extend(c.encode_utf16(&mut [0; 2]).iter_mut().map(escape));
        } else {
            text.push(c);
        }
    }
    text
}

/// Line and column, counted from 1, of the first difference between two texts.
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
    fn control_characters_are_escaped_and_others_kept() {
        assert_eq!(printable("a\u{1b}[31mb\nc", 99), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("ab\u{202e}cd", 99), "ab\\u{202e}cd");
        assert_eq!(printable("größer – 猫", 99), "größer – 猫");
        assert_eq!(printable("abcdef", 3), "abc");
    }

    #[test]
    fn every_invisible_character_is_escaped() {
        let in_order = UNSEEN.windows(2).all(|pair| pair[0].1 < pair[1].0);
        assert!(in_order && UNSEEN.iter().all(|(first, last)| first <= last));
        for (first, last) in UNSEEN {
            assert!(steers(*first) && steers(*last), "{first:?} to {last:?}");
        }
        for hidden in ["\u{ad}", "\u{61c}", "\u{2065}", "\u{fe0f}", "\u{fffa}", "\u{e0041}"] {
            let shown = printable(hidden, 9);
            assert!(shown.starts_with("\\u{") && shown.is_ascii(), "{shown}");
        }
        for seen in "aé\u{ac}\u{ae}ש\u{61b}ع漢\u{2027}\u{202f}\u{fe10}\u{fffd}😀\u{1fffd}".chars()
        {
            assert!(!steers(seen), "{seen:?}");
        }
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let json = "{\n  \"a\u{202e}b\": \"\u{7f}\u{e0041}\\u001b ü\"\n}";
        let expected = "{\n  \"a\\u202eb\": \"\\u007f\\udb40\\udc41\\u001b ü\"\n}";
        assert_eq!(escaped_json(json), expected);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&escaped_json(json)), read(json));
    }

    #[test]
    fn the_first_difference_of_texts_has_a_line_and_a_column() {
        assert_eq!(parting("ab\ncd", "ab\ncd"), None);
        assert_eq!(parting("ab\ncd", "ab\ncx"), Some((2, 2)));
        assert_eq!(parting("ab", "ab\n"), Some((1, 3)));
        assert_eq!(parting("ä", "ö"), Some((1, 1)), "they share a byte, but no character");
        assert_eq!(parting("", "x"), Some((1, 1)));
    }
}
