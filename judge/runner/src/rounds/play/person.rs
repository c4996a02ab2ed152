//! A person at the table, as the rules of a session see one: somebody who gets messages and decides
//! when asked. At a terminal, in a browser, or in a test. Two people can share one.

use judge_core::{Call, RoundRecord, RoundSpec, Seat, Transcript};
use judge_games::{Game, IllegalMove, Standing, View};
use judge_referee::Retraced;

use crate::Error;
use crate::base::styled::Styled;
use crate::base::workers::fingerprint;

/// A person who plays a round.
pub trait Person {
    /// Takes notice of something.
    ///
    /// # Errors
    /// When the person cannot be told: the session ends.
    fn notice(&mut self, table: &PersonMatch, notice: Notice<'_>) -> Result<(), Error>;

    /// Decides at a question, which was shown by [`Notice::Question`] before.
    ///
    /// # Errors
    /// When the person cannot be asked: the session ends.
    fn answer(
        &mut self,
        table: &PersonMatch,
        question: &PersonQuestion<'_>,
    ) -> Result<Decision, Error>;
}

/// A match with a person.
pub struct PersonMatch {
    /// The game.
    pub game: &'static dyn Game,
    /// The match and its players.
    pub spec: RoundSpec,
    /// The person's seat; of two people, the seat of the first.
    pub person: Seat,
}

impl PersonMatch {
    /// A seat with the name of its player, for messages to two people.
    pub fn who(&self, seat: Seat) -> String {
        format!("seat {seat} ({})", self.spec.seat(seat).name())
    }
}

/// A decision at a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// To give this answer. If the rules refuse it, the person learns why and is asked again.
    Answer(String),
    /// To take the answer before back.
    TakeBack,
    /// To give the answer again that was taken back last.
    Redo,
    /// To leave, which resigns after the first answer.
    Leave,
    /// To give up.
    Resign,
    /// To leave at once.
    Interrupt,
}

/// A message to a person.
pub enum Notice<'a> {
    /// The session begins.
    Begun,
    /// Of two people, the one in this seat is asked now.
    Turn {
        /// The seat.
        seat: Seat,
        /// True if one of them knows something that the other must not see.
        hides: bool,
    },
    /// Lines of the protocol, to either seat, since the question before to the person in this one.
    News {
        /// The person's seat.
        seat: Seat,
        /// The lines.
        calls: &'a [Call],
    },
    /// A question waits.
    Question(&'a PersonQuestion<'a>),
    /// The rules refuse the answer that was given.
    Refused {
        /// The answer.
        answer: &'a str,
        /// The rules' reason.
        refusal: &'a IllegalMove,
        /// The question, which waits still.
        question: &'a PersonQuestion<'a>,
    },
    /// There is no answer that could be taken back.
    NothingToTakeBack,
    /// This answer was taken back.
    TakenBack(&'a str),
    /// Nothing was taken back.
    NothingToRedo,
    /// This answer was given again.
    Redone(&'a str),
    /// The round has ended.
    Ended {
        /// The last board; none after a resignation, as that board was just shown.
        board: Option<&'a Styled>,
        /// The score.
        standing: &'a Standing,
    },
}

/// A question that waits for an answer.
pub struct PersonQuestion<'a> {
    /// The seat that is asked.
    pub seat: Seat,
    /// The line of the protocol.
    pub line: String,
    /// Every legal answer, in the order of the rules.
    pub legal: Vec<String>,
    /// Number of answers so far, by the person or by both people.
    pub answered: usize,
    pub(super) table: &'a PersonMatch,
    /// The match at its current point.
    pub(super) round: Retraced,
    /// The round so far; the person gives up here.
    pub(super) transcript: Transcript,
}

impl PersonQuestion<'_> {
    /// The board as the person knows it, never more.
    pub fn board(&self) -> Styled {
        Styled::frame(self.round.state.as_ref(), View::Seat(self.seat))
    }

    /// A remark on a legal answer, such as the man that it takes.
    pub fn remark(&self, answer: &str) -> Option<String> {
        self.round.state.remark(answer)
    }

    /// The score, as if the match ended here.
    pub fn standing(&self) -> Standing {
        self.round.state.standing()
    }

    /// The round if the person resigns here.
    ///
    /// # Errors
    /// When the match cannot begin again.
    pub fn as_given_up(&self) -> Result<RoundRecord, Error> {
        Ok(judge_referee::record(&self.table.spec, fingerprint(), &self.transcript)?)
    }
}
