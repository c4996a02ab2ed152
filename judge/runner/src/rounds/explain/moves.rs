//! A bot's moves in a round, and the scores of the other answers.

use judge_core::{Blame, Branch, RoundRecord, Seat, Seed, printable};
use judge_games::GameState;
use judge_referee::Observer;
use serde::Serialize;

use super::Average;
use crate::Error;

/// A question to the bot with a choice.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedMove {
    /// Its number, as `judge replay --move` counts: from 1, over both seats.
    pub number: usize,
    /// The index of its call in the record.
    #[serde(skip)]
    pub call: usize,
    /// Its number among the questions to the bot, counted from 0.
    #[serde(skip)]
    question_number: u32,
    /// The question.
    pub question: String,
    /// The bot's answer.
    pub answer: String,
    /// The other answers that the rules allow.
    #[serde(skip)]
    pub(super) alternatives: Vec<String>,
    /// The other answers that were tried, best first.
    pub tried: Vec<OtherAnswer>,
    /// The comparison of the best of them with the bot's answer over the luck that was still open;
    /// none if it was not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<Average>,
}

/// The end of the round after another answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherAnswer {
    /// The other answer.
    pub answer: String,
    /// The bot's score.
    pub score: i64,
    /// The opponent's score.
    pub opponent_score: i64,
    /// True if the bot then failed, so that the answer is never better than the bot's own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

impl OtherAnswer {
    /// None if the judge failed in the round.
    pub(super) fn new(answer: &str, record: &RoundRecord, seat: Seat) -> Option<OtherAnswer> {
        let blame = record.trailer.fault.as_ref().map(|fault| fault.blame(seat));
        (blame != Some(Blame::Judge)).then(|| OtherAnswer {
            answer: answer.to_owned(),
            score: score(record, seat),
            opponent_score: record.trailer.outcome.score(seat.other()),
            failed: blame == Some(Blame::Bot),
        })
    }
}

impl ExplainedMove {
    /// The round with another answer, or with other luck from this question on.
    pub(super) fn branch(&self, seat: Seat, answer: Option<&str>, luck: Option<Seed>) -> Branch {
        let answer = answer.map(str::to_owned);
        Branch { seat, question: self.question_number, answer, luck }
    }

    /// Number of other answers that the rules allow.
    pub(super) fn others(&self) -> usize {
        self.alternatives.len()
    }

    /// The best of the other answers that were tried and after which the bot did not fail.
    pub fn best(&self) -> Option<&OtherAnswer> {
        self.tried.first().filter(|trial| !trial.failed)
    }

    /// Sorts the other answers, best first.
    pub(super) fn sort(&mut self) {
        self.tried.sort_by(|one, other| {
            let worth = |trial: &OtherAnswer| (!trial.failed, trial.score, -trial.opponent_score);
            worth(other).cmp(&worth(one)).then_with(|| one.answer.cmp(&other.answer))
        });
    }
}

/// The bot's score in a round, as a testcase counts it: 0 if the bot failed.
pub(super) fn score(record: &RoundRecord, seat: Seat) -> i64 {
    let blame = record.trailer.fault.as_ref().map(|fault| fault.blame(seat));
    if blame == Some(Blame::Bot) { 0 } else { record.trailer.outcome.score(seat) }
}

/// The moves for which another answer would have scored more than `score`, costliest first.
pub(super) fn costliest(moves: &[ExplainedMove], score: i64) -> Vec<usize> {
    let gain = |at: usize| moves[at].best().map_or(0, |best| best.score - score);
    let mut costly: Vec<usize> = (0..moves.len()).filter(|at| gain(*at) > 0).collect();
    // Of equal ones the last counts: after it nothing could be gained any more.
    costly.sort_by_key(|at| (-gain(*at), std::cmp::Reverse(*at)));
    costly
}

/// True if the game has luck that is hidden from both players.
pub(super) fn has_luck(record: &RoundRecord) -> Result<bool, Error> {
    let (_, mut state) = judge_referee::start(&record.header.spec)?;
    Ok(state.redeal(Seed(0)))
}

/// The questions to the bot with a choice.
pub(super) fn with_choices(record: &RoundRecord, seat: Seat) -> Result<Vec<ExplainedMove>, Error> {
    let transcript = judge_referee::transcript_of(record);
    let mut seen = MovesSeen { seat, calls: 0, answers: 0, questions: 0, moves: Vec::new() };
    judge_referee::walk(&record.header.spec, &transcript, &mut seen)?;
    Ok(seen.moves)
}

/// The round so far, in a replay.
struct MovesSeen {
    seat: Seat,
    calls: usize,
    /// Number of answers of both sides.
    answers: usize,
    /// Number of questions to the bot.
    questions: u32,
    moves: Vec<ExplainedMove>,
}

impl MovesSeen {
    fn question(&mut self, line: &str, answer: &str, state: &dyn GameState) {
        let mut alternatives = state.legal();
        alternatives.retain(|other| other != answer);
        if !alternatives.is_empty() {
            self.moves.push(ExplainedMove {
                number: self.answers + 1,
                call: self.calls,
                question_number: self.questions,
                question: printable(line, usize::MAX),
                answer: printable(answer, usize::MAX),
                alternatives,
                tried: Vec::new(),
                average: None,
            });
        }
        self.questions += 1;
    }
}

impl Observer for MovesSeen {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        _fuel: Option<u64>,
        state: &dyn GameState,
    ) {
        if let Some(answer) = answer {
            if seat == self.seat {
                self.question(line, answer, state);
            }
            self.answers += 1;
        }
        self.calls += 1;
    }

    fn failed(&mut self, _seat: Seat, _line: &str, _state: &dyn GameState) {}
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A move with so many other answers.
    pub(in crate::rounds::explain) fn a_move(number: usize, others: usize) -> ExplainedMove {
        ExplainedMove {
            number,
            call: 2 * number,
            question_number: number as u32,
            question: "move".to_owned(),
            answer: "own".to_owned(),
            alternatives: (0..others).map(|other| format!("other {other}")).collect(),
            tried: Vec::new(),
            average: None,
        }
    }

    /// The same with one other answer of that score.
    fn tried(number: usize, score: i64) -> ExplainedMove {
        ExplainedMove { tried: vec![trial("other", score, 0)], ..a_move(number, 1) }
    }

    fn trial(answer: &str, score: i64, opponent_score: i64) -> OtherAnswer {
        OtherAnswer { answer: answer.to_owned(), score, opponent_score, failed: false }
    }

    #[test]
    fn the_costliest_moves_come_first() {
        let moves = [tried(1, 5), tried(2, 9), a_move(3, 2), tried(4, 3), tried(5, 9), tried(6, 2)];
        assert_eq!(costliest(&moves, 3), [4, 1, 0]);
        assert!(costliest(&moves, 9).is_empty(), "nothing would have scored more");
    }

    #[test]
    fn better_answers_come_first() {
        let tried = vec![trial("d", 1, 0), trial("b", 4, 7), trial("c", 4, 2), trial("a", 4, 7)];
        let mut one = ExplainedMove { tried, ..a_move(1, 4) };
        one.sort();
        let order: Vec<&str> = one.tried.iter().map(|trial| trial.answer.as_str()).collect();
        assert_eq!(order, ["c", "a", "b", "d"]);
    }

    #[test]
    fn an_answer_after_which_the_bot_fails_is_never_better() {
        let fails = OtherAnswer { failed: true, ..trial("crash", 0, 0) };
        let mut one = ExplainedMove { tried: vec![fails, trial("low", -9, 0)], ..a_move(1, 2) };
        one.sort();
        assert_eq!(one.best().map(|best| best.answer.as_str()), Some("low"));
        one.tried.remove(0);
        assert_eq!(one.best(), None);
        assert!(costliest(&[one], -10).is_empty());
    }
}
