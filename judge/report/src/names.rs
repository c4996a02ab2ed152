//! Comparison of people's names. Unicode can spell the same text in several ways.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// Returns the composed spelling (NFC) of a name. macOS writes `ü` in file names as `u` and a
/// combining mark, but lists have a single character.
pub fn composed(name: &str) -> Cow<'_, str> {
    match is_nfc(name) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(name.nfc().collect()),
    }
}

/// True for two spellings of the same name.
pub fn same_name(one: &str, other: &str) -> bool {
    one == other || composed(one) == composed(other)
}

/// Normalizes a name for searches and suggestions: ignores case and replaces compatibility
/// characters (NFKC).
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Conversion to capitals first makes `ß` equal to `ss`, and both small sigmas equal.
    let capitals = name.nfkc().flat_map(char::to_uppercase);
    capitals.flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_the_same() {
        for (one, other) in [
            ("Jürgen", "Ju\u{308}rgen"),
            ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
        ] {
            assert!(one != other && same_name(one, other), "{one}");
            assert_eq!(composed(other), one);
        }
        assert!(!same_name("Jürgen", "Jurgen") && !same_name("Ada", "ada"));
        assert!(matches!(composed("Žižek"), Cow::Borrowed(_)));
    }

    #[test]
    fn searches_ignore_case_and_width() {
        for (one, other) in [
            ("ŽIŽEK", "z\u{30c}iz\u{30c}ek"),
            ("Weiß", "WEISS"),
            ("ＡＤＡ", "ada"),
            ("Οδυσσεύς", "ΟΔΥΣΣΕΎΣ"),
            ("ﬁnn", "Finn"),
        ] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("Jürgen"), folded("Jurgen"));
    }
}
