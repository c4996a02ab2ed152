//! Exploration of a match from a state: legal answers and their consequences.

use judge_core::{Options, RoundResult, Seat, Seed};
use judge_games::{GameState, IllegalMove, ResumeError, Standing, Step, View, next_question};
use judge_referee::SetupError;
use judge_report::quoted;
use serde_json::{Map, Value, json};

use crate::Error;

/// The word for the start of a game.
pub const START: &str = "start";

/// The rules of a match.
#[derive(Debug, Clone)]
pub struct GameRules {
    /// The game.
    pub game: String,
    /// Rule switches.
    pub options: Options,
    /// Seed of the luck that a state does not contain.
    pub seed: u64,
}

/// A match at a question, or at its end.
pub struct RulesSession {
    setting: GameRules,
    /// The state at which it was opened, and the answers since then.
    start: String,
    answers: Vec<String>,
    game: &'static str,
    running: Box<dyn GameState>,
    next: Next,
}

/// The next event of a match.
enum Next {
    Question(Seat, String),
    End(RoundResult),
}

impl RulesSession {
    /// Opens a session at `start`, at a state in the game's notation, or at a whole question.
    ///
    /// # Errors
    /// If the game or an option is unknown, or the text is not a state.
    pub fn open(setting: &GameRules, state: &str) -> Result<RulesSession, Error> {
        let game = judge_referee::find(&setting.game)?;
        let seed = Seed(setting.seed);
        let mut running = match state {
            START => game.start(&setting.options, seed).map_err(SetupError::from)?,
            text => resume(game, &setting.options, seed, text)?,
        };
        let (setting, start, answers) = (setting.clone(), state.to_owned(), Vec::new());
        let next = next(running.as_mut());
        Ok(RulesSession { setting, start, answers, game: game.name(), running, next })
    }

    /// Answers the question.
    ///
    /// # Errors
    /// If the answer is illegal. The session is then unchanged.
    pub fn apply(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if let Next::End(outcome) = &self.next {
            return Err(IllegalMove::Forbidden(format!("the game is over: {}", outcome.reason)));
        }
        self.running.answer(answer)?;
        self.answers.push(answer.to_owned());
        self.next = next(self.running.as_mut());
        Ok(())
    }

    /// The state in the game's notation.
    pub fn state(&self) -> String {
        self.running.state()
    }

    /// The legal answers to the question; none at the end.
    pub fn legal(&self) -> Vec<String> {
        self.running.legal()
    }

    /// The scores as if the game ended here, and their terms.
    pub fn standing(&self) -> Standing {
        self.running.standing()
    }

    /// Renders the state as text, as far as `view` allows.
    pub fn frame(&self, view: View) -> String {
        self.running.frame(view)
    }

    /// Renders the state as a picture, as far as `view` allows.
    pub fn svg(&self, view: View) -> String {
        self.running.svg(view)
    }

    /// Number of sequences of answers with that length.
    pub fn perft(&self, depth: u32) -> u64 {
        self.running.perft(depth)
    }

    /// Number of sequences of that length below each legal answer.
    ///
    /// # Errors
    /// If the depth is 0.
    pub fn divide(&self, depth: u32) -> Result<Vec<(String, u64)>, Error> {
        let Some(below) = depth.checked_sub(1) else {
            return Err(Error::usage("`--divide` needs a depth of 1 or more", "try depth 1"));
        };
        let count = |answer: String| {
            let count = self.perft_after(&answer, below)?;
            Ok((answer, count))
        };
        self.legal().into_iter().map(count).collect()
    }

    /// Number of sequences of that length after a legal answer.
    fn perft_after(&self, answer: &str, depth: u32) -> Result<u64, Error> {
        let mut after = RulesSession::open(&self.setting, &self.start)?;
        let mut answers = self.answers.iter().map(String::as_str).chain([answer]);
        answers.try_for_each(|answer| after.apply(answer)).map_err(|error| {
            let what = format!("the legal answer `{answer}` at `{}` is refused", self.state());
            Error::Judge(format!("{what}: {error}"))
        })?;
        Ok(after.perft(depth))
    }

    /// Describes the open question or the result in one sentence.
    pub fn status(&self) -> String {
        match &self.next {
            Next::Question(seat, line) => format!("seat {seat} is asked: {line}"),
            Next::End(outcome) => match outcome.winner {
                None => format!("over: draw ({})", outcome.reason),
                Some(winner) => format!("over: seat {winner} wins ({})", outcome.reason),
            },
        }
    }

    /// Formats the scores and their terms as a table.
    pub fn score_table(&self) -> Vec<String> {
        let standing = self.standing();
        let rows: Vec<(&str, [i64; 2])> = [("score", standing.scores)]
            .into_iter()
            .chain(standing.terms.iter().map(|term| (term.name, term.values)))
            .collect();
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let heading = format!("{:width$}  {:>8}  {:>8}", "", "seat 1", "seat 2");
        let row =
            |(name, [one, two]): &(&str, [i64; 2])| format!("{name:width$}  {one:>8}  {two:>8}");
        [heading].into_iter().chain(rows.iter().map(row)).collect()
    }
}

/// The session as JSON, for the commands of `judge rules`.
impl RulesSession {
    /// All data of the session; `null` without a question or an end.
    pub fn to_json(&self) -> Value {
        let standing = self.standing();
        let (seat, question) = match &self.next {
            Next::Question(seat, line) => (Some(*seat), Some(line)),
            Next::End(_) => (None, None),
        };
        let terms: Map<String, Value> =
            standing.terms.iter().map(|term| (term.name.to_owned(), json!(term.values))).collect();
        json!({
            "game": self.game,
            "state": self.state(),
            "seat": seat,
            "question": question,
            "scores": standing.scores,
            "terms": terms,
            "outcome": standing.outcome,
        })
    }

    /// All data, with the legal answers.
    pub fn legal_json(&self) -> Value {
        let mut value = self.to_json();
        value["legal"] = json!(self.legal());
        value
    }

    /// The state as a seat sees it; the whole state without a seat.
    pub fn frame_json(&self, seat: Option<Seat>) -> Value {
        // State, question and scores contain data that one player must not see.
        let mut value = match seat {
            Some(seat) => json!({ "game": self.game, "view": seat }),
            None => self.to_json(),
        };
        value["frame"] = json!(self.frame(seat.map_or(View::Everything, View::Seat)));
        value
    }

    /// All data, with the refused answer and its number.
    pub fn refused_json(&self, number: usize, answer: &str, error: &IllegalMove) -> Value {
        let (kind, reason) = kind(error);
        let mut value = self.to_json();
        value["refused"] =
            json!({ "number": number, "answer": answer, "kind": kind, "reason": reason });
        value
    }

    /// Counts for all depths from 0 to this one.
    pub fn perft_json(&self, depth: u32) -> Value {
        let counts: Vec<u64> = (0..=depth).map(|depth| self.perft(depth)).collect();
        json!({ "state": self.state(), "counts": counts })
    }

    /// Counts below each legal answer, and their sum.
    ///
    /// # Errors
    /// As [`RulesSession::divide`].
    pub fn divide_json(&self, depth: u32) -> Result<Value, Error> {
        let counts = self.divide(depth)?;
        let sum: u64 = counts.iter().map(|(_, count)| count).sum();
        let counts: Map<String, Value> =
            counts.into_iter().map(|(answer, count)| (answer, json!(count))).collect();
        Ok(json!({ "state": self.state(), "divide": counts, "sum": sum }))
    }
}

/// A keyword for the kind of refusal, and the reason.
pub fn kind(error: &IllegalMove) -> (&'static str, &str) {
    match error {
        IllegalMove::Malformed(reason) => ("malformed", reason),
        IllegalMove::Forbidden(reason) => ("illegal", reason),
    }
}

/// Plays to the next question or the end.
fn next(running: &mut dyn GameState) -> Next {
    let mut line = String::new();
    match next_question(running, &mut line) {
        Step::End(outcome) => Next::End(outcome),
        Step::Tell(seat) | Step::Ask(seat) => Next::Question(seat, line),
    }
}

fn resume(
    game: &dyn judge_games::Game,
    options: &Options,
    seed: Seed,
    text: &str,
) -> Result<Box<dyn GameState>, Error> {
    let resumed = match state_in(text) {
        Ok(state) => game.resume(options, seed, state),
        Err(reason) => Err(ResumeError::State(reason)),
    };
    resumed.map_err(|error| match error {
        ResumeError::Option(error) => SetupError::from(error).into(),
        ResumeError::State(reason) => Error::Input {
            what: format!("not a state of {}: {reason}", game.name()),
            hint: Some(format!(
                "`judge rules show --game {}{}` prints the start, with its state",
                game.name(),
                switches(options)
            )),
        },
    })
}

/// The state in a text, which may be a state or a pasted question for a move, with or without the
/// seat before it.
///
/// # Errors
/// If the text is shortened, or a question without a state.
fn state_in(text: &str) -> Result<&str, String> {
    if text.contains('…') {
        return Err("the text is shortened (`…`): give the complete state".to_owned());
    }
    let asked = |line: &str| line.split(' ').next().is_some_and(|word| word.ends_with('?'));
    let without_seat = ["1 ", "2 "].iter().find_map(|seat| text.strip_prefix(seat));
    let line = without_seat.filter(|line| asked(line)).unwrap_or(text);
    if let Some(state) = line.strip_prefix("move? ") {
        return Ok(state);
    }
    match line.split_once('?') {
        Some((word, _)) if asked(line) && !word.is_empty() => {
            Err(format!("the question `{word}?` does not contain the whole state"))
        }
        _ => Ok(line),
    }
}

/// Rule switches as arguments of a command, each preceded by a space.
pub(crate) fn switches(options: &Options) -> String {
    let switch = |(key, value): (&String, &String)| {
        format!(" --option {}", quoted(&format!("{key}={value}")))
    };
    options.iter().map(switch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(state: &str) -> RulesSession {
        let setting = GameRules { game: "amazons".to_owned(), options: Options::new(), seed: 1 };
        RulesSession::open(&setting, state).map_err(|error| error.to_string()).expect("a state")
    }

    #[test]
    fn perft_counts_per_answer_add_up() {
        let mut session = open(START);
        let first = session.legal()[0].clone();
        session.apply(&first).expect("a legal answer");
        let below = session.divide(1).map(|counts| counts.iter().map(|(_, count)| count).sum());
        assert_eq!(below.ok(), Some(session.perft(1)));
        assert!(session.divide(0).is_err());
        assert_eq!(open(&session.state()).to_json(), session.to_json());
    }

    #[test]
    fn the_state_is_read_from_a_pasted_question() {
        let state = "1b2/3b/w3/2w1 w";
        for text in [state, "move? 1b2/3b/w3/2w1 w", "1 move? 1b2/3b/w3/2w1 w"] {
            assert_eq!(state_in(text), Ok(state));
        }
        for text in ["", "?", "a ? b", "1 b?", "discard 1 - a b - - ?"] {
            let line = if text == "1 b?" { Err(()) } else { Ok(text) };
            assert_eq!(state_in(text).map_err(|_| ()), line, "{text}");
        }
        for text in ["discard?", "redraw? i", "2 redraw? i", "win? 7d self", "move?"] {
            assert!(state_in(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refused_answer_changes_nothing() {
        let mut session = open(START);
        let before = session.to_json();
        let error = session.apply("nonsense").expect_err("no answer");
        assert_eq!(session.to_json(), before);
        let refused = session.refused_json(1, "nonsense", &error);
        assert_eq!(refused["refused"]["kind"], "malformed", "{refused}");
    }
}
