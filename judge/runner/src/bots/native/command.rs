//! The command of a native program, written as in a shell.

use std::path::Path;

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeCommand(Vec<String>);

impl std::str::FromStr for NativeCommand {
    type Err = String;

    /// Splits a text at spaces. Quotes and backslashes work as in a shell; nothing else does. A text
    /// that is the path of a file is that file.
    fn from_str(text: &str) -> Result<NativeCommand, String> {
        let words = if Path::new(text).is_file() { vec![text.to_owned()] } else { split(text)? };
        if words.first().is_none_or(String::is_empty) {
            return Err("expected a program, such as `./bot`".to_owned());
        }
        Ok(NativeCommand(words))
    }
}

impl NativeCommand {
    /// The program, as given.
    pub(crate) fn program(&self) -> &str {
        self.0.first().map(String::as_str).unwrap_or_default()
    }

    /// Its arguments.
    pub(super) fn arguments(&self) -> &[String] {
        self.0.get(1..).unwrap_or_default()
    }

    /// The name of the program's file.
    pub(super) fn name(&self) -> String {
        let name = Path::new(self.program()).file_name();
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// True if the program is a file, or in `PATH`.
    pub(super) fn is_found(&self) -> bool {
        let program = Path::new(self.program());
        if program.components().count() > 1 {
            return program.is_file();
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
    }
}

/// The command that runs the program in this file, as one word for a shell.
pub(super) fn quoted_command(path: &Path) -> String {
    let is_bare = path.components().count() == 1;
    let path = if is_bare { Path::new(".").join(path) } else { path.to_owned() };
    let text = path.to_string_lossy();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if text.chars().all(plain) { text.into_owned() } else { judge_report::quoted(&text) }
}

/// Splits a text into words.
fn split(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("the quote `{open}` is not closed")),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_splits_it() {
        for (text, words) in [
            ("./bot", &["./bot"][..]),
            ("  gdbserver :2345   ./bot ", &["gdbserver", ":2345", "./bot"]),
            (r#"'my bot' "a 'b'" c\ d '' "\"""#, &["my bot", "a 'b'", "c d", "", "\""]),
            (r"'\'", &[r"\"]),
        ] {
            let command: NativeCommand = text.parse().expect(text);
            assert_eq!(command.0, words, "{text}");
        }
        for text in ["", "  ", "''", "'a", "\"a"] {
            assert!(text.parse::<NativeCommand>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_quoted_command_splits_into_its_words() {
        assert_eq!(quoted_command(Path::new("bot")), "./bot");
        assert_eq!(quoted_command(Path::new("a/bot")), "a/bot");
        assert_eq!(quoted_command(Path::new("/my bots/bot")), "'/my bots/bot'");
    }
}
