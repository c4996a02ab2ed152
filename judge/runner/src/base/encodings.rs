//! Text that is not UTF-8: lists saved by spreadsheets, and file names in archives.

use encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The probable encoding of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    /// Simplified Chinese.
    Gbk,
    /// Western European languages on Windows.
    Windows1252,
    /// Western European languages on an old Mac.
    MacRoman,
    /// None of the above.
    Unknown,
}

impl Guess {
    /// Guesses the encoding of bytes that are not UTF-8.
    pub(crate) fn new(bytes: &[u8]) -> Guess {
        let runs: Vec<&[u8]> = bytes.split(u8::is_ascii).filter(|run| !run.is_empty()).collect();
        if is_gbk(&runs) {
            return Guess::Gbk;
        }
        // Accented letters are between other letters, at most two in a row.
        let is_western = runs.iter().all(|run| run.len() <= 2);
        if !is_western || !bytes.iter().all(|byte| byte.is_ascii() || is_western_sign(*byte)) {
            return Guess::Unknown;
        }
        // A Windows capital in the middle of a word is a small letter on a Mac.
        let is_capital = |byte: u8| matches!(byte, 0x8a | 0x8c | 0x8e | 0x9f);
        let in_word = |pair: &[u8]| pair[0].is_ascii_lowercase() && is_capital(pair[1]);
        match bytes.windows(2).any(in_word) {
            true => Guess::MacRoman,
            false => Guess::Windows1252,
        }
    }

    /// The encoding's name for people.
    pub(crate) fn title(self) -> Option<&'static str> {
        match self {
            Guess::Gbk => Some("GBK"),
            Guess::Windows1252 => Some("Windows-1252"),
            Guess::MacRoman => Some("Mac OS Roman"),
            Guess::Unknown => None,
        }
    }

    /// Decodes the bytes, if this encoding is supported.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Guess::Gbk => whole(GB18030, bytes),
            Guess::Windows1252 => whole(WINDOWS_1252, bytes),
            Guess::MacRoman | Guess::Unknown => None,
        }
    }
}

/// True for letters, quotation marks and dashes of Windows-1252.
fn is_western_sign(byte: u8) -> bool {
    match byte {
        0xd7 | 0xf7 => false,
        0xc0.. | 0x91..=0x97 | 0xa0 | 0x80 => true,
        _ => matches!(byte, 0x8a | 0x8c | 0x8e | 0x9a | 0x9c | 0x9e | 0x9f),
    }
}

/// True for Chinese text in GBK: pairs of bytes, most of them among the frequent characters, which
/// come first in the code.
fn is_gbk(runs: &[&[u8]]) -> bool {
    let is_pair = |pair: &[u8]| (0xb0..=0xf7).contains(&pair[0]) && pair[1] >= 0xa1;
    let pairs = || runs.iter().flat_map(|run| run.chunks_exact(2));
    let frequent = pairs().filter(|pair| pair[0] <= 0xd7).count();
    let whole = runs.iter().all(|run| run.len().is_multiple_of(2)) && pairs().all(is_pair);
    // Two accented letters in a row are rare in Western names, and a Chinese character is never in
    // the middle of a Western word.
    whole && frequent > 0 && 3 * frequent >= 2 * pairs().count()
}

fn whole(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes).map(String::from)
}

/// Decodes UTF-16, with or without a byte-order mark; none for other encodings.
pub(crate) fn utf16(bytes: &[u8]) -> Option<Result<String, &'static str>> {
    let (encoding, rest) = match bytes {
        [0xff, 0xfe, 0, 0, ..] => return Some(Err("UTF-32")),
        [0xff, 0xfe, rest @ ..] => (UTF_16LE, rest),
        [0xfe, 0xff, rest @ ..] => (UTF_16BE, rest),
        [1..=255, 0, 1..=255, 0, ..] => (UTF_16LE, bytes),
        [0, 1..=255, 0, 1..=255, ..] => (UTF_16BE, bytes),
        _ => return None,
    };
    Some(whole(encoding, rest).ok_or("UTF-16, but damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        let (bytes, _, failed) = encoding.encode(text);
        assert!(!failed, "{text}");
        bytes.into_owned()
    }

    #[test]
    fn encodings_are_recognised_by_their_letters() {
        for (encoding, text, guess) in [
            (WINDOWS_1252, "Jürgen Müller, Zoë Ångström, Åse Ødegård", Guess::Windows1252),
            (WINDOWS_1252, "Síle O’Brien – José Núñez", Guess::Windows1252),
            (GB18030, "王芳,李伟,张三丰,lab1/王小明.wasm", Guess::Gbk),
            (encoding_rs::WINDOWS_1251, "Ольга Иванова,Иван Петров", Guess::Unknown),
            (encoding_rs::SHIFT_JIS, "山田太郎,すずき", Guess::Unknown),
            (encoding_rs::MACINTOSH, "Jürgen Müller, José", Guess::MacRoman),
        ] {
            let bytes = encoded(encoding, text);
            assert_eq!(Guess::new(&bytes), guess, "{text}");
            let read = guess.decode(&bytes);
            assert_eq!(read.is_some_and(|read| read == text), guess.decode(b"x").is_some());
        }
    }

    #[test]
    fn utf_16_is_recognised_by_its_mark_or_its_zero_bytes() {
        let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let text = "name\tJürgen";
        let little = units(text);
        let big: Vec<u8> = little.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
        for bytes in [
            &little,
            &big,
            &[&[0xff, 0xfe], &little[..]].concat(),
            &[&[0xfe, 0xff], &big[..]].concat(),
        ] {
            assert_eq!(utf16(bytes), Some(Ok(text.to_owned())));
        }
        assert_eq!(utf16("name,Jürgen".as_bytes()), None);
        assert_eq!(utf16(b"\xff\xfe\0\0"), Some(Err("UTF-32")));
        assert_eq!(utf16(b"\xff\xfea"), Some(Err("UTF-16, but damaged")));
    }
}
