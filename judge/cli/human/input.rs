//! Lines from a person: from a line editor at a terminal, by plain reading otherwise.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

use judge_runner::rounds::play::typed::TypedCommand;

/// Longest line in bytes; the rest of a longer line is dropped.
const MAX_LINE: u64 = 8192;

/// Input at a prompt.
pub(super) enum Given {
    /// A line, without surrounding spaces.
    Line(String),
    /// The end of a file or pipe.
    End,
    /// Ctrl-D at a terminal.
    Leave,
    /// Ctrl-C at a terminal.
    Interrupt,
}

/// The source of a person's lines.
pub(super) enum Input {
    /// A terminal, with arrow keys, a history in memory only, and completion with Tab.
    Terminal(Box<Editor<Completions, MemHistory>>),
    /// A file or pipe. Each line is printed after the prompt, so that the output reads like a
    /// session at a terminal.
    Plain,
}

impl Input {
    /// Chooses the source that suits standard input and output.
    pub(super) fn new() -> io::Result<Input> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Input::Plain);
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// True at a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// Waits for Enter at a terminal, and clears the history of the person before.
    pub(super) fn wait(&mut self, prompt: &str) -> io::Result<()> {
        if let Input::Terminal(editor) = self {
            editor.clear_history().map_err(io::Error::other)?;
            // The question comes next, whatever was typed here.
            let _ = edited(editor, prompt)?;
            editor.clear_history().map_err(io::Error::other)?;
        }
        Ok(())
    }

    /// Reads the next line, with Tab completing `answers`.
    pub(super) fn read(&mut self, prompt: &str, answers: &[String]) -> io::Result<Given> {
        match self {
            Input::Terminal(editor) => {
                editor.set_helper(Some(Completions { answers: answers.to_vec() }));
                edited(editor, prompt)
            }
            Input::Plain => plain(prompt),
        }
    }
}

fn edited(editor: &mut Editor<Completions, MemHistory>, prompt: &str) -> io::Result<Given> {
    match editor.readline(prompt) {
        Ok(line) => {
            let line = line.trim().to_owned();
            // Losing a line of the history does no harm.
            let _ = editor.add_history_entry(line.as_str());
            Ok(Given::Line(line))
        }
        Err(ReadlineError::Eof) => Ok(Given::Leave),
        Err(ReadlineError::Interrupted) => Ok(Given::Interrupt),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn plain(prompt: &str) -> io::Result<Given> {
    let mut out = io::stdout().lock();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        writeln!(out)?;
        return Ok(Given::End);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    writeln!(out, "{}", judge_core::printable(&line, usize::MAX))?;
    Ok(Given::Line(line))
}

/// Tab completion of answers and commands, and of answers after `moves`.
pub(super) struct Completions {
    answers: Vec<String>,
}

impl Completions {
    fn candidates(&self, typed: &str) -> (usize, Vec<String>) {
        if let Some(start) = typed.strip_prefix("moves ") {
            return (typed.len() - start.len(), self.answers_from(start));
        }
        let commands = TypedCommand::WORDS.into_iter().filter(|word| word.starts_with(typed));
        let commands = commands.map(str::to_owned);
        (0, self.answers_from(typed).into_iter().chain(commands).collect())
    }

    fn answers_from(&self, start: &str) -> Vec<String> {
        self.answers.iter().filter(|answer| answer.starts_with(start)).cloned().collect()
    }
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line.get(..position).unwrap_or(line)))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}

impl Validator for Completions {}

impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_commands_are_completed() {
        let completions = Completions { answers: ["b1", "b2", "c1"].map(str::to_owned).to_vec() };
        let of = |typed: &str| {
            let (at, candidates) = completions.candidates(typed);
            format!("{at} {}", candidates.join(" "))
        };
        assert_eq!(of("b"), "0 b1 b2 board");
        assert_eq!(of("c"), "0 c1");
        assert_eq!(of("moves b"), "6 b1 b2");
        assert_eq!(of("re"), "0 redo resign");
        assert_eq!(of("x"), "0 ");
    }
}
