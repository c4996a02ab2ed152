//! File names in an archive. They are UTF-8 if the archive says so or the bytes are valid. Older
//! programs write the encoding of their system.

use judge_core::printable;

use crate::base::encodings::Guess;

/// The encoding of names that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// An encoding that the letters suggest.
    Guessed(Guess),
    /// The default encoding of archives.
    CodePage437,
}

/// Decodes the names in an archive, all with one encoding.
pub(super) struct ArchiveNames {
    encoding: Encoding,
    /// Number of names that are not UTF-8, and the first one.
    guessed: usize,
    sample: String,
}

impl ArchiveNames {
    /// Guesses the encoding from all names of an archive.
    pub(super) fn new<'a>(all: impl Iterator<Item = &'a [u8]>) -> ArchiveNames {
        let odd: Vec<&[u8]> = all.filter(|name| std::str::from_utf8(name).is_err()).collect();
        let guess = Guess::new(&odd.join(&b'\n'));
        // Below that, code page 437 has letters, and above it only box-drawing and other symbols.
        let is_high = odd.iter().copied().flatten().all(|byte| byte.is_ascii() || *byte >= 0xc0);
        let encoding = match guess {
            Guess::Gbk => Encoding::Guessed(guess),
            Guess::Windows1252 if is_high => Encoding::Guessed(guess),
            _ => Encoding::CodePage437,
        };
        let names = ArchiveNames { encoding, guessed: odd.len(), sample: String::new() };
        let sample = odd.first().map(|name| names.read(name)).unwrap_or_default();
        ArchiveNames { sample, ..names }
    }

    /// Decodes a name.
    pub(super) fn read(&self, name: &[u8]) -> String {
        if let Ok(text) = std::str::from_utf8(name) {
            return text.to_owned();
        }
        let guessed = match self.encoding {
            Encoding::Guessed(guess) => guess.decode(name),
            Encoding::CodePage437 => None,
        };
        guessed.unwrap_or_else(|| name.iter().map(|byte| code_page_437(*byte)).collect())
    }

    /// A remark on names in a guessed encoding.
    pub(super) fn remark(&self) -> Option<String> {
        let title = match self.encoding {
            Encoding::Guessed(guess) => guess.title()?,
            Encoding::CodePage437 => "code page 437",
        };
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

/// The characters of code page 437 above ASCII.
const HIGH: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘\
                    ┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

fn code_page_437(byte: u8) -> char {
    match byte.checked_sub(0x80) {
        None => char::from(byte),
        Some(at) => HIGH.chars().nth(usize::from(at)).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&[u8]]) -> (Vec<String>, Option<String>) {
        let read = ArchiveNames::new(names.iter().copied());
        (names.iter().map(|name| read.read(name)).collect(), read.remark())
    }

    #[test]
    fn names_are_read_in_the_encoding_of_the_system_that_packed_them() {
        assert_eq!(HIGH.chars().count(), 128);
        let (names, remark) = read(&["Žižek/b.wasm".as_bytes(), b"ada.wasm"]);
        assert_eq!((names[0].as_str(), remark), ("Žižek/b.wasm", None));
        let (names, remark) = read(&[b"\xcd\xf5\xb7\xbc_12/bot.wasm", b"ada.wasm"]);
        assert_eq!(names, ["王芳_12/bot.wasm", "ada.wasm"]);
        let told = remark.expect("it is a guess");
        assert!(told.starts_with("1 name is not in UTF-8 and read as GBK: `王芳_12/"), "{told}");
        let (names, remark) = read(&[b"J\xfcrgen.wasm", b"Zo\xeb.wasm"]);
        assert_eq!(names, ["Jürgen.wasm", "Zoë.wasm"]);
        assert!(
            remark.is_some_and(|told| told.contains("2 names are not in UTF-8 and read as Win"))
        );
        let (names, remark) = read(&[b"J\x94rg M\x81ller.wasm"]);
        assert_eq!(names, ["Jörg Müller.wasm"]);
        assert!(remark.is_some_and(|told| told.contains("read as code page 437")));
    }
}
