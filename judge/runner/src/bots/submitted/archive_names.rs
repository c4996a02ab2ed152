//! File names in an archive. They are UTF-8 if the archive says so or the bytes are valid. Older
//! programs write the encoding of their system.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use judge_core::printable;
use judge_report::{composed, folded};

use super::code_pages::{self, oddities};
use crate::base::encodings::Guess;

/// An encoding of names that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameEncoding {
    Gbk,
    Windows1252,
    CodePage437,
    CodePage850,
}

/// All encodings, the likeliest first: the first of equally good ones is taken.
const MOST_LIKELY: [NameEncoding; 4] = [
    NameEncoding::CodePage437,
    NameEncoding::Windows1252,
    NameEncoding::CodePage850,
    NameEncoding::Gbk,
];

impl NameEncoding {
    fn title(self) -> &'static str {
        match self {
            NameEncoding::Gbk => "GBK",
            NameEncoding::Windows1252 => "Windows-1252",
            NameEncoding::CodePage437 => "code page 437",
            NameEncoding::CodePage850 => "code page 850",
        }
    }

    /// The decoded name; none if it cannot be in this encoding.
    fn decode(self, name: &[u8]) -> Option<String> {
        match self {
            NameEncoding::Gbk => Guess::Gbk.decode(name),
            NameEncoding::Windows1252 => Guess::Windows1252.decode(name),
            NameEncoding::CodePage437 => Some(code_pages::page_437(name)),
            NameEncoding::CodePage850 => Some(code_pages::page_850(name)),
        }
    }
}

/// The words on a list of students that are not ASCII. They show the encoding of an archive's
/// names.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownWords(BTreeSet<String>);

impl KnownWords {
    /// The words of these names.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> KnownWords {
        KnownWords(names.flat_map(words).collect())
    }

    /// The number of words in a name that are known.
    fn count_in(&self, name: &str) -> usize {
        words(name).filter(|word| self.0.contains(word)).count()
    }
}

/// The words of a name that are not ASCII, in the form that is compared.
fn words(name: &str) -> impl Iterator<Item = String> {
    let composed = composed(name).into_owned();
    let is_gap = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && c != '\'';
    let all = composed.split(is_gap).filter(|word| !word.is_ascii());
    all.map(folded).collect::<Vec<_>>().into_iter()
}

/// Decodes the names in an archive, all with one encoding.
pub(super) struct ArchiveNames {
    encoding: NameEncoding,
    /// Number of names that are not UTF-8, and the first one.
    guessed: usize,
    sample: String,
}

impl ArchiveNames {
    /// Guesses the encoding from all names of an archive, and from words that are probably among
    /// them.
    pub(super) fn new<'a>(all: impl Iterator<Item = &'a [u8]>, known: &KnownWords) -> ArchiveNames {
        let odd: Vec<&[u8]> = all.filter(|name| std::str::from_utf8(name).is_err()).collect();
        let encoding = encoding_of(&odd, known);
        let names = ArchiveNames { encoding, guessed: odd.len(), sample: String::new() };
        let sample = odd.first().map(|name| names.read(name)).unwrap_or_default();
        ArchiveNames { sample, ..names }
    }

    /// Decodes a name.
    pub(super) fn read(&self, name: &[u8]) -> String {
        if let Ok(text) = std::str::from_utf8(name) {
            return text.to_owned();
        }
        self.encoding.decode(name).unwrap_or_else(|| code_pages::page_437(name))
    }

    /// A remark on names in a guessed encoding.
    pub(super) fn remark(&self) -> Option<String> {
        let title = self.encoding.title();
        let names = if self.guessed == 1 { "name is" } else { "names are" };
        (self.guessed > 0).then(|| {
            format!(
                "{} {names} not in UTF-8 and read as {title}: `{}`; if that is wrong, pack the files \
                 again with names in UTF-8",
                self.guessed,
                printable(&self.sample, 100)
            )
        })
    }
}

/// The encoding with most known words; among equals, the one with the fewest odd signs.
fn encoding_of(names: &[&[u8]], known: &KnownWords) -> NameEncoding {
    let is_chinese = Guess::new(&names.join(&b'\n')) == Guess::Gbk;
    // Windows-1252 has few letters between 0x80 and 0xbf.
    let has_low = names.iter().copied().flatten().any(|byte| (0x80..0xc0).contains(byte));
    let unlikeliness = |encoding: NameEncoding| {
        let read: Option<Vec<String>> = names.iter().map(|name| encoding.decode(name)).collect();
        let read = read?;
        let matches: usize = read.iter().map(|name| known.count_in(name)).sum();
        let odd = match encoding {
            NameEncoding::Gbk if is_chinese => 0,
            // The bytes of Western letters are Chinese characters, too.
            NameEncoding::Gbk => usize::MAX,
            _ if is_chinese => 1,
            _ => read.iter().map(|name| oddities(name)).sum(),
        };
        let is_second = !has_low && encoding != NameEncoding::Windows1252;
        Some((Reverse(matches), odd, is_second))
    };
    let possible = MOST_LIKELY.into_iter().filter_map(|one| Some((unlikeliness(one)?, one)));
    possible.min_by_key(|(unlikely, _)| *unlikely).map_or(MOST_LIKELY[0], |(_, one)| one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&[u8]], listed: &[&str]) -> (Vec<String>, Option<String>) {
        let known = KnownWords::new(listed.iter().copied());
        let read = ArchiveNames::new(names.iter().copied(), &known);
        (names.iter().map(|name| read.read(name)).collect(), read.remark())
    }

    #[test]
    fn names_in_an_archive_have_the_encoding_of_its_system() {
        let (names, remark) = read(&["Žižek/b.wasm".as_bytes(), b"ada.wasm"], &[]);
        assert_eq!((names[0].as_str(), remark), ("Žižek/b.wasm", None));
        let (names, remark) = read(&[b"\xcd\xf5\xb7\xbc_12/bot.wasm", b"ada.wasm"], &[]);
        assert_eq!(names, ["王芳_12/bot.wasm", "ada.wasm"]);
        let told = remark.expect("it is a guess");
        assert!(told.starts_with("1 name is not in UTF-8 and read as GBK: `王芳_12/"), "{told}");
        let told = read(&[b"J\xfcrgen.wasm", b"Zo\xeb.wasm"], &[]).1.expect("it is a guess");
        assert!(told.contains("2 names are not in UTF-8 and read as Windows-1252"), "{told}");
    }

    #[test]
    fn letters_distinguish_code_pages_from_windows() {
        for (name, page, expected) in [
            (&b"J\xfcrgen M\xfcller"[..], "Windows-1252", "Jürgen Müller"),
            (b"Se\xe1n O\x92Brien", "Windows-1252", "Seán O’Brien"),
            (b"O\x92Brien", "Windows-1252", "O’Brien"),
            (b"Slavoj \x8ei\x9eek", "Windows-1252", "Slavoj Žižek"),
            (b"Du\x9aan \x8aimon", "Windows-1252", "Dušan Šimon"),
            (b"Lab 1 \x96 Ada", "Windows-1252", "Lab 1 – Ada"),
            (b"JOS\xc9 \xc5se \xe9lise.wasm", "Windows-1252", "JOSÉ Åse élise.wasm"),
            (b"\xe2ne", "Windows-1252", "âne"),
            (b"J\x94rg M\x81ller", "code page 437", "Jörg Müller"),
            (b"\x94lschl\x84ger", "code page 437", "ölschläger"),
            (b"Strau\xe1 \x84", "code page 437", "Strauß ä"),
            (b"L\x91rke \x92gir", "code page 437", "Lærke Ægir"),
            (b"Ao\x96t Pap\xa0", "code page 437", "Août Papá"),
            (b"Ni\xa4o N\xa3\xa4ez", "code page 437", "Niño Núñez"),
            (b"S\x9bren \x9dstby", "code page 850", "Søren Østby"),
            (b"\xb5lvaro", "code page 850", "Álvaro"),
        ] {
            let (names, remark) = read(&[name], &[]);
            assert_eq!(names, [expected]);
            assert!(remark.is_some_and(|told| told.contains(page)), "{expected}: {page}");
        }
    }

    #[test]
    fn the_student_list_decides_between_encodings() {
        let name = &b"12_\x8eeljko.wasm"[..];
        assert_eq!(read(&[name], &[]).0, ["12_Äeljko.wasm"]);
        assert_eq!(read(&[name], &["Z\u{30c}ELJKO Perić"]).0, ["12_Željko.wasm"]);
        // An unknown name does not outweigh those on the list.
        let names = [&b"\x81\x81\x81.wasm"[..], b"Zo\xeb.wasm", b"Ana\xefs.wasm"];
        assert_eq!(read(&names, &["Zoë", "Anaïs"]).0[1..], ["Zoë.wasm", "Anaïs.wasm"]);
        let name = &b"\xc4\xe3.wasm"[..];
        assert_eq!(read(&[name], &["你"]).0, ["你.wasm"]);
    }
}
