//! A round as text or picture, with every state recomputed by the rules.

use judge_core::{Call, RoundRecord, Seat};
use judge_games::{GameState, View};
use judge_referee::Observer;

use super::{NO_ROUND, Outcome, ReplayForm, Request};
use crate::Error;
use crate::base::styled_text::Styled;
use crate::rounds::round_text::{self, Logged, ShownLog};

/// Shows a round as text or as a picture.
pub(super) fn show(request: &Request, record: &RoundRecord) -> Result<Outcome, Error> {
    let Request { file, form, .. } = request;
    let transcript = judge_referee::transcript_of(record);
    let mut moves = Moves::new(form, Logged::new(record));
    moves.begin();
    let spec = &record.header.spec;
    judge_referee::walk(spec, &transcript, &mut moves)
        .map_err(|error| Error::input(file, &error))?;
    let Moves { count, mut text, picture, .. } = moves;
    if let Some(number) = form.answer().filter(|number| !(1..=count).contains(number)) {
        let what = format!("move {number} does not exist: the replay has {count}");
        return Err(Error::Usage { what, hint: None });
    }
    let again = judge_referee::record(spec, record.header.fingerprint.clone(), &transcript)?;
    let trouble = (again != *record).then(|| NO_ROUND.to_owned());
    match (form, picture, trouble) {
        (ReplayForm::Picture { .. }, _, Some(trouble)) => return Err(Error::input(file, &trouble)),
        (ReplayForm::Picture { .. }, Some(svg), None) => return Ok(Outcome::Picture { svg }),
        (_, _, Some(trouble)) => return Ok(Outcome::Text { text, trouble: Some(trouble) }),
        (_, _, None) => {}
    }
    // A single move is shown without the log of the others.
    let shown = if form.answer().is_none() { ShownLog::ALL } else { ShownLog::None };
    for line in round_text::summary(record, shown) {
        text.append(Styled::seats(&line));
        text.push_plain("\n");
    }
    Ok(Outcome::Text { text, trouble: None })
}

/// Collects the state before each answer, and the answer.
struct Moves<'a> {
    form: &'a ReplayForm,
    /// The log, shown below the moves or the lines of the trace.
    logged: Logged,
    /// Number of calls so far.
    calls: usize,
    count: usize,
    text: Styled,
    /// The lines since the previous move, for the case that the next one is requested.
    lines: Vec<Styled>,
    /// The requested picture.
    picture: Option<String>,
}

impl<'a> Moves<'a> {
    fn new(form: &'a ReplayForm, logged: Logged) -> Moves<'a> {
        let (text, lines) = (Styled::default(), Vec::new());
        Moves { form, logged, calls: 0, count: 0, text, lines, picture: None }
    }

    /// Shows the log before the first move.
    fn begin(&mut self) {
        if self.form.answer().is_none() && !self.is_traced() {
            let mut lines: Vec<Styled> = self.logged.of_start().map(Styled::seats).collect();
            if !lines.is_empty() {
                lines.push(Styled::default());
            }
            lines.into_iter().for_each(|line| self.print(line));
        }
    }

    /// Appends a line, if the output is text.
    fn print(&mut self, line: Styled) {
        if matches!(self.form, ReplayForm::Text { .. }) {
            self.text.append(line);
            self.text.push_plain("\n");
        }
    }

    /// Adds a line of the trace with its log: at once, or when it turns out to lead to the
    /// requested move.
    fn trace(&mut self, index: usize, call: &Call) {
        let mut lines = vec![Styled::aside(&round_text::traced(call))];
        lines.extend(self.logged.of_call(index).map(Styled::seats));
        match self.form.answer() {
            None => lines.into_iter().for_each(|line| self.print(line)),
            Some(_) => self.lines.extend(lines),
        }
    }

    fn is_traced(&self) -> bool {
        matches!(self.form, ReplayForm::Text { trace: true, .. })
    }

    /// The log from the call with that index to the next move. In a trace each log line is below
    /// its call.
    fn logged(&self, index: usize) -> String {
        match self.is_traced() {
            true => String::new(),
            false => self.logged.of_step(index).map(|line| format!("{line}\n")).collect(),
        }
    }

    fn is_wanted(&self) -> bool {
        self.form.answer().is_none_or(|number| number == self.count)
    }

    /// Keeps the picture; the last of several is the requested one.
    fn draw(&mut self, state: &dyn GameState) {
        if matches!(self.form, ReplayForm::Picture { .. }) {
            self.picture = Some(state.svg(View::Everything));
        }
    }

    fn frame(&mut self, state: &dyn GameState) {
        self.print(Styled::frame(state, View::Everything));
        self.print(Styled::default());
    }
}

impl Observer for Moves<'_> {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn GameState,
    ) {
        let index = self.calls;
        self.calls += 1;
        if self.is_traced() {
            let answer = answer.map(str::to_owned);
            self.trace(index, &Call { seat, line: line.to_owned(), answer, fuel });
        }
        let Some(answer) = answer else {
            if self.form.answer().is_none() && line.starts_with("end ") {
                self.draw(state);
            }
            return;
        };
        self.count += 1;
        let lines = std::mem::take(&mut self.lines);
        if self.is_wanted() {
            self.draw(state);
            lines.into_iter().for_each(|line| self.print(line));
            self.frame(state);
            let made = format!("move {}: seat {seat}: {line} -> {answer}\n", self.count);
            self.print(Styled::seats(&(made + &self.logged(index))));
        }
    }

    fn failed(&mut self, seat: Seat, line: &str, state: &dyn GameState) {
        if self.form.answer().is_none() {
            self.draw(state);
            self.frame(state);
            self.print(Styled::seats(&format!("seat {seat} gave no legal answer to: {line}")));
            let logged: Vec<Styled> = self.logged.of_call(self.calls).map(Styled::seats).collect();
            logged.into_iter().for_each(|line| self.print(line));
        }
    }
}
