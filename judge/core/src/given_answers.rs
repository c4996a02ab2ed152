//! Answers in a round that do not come from its players.

use serde::{Deserialize, Serialize};

use crate::{Seat, Seed};

/// Answers and luck that do not follow from a round's players and seed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAnswers {
    /// The answers of the person in the round, question by question. After the last one the person
    /// gives up. Empty in a round without a person.
    pub answers: Vec<String>,
    /// The first answers of the round, of both seats in the order of the questions, in place of the
    /// players' own. The players are asked anyway, so that they know the round.
    pub beginning: Vec<String>,
    /// The question from which the round continues in another way; none for the round itself.
    pub branch: Option<Branch>,
}

impl GivenAnswers {
    /// The answers of a person.
    pub fn answers(answers: &[String]) -> GivenAnswers {
        GivenAnswers { answers: answers.to_vec(), ..GivenAnswers::default() }
    }

    /// A round that begins with these answers of both seats.
    pub fn beginning(answers: &[String]) -> GivenAnswers {
        GivenAnswers { beginning: answers.to_vec(), ..GivenAnswers::default() }
    }

    /// The same round, which continues in another way from a later question on.
    #[must_use]
    pub fn with_branch(self, branch: Branch) -> GivenAnswers {
        GivenAnswers { branch: Some(branch), ..self }
    }
}

/// A question of a round from which it continues in another way. Up to there both rounds are the
/// same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// The player that is asked.
    pub seat: Seat,
    /// The number of the question among that player's, counted from 0.
    pub question: u32,
    /// The answer in place of the player's own; none to keep that.
    pub answer: Option<String>,
    /// The seed for the order of the hidden tiles; none to keep the order of the round.
    pub luck: Option<Seed>,
}
