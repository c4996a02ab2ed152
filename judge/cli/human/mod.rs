//! A person at the terminal, or a file or pipe with answers. Two people can share the terminal.

mod input;

use std::io::{self, Write};
use std::path::Path;

use judge_core::{Seat, printable};
use judge_games::IllegalMove;
use judge_runner::Error;
use judge_runner::base::styled_text::Styled;
use judge_runner::rounds::play::typed::{self, Answers, HELP, TypedCommand};
use judge_runner::rounds::play::{Decision, Notice, Person, PersonMatch, PersonQuestion};

use crate::show::{output, paint};
use input::{Given, Input};

/// Columns to assume without a terminal.
const WIDTH: usize = 80;

/// Clears a terminal and its scrollback.
const CLEAR: &str = "\x1b[H\x1b[2J\x1b[3J";

/// A person at standard input and output.
pub(crate) struct Human {
    input: Input,
}

impl Human {
    /// Creates the person at standard input.
    pub(crate) fn new() -> io::Result<Human> {
        Ok(Human { input: Input::new()? })
    }

    /// Announces the next person. In a game with hidden information the screen is cleared, and that
    /// person presses Enter to see the question.
    fn hand_over(&mut self, table: &PersonMatch, seat: Seat, hides: bool) -> Result<(), Error> {
        let who = table.seat_name(seat);
        if hides && self.input.is_terminal() {
            print(CLEAR)?;
            let other = table.seat_name(seat.other());
            say(&format!("{who} is next: hide the screen from {other}"))?;
            self.input.wait("press Enter to see it")?;
            return Ok(print(CLEAR)?);
        }
        Ok(say(&format!("\n{who} is next"))?)
    }

    /// Handles a line; `None` if the question is still open.
    fn obey(
        &self,
        line: &str,
        table: &PersonMatch,
        question: &PersonQuestion<'_>,
    ) -> Result<Option<Decision>, Error> {
        let answers = Answers::new(&question.legal);
        if line.is_empty() {
            return Ok(None);
        }
        match answers.by_number(line) {
            Some(Ok(answer)) => return Ok(Some(Decision::Answer(answer.to_owned()))),
            Some(Err(error)) => {
                let most = error.most;
                complain(
                    &format!("answer {line} does not exist: the answers are numbered 1 to {most}"),
                    None,
                );
                return Ok(None);
            }
            None => {}
        }
        match TypedCommand::read(line) {
            Some(command) if !answers.contains(line) => carry_out(command, table, question),
            _ => Ok(Some(Decision::Answer(line.to_owned()))),
        }
    }
}

impl Person for Human {
    fn notice(&mut self, table: &PersonMatch, notice: Notice<'_>) -> Result<(), Error> {
        match notice {
            Notice::Begun => say(&greeting(table))?,
            Notice::Turn { seat, hides } => self.hand_over(table, seat, hides)?,
            Notice::News { seat, calls } => {
                let news = judge_games::words::news(&table.spec, seat, calls);
                if !news.is_empty() {
                    say(&news.join("\n"))?;
                }
            }
            Notice::Question(question) => show_question(table, question)?,
            Notice::Refused { answer, refusal, question } => refuse(answer, refusal, question),
            Notice::NothingToTakeBack => complain("you have not answered anything yet", None),
            Notice::TakenBack(answer) => say(&format!("taken back: {answer}"))?,
            Notice::NothingToRedo => complain("nothing was taken back", None),
            Notice::Redone(answer) => say(&format!("given again: {answer}"))?,
            Notice::Ended { board, standing } => {
                board.map_or(Ok(()), show_board)?;
                say(&format!("\n{}\n", typed::score(&table.spec, standing).join("\n")))?;
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        table: &PersonMatch,
        question: &PersonQuestion<'_>,
    ) -> Result<Decision, Error> {
        let mut prompt = typed::prompt(&question.line);
        if table.spec.is_between_people() {
            prompt.insert_str(0, &format!("seat {}, ", question.seat));
        }
        loop {
            let line = match self.input.read(&prompt, &question.legal)? {
                Given::Line(line) => line,
                Given::End => return leave(table, question),
                Given::Leave => {
                    complain("left by Ctrl-D", None);
                    return leave(table, question);
                }
                Given::Interrupt => return Ok(Decision::Interrupt),
            };
            if let Some(decision) = self.obey(&line, table, question)? {
                return Ok(decision);
            }
        }
    }
}

fn greeting(table: &PersonMatch) -> String {
    let (own, other) = (table.person, table.person.other());
    if table.spec.is_between_people() {
        let [one, two] = Seat::BOTH.map(|seat| table.spec.seat(seat).name());
        let title = table.game.title();
        return format!(
            "{title}: {one} is seat 1, {two} is seat 2; you take turns here\n\
             `help` lists what you can type"
        );
    }
    let (title, name) = (table.game.title(), table.spec.seat(other).name());
    format!("{title}: you are seat {own}, {name} is seat {other}\n`help` lists what you can type")
}

fn show_question(table: &PersonMatch, question: &PersonQuestion<'_>) -> io::Result<()> {
    show_board(&question.board())?;
    let (mut asked, count) = (judge_games::words::question(&question.line), question.legal.len());
    if table.spec.is_between_people() {
        asked.insert_str(0, &format!("{}: ", table.seat_name(question.seat)));
    }
    let remark = |answer: &str| question.remark(answer);
    let answers = Answers::new(&question.legal).with_remarks(&remark).shown(width());
    say(&format!("{asked} ({count} legal answers)\n{answers}"))
}

/// Carries out a command; `None` if the question is still open.
fn carry_out(
    command: TypedCommand<'_>,
    table: &PersonMatch,
    question: &PersonQuestion<'_>,
) -> Result<Option<Decision>, Error> {
    match command {
        TypedCommand::Help => say(&help())?,
        TypedCommand::Moves(start) => show_moves(question, start)?,
        TypedCommand::Board => show_board(&question.board())?,
        TypedCommand::Rules => say(&where_to_read(table))?,
        TypedCommand::Save(path) => save(path, question),
        TypedCommand::Undo => return Ok(Some(Decision::TakeBack)),
        TypedCommand::Redo => return Ok(Some(Decision::Redo)),
        TypedCommand::Quit => return leave(table, question).map(Some),
        TypedCommand::Resign => return Ok(Some(Decision::Resign)),
    }
    Ok(None)
}

/// Leaves, and shows the current score if any question was answered.
fn leave(table: &PersonMatch, question: &PersonQuestion<'_>) -> Result<Decision, Error> {
    if question.answered > 0 {
        let standing = question.standing();
        say(&match table.spec.is_between_people() {
            true => typed::as_it_stands_between(&table.spec, &standing),
            false => typed::as_it_stands(table.person, &standing),
        })?;
    }
    Ok(Decision::Leave)
}

fn where_to_read(table: &PersonMatch) -> String {
    let (name, title) = (table.game.name(), table.game.title());
    format!(
        "rules and notation of {title}: judge/games/src/{name}/README.md in judge's sources\n\
         rule switches and opponents: `judge games {name}`"
    )
}

fn save(path: &str, question: &PersonQuestion<'_>) {
    if path.is_empty() {
        complain("in which file?", Some("`save round.jsonl`"));
        return;
    }
    // A file that cannot be written does not end the game.
    if let Err(failure) = try_save(Path::new(path), question) {
        let hint = failure.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        let text = printable(&format!("error: {failure}{hint}"), usize::MAX);
        let _ = writeln!(io::stderr(), "{text}");
    }
}

fn try_save(path: &Path, question: &PersonQuestion<'_>) -> Result<(), Error> {
    output::write(path, &question.as_given_up()?.to_replay())?;
    Ok(say(&format!("saved in `{}`, as if you resigned here", path.display()))?)
}

/// Explains why an answer is illegal.
fn refuse(answer: &str, refusal: &IllegalMove, question: &PersonQuestion<'_>) {
    let what = match refusal {
        IllegalMove::Malformed(_) => format!("not understood: {refusal}"),
        IllegalMove::Forbidden(_) => format!("not legal: {refusal}"),
    };
    let hint = match (Answers::new(&question.legal).count(answer), refusal) {
        (0, IllegalMove::Malformed(_)) => Some("`help` lists what you can type".to_owned()),
        (0, IllegalMove::Forbidden(_)) => None,
        (some, _) => {
            Some(format!("`moves {answer}` lists the {some} answers that begin like that"))
        }
    };
    complain(&what, hint.as_deref());
}

fn show_moves(question: &PersonQuestion<'_>, start: &str) -> io::Result<()> {
    let remark = |answer: &str| question.remark(answer);
    let answers = Answers::new(&question.legal).with_remarks(&remark);
    match answers.count(start) {
        0 => complain(&format!("no answer begins with `{start}`"), None),
        _ => say(answers.listed(start, width()).trim_end_matches('\n'))?,
    }
    Ok(())
}

fn help() -> String {
    let width = HELP.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let lines = HELP.iter().map(|(usage, what)| format!("\n  {usage:width$}  {what}"));
    format!("type an answer as it is listed, or its number, or:{}", lines.collect::<String>())
}

/// Columns of the terminal.
fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WIDTH, |(width, _)| usize::from(width.0))
}

fn show_board(board: &Styled) -> io::Result<()> {
    print(&format!("\n{}", paint::text(board)))
}

/// Prints lines for the person. Names in them are untrusted.
fn say(text: &str) -> io::Result<()> {
    print(&paint::text(&Styled::seats(text)))
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Reports a mistake on standard error.
fn complain(what: &str, hint: Option<&str>) {
    let hint = hint.map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
    let text = format!("{}\n{}", printable(what, usize::MAX), hint);
    // Nothing can be reported on a closed standard error.
    let _ = io::stderr().write_all(text.as_bytes());
}
