//! Commands that a person can type besides answers.

/// The commands with what follows them, and what they do, as `help` shows them.
pub const HELP: &[(&str, &str)] = &[
    ("moves [START]", "your answers, or those that begin with START"),
    ("board", "what you see"),
    ("undo", "take the last answer back"),
    ("redo", "give the answer again that you took back"),
    ("rules", "where the rules and the notation are explained"),
    ("save FILE", "save the round for `judge replay`, as if you resigned here"),
    ("resign", "give up"),
    ("quit", "leave; you resign if you have answered (also Ctrl-D and Ctrl-C)"),
    ("help, ?", "this list"),
];

/// A command as it was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedCommand<'a> {
    /// The list of commands.
    Help,
    /// The answers that begin so.
    Moves(&'a str),
    /// The board.
    Board,
    /// Places to read the rules.
    Rules,
    /// Back to the question before.
    Undo,
    /// The answer again that was taken back last.
    Redo,
    /// Keep the round in a file; the path may be missing.
    Save(&'a str),
    /// Leave.
    Quit,
    /// Give up.
    Resign,
}

impl TypedCommand<'_> {
    /// The words that commands begin with.
    pub const WORDS: [&'static str; 9] =
        ["board", "help", "moves", "quit", "redo", "resign", "rules", "save", "undo"];

    /// Reads a line that is no answer; `None` when it is no command either.
    pub fn read(line: &str) -> Option<TypedCommand<'_>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match (word, rest) {
            ("moves", start) => TypedCommand::Moves(start),
            ("save", path) => TypedCommand::Save(path),
            ("help" | "?", "") => TypedCommand::Help,
            ("board", "") => TypedCommand::Board,
            ("rules", "") => TypedCommand::Rules,
            ("undo", "") => TypedCommand::Undo,
            ("redo", "") => TypedCommand::Redo,
            ("quit" | "exit" | "q", "") => TypedCommand::Quit,
            ("resign", "") => TypedCommand::Resign,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_command_and_stands_in_the_help() {
        for word in TypedCommand::WORDS {
            assert!(TypedCommand::read(word).is_some(), "{word}");
            assert!(HELP.iter().any(|(usage, _)| usage.starts_with(word)), "{word}");
        }
        assert_eq!(HELP.len(), TypedCommand::WORDS.len());
    }

    #[test]
    fn what_follows_belongs_to_the_command() {
        assert_eq!(TypedCommand::read("moves  d1"), Some(TypedCommand::Moves("d1")));
        assert_eq!(
            TypedCommand::read("save a file.jsonl"),
            Some(TypedCommand::Save("a file.jsonl"))
        );
        assert_eq!(TypedCommand::read("?"), Some(TypedCommand::Help));
        for line in ["", "quit now", "undo 2", "Help", "d1-d7/g7"] {
            assert_eq!(TypedCommand::read(line), None, "{line}");
        }
    }
}
