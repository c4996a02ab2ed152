//! The other answers to try, where there are too many for all of them.

use judge_core::{Purpose, RoundRecord, Seat, Seed};

use super::ExplainedMove;

/// Budget of instructions for all rounds with other answers, which two cores use up in seconds.
const FUEL: u64 = 6_000_000_000;

/// Bounds on the number of these rounds, for bots that hardly compute, and for those that use all
/// their time.
const ROUNDS: std::ops::RangeInclusive<u64> = 60..=4000;

/// Number of rounds with other answers that take seconds. It depends on instructions, and so is the
/// same on every machine.
pub(super) fn affordable(record: &RoundRecord) -> usize {
    let fuel = Seat::BOTH.map(|seat| record.fuel(seat)).iter().sum::<u64>();
    (FUEL / fuel.max(1)).clamp(*ROUNDS.start(), *ROUNDS.end()) as usize
}

/// Chooses at most `most` other answers, each with the index of its move. Every move gets the same
/// number of them, drawn at random, or all of them if it has fewer.
pub(super) fn choose(moves: &[ExplainedMove], most: usize) -> Vec<(usize, String)> {
    let others: usize = moves.iter().map(ExplainedMove::others).sum();
    let mut shuffled: Vec<Vec<String>> = moves.iter().map(|one| one.alternatives.clone()).collect();
    if others > most {
        for (at, answers) in shuffled.iter_mut().enumerate() {
            Seed(at as u64).random(Purpose::Chance).shuffle(answers);
        }
    }
    let mut chosen = Vec::new();
    let longest = shuffled.iter().map(Vec::len).max().unwrap_or(0);
    for turn in 0..longest {
        let left: Vec<usize> = (0..moves.len()).filter(|at| turn < shuffled[*at].len()).collect();
        // In a turn that does not suffice for all moves, they are spread over the round.
        let room = (most - chosen.len()).min(left.len());
        let spread = (0..room).map(|at| left[at * left.len() / room]);
        chosen.extend(spread.map(|at| (at, shuffled[at][turn].clone())));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::explain::moves::tests::a_move;

    fn numbers(most: usize) -> Vec<(usize, usize)> {
        let moves = [a_move(1, 3), a_move(2, 1), a_move(3, 20)];
        let chosen = choose(&moves, most);
        let count = |at: usize| chosen.iter().filter(|(one, _)| *one == at).count();
        (0..3).map(|at| (at, count(at))).collect()
    }

    #[test]
    fn every_answer_is_tried_if_there_are_few() {
        assert_eq!(numbers(100), [(0, 3), (1, 1), (2, 20)]);
        let chosen = choose(&[a_move(1, 3)], 3);
        assert_eq!(chosen, ["other 0", "other 1", "other 2"].map(|text| (0, text.to_owned())));
    }

    #[test]
    fn many_answers_are_sampled_evenly_without_repeats() {
        assert_eq!(numbers(9), [(0, 3), (1, 1), (2, 5)]);
        assert_eq!(numbers(2), [(0, 1), (1, 1), (2, 0)]);
        let moves: Vec<ExplainedMove> = (0..100).map(|number| a_move(number, 5)).collect();
        let spread: Vec<usize> = choose(&moves, 4).iter().map(|(at, _)| *at).collect();
        assert_eq!(spread, [0, 25, 50, 75]);
        let mut answers = choose(&[a_move(1, 500)], 400);
        answers.sort();
        answers.dedup();
        assert_eq!(answers.len(), 400);
    }
}
