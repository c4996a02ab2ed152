//! Imports and language of a script, found without an interpreter. An extra name does no harm: it
//! is looked up and not found.

use crate::Language;

/// Number of lines to check for the language.
const LINES: usize = 200;

/// Quoted texts after `from` or `import`, as in JavaScript imports.
pub(super) fn of_javascript(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, quote) in text.match_indices(['"', '\'']) {
        let before = text[..at].trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let after = &text[at + 1..];
        let Some(end) = after.find(quote) else { continue };
        let name = &after[..end];
        let is_import = before.ends_with("from") || before.ends_with("import");
        if is_import && !name.is_empty() && !name.contains(char::is_whitespace) {
            found.push(name);
        }
    }
    found
}

/// The modules that a Python script names after `import` or `from`. Imported names count too,
/// because each may be a module.
pub(super) fn of_python(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let text = text.replace("\\\n", " ");
    // This also cuts a string with that character, which is rare before an import.
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    while let Some(line) = lines.next() {
        for statement in line.split(';') {
            let mut statement = statement.trim().to_owned();
            let is_open = |text: &str| text.contains('(') && !text.contains(')');
            for _ in 0..MOST {
                if !statement.starts_with("from ") || !is_open(&statement) {
                    break;
                }
                statement.push_str(lines.next().unwrap_or(")"));
            }
            found.extend(named(&statement));
        }
    }
    found
}

/// Longest module name, and most names and lines of a statement. No bot has more.
const MOST: usize = 255;

/// The modules in one statement.
fn named(statement: &str) -> Vec<String> {
    if let Some(names) = statement.strip_prefix("import ") {
        let names = names.split(',').filter_map(first_word).take(MOST);
        return names.filter(|name| name.len() <= MOST).map(str::to_owned).collect();
    }
    let rest = statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import"));
    let Some((module, parts)) = rest else { return Vec::new() };
    let module = module.trim();
    if module.len() > MOST {
        return Vec::new();
    }
    let dot = if module.ends_with('.') { "" } else { "." };
    let parts = parts.split(['(', ')', ',']).filter_map(first_word).take(MOST);
    let parts = parts.filter(|part| part.len() <= MOST).map(|part| format!("{module}{dot}{part}"));
    std::iter::once(module.to_owned()).chain(parts).collect()
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// The script's language, if it is not the one of its file name.
pub(super) fn other_language(text: &str, language: Language) -> Option<Language> {
    let lines = || text.lines().take(LINES);
    if lines().any(|line| line.starts_with("#include")) {
        return Some(Language::Cpp);
    }
    let python = lines().filter(|line| is_python(line)).count();
    let javascript = lines().filter(|line| is_javascript(line)).count();
    (language == Language::JavaScript && python > javascript).then_some(Language::Python).or_else(
        || (language == Language::Python && javascript > python).then_some(Language::JavaScript),
    )
}

/// True for a line that only a Python script begins like this.
fn is_python(line: &str) -> bool {
    let line = line.trim();
    let block = ["def ", "class ", "if ", "for ", "while ", "elif "];
    let opens = block.iter().any(|word| line.starts_with(word)) && line.ends_with(':');
    opens || (line.starts_with("from ") && line.contains(" import ") && !line.contains(['"', '\'']))
}

/// True for a line that only a JavaScript script begins like this.
fn is_javascript(line: &str) -> bool {
    let line = line.trim();
    let word = ["const ", "let ", "var ", "function ", "export ", "//"];
    word.iter().any(|word| line.starts_with(word))
        || (line.starts_with("import ") && line.contains(['"', '\'']))
        || (line.ends_with('{') && line.contains(") "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_in_all_their_forms() {
        let text = "import { run } from 'judge-bot';\nimport * as a from \"judge-bot/amazons\";\n\
                    import './side.js';\nexport * from\n  './more.js';\nawait import('./late.js');\n\
                    const word = 'it was taken from'; log('a', 'b');";
        let expected = ["judge-bot", "judge-bot/amazons", "./side.js", "./more.js", "./late.js"];
        assert_eq!(of_javascript(text), expected);
    }

    #[test]
    fn imports_of_python_are_found_in_all_their_forms() {
        let text = "import math, heapq as h\nfrom judge_bot import cc, run  # both\nfrom . import a\n\
                    from .b import (\n    c,\n    d,\n)\n    import late\n";
        let expected = [
            "math",
            "heapq",
            "judge_bot",
            "judge_bot.cc",
            "judge_bot.run",
            ".",
            ".a",
            ".b",
            ".b.c",
            ".b.d",
            "late",
        ];
        assert_eq!(of_python(text), expected);
    }

    #[test]
    fn the_language_is_recognised_in_the_first_lines() {
        let python = "from judge_bot import amazons, run\n\ndef choose_move(state, tools):\n    \
                      return 1\n";
        let javascript = "import { run } from 'judge-bot';\nfunction chooseMove(state) {\n}\n";
        let (js, py) = (Language::JavaScript, Language::Python);
        assert_eq!(other_language(python, js), Some(py));
        assert_eq!(other_language(javascript, py), Some(js));
        for (text, language) in [(python, py), (javascript, js), ("", js), ("", py)] {
            assert_eq!(other_language(text, language), None);
        }
    }
}
