//! A game in a recording: every question with its state, the answer, and the result, as training
//! data.

use serde::{Deserialize, Serialize};

use crate::{RoundResult, Seat, Seed, Verdict};

/// A game of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedGame {
    /// Its number in the recording, counted from 0.
    pub game: u64,
    /// Source of its luck.
    pub seed: Seed,
    /// The names of the players in seats 1 and 2.
    pub players: [String; 2],
    /// The result by the rules; after a fault, the forfeit.
    #[serde(flatten)]
    pub outcome: RoundResult,
    /// The failure that ended it, if one did.
    pub fault: Option<RecordedFault>,
    /// Every question with a legal answer, in order.
    pub plies: Vec<Ply>,
}

/// The failure of a player. Games in which the judge failed are not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFault {
    /// The seat that failed.
    pub seat: Seat,
    /// The kind of failure.
    pub verdict: Verdict,
    /// One line for the author of the failed player.
    pub detail: String,
    /// The illegal answer, if there was one.
    pub answer: Option<String>,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// The seat that was asked.
    pub seat: Seat,
    /// The kind of question: its first word, without the question mark.
    pub question: String,
    /// The state of the round as text in the game's notation.
    pub state: String,
    /// Number of legal answers.
    pub legal: u64,
    /// The scores of seats 1 and 2 if the round ended before the answer.
    pub scores: [i64; 2],
    /// The answer.
    #[serde(rename = "move")]
    pub answer: String,
    /// The fuel of the answer; none if fuel is not counted.
    pub fuel: Option<u64>,
}

impl RecordedGame {
    /// The result for a seat: 1 won, 0 drawn, -1 lost.
    pub fn result_for(&self, seat: Seat) -> i32 {
        match self.outcome.winner {
            None => 0,
            Some(winner) if winner == seat => 1,
            Some(_) => -1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_one_flat_object_and_reads_back() {
        let game = RecordedGame {
            game: 3,
            seed: Seed(u64::MAX),
            players: ["a".to_owned(), "b".to_owned()],
            outcome: RoundResult {
                scores: [4, -1],
                winner: Some(Seat::One),
                reason: "x".to_owned(),
            },
            fault: None,
            plies: vec![Ply {
                seat: Seat::Two,
                question: "move".to_owned(),
                state: "- -".to_owned(),
                legal: 2,
                scores: [0, 0],
                answer: ".".to_owned(),
                fuel: None,
            }],
        };
        let line = serde_json::to_string(&game).expect("plain data");
        assert_eq!(
            line,
            r#"{"game":3,"seed":18446744073709551615,"players":["a","b"],"scores":[4,-1],"winner":1,"reason":"x","fault":null,"plies":[{"seat":2,"question":"move","state":"- -","legal":2,"scores":[0,0],"move":".","fuel":null}]}"#
        );
        assert_eq!(serde_json::from_str::<RecordedGame>(&line).expect("the same"), game);
        assert_eq!(Seat::BOTH.map(|seat| game.result_for(seat)), [1, -1]);
    }
}
