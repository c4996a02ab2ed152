//! A place in a game: a match at a question or at its end, from text.

use std::io::Read;

use judge_core::{Options, Outcome, Seat, Seed};
use judge_games::{IllegalMove, Match, ResumeError, Step};
use judge_referee::SetupError;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The word for the start of a game.
pub(super) const START: &str = "start";

/// Longest state that is read from standard input, in bytes.
const MAX_STATE: u64 = 1 << 20;

/// Which game, under which rules.
#[derive(clap::Args)]
pub(super) struct Setting {
    /// The game.
    #[arg(long)]
    game: String,
    /// A rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = crate::play::option)]
    options: Vec<(String, String)>,
    /// Where luck comes from that the state does not hold.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// A match at a question, or at its end.
pub(super) struct Place {
    game: String,
    running: Box<dyn Match>,
    next: Next,
}

/// What happens at a place.
enum Next {
    Question(Seat, String),
    End(Outcome),
}

impl Place {
    /// The place that a text says: `start`, or a state.
    pub(super) fn open(setting: &Setting, state: &str) -> Result<Place, Failure> {
        let game = judge_referee::find(&setting.game)?;
        let options: Options = setting.options.iter().cloned().collect();
        let seed = Seed(setting.seed);
        let running = match state {
            START => game.start(&options, seed).map_err(SetupError::from)?,
            // A whole question may be pasted.
            text => resume(game, &options, seed, text.strip_prefix("move? ").unwrap_or(text))?,
        };
        let name = game.name().to_owned();
        let mut place =
            Place { game: name, running, next: Next::Question(Seat::One, String::new()) };
        place.go_on();
        Ok(place)
    }

    fn go_on(&mut self) {
        let mut line = String::new();
        self.next = loop {
            line.clear();
            match self.running.step(&mut line) {
                Step::Tell(_) => {}
                Step::Ask(seat) => break Next::Question(seat, line),
                Step::End(outcome) => break Next::End(outcome),
            }
        };
    }

    /// Answers the question, and goes on to the next.
    pub(super) fn apply(&mut self, answer: &str) -> Result<(), IllegalMove> {
        if let Next::End(outcome) = &self.next {
            return Err(IllegalMove::Forbidden(format!("the game is over: {}", outcome.reason)));
        }
        self.running.answer(answer)?;
        self.go_on();
        Ok(())
    }

    /// Name of the game.
    pub(super) fn game(&self) -> &str {
        &self.game
    }

    /// The match, for what it shows of itself.
    pub(super) fn running(&self) -> &dyn Match {
        &*self.running
    }

    /// Who is asked what, or how it ended, in a sentence.
    pub(super) fn news(&self) -> String {
        match &self.next {
            Next::Question(seat, line) => format!("seat {seat} is asked: {line}"),
            Next::End(outcome) => match outcome.winner {
                None => format!("over: draw ({})", outcome.reason),
                Some(winner) => format!("over: seat {winner} wins ({})", outcome.reason),
            },
        }
    }

    /// The place as JSON; `null` where there is no question, or no end.
    pub(super) fn json(&self) -> Value {
        let standing = self.running.standing();
        let (seat, question) = match &self.next {
            Next::Question(seat, line) => (Some(*seat), Some(line)),
            Next::End(_) => (None, None),
        };
        let terms: serde_json::Map<String, Value> =
            standing.terms.iter().map(|term| (term.name.to_owned(), json!(term.values))).collect();
        json!({
            "game": self.game,
            "state": self.running.state(),
            "seat": seat,
            "question": question,
            "scores": standing.scores,
            "terms": terms,
            "outcome": standing.outcome,
        })
    }
}

fn resume(
    game: &dyn judge_games::Game,
    options: &Options,
    seed: Seed,
    text: &str,
) -> Result<Box<dyn Match>, Failure> {
    game.resume(options, seed, text).map_err(|error| match error {
        ResumeError::Option(error) => SetupError::from(error).into(),
        ResumeError::State(reason) => Failure::Input {
            what: format!("not a state of {}: {reason}", game.name()),
            hint: Some(format!(
                "`judge rules show --game {}` prints the start, with its state",
                game.name()
            )),
        },
    })
}

/// The text of a state argument: what was typed, or with `-` what standard input holds.
pub(super) fn text(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_STATE).read_to_string(&mut text);
    read.map_err(|source| Failure::Read { path: "standard input".into(), source })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
