//! Constants that `-D` sets in a script: the value of the line at its top level that assigns them is
//! replaced, so all lines keep their numbers.

use std::ops::Range;
use std::path::Path;

use crate::{BuildError, Define, Language};

/// Sets constants in a script. A value without quotes gets those of the text that it replaces.
///
/// # Errors
/// When not exactly one line assigns a constant, its old value is more than a number, a name or a
/// text, or the new one is empty.
pub(super) fn set(
    source: &Path,
    text: String,
    language: Language,
    defines: &[Define],
) -> Result<String, BuildError> {
    defines.iter().try_fold(text, |text, define| set_one(source, &text, language, define))
}

fn set_one(
    source: &Path,
    text: &str,
    language: Language,
    define: &Define,
) -> Result<String, BuildError> {
    let Define { name, value } = define;
    let example = match language {
        Language::Python => format!("{name} = 1"),
        _ => format!("const {name} = 1;"),
    };
    let refused = |what: String| {
        let hint = format!(
            "`-D` replaces a number or a text on a line of its own, without indentation: `{example}`"
        );
        Err(BuildError::source(source, what, &hint))
    };
    let places = value_positions(text, language, name);
    let start = match places.as_slice() {
        [] => return refused(format!("has no line that assigns `{name}`")),
        [start] => *start,
        _ => return refused(format!("assigns `{name}` in {} lines", places.len())),
    };
    let Some(old) = simple_value(&text[start..], language) else {
        return refused(format!("assigns `{name}` a value that `-D` cannot replace"));
    };
    if value.trim().is_empty() {
        return refused(format!("needs a value for `{name}`"));
    }
    let (before, after) = (&text[..start + old.start], &text[start + old.end..]);
    let quote = text[start + old.start..].chars().next().filter(|c| QUOTES.contains(c));
    let is_quoted = value.starts_with(QUOTES);
    let quote = quote.filter(|_| !is_quoted).map(String::from).unwrap_or_default();
    Ok([before, &quote, value, &quote, after].concat())
}

/// Quotes of a text on one line.
const QUOTES: [char; 2] = ['"', '\''];

/// The places after the `=` of all lines that assign the constant, outside of comments and texts of
/// several lines.
fn value_positions(text: &str, language: Language, name: &str) -> Vec<usize> {
    let blocks: &[(&str, &str)] = match language {
        Language::Python => &[("\"\"\"", "\"\"\""), ("'''", "'''")],
        _ => &[("/*", "*/"), ("`", "`")],
    };
    let (mut places, mut at, mut open) = (Vec::new(), 0, None);
    for line in text.split_inclusive('\n') {
        if open.is_none() {
            let start = start_of_value(line, language, name);
            places.extend(start.map(|start| at + start));
        }
        open = still_open(line, language, blocks, open);
        at += line.len();
    }
    places
}

/// The end of the block that is open after a line, if there is one.
fn still_open(
    line: &str,
    language: Language,
    blocks: &[(&str, &'static str)],
    mut open: Option<&'static str>,
) -> Option<&'static str> {
    let comment = comment(language);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let skipped = match open {
            Some(end) if rest.starts_with(end) => {
                open = None;
                end.len()
            }
            Some(_) if first == '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            Some(_) => first.len_utf8(),
            None if rest.starts_with(comment) => return None,
            None => match blocks.iter().find(|(start, _)| rest.starts_with(start)) {
                Some((start, end)) => {
                    open = Some(end);
                    start.len()
                }
                None if QUOTES.contains(&first) => length_of_text(rest, first),
                None => first.len_utf8(),
            },
        };
        rest = &rest[skipped..];
    }
    open
}

/// The length of a text in quotes that ends on its line.
fn length_of_text(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let ends = !is_escaped && *letter == quote;
        is_escaped = !is_escaped && *letter == '\\';
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The start of a comment that ends with its line.
fn comment(language: Language) -> &'static str {
    if language == Language::Python { "#" } else { "//" }
}

/// The place after the `=` in a line that assigns the constant.
fn start_of_value(line: &str, language: Language, name: &str) -> Option<usize> {
    let rest = match language {
        Language::Python => line,
        _ => {
            let rest = line.strip_prefix("export ").unwrap_or(line).trim_start();
            let words = ["const ", "let ", "var "];
            words.iter().find_map(|word| rest.strip_prefix(word))?.trim_start()
        }
    };
    let rest = rest.strip_prefix(name)?.trim_start();
    let rest = match (language, rest.strip_prefix(':')) {
        // A type, such as `W: int = 3`.
        (Language::Python, Some(annotated)) => {
            let end = annotated.find(['=', '#', '"', '\''])?;
            &annotated[end..]
        }
        _ => rest,
    };
    let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    Some(line.len() - value.len())
}

/// The value at the start of this text, up to a comment or the next statement, if it is a number, a
/// name or a text.
fn simple_value(text: &str, language: Language) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start_matches([' ', '\t']).len();
    let rest = &text[start..];
    let is_end = |c: char| !c.is_ascii_alphanumeric() && !"_.+-".contains(c);
    let length = match rest.chars().next().filter(|c| QUOTES.contains(c)) {
        Some(quote) => {
            rest[1..].find([quote, '\\', '\n']).filter(|at| rest[1 + at..].starts_with(quote))? + 2
        }
        None => rest.find(is_end).unwrap_or(rest.len()),
    };
    let after = rest[length..].trim_start_matches([' ', '\t', '\r']);
    let ends = after.is_empty() || after.starts_with(';') || ends_at(after, language);
    (length > 0 && ends).then_some(start..start + length)
}

/// True if a statement ends before this text, which begins with a comment or a new line.
fn ends_at(after: &str, language: Language) -> bool {
    if language == Language::Python {
        return after.starts_with(['\n', '#']);
    }
    if !after.starts_with('\n') && !after.starts_with("//") && !after.starts_with("/*") {
        return false;
    }
    // A line feed ends a statement of JavaScript unless the next line continues it.
    let mut next = after.lines().skip(1).map(str::trim_start);
    let next = next.find(|line| !line.is_empty() && !line.starts_with("//"));
    next.and_then(|line| line.chars().next())
        .is_none_or(|first| first.is_alphanumeric() || "_$}/;\"'@#".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_in(name: &str, text: &str, define: &str) -> Result<String, String> {
        let source = Path::new(name);
        let language = Language::from_path(source).expect("known");
        let defines = [define.parse().expect("a constant")];
        set(source, text.to_owned(), language, &defines).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_value_is_replaced() {
        for (name, text, expected) in [
            (
                "bot.py",
                "import math\nW = 2  # weight\nV = W\n",
                "import math\nW = 3  # weight\nV = W\n",
            ),
            (
                "bot.py",
                "WIDE = 1\n  W = 1\nW == 2\nW: int=-0.5;X = 1",
                "WIDE = 1\n  W = 1\nW == 2\nW: int=3;X = 1",
            ),
            ("bot.py", "V = 'a # b'\r\nW = 4\r\n", "V = 'a # b'\r\nW = 3\r\n"),
            ("bot.py", "\"\"\"\nW = 2\n\"\"\"\nW = 4\n", "\"\"\"\nW = 2\n\"\"\"\nW = 3\n"),
            ("bot.py", "V = '\"\"\"'\nW = 4\n", "V = '\"\"\"'\nW = 3\n"),
            ("bot.py", "W: int  # = 1\nW = 4\n", "W: int  # = 1\nW = 3\n"),
            (
                "bot.js",
                "/*\nconst W = 1;\n*/\nconst W = 2 /* x */\nf();",
                "/*\nconst W = 1;\n*/\nconst W = 3 /* x */\nf();",
            ),
            (
                "bot.js",
                "f(`\nlet W = 1;\n`);\nlet W = 2\n\n// x\nlet V = 1",
                "f(`\nlet W = 1;\n`);\nlet W = 3\n\n// x\nlet V = 1",
            ),
            ("bot.py", "W = 2", "W = 3"),
            (
                "bot.js",
                "let WIDE = 1;\nconst W = 2; // weight\n",
                "let WIDE = 1;\nconst W = 3; // weight\n",
            ),
            ("bot.js", "W = 1;\nexport let W=\"\"\n", "W = 1;\nexport let W=\"3\"\n"),
        ] {
            assert_eq!(set_in(name, text, "W=3").as_deref(), Ok(expected), "{text}");
        }
        for (text, define, expected) in [
            ("W = 2\n", "W='a b'", "W = 'a b'\n"),
            ("W = \"x\"\n", "W=a b", "W = \"a b\"\n"),
            ("W = 'x'\n", "W=\"y\"", "W = \"y\"\n"),
        ] {
            assert_eq!(set_in("bot.py", text, define).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn other_values_and_missing_lines_are_refused() {
        for (name, text) in [
            ("bot.py", "W = [1,\n 2]\n"),
            ("bot.py", "W = '''\n'''\n"),
            ("bot.py", "W = 'it\\'s'\n"),
            ("bot.py", "W = 1 + 2\n"),
            ("bot.js", "const W = 1, H = 2;\n"),
            ("bot.js", "const W = side => 1;\n"),
            ("bot.js", "const W = `a`;\n"),
            ("bot.js", "const W =\n"),
            ("bot.js", "const W = 2\n  + 3;\n"),
            ("bot.js", "const W = f\n// x\n  (1)\n"),
        ] {
            let refused = set_in(name, text, "W=3").expect_err(text);
            assert!(refused.contains("assigns `W` a value"), "{refused}");
        }
        for text in ["W = 1\nW = 2\n", "W = 1\nif x:\n    pass\nW = W + 1\n"] {
            let refused = set_in("bot.py", text, "W=3").expect_err(text);
            assert!(refused.contains("assigns `W` in 2 lines"), "{refused}");
        }
        assert!(
            set_in("bot.py", "W = 1\n", "W=").is_err_and(|said| said.contains("needs a value"))
        );
        for (name, text) in [("bot.py", "def f(W=1):\n    W = 1\n"), ("bot.js", "W = 1;\n")] {
            let refused = set_in(name, text, "W=3").expect_err(text);
            assert!(refused.contains("has no line that assigns `W`"), "{refused}");
        }
    }
}
