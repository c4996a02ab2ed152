//! Commands that a person can type instead of answers.

/// The commands with their arguments and descriptions, for `help`.
pub const HELP: &[(&str, &str)] = &[
    ("moves [START]", "your answers, or those that begin with START"),
    ("board", "what you see"),
    ("undo", "take the last answer back"),
    ("redo", "repeat the answer that you took back"),
    ("rules", "where the rules and the notation are explained"),
    ("save FILE", "save the round for `judge replay`, as if you resigned here"),
    ("resign", "give up"),
    ("quit", "leave; you resign if you have answered (also Ctrl-D and Ctrl-C)"),
    ("help, ?", "this list"),
];

/// A typed command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedCommand<'a> {
    /// List the commands.
    Help,
    /// List the answers with this beginning.
    Moves(&'a str),
    /// Show the board.
    Board,
    /// Show where to read the rules.
    Rules,
    /// Take the last answer back.
    Undo,
    /// Repeat the answer that was taken back last.
    Redo,
    /// Save the round in a file; the path may be empty.
    Save(&'a str),
    /// Leave.
    Quit,
    /// Resign.
    Resign,
}

impl TypedCommand<'_> {
    /// The first words of all commands.
    pub const WORDS: [&'static str; 9] =
        ["board", "help", "moves", "quit", "redo", "resign", "rules", "save", "undo"];

    /// Parses a line that is not an answer; `None` if it is not a command either.
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
    fn every_command_is_in_the_help() {
        for word in TypedCommand::WORDS {
            assert!(TypedCommand::read(word).is_some(), "{word}");
            assert!(HELP.iter().any(|(usage, _)| usage.starts_with(word)), "{word}");
        }
        assert_eq!(HELP.len(), TypedCommand::WORDS.len());
    }

    #[test]
    fn words_after_a_command_are_its_arguments() {
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
