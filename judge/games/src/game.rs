//! What a game must offer to be refereed: a registry entry ([`Game`]) and a running match
//! ([`GameState`]) that says, line by line, who is told or asked what.

use judge_core::{Options, Player, RoundResult, Seat, Seed};

use crate::paint::seat_words;
use crate::{
    Choices, Learner, OptionError, OptionInfo, Paint, ResumeError, Standing, Target, View,
};

/// A game in the registry.
pub trait Game: Sync {
    /// The name in testcases and on the command line: lower case, one word.
    fn name(&self) -> &'static str;

    /// The name for people.
    fn title(&self) -> &'static str;

    /// One line on what it is.
    fn summary(&self) -> &'static str;

    /// The rule switches, in the order in which bots are told of them.
    fn options(&self) -> &'static [OptionInfo];

    /// The reference opponents, from weak to strong.
    fn opponents(&self) -> &'static [OpponentInfo];

    /// The most that a seat can score in one match under these options; `None` where no bound is
    /// known, or the options are refused. Scores need not come near it, but none is larger.
    fn max_score(&self, _options: &Options) -> Option<i64> {
        None
    }

    /// The reasons of its ends, as outcomes have them, and what each means.
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// How it is learned by self-play; `None` for a game that is not.
    fn learner(&self) -> Option<&'static dyn Learner> {
        None
    }

    /// Sets up a match. Equal arguments give equal matches.
    ///
    /// # Errors
    /// When an option is unknown or its value is not allowed.
    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError>;

    /// Sets up a match in the middle: `state` is what [`GameState::state`] prints. Luck that the text
    /// does not hold comes from `seed`. What was told before is not told again.
    ///
    /// # Errors
    /// When an option is wrong, or the text is no state that these rules allow; the first fault
    /// and its place are named. Any text is taken without a panic.
    fn resume(
        &self,
        options: &Options,
        seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError>;

    /// Runs one test vector of this game; see [`crate::vectors`] for the files.
    ///
    /// # Errors
    /// What did not come out as the vector says, or what is wrong with the vector itself.
    #[cfg(feature = "vectors")]
    fn check_vector(
        &self,
        vector: &serde_json::Value,
    ) -> Result<(), crate::vector_error::VectorError>;
}

/// A reference opponent.
pub struct OpponentInfo {
    /// Name in testcases and on the command line.
    pub name: &'static str,
    /// One line on how it plays.
    pub summary: &'static str,
    /// Makes one for a seat of a match with that seed.
    pub create: fn(Seat, Seed) -> Box<dyn Player>,
}

/// A list of legal answers that is shorter than this is whole; see [`GameState::legal`].
pub const MAX_LISTED: usize = 1 << 16;

/// A match in progress: a machine that hands out lines and takes answers.
///
/// The referee calls [`GameState::step`] until it returns [`Step::End`]; after [`Step::Ask`] it first
/// gives the answer to [`GameState::answer`]. The greeting (`game …`) and the farewell (`end …`) are
/// the referee's own.
pub trait GameState {
    /// Goes on to the next line and writes it to `line` (empty on entry).
    fn step(&mut self, line: &mut String) -> Step;

    /// Takes the answer to the question that [`GameState::step`] asked last.
    ///
    /// # Errors
    /// When the answer is not an answer or not a legal move; the match stays as it was.
    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove>;

    /// The result when `loser` has failed and the match ends here.
    fn forfeit(&self, loser: Seat) -> RoundResult;

    /// The public facts of this match as `key=value` tokens for the greeting: the rule switches,
    /// never the seed.
    fn facts(&self) -> String;

    /// Every answer that the question asked last takes, sorted and each once; none when no question
    /// is pending. A game whose positions can have far too many may list the first [`MAX_LISTED`]
    /// only; its README says so.
    fn legal(&self) -> Vec<String>;

    /// A remark on a legal answer, for lists that people read: the man that it takes, for example.
    fn remark(&self, _answer: &str) -> Option<String> {
        None
    }

    /// How many answers [`GameState::legal`] lists. A game that can tell without writing them does.
    fn legal_count(&self) -> u64 {
        self.legal().len() as u64
    }

    /// The state as one line of ASCII in the game's own notation, for [`Game::resume`]. To be
    /// called while a question is pending or after the end.
    fn state(&self) -> String;

    /// What the score is now, as if the match ended here, and what it is made of.
    fn standing(&self) -> Standing;

    /// Number of sequences of `depth` answers that can be given from here, with the luck of this
    /// match, counted by playing every one of them; see the game's README for what counts as a
    /// move of its own.
    fn perft(&self, depth: u32) -> u64;

    /// The state as text for a terminal.
    fn frame(&self, view: View) -> String;

    /// The paint of the byte `at` of a line of [`GameState::frame`], for terminals with colours. By
    /// itself that of the seats' names.
    fn paint(&self, line: &str, at: usize) -> Option<Paint> {
        seat_words(line, at)
    }

    /// The state as a picture: one SVG document that needs nothing from elsewhere, and a line feed.
    fn svg(&self, view: View) -> String;

    /// The places in the picture of the seat that is asked at which a person can point, for
    /// [`GameState::choices`]. Parts without a place are chosen by their words.
    fn targets(&self) -> Vec<Target> {
        Vec::new()
    }

    /// The parts that may follow those `chosen` so far in an answer to the question asked last. By
    /// itself each legal answer is one part.
    fn choices(&self, chosen: &[String]) -> Choices {
        Choices::whole(&self.legal(), chosen)
    }
}

/// What happens next in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Tell this seat the line.
    Tell(Seat),
    /// Ask this seat the line.
    Ask(Seat),
    /// The match is over.
    End(RoundResult),
}

/// Goes on to the next question or the end, and tells nobody; a question is left in `line`.
pub fn next_question(running: &mut dyn GameState, line: &mut String) -> Step {
    loop {
        line.clear();
        match running.step(line) {
            Step::Tell(_) => {}
            step => return step,
        }
    }
}

/// An answer that the rules do not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// It is not in the form that the question asks for.
    #[error("{0}")]
    Malformed(String),
    /// It is well-formed, but not allowed now.
    #[error("{0}")]
    Forbidden(String),
}

impl IllegalMove {
    /// For an answer to no question, which only a caller out of step can give.
    pub fn nothing_asked() -> IllegalMove {
        IllegalMove::Malformed("nothing was asked".to_owned())
    }
}

/// Fails on the first key of `options` that is not among the switches of `game`.
///
/// # Errors
/// [`OptionError::Unknown`] with the list of the keys that exist.
pub(crate) fn check_keys(game: &dyn Game, options: &Options) -> Result<(), OptionError> {
    let known = game.options();
    match options.keys().find(|key| known.iter().all(|option| option.key != key.as_str())) {
        None => Ok(()),
        Some(key) => Err(OptionError::Unknown {
            key: key.clone(),
            game: game.name(),
            known: match known {
                [] => "no options".to_owned(),
                _ => known.iter().map(|o| format!("`{}`", o.key)).collect::<Vec<_>>().join(", "),
            },
        }),
    }
}
