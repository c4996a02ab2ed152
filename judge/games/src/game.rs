//! The interface of a game to the referee: a registry entry ([`Game`]) and a running round
//! ([`GameState`]) that produces, line by line, the notices and questions for each seat.

use judge_core::{Options, Player, RoundResult, Scoring, Seat, Seed};

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

    /// A description in one line.
    fn summary(&self) -> &'static str;

    /// The rule switches, in the order of the bots' first line.
    fn options(&self) -> &'static [OptionInfo];

    /// The reference opponents, from weak to strong.
    fn opponents(&self) -> &'static [OpponentInfo];

    /// The most that a seat can score in one round under these options; `None` where no bound is
    /// known, or the options are refused. Scores need not come near it, but none is larger.
    fn max_score(&self, _options: &Options) -> Option<i64> {
        None
    }

    /// The usual scoring of a ladder: what a suite of the game adds up. [`Scoring::Score`] where
    /// scores say more than the winner does.
    fn scoring(&self) -> Scoring {
        Scoring::Result
    }

    /// The reasons for an end, as outcomes have them, and the meaning of each.
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The interface for learning by self-play; `None` for a game without it.
    fn learner(&self) -> Option<&'static dyn Learner> {
        None
    }

    /// Sets up a round. Equal arguments give equal rounds.
    ///
    /// # Errors
    /// When an option is unknown or its value is not allowed.
    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError>;

    /// Sets up a round in the middle: `state` is the output of [`GameState::state`]. Luck that the
    /// text does not hold comes from `seed`. Earlier notices are not repeated.
    ///
    /// # Errors
    /// When an option is wrong, or the text is not a state that these rules allow; names the first
    /// fault and its place. Any text is taken without a panic.
    fn resume(
        &self,
        options: &Options,
        seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError>;

    /// Runs one test vector of this game; see [`crate::vectors`] for the files.
    ///
    /// # Errors
    /// The quantity that differs from the vector, or the fault in the vector itself.
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
    /// One line on its way of playing.
    pub summary: &'static str,
    /// Makes one for a seat of a round with that seed.
    pub create: fn(Seat, Seed) -> Box<dyn Player>,
}

/// A list of legal answers that is shorter than this is complete; see [`GameState::legal`].
pub const MAX_LISTED: usize = 1 << 16;

/// A round in progress: a machine that writes lines and takes answers.
///
/// The referee calls [`GameState::step`] until it returns [`Step::End`]; after [`Step::Ask`] it
/// first gives the answer to [`GameState::answer`]. The referee itself writes the greeting
/// (`game …`) and the farewell (`end …`).
pub trait GameState {
    /// Continues to the next line and writes it to `line` (empty on entry).
    fn step(&mut self, line: &mut String) -> Step;

    /// Takes the answer to the question that [`GameState::step`] asked last.
    ///
    /// # Errors
    /// When the text is not an answer or not a legal move; the round stays as it was.
    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove>;

    /// Shuffles the tiles that are hidden from both players, by the seed. Returns false, and changes
    /// nothing, in a game without them.
    fn redeal(&mut self, _seed: Seed) -> bool {
        false
    }

    /// Notices that give a new player of `seat` this position, right after one of its answers.
    /// None, the default, where every question has all that a player needs, and players need not
    /// remember their own answers.
    fn resume_notices(&self, _seat: Seat) -> Option<Vec<String>> {
        None
    }

    /// True if a new player that has read [`GameState::resume_notices`] needs no further notice
    /// before its next question, which has all moves since then.
    fn resumes_at_question(&self) -> bool {
        false
    }

    /// The result when `loser` has failed and the round ends here.
    fn forfeit(&self, loser: Seat) -> RoundResult;

    /// The public facts of this round as `key=value` tokens for the greeting: the rule switches,
    /// never the seed.
    fn facts(&self) -> String;

    /// Every answer that the pending question accepts, sorted and each once; none when no question
    /// is pending. A game that can have far too many legal moves may list only the first
    /// [`MAX_LISTED`]; its README says so.
    fn legal(&self) -> Vec<String>;

    /// A remark on a legal answer, for lists that people read: the captured man, for example.
    fn remark(&self, _answer: &str) -> Option<String> {
        None
    }

    /// Number of answers that [`GameState::legal`] lists. A game may override it to count faster.
    fn legal_count(&self) -> u64 {
        self.legal().len() as u64
    }

    /// The state as one line of ASCII in the game's own notation, for [`Game::resume`]. Call it
    /// while a question is pending or after the end.
    fn state(&self) -> String;

    /// The score as if the round ended now, and its terms.
    fn standing(&self) -> Standing;

    /// Number of sequences of `depth` answers that can be given from here, with the luck of this
    /// round, counted by playing every one of them; the game's README says which answers count as
    /// different moves.
    fn perft(&self, depth: u32) -> u64;

    /// The state as text for a terminal.
    fn frame(&self, view: View) -> String;

    /// The paint of the byte `at` of a line of [`GameState::frame`], for terminals with colours.
    /// The default paints only the seats' names.
    fn paint(&self, line: &str, at: usize) -> Option<Paint> {
        seat_words(line, at)
    }

    /// The state as a picture: one self-contained SVG document, and a line feed.
    fn svg(&self, view: View) -> String;

    /// The places where the seat in question can point, in the picture as it sees it, for
    /// [`GameState::choices`]. Parts without a place are chosen by their words.
    fn targets(&self) -> Vec<Target> {
        Vec::new()
    }

    /// The parts that may follow those `chosen` so far in an answer to the pending question. By
    /// default each legal answer is one part.
    fn choices(&self, chosen: &[String]) -> Choices {
        Choices::whole(&self.legal(), chosen)
    }
}

/// The next event of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A notice to this seat.
    Tell(Seat),
    /// A question to this seat.
    Ask(Seat),
    /// The round is over.
    End(RoundResult),
}

/// Skips notices up to the next question or the end; leaves a question in `line`.
pub fn next_question(running: &mut dyn GameState, line: &mut String) -> Step {
    loop {
        line.clear();
        match running.step(line) {
            Step::Tell(_) => {}
            step => return step,
        }
    }
}

/// An answer that the rules do not accept.
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
    /// For an answer without a pending question, which only a caller out of step can give.
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
