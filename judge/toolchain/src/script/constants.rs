//! Constants that `-D` sets in a script: the value of the line at its top level that assigns them is
//! replaced, so all lines keep their numbers.

use std::ops::Range;
use std::path::Path;

use crate::{BuildError, Define, Language};

/// Sets constants in a script.
///
/// # Errors
/// When no line assigns a constant, or its value is more than a number, a name or a text.
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
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(start) = start_of_value(line, language, name) {
            let Some(old) = simple_value(&line[start..], language) else {
                let what = format!("assigns `{name}` a value that `-D` cannot replace");
                let hint = format!("assign a number or a text, on a line of its own: `{example}`");
                return Err(BuildError::source(source, what, &hint));
            };
            let (before, after) = (at + start + old.start, at + start + old.end);
            return Ok([&text[..before], value, &text[after..]].concat());
        }
        at += line.len();
    }
    let what = format!("has no line that assigns `{name}`");
    let hint = format!("`-D` replaces the value of a line without indentation: `{example}`");
    Err(BuildError::source(source, what, &hint))
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
        (Language::Python, Some(annotated)) => &annotated[annotated.find('=')?..],
        _ => rest,
    };
    let value = rest.strip_prefix('=').filter(|value| !value.starts_with('='))?;
    Some(line.len() - value.len())
}

/// The value at the start of this text, up to a comment or the next statement, if it is a number, a
/// name or a text.
fn simple_value(text: &str, language: Language) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let length = match rest.chars().next().filter(|c| ['"', '\''].contains(c)) {
        Some(quote) => {
            rest[1..].find([quote, '\\', '\n']).filter(|at| rest[1 + at..].starts_with(quote))? + 2
        }
        None => rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_.+-".contains(c))?,
    };
    let comment = if language == Language::Python { "#" } else { "//" };
    let after = rest[length..].trim_start_matches([' ', '\t', '\r']);
    let ends = after.starts_with(['\n', ';']) || after.starts_with(comment) || after.is_empty();
    (length > 0 && ends).then_some(start..start + length)
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
    fn the_value_alone_is_replaced() {
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
            ("bot.py", "W = 'a # b'\r\nW = 4\n", "W = 3\r\nW = 4\n"),
            ("bot.py", "W = 2", "W = 3"),
            (
                "bot.js",
                "let WIDE = 1;\nconst W = 2; // weight\n",
                "let WIDE = 1;\nconst W = 3; // weight\n",
            ),
            ("bot.js", "W = 1;\nexport let W=\"\"\n", "W = 1;\nexport let W=3\n"),
        ] {
            assert_eq!(set_in(name, text, "W=3").as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(set_in("bot.py", "W = 2\n", "W='a b'").as_deref(), Ok("W = 'a b'\n"));
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
        ] {
            let refused = set_in(name, text, "W=3").expect_err(text);
            assert!(refused.contains("assigns `W` a value"), "{refused}");
        }
        for (name, text) in [("bot.py", "def f(W=1):\n    W = 1\n"), ("bot.js", "W = 1;\n")] {
            let refused = set_in(name, text, "W=3").expect_err(text);
            assert!(refused.contains("has no line that assigns `W`"), "{refused}");
        }
    }
}
