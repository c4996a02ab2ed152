//! A person's round from the first question to the end.

use std::io::{self, Write};
use std::path::Path;

use judge_arena::Partner;
use judge_core::{MatchRecord, MatchSpec, Seat, Transcript, Verdict, printable};
use judge_games::{Game, IllegalMove, View};
use judge_referee::Retraced;

use super::answers::Answers;
use super::command::{Command, HELP};
use super::input::Input;
use super::words;
use crate::failure::Failure;
use crate::{output, worker};

/// Columns where there is no terminal to ask.
const WIDTH: usize = 80;

/// What a person decides at a question.
enum Decision {
    /// To answer.
    Answer(String),
    /// To take the answer before back.
    Undo,
    /// To leave.
    Quit,
    /// To give up.
    Resign,
}

/// A question that waits for an answer.
struct Question {
    /// As the protocol has it.
    line: String,
    /// The match where it stands.
    round: Retraced,
    answers: Answers,
    /// What the round is made of so far; the person gives up here.
    transcript: Transcript,
}

/// A person at the table.
pub(super) struct Session<'a> {
    spec: &'a MatchSpec,
    game: &'static dyn Game,
    person: Seat,
    partner: Partner<'a>,
    input: Input,
    /// What the person has answered, question by question: with the other side's code, all that
    /// the round depends on.
    given: Vec<String>,
    /// How many lines of the round were shown.
    seen: usize,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        spec: &'a MatchSpec,
        person: Seat,
        partner: Partner<'a>,
    ) -> Result<Session<'a>, Failure> {
        let game = judge_referee::find(&spec.game)?;
        let input = Input::new()?;
        Ok(Session { spec, game, person, partner, input, given: Vec::new(), seen: 0 })
    }

    /// Plays to the end and shows the last board and the score. No record when the person left
    /// before the first answer.
    pub(super) fn play(mut self) -> Result<Option<MatchRecord>, Failure> {
        let other = self.person.other();
        let (title, name) = (self.game.title(), self.spec.seat(other).name());
        say(&format!(
            "{title}: you are seat {}, {name} is seat {other}\n`help` lists what you can type",
            self.person
        ))?;
        loop {
            let transcript = self.partner.play(&self.given)?;
            let round = judge_referee::retrace(self.spec, &transcript)?;
            if !self.waits(&round) {
                self.tell_news(&round)?;
                return self.end(round, &transcript).map(Some);
            }
            let line = round.calls.last().map(|call| call.line.clone()).unwrap_or_default();
            let answers = Answers::new(round.state.legal());
            let mut question = Question { line, round, answers, transcript };
            match self.decide(&mut question)? {
                Decision::Answer(answer) => self.given.push(answer),
                Decision::Undo => self.undo()?,
                Decision::Quit if self.given.is_empty() => return Ok(None),
                Decision::Quit => {
                    say(&words::as_it_stands(self.person, &question.round.state.standing()))?;
                    return self.end(question.round, &question.transcript).map(Some);
                }
                Decision::Resign => {
                    return self.end(question.round, &question.transcript).map(Some);
                }
            }
        }
    }

    /// Whether the round stands at a question to the person, as opposed to its end.
    fn waits(&self, round: &Retraced) -> bool {
        let fault = round.conclusion.fault.as_ref();
        fault.is_some_and(|fault| fault.verdict == Verdict::Resigned)
    }

    fn undo(&mut self) -> io::Result<()> {
        if let Some(answer) = self.given.pop() {
            say(&format!("taken back: {answer}"))?;
        }
        Ok(())
    }

    /// Shows a question and reads lines until one of them decides.
    fn decide(&mut self, question: &mut Question) -> Result<Decision, Failure> {
        self.tell_news(&question.round)?;
        self.show_board(&question.round)?;
        let asked = words::question(&question.line);
        say(&format!(
            "{asked} ({} legal answers)\n{}",
            question.answers.all().len(),
            question.answers.shown(width())
        ))?;
        let prompt = words::prompt(&question.line);
        loop {
            let Some(line) = self.input.read(&prompt, question.answers.all())? else {
                return Ok(Decision::Quit);
            };
            if let Some(decision) = self.obey(&line, question)? {
                return Ok(decision);
            }
        }
    }

    /// Does what a line says; `None` when the question still waits.
    fn obey(&mut self, line: &str, question: &mut Question) -> Result<Option<Decision>, Failure> {
        if line.is_empty() {
            return Ok(None);
        }
        match question.answers.by_number(line) {
            Some(Ok(answer)) => {
                let answer = answer.to_owned();
                return Ok(answer_with(&answer, question));
            }
            Some(Err(error)) => {
                complain(
                    &format!("there is no answer {line}: they are numbered 1 to {}", error.most),
                    None,
                );
                return Ok(None);
            }
            None => {}
        }
        match Command::read(line) {
            Some(command) if !question.answers.contains(line) => self.command(command, question),
            _ => Ok(answer_with(line, question)),
        }
    }

    fn command(
        &mut self,
        command: Command<'_>,
        question: &Question,
    ) -> Result<Option<Decision>, Failure> {
        match command {
            Command::Help => say(&help())?,
            Command::Moves(start) => show_moves(&question.answers, start)?,
            Command::Board => self.show_board(&question.round)?,
            Command::Rules => say(&self.where_to_read())?,
            Command::Save(path) => self.save(path, question),
            Command::Undo if self.given.is_empty() => {
                complain("you have not answered anything yet", None);
            }
            Command::Undo => return Ok(Some(Decision::Undo)),
            Command::Quit => return Ok(Some(Decision::Quit)),
            Command::Resign => return Ok(Some(Decision::Resign)),
        }
        Ok(None)
    }
}

/// What is shown, and what is kept.
impl Session<'_> {
    /// What the person was told since the last question.
    fn tell_news(&mut self, round: &Retraced) -> io::Result<()> {
        let calls = &round.calls;
        // A question that waits is no news; it is shown by itself.
        let end = calls.len() - usize::from(self.waits(round) && !calls.is_empty());
        let news = calls.get(self.seen..end).unwrap_or_default();
        self.seen = calls.len();
        let news = words::news(self.spec, self.person, news);
        if news.is_empty() { Ok(()) } else { say(&news.join("\n")) }
    }

    /// The board as the person knows it, never more.
    fn show_board(&self, round: &Retraced) -> io::Result<()> {
        let frame = round.state.frame(View::Seat(self.person));
        say(&format!("\n{}", frame.trim_end_matches('\n')))
    }

    fn where_to_read(&self) -> String {
        let name = self.game.name();
        format!(
            "rules and notation of {}: judge/games/src/{name}/README.md in judge's sources\n\
             rule switches and opponents: `judge games {name}`",
            self.game.title()
        )
    }

    fn save(&self, path: &str, question: &Question) {
        if path.is_empty() {
            complain("in which file?", Some("`save round.jsonl`"));
            return;
        }
        match self.try_save(Path::new(path), &question.transcript) {
            Ok(()) => {}
            // A file that cannot be written ends no game.
            Err(failure) => {
                failure.report();
            }
        }
    }

    fn try_save(&self, path: &Path, transcript: &Transcript) -> Result<(), Failure> {
        let record = judge_referee::record(self.spec, worker::fingerprint(), transcript)?;
        output::write(path, &record.to_replay())?;
        Ok(say(&format!("kept in `{}`, as a round that you give up here", path.display()))?)
    }

    /// Shows the end and makes the record of the round.
    fn end(&self, round: Retraced, transcript: &Transcript) -> Result<MatchRecord, Failure> {
        let fault = round.conclusion.fault.as_ref();
        if fault.is_none_or(|fault| fault.seat.is_some()) {
            if !self.waits(&round) {
                self.show_board(&round)?;
            }
            let table = words::score(self.spec, &round.state.standing());
            say(&format!("\n{}\n", table.join("\n")))?;
        }
        Ok(round.into_record(self.spec, worker::fingerprint(), transcript))
    }
}

/// Gives an answer to the rules; if they refuse it, the person is told why.
fn answer_with(line: &str, question: &mut Question) -> Option<Decision> {
    let Err(refusal) = question.round.try_answer(line) else {
        return Some(Decision::Answer(line.to_owned()));
    };
    let what = match &refusal {
        IllegalMove::Malformed(_) => format!("not understood: {refusal}"),
        IllegalMove::Forbidden(_) => format!("not legal: {refusal}"),
    };
    let hint = match (question.answers.count(line), &refusal) {
        (0, IllegalMove::Malformed(_)) => Some("`help` lists what you can type".to_owned()),
        (0, IllegalMove::Forbidden(_)) => None,
        (some, _) => Some(format!("`moves {line}` lists the {some} answers that begin so")),
    };
    complain(&what, hint.as_deref());
    None
}

fn show_moves(answers: &Answers, start: &str) -> io::Result<()> {
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

/// Prints lines for the person. Names in them come from outside.
fn say(text: &str) -> io::Result<()> {
    let lines: Vec<String> = text.split('\n').map(|line| printable(line, usize::MAX)).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", lines.join("\n"))?;
    out.flush()
}

/// Tells the person of a mistake, on standard error.
fn complain(what: &str, hint: Option<&str>) {
    let hint = hint.map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
    let text = format!("{}\n{}", printable(what, usize::MAX), hint);
    // Nobody is left to be told that standard error is gone.
    let _ = io::stderr().write_all(text.as_bytes());
}
