//! Finds the largest array of a source that needs too much memory, for its error message.

use std::path::Path;

/// Smallest array to mention, in bytes; a bot has 2 MiB in all.
const BYTES: u64 = 256 << 10;

/// The same in elements, if only the text is known.
const ELEMENTS: u64 = 64 << 10;

/// The kit's variable with the object of the student's class.
const OBJECT: &str = "judgeKitRoom";

/// A sentence about a large object of the student's class.
fn object(source: &Path, bytes: u64) -> String {
    let source = source.display();
    format!(
        "{source}: an object of the bot's class takes {bytes} bytes: make the arrays in it smaller; \
         a bot has 2 MiB of memory in all"
    )
}

/// A sentence about the largest array, from the assembly or else from the text of the source. None
/// if neither shows a large one.
pub(super) fn largest(source: &Path, text: &[u8], assembly: Option<&str>) -> Option<String> {
    let text = without_comments(&String::from_utf8_lossy(text));
    let (place, size) = match assembly.and_then(of_assembly) {
        Some((name, bytes)) if name == OBJECT => return Some(object(source, bytes)),
        Some((name, bytes)) => (place(&text, &name), format!("`{name}` takes {bytes} bytes")),
        None => {
            let (line, name, elements) = of_text(&text)?;
            (Some(line), format!("`{name}` has {elements} elements"))
        }
    };
    let place = match place {
        Some(line) => format!("{}:{line}", source.display()),
        None => format!("{} or a header of it", source.display()),
    };
    Some(format!("{place}: the array {size}: make it smaller; a bot has 2 MiB of memory in all"))
}

/// The text with its comments blanked, so that each line keeps its number.
fn without_comments(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        code.push_str(before);
        let length = match from.as_bytes() {
            [b'/', b'/', ..] => from.find('\n').unwrap_or(from.len()),
            [b'/', b'*', ..] => from[2..].find("*/").map_or(from.len(), |end| end + 4),
            [b'\'', ..] if is_number(before) => 1,
            // In a text, slashes begin no comment.
            [b'"' | b'\'', ..] => length_of_quoted(from),
            _ => 1,
        };
        let (part, after) = from.split_at(length);
        match part.starts_with("//") || part.starts_with("/*") {
            true => code.extend(part.chars().filter(|c| *c == '\n')),
            false => code.push_str(part),
        }
        rest = after;
    }
    code + rest
}

/// True if the text ends with a number, in which `'` separates digits.
fn is_number(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '\'').next();
    word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The length of a text in quotes, which ends on its line.
fn length_of_quoted(text: &str) -> usize {
    let mut escaped = false;
    let quote = text.chars().next();
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if Some(letter) == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Name and size of the largest variable in an assembly.
fn of_assembly(assembly: &str) -> Option<(String, u64)> {
    let sizes = assembly.lines().filter_map(|line| line.trim_start().strip_prefix(".size\t"));
    let sizes = sizes.filter_map(|line| line.split_once(", "));
    let sizes = sizes.filter_map(|(name, size)| Some((name, size.trim().parse::<u64>().ok()?)));
    let (name, size) = sizes.filter(|(_, size)| *size >= BYTES).max_by_key(|(_, size)| *size)?;
    Some((plain(name), size))
}

/// The name in the source: the last part of a C++ name, which follows its length; for a variable in
/// a C function, the part after the function's name.
fn plain(symbol: &str) -> String {
    let Some(mangled) = symbol.strip_prefix("_Z") else {
        let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts = symbol.rsplit('.').filter(|part| !is_number(part));
        return parts.into_iter().next().unwrap_or(symbol).to_owned();
    };
    let (mut rest, mut last) = (mangled, symbol);
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        let (length, after) = rest[at..].split_at(digits);
        match length.parse().ok().and_then(|length: usize| after.get(..length)) {
            Some(name) if name.starts_with(|first: char| first.is_alphabetic() || first == '_') => {
                last = name;
                rest = &after[name.len()..];
            }
            _ => rest = after,
        }
    }
    last.to_owned()
}

/// The first line with the name before a bracket, or else as a word.
fn place(text: &str, name: &str) -> Option<usize> {
    let has = |line: &str, bracket: &str| {
        let mut words = words(line).filter(|(_, word)| *word == name);
        words.any(|(start, _)| line[start + name.len()..].trim_start().starts_with(bracket))
    };
    let line = |bracket| text.lines().position(|line| has(line, bracket));
    line("[").or_else(|| line("")).map(|at| at + 1)
}

/// Line, name and number of elements of the largest array whose dimensions the text gives, directly
/// or by name.
fn of_text(text: &str) -> Option<(usize, String, u64)> {
    let mut largest: Option<(usize, String, u64)> = None;
    for (at, line) in text.lines().enumerate() {
        for (end, name) in words(line).map(|(start, word)| (start + word.len(), word)) {
            let elements = elements(text, &line[end..]);
            let Some(elements) = elements.filter(|elements| *elements >= ELEMENTS) else {
                continue;
            };
            if largest.as_ref().is_none_or(|(_, _, most)| elements > *most) {
                largest = Some((at + 1, name.to_owned(), elements));
            }
        }
    }
    largest
}

/// The product of the numbers in brackets after a name: `[1000][SIZE]`.
fn elements(text: &str, mut after: &str) -> Option<u64> {
    let mut product = None;
    while let Some(inside) = after.trim_start().strip_prefix('[') {
        let (inside, rest) = inside.split_once(']')?;
        let number = product_of(text, inside)?;
        product = Some(product.unwrap_or(1_u64).saturating_mul(number));
        after = rest;
    }
    product
}

/// The value of a product of numbers or names.
fn product_of(text: &str, factors: &str) -> Option<u64> {
    let value = |factor: &str| number(factor).or_else(|| named(text, factor.trim()));
    factors.split('*').map(value).try_fold(1_u64, |all, one| Some(all.saturating_mul(one?)))
}

/// The value of a name: `#define SIZE 100` or `constexpr int SIZE = 100;`.
fn named(text: &str, name: &str) -> Option<u64> {
    let value = |line: &str| {
        let (start, word) = words(line).find(|(_, word)| *word == name)?;
        let after = line[start + word.len()..].trim_start();
        let is_macro = line.trim_start().starts_with('#');
        let after = if is_macro { after } else { after.strip_prefix('=')? };
        number(after.split([';', ',', '}']).next()?)
    };
    text.lines().find_map(value)
}

/// A number in C syntax: `3'000'000u`, `0x100`, `1 << 20`.
fn number(text: &str) -> Option<u64> {
    if let Some((number_of, bits)) = text.split_once("<<") {
        return number(number_of)?.checked_shl(u32::try_from(number(bits)?).ok()?);
    }
    let text = text.trim().trim_matches(['(', ')']).replace('\'', "").to_ascii_lowercase();
    let digits = text.trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// The possible names in a line, with their offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let found = line.split(move |letter| !is_part(letter));
    let place = move |word: &str| word.as_ptr().addr() - line.as_ptr().addr();
    found.filter(|word| !word.is_empty()).map(move |word| (place(word), word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_the_names_of_the_source() {
        for (symbol, name) in [
            ("_ZL4pool", "pool"),
            ("_ZN2ns4poolE", "pool"),
            ("_ZZ4mainE4line", "line"),
            ("main.line", "line"),
            ("main.line.12", "line"),
            ("all", "all"),
        ] {
            assert_eq!(plain(symbol), name);
        }
    }

    #[test]
    fn the_largest_array_of_an_assembly_is_found() {
        let assembly = "\t.size\tsmall, 300000\n_ZL4pool:\n\t.skip\t450000000\n\t.size\t_ZL4pool, \
                        450000000\n\t.size\tmain, .Lend-main\n\t.size\ttiny, 4\n";
        assert_eq!(of_assembly(assembly), Some(("pool".to_owned(), 450_000_000)));
        assert_eq!(of_assembly("\t.size\ttiny, 4\n"), None);
        let said = largest(Path::new("bot.cpp"), b"int x;\nMove pool[N];\n", Some(assembly));
        let said = said.expect("found");
        assert!(said.starts_with("bot.cpp:2: the array `pool` takes 450000000 bytes"), "{said}");
    }

    #[test]
    fn a_large_object_of_the_bots_class_is_named_as_such() {
        let assembly = "\t.size\t_ZL12judgeKitRoom, 8000176\n";
        let said = largest(Path::new("bot.cpp"), b"class MyBot {};\n", Some(assembly));
        let said = said.expect("found");
        assert!(said.starts_with("bot.cpp: an object of the bot's class takes 8000176"), "{said}");
    }

    #[test]
    fn arrays_in_comments_are_ignored() {
        let text = "// pool[9999999]\n/* all of\n pool[8888888] */ int pooled;\nextern int pool;\n\
                    char *u = \"http://x\"; int pool[1'000'000]; // pool\n";
        let said = largest(Path::new("b.c"), text.as_bytes(), None).expect("found");
        assert!(said.starts_with("b.c:5: the array `pool` has 1000000 elements"), "{said}");
        let assembly = "\t.size\tpool, 4000000\n";
        let said = largest(Path::new("b.c"), text.as_bytes(), Some(assembly)).expect("found");
        assert!(said.starts_with("b.c:5: "), "{said}");
        for (text, code) in [
            ("a/b", "a/b"),
            ("'/*'/**/c", "'/*'c"),
            ("\"\\\"//\"/", "\"\\\"//\"/"),
            ("/*", ""),
            ("/*/ a */b", "b"),
            ("u8\"//\"", "u8\"//\""),
            ("1'0//", "1'0"),
            ("'", "'"),
        ] {
            assert_eq!(without_comments(text), code);
        }
    }

    #[test]
    fn the_largest_array_of_a_text_is_found() {
        let text = "#define ROWS 1000\nconstexpr int COLUMNS = 3'000;\nint small[5000];\n\
                    static Move pool[ROWS][COLUMNS];\nint other[1 << 20];\n";
        assert_eq!(of_text(text), Some((4, "pool".to_owned(), 3_000_000)));
        assert_eq!(of_text("int x[10];\n"), None);
        assert_eq!(of_text("char all[0xf0000000u] = {1};").map(|found| found.2), Some(0xf000_0000));
        let said = largest(Path::new("my/bot.cpp"), text.as_bytes(), None).expect("found");
        assert!(said.starts_with("my/bot.cpp:4: the array `pool` has 3000000 elements"), "{said}");
    }
}
