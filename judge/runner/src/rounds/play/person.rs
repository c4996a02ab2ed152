//! The interface of a person who plays: receives messages, and decides at questions. It is
//! implemented for terminals, browsers and tests. Two people can share one implementation.

use judge_core::{Call, RoundRecord, RoundSpec, Seat, Transcript};
use judge_games::{Game, IllegalMove, Standing, View};
use judge_referee::Retraced;

use crate::Error;
use crate::base::styled_text::Styled;
use crate::base::workers::fingerprint;

/// A person who plays a round.
pub trait Person {
    /// Receives a message.
    ///
    /// # Errors
    /// If the message cannot be shown, which ends the session.
    fn notice(&mut self, table: &PersonMatch, notice: Notice<'_>) -> Result<(), Error>;

    /// Decides at a question, which [`Notice::Question`] has shown before.
    ///
    /// # Errors
    /// If the person cannot be asked, which ends the session.
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
    /// The round's setup, with its players.
    pub spec: RoundSpec,
    /// The person's seat; between two people, the first person's seat.
    pub person: Seat,
}

impl PersonMatch {
    /// A seat with its player's name, for messages to two people.
    pub fn seat_name(&self, seat: Seat) -> String {
        format!("seat {seat} ({})", self.spec.seat(seat).name())
    }
}

/// A decision at a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Give this answer. If it is illegal, the person gets the reason and is asked again.
    Answer(String),
    /// Take the last answer back.
    TakeBack,
    /// Repeat the answer that was taken back last.
    Redo,
    /// Leave, which resigns if an answer was given.
    Leave,
    /// Resign.
    Resign,
    /// Leave at once.
    Interrupt,
}

/// A message to a person.
pub enum Notice<'a> {
    /// The session starts.
    Begun,
    /// Between two people, it is this seat's turn.
    Turn {
        /// The seat.
        seat: Seat,
        /// True if the two seats see different things.
        hides: bool,
    },
    /// Lines of the protocol, to both seats, since the person's last question.
    News {
        /// The person's seat.
        seat: Seat,
        /// The lines.
        calls: &'a [Call],
    },
    /// A question to answer.
    Question(&'a PersonQuestion<'a>),
    /// The answer is illegal.
    Refused {
        /// The answer.
        answer: &'a str,
        /// The rules' reason.
        refusal: &'a IllegalMove,
        /// The question, which is still open.
        question: &'a PersonQuestion<'a>,
    },
    /// There is nothing to take back.
    NothingToTakeBack,
    /// This answer was taken back.
    TakenBack(&'a str),
    /// No answer was taken back, so none can be repeated.
    NothingToRedo,
    /// This answer was repeated.
    Redone(&'a str),
    /// The round has ended.
    Ended {
        /// The last board; none after a resignation, because that board was just shown.
        board: Option<&'a Styled>,
        /// The score.
        standing: &'a Standing,
    },
}

/// A question that the person has not answered yet.
pub struct PersonQuestion<'a> {
    /// The seat of the player to answer.
    pub seat: Seat,
    /// The line of the protocol.
    pub line: String,
    /// Every legal answer, in the order of the rules.
    pub legal: Vec<String>,
    /// Number of answers so far, by one or both people.
    pub answered: usize,
    pub(super) table: &'a PersonMatch,
    /// The match at its current point.
    pub(super) round: Retraced,
    /// The transcript so far, in which the person resigns here.
    pub(super) transcript: Transcript,
}

impl PersonQuestion<'_> {
    /// The board as far as the person may see it.
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

    /// Returns the record of the round if the person resigns here.
    ///
    /// # Errors
    /// If the match cannot be replayed.
    pub fn as_given_up(&self) -> Result<RoundRecord, Error> {
        Ok(judge_referee::record(&self.table.spec, fingerprint(), &self.transcript)?)
    }
}
