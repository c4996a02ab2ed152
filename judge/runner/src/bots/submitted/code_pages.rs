//! Encodings of file names on DOS, which Windows still writes into archives, and characters
//! that reveal a wrong guess.

/// The characters of code page 437 above ASCII.
const PAGE_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴\
    ┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The characters of code page 850 above ASCII.
const PAGE_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴\
    ┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Decodes code page 437, the default of archives.
pub(super) fn page_437(bytes: &[u8]) -> String {
    decoded(bytes, PAGE_437)
}

/// Decodes code page 850, which Windows uses in Western Europe.
pub(super) fn page_850(bytes: &[u8]) -> String {
    decoded(bytes, PAGE_850)
}

fn decoded(bytes: &[u8], high: &str) -> String {
    let decoded = |byte: &u8| match byte.checked_sub(0x80) {
        None => char::from(*byte),
        Some(at) => high.chars().nth(usize::from(at)).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    bytes.iter().map(decoded).collect()
}

/// The number of characters that are rare in names, or rare in their position.
pub(super) fn oddities(name: &str) -> usize {
    let signs: Vec<char> = name.chars().collect();
    let has_capitals = name.chars().any(|c| c.is_ascii_uppercase());
    let letters: usize = name
        .split(|c: char| !c.is_alphabetic())
        .map(|word| odd_letters(word) + usize::from(has_capitals && begins_small(word)))
        .sum();
    letters + (0..signs.len()).filter(|at| is_odd_sign(&signs, *at)).count()
}

/// True for a sign that is not part of names, or not at this place.
fn is_odd_sign(signs: &[char], at: usize) -> bool {
    let is = |place: Option<usize>, kind: fn(char) -> bool| {
        place.and_then(|place| signs.get(place)).is_some_and(|sign| kind(*sign))
    };
    let before = at.checked_sub(1);
    match signs[at] {
        sign if sign.is_ascii() => false,
        // An apostrophe.
        '\u{2019}' => !is(before, char::is_alphabetic),
        // A dash joins two names, or has blanks around it.
        '\u{2013}' | '\u{2014}' => {
            is(before, char::is_alphabetic) && is(Some(at + 1), char::is_lowercase)
        }
        // Ordinals, and signs of formulas.
        'ª' | 'º' | 'µ' | 'ⁿ' | 'ƒ' | '\u{370}'..='\u{3ff}' => true,
        sign => !sign.is_alphabetic(),
    }
}

/// The number of capitals in a word that should be small letters.
fn odd_letters(word: &str) -> usize {
    let is_all_capitals = !word.contains(char::is_lowercase);
    let pairs = word.chars().zip(word.chars().skip(1));
    let is_odd = |(before, letter): &(char, char)| {
        let follows_accent = !before.is_ascii() && before.is_lowercase();
        letter.is_uppercase() && (!letter.is_ascii() || follows_accent)
    };
    if is_all_capitals { 0 } else { pairs.filter(is_odd).count() }
}

/// True for a word that begins with a small letter that is not ASCII.
fn begins_small(word: &str) -> bool {
    word.starts_with(|first: char| !first.is_ascii() && first.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_character_for_each_byte() {
        for page in [PAGE_437, PAGE_850] {
            assert_eq!(page.chars().count(), 128);
        }
        assert_eq!(page_437(b"a\x80\xff"), "aÇ\u{a0}");
        assert_eq!(page_850(b"\x9b\xf0\xff"), "ø\u{ad}\u{a0}");
    }

    #[test]
    fn names_of_people_have_no_rare_characters() {
        for name in [
            "Seán O’Brien",
            "Ada McCarthy",
            "JOSÉ Núñez_12.wasm",
            "Jean–Luc – Ångström",
            "élise.wasm",
        ] {
            assert_eq!(oddities(name), 0, "{name}");
        }
    }
}
