//! Comparison of answers over the hidden luck: hindsight knows the next tile, and a player cannot.

use judge_core::{Blame, Branch, Listener, Seed};
use judge_statistics::{Estimate, Sum};
use serde::Serialize;

use super::{Explained, ExplainedMove, moves};
use crate::Error;

/// Number of moves to compare, costliest first.
const MOVES: usize = 8;

/// Number of other answers to compare for each of them, best first.
const ANSWERS: usize = 2;

/// Bounds on the number of other orders of the tiles.
const REDEALS: std::ops::RangeInclusive<usize> = 8..=48;

/// The answer that scores most on average, and how much more than the bot's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Average {
    /// The other answer.
    pub answer: String,
    /// Its score less that of the bot's answer, with the same luck for both.
    pub gain: Estimate,
    /// Number of other orders of the hidden tiles.
    pub redeals: usize,
}

impl Explained<'_> {
    /// Compares answers of the costliest moves, keeps those with a mean gain and sorts them
    /// by it. Plays at most `most` rounds, or 8 for each answer if that is more.
    pub(super) fn average(
        &self,
        moves: &mut [ExplainedMove],
        costliest: &mut Vec<usize>,
        most: usize,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        costliest.truncate(MOVES);
        let each = (ANSWERS + 1) * costliest.len().max(1);
        let redeals = (most / each).clamp(*REDEALS.start(), *REDEALS.end());
        let candidates: Vec<ComparedAnswer> =
            costliest.iter().flat_map(|at| candidates(*at, &moves[*at])).collect();
        for (at, average) in self.compare(moves, &candidates, redeals, events)? {
            let before = moves[at].average.as_ref();
            if before.is_none_or(|before| average.gain.value > before.gain.value) {
                moves[at].average = Some(average);
            }
        }
        let gain = |at: &usize| moves[*at].average.as_ref().map_or(0.0, |one| one.gain.value);
        // A gain with the round's luck only is hindsight.
        costliest.retain(|at| gain(at) > 0.0);
        costliest.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        Ok(())
    }

    /// The gain of each candidate over the bot's own answer to the same question.
    fn compare(
        &self,
        moves: &[ExplainedMove],
        candidates: &[ComparedAnswer],
        redeals: usize,
        events: &mut dyn Listener,
    ) -> Result<Vec<(usize, Average)>, Error> {
        let seat = self.request.setting.seat;
        let branches: Vec<Branch> = candidates
            .iter()
            .flat_map(|ComparedAnswer { at, answer }| {
                let luck = (1..=redeals as u64).map(Seed);
                luck.map(|luck| moves[*at].branch(seat, answer.as_deref(), Some(luck)))
            })
            .collect();
        let mut scores = vec![None; branches.len()];
        self.play(&branches, events, &mut |index, record| {
            // After an opponent's fault the score counts.
            let fault = record.trailer.fault.as_ref();
            let counts = fault.is_none_or(|fault| fault.blame(seat) == Blame::Opponent);
            scores[index] = counts.then(|| moves::score(record, seat));
        })?;
        let mut own: &[Option<i64>] = &[];
        let mut averages = Vec::new();
        for (ComparedAnswer { at, answer }, scores) in
            std::iter::zip(candidates, scores.chunks(redeals))
        {
            let Some(answer) = answer.clone() else {
                own = scores;
                continue;
            };
            averages.push((*at, Average { answer, gain: gain(own, scores), redeals }));
        }
        Ok(averages)
    }
}

/// An answer to compare: the bot's own, before the others to the same question.
struct ComparedAnswer {
    /// The position of its move.
    at: usize,
    /// The other answer; none for the bot's own.
    answer: Option<String>,
}

fn candidates(at: usize, one: &ExplainedMove) -> impl Iterator<Item = ComparedAnswer> {
    let others = one.tried.iter().filter(|trial| !trial.failed).take(ANSWERS);
    let others = others.map(|trial| Some(trial.answer.clone()));
    std::iter::once(None).chain(others).map(move |answer| ComparedAnswer { at, answer })
}

/// The mean of the differences with equal luck, over the pairs of rounds in which the bot did not fail.
fn gain(own: &[Option<i64>], others: &[Option<i64>]) -> Estimate {
    let mut sum = Sum::default();
    for (own, other) in std::iter::zip(own, others) {
        if let (Some(own), Some(other)) = (own, other) {
            sum.add(other - own);
        }
    }
    sum.mean(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_that_helps_both_answers_is_not_a_gain() {
        let own = [Some(10), Some(0), Some(30), None];
        let others = [Some(12), Some(3), Some(31), Some(500)];
        let Estimate { value, low, high } = gain(&own, &others);
        assert!((value - 2.0).abs() < 1e-9 && low < 2.0 && high > 2.0, "{low} to {high}");
    }
}
