//! The separator of a list's fields, and the files that are not lists at all.

/// Separators of fields. The later one wins where a header has both equally often, because a title
/// contains a comma more often than a semicolon or a tab.
const SEPARATORS: [(u8, &str); 3] = [(b',', "commas"), (b';', "semicolons"), (b'\t', "tabs")];

/// First bytes of files that people take for lists.
const BINARY: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "a workbook or an archive"),
    (b"\xd0\xcf\x11\xe0", "an old workbook"),
    (b"%PDF", "a PDF"),
    (b"\0asm", "a module"),
    (b"\x1f\x8b", "an archive"),
];

/// The form of a list's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListLayout {
    /// The separator of fields.
    pub(crate) separator: u8,
    /// The byte at which the rows begin.
    pub(crate) start: usize,
}

impl ListLayout {
    /// Detects the separator by the first line: `sep=;` of a spreadsheet, or the titles.
    pub(crate) fn new(text: &str) -> ListLayout {
        let first = text.split(['\r', '\n']).next().unwrap_or_default();
        let named = first.strip_prefix("sep=").map(str::as_bytes);
        if let Some([separator]) = named.filter(|named| is_separator(named)) {
            return ListLayout { separator: *separator, start: first.len() };
        }
        let titles = text.trim_start_matches(['\r', '\n']);
        let counts =
            SEPARATORS.iter().map(|(separator, _)| (outside(titles, *separator), *separator));
        // The last one of equals.
        let most = counts.max_by_key(|(count, _)| *count).filter(|(count, _)| *count > 0);
        ListLayout { separator: most.map_or(b',', |(_, separator)| separator), start: 0 }
    }
}

/// The number of a separator's occurrences in the first row, outside of quotes.
fn outside(text: &str, separator: u8) -> usize {
    let (mut quoted, mut count) = (false, 0);
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\r' | b'\n' if !quoted => break,
            _ => count += usize::from(byte == separator && !quoted),
        }
    }
    count
}

fn is_separator(bytes: &[u8]) -> bool {
    SEPARATORS.iter().any(|(separator, _)| bytes == [*separator])
}

/// The name of a separator.
pub(crate) fn name(separator: u8) -> &'static str {
    SEPARATORS.iter().find(|(known, _)| *known == separator).map_or("", |(_, name)| name)
}

/// The kind of a file that is not a text, by its first bytes.
pub(crate) fn binary(bytes: &[u8]) -> Option<&'static str> {
    BINARY.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| *kind)
}

/// True for characters that are in no list.
pub(crate) fn is_binary(letter: char) -> bool {
    letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0b' | '\x0c' | '\x1a')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_unquoted_separator_is_used() {
        for (text, separator) in [
            ("name,id,mail\nKing; Ada,7,a@x", b','),
            ("name;id\nKing, Ada;7", b';'),
            ("Name, Vorname;Matrikelnummer\nx;7", b';'),
            ("\"a;b;c;d\",id,mail\n", b','),
            ("Student,ID,Section,Lab 1; part 2\n", b','),
            ("name\tid\n", b'\t'),
            ("\r\nname;id", b';'),
            ("name", b','),
            ("", b','),
        ] {
            assert_eq!(ListLayout::new(text), ListLayout { separator, start: 0 }, "{text}");
        }
        let named = ListLayout { separator: b';', start: 5 };
        assert_eq!(ListLayout::new("sep=;\nname,of,a\n"), named);
        assert_eq!(ListLayout::new("sep=ab;x\n").start, 0);
    }
}
