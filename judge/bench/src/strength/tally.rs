//! Sums over the games of two players.

use std::time::Duration;

use judge_core::Seat;
use judge_statistics::{Estimate, Sum};

use super::play::PlayedGame;

/// Two games on the same seed, the first of two players in seat 1 and then in seat 2.
pub(super) type GamePair = [PlayedGame; 2];

/// The games of two players, for the first of them. Sums are exact, and pairs come in the order of
/// their seeds: equal games give equal tallies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SeedTally {
    /// Pairs by the first player's half points: 0, 1, 2, 3 or 4.
    pub(super) pairs: [u64; 5],
    /// The half points of each pair, in the order of the seeds.
    pub(super) sequence: Vec<u8>,
    /// Games won, drawn and lost.
    pub(super) results: [u64; 3],
    /// Half points won in seat 1, by either player.
    in_seat_one: u64,
    /// Answers of both players in each game.
    pub(super) answers: Sum,
    /// First player's score minus the other's, summed over each pair.
    differences: Sum,
    /// Smallest and largest margin of a game with a winner.
    margins: Option<[u64; 2]>,
    /// Total time of each player. Not part of the result.
    pub(super) times: [Duration; 2],
}

impl SeedTally {
    /// Adds a pair.
    pub(super) fn add(&mut self, pair: &GamePair) {
        let (mut points, mut difference) = (0, 0);
        for (played, seat) in pair.iter().zip(Seat::BOTH) {
            points += self.add_game(played, seat);
            difference += played.outcome.score(seat) - played.outcome.score(seat.other());
        }
        self.pairs[points] += 1;
        self.sequence.push(points as u8);
        self.differences.add(difference);
    }

    /// Adds a game in which the first player had this seat; returns its half points.
    fn add_game(&mut self, played: &PlayedGame, seat: Seat) -> usize {
        let points = half_points(played, seat);
        self.results[2 - points] += 1;
        self.in_seat_one += half_points(played, Seat::One) as u64;
        self.answers.add(i64::try_from(played.answers).unwrap_or(i64::MAX));
        for (time, seat) in self.times.iter_mut().zip([seat, seat.other()]) {
            *time += played.times[seat.index()];
        }
        if played.outcome.winner.is_some() {
            let margin = played.outcome.scores[0].abs_diff(played.outcome.scores[1]);
            let [low, high] = self.margins.unwrap_or([margin; 2]);
            self.margins = Some([low.min(margin), high.max(margin)]);
        }
        points
    }

    /// Number of games.
    pub(super) fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Mean score difference for the first player in a game. The unit is the pair here too.
    pub(super) fn difference(&self) -> Estimate {
        self.differences.mean(2.0)
    }

    /// Share of the points won in seat 1.
    pub(super) fn seat_one(&self) -> f64 {
        self.in_seat_one as f64 / (2 * self.games()).max(1) as f64
    }

    /// True if the scores have more information than the winner.
    pub(super) fn has_scores(&self) -> bool {
        self.margins.is_some_and(|[low, high]| low != high)
    }
}

fn half_points(played: &PlayedGame, seat: Seat) -> usize {
    match played.outcome.winner {
        None => 1,
        Some(winner) if winner == seat => 2,
        Some(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::RoundResult;

    fn played(scores: [i64; 2], winner: Option<Seat>) -> PlayedGame {
        let outcome = RoundResult { scores, winner, reason: String::new() };
        PlayedGame {
            outcome,
            answers: 10,
            times: [Duration::from_millis(3), Duration::from_millis(5)],
        }
    }

    #[test]
    fn seats_are_swapped_within_a_pair() {
        let mut tally = SeedTally::default();
        // Won in seat 1 by 7, lost in seat 2 by 2.
        tally.add(&[played([9, 2], Some(Seat::One)), played([4, 2], Some(Seat::One))]);
        assert_eq!((tally.pairs, tally.results), ([0, 0, 1, 0, 0], [1, 0, 1]));
        assert_eq!(tally.seat_one(), 1.0);
        assert_eq!((tally.difference().value, tally.margins), (2.5, Some([2, 7])));
        assert_eq!(tally.times, [8, 8].map(Duration::from_millis));
        // Won in seat 2, drawn in seat 1.
        tally.add(&[played([3, 3], None), played([1, 3], Some(Seat::Two))]);
        assert_eq!((tally.pairs, tally.results), ([0, 0, 1, 1, 0], [2, 1, 1]));
        assert_eq!((tally.seat_one(), tally.games()), (5.0 / 8.0, 4));
    }

    #[test]
    fn scores_that_only_name_the_winner_are_not_compared() {
        let mut tally = SeedTally::default();
        tally.add(&[played([2, 0], Some(Seat::One)), played([1, 1], None)]);
        assert!(!tally.has_scores());
        tally.add(&[played([2, 0], Some(Seat::One)), played([3, 0], Some(Seat::One))]);
        assert!(tally.has_scores());
    }
}
