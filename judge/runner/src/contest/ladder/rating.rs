//! Ratings of a ladder, fitted to all pairs, with the anchor at 0: by results in the Bradley–Terry
//! model, by scores with least squares.

use std::collections::BTreeMap;

use judge_core::Scoring;
use judge_statistics::{
    Estimate, Knowledge, RatedMeeting, Ratings, RoundScore, ScoreRatings, ScoredPair,
};

/// Maximum number of players for which each interval is computed exactly, in cubic time.
const IN_FULL: usize = 48;

/// A pair between two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedPair {
    /// The players by their numbers; the anchor's is 0.
    pub players: [usize; 2],
    /// Hash of the start, which is equal for pairs that start alike.
    pub start: u64,
    /// The first player's points in both rounds, doubled: 0 to 4. A round with a fault is a loss
    /// for the player at fault.
    pub half_points: u8,
    /// The first player's score minus the other's in each round, or the player at fault.
    pub scores: [RoundScore; 2],
}

/// The fit of a scoring.
#[derive(Debug)]
enum Fit {
    Result(Ratings),
    Score(ScoreRatings),
}

/// All ratings of a ladder after a number of pairs.
#[derive(Debug)]
pub struct LadderRatings {
    fit: Fit,
    /// Number of pairs of each player.
    pub(super) pairs: Vec<u64>,
    /// Number of pairs between each two players, keyed by their numbers in order.
    pub(super) met: BTreeMap<[usize; 2], u64>,
}

impl LadderRatings {
    /// Rates that many players by this scoring. The order of the pairs is irrelevant.
    pub fn rate(scoring: Scoring, players: usize, pairs: &[RatedPair]) -> LadderRatings {
        let mut counts = vec![0; players];
        let mut met: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for RatedPair { players, .. } in pairs {
            players.iter().for_each(|player| counts[*player] += 1);
            let [one, other] = *players;
            *met.entry([one.min(other), one.max(other)]).or_default() += 1;
        }
        let fit = match scoring {
            Scoring::Result => Fit::Result(Ratings::fit_held(players, &meetings(pairs))),
            Scoring::Score => {
                let scored: Vec<ScoredPair> = pairs.iter().map(scored).collect();
                Fit::Score(ScoreRatings::fit(players, &scored))
            }
        };
        LadderRatings { fit, pairs: counts, met }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.pairs.len()
    }

    /// Number of a player's pairs.
    pub fn pairs_of(&self, player: usize) -> u64 {
        self.pairs[player]
    }

    /// Distance of a player above the anchor: Elo points, or points of score per round.
    pub fn value(&self, player: usize) -> f64 {
        match &self.fit {
            Fit::Result(ratings) => ratings.value(player),
            Fit::Score(ratings) => ratings.value(player),
        }
    }

    /// Distance of each player above the anchor, with intervals.
    pub fn estimates(&self) -> Vec<Estimate> {
        let players = self.players();
        match &self.fit {
            Fit::Result(ratings) if players > IN_FULL => ratings.all_above_first(),
            _ => (0..players).map(|player| self.above(player, 0)).collect(),
        }
    }

    /// Distance of one player above another.
    pub fn above(&self, one: usize, other: usize) -> Estimate {
        match &self.fit {
            Fit::Result(ratings) => ratings.above(one, other),
            Fit::Score(ratings) => ratings.above(one, other),
        }
    }

    /// The difference of two ratings that is as hard to see as one Elo point between equals.
    pub fn point(&self) -> f64 {
        match &self.fit {
            Fit::Result(_) => 1.0,
            Fit::Score(ratings) => ratings.point(),
        }
    }

    /// Returns the certainty of the ratings after these further pairs.
    pub(super) fn knowledge(&self, further: &[[usize; 2]]) -> Knowledge {
        match &self.fit {
            Fit::Result(ratings) => ratings.knowledge(further),
            Fit::Score(ratings) => ratings.knowledge(further),
        }
    }
}

/// The pairs of each two players by their results.
fn meetings(pairs: &[RatedPair]) -> Vec<RatedMeeting> {
    let mut meetings: BTreeMap<[usize; 2], Vec<(u64, u8)>> = BTreeMap::new();
    for RatedPair { players: [one, other], start, half_points, .. } in pairs {
        let (key, points) = match one < other {
            true => ([*one, *other], *half_points),
            false => ([*other, *one], 4 - half_points.min(&4)),
        };
        meetings.entry(key).or_default().push((*start, points));
    }
    // Sorted, so that the order of the pairs does not change the last digits.
    meetings.values_mut().for_each(|pairs| pairs.sort_unstable());
    meetings.into_iter().map(|(players, pairs)| RatedMeeting { players, pairs }).collect()
}

fn scored(pair: &RatedPair) -> ScoredPair {
    ScoredPair { players: pair.players, start: pair.start, rounds: pair.scores }
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Seed};

    use super::*;

    /// Scores that do not count.
    const SCORES: [RoundScore; 2] = [RoundScore::Played(0); 2];

    #[test]
    fn the_order_of_pairs_does_not_change_ratings() {
        let mut random = Seed(3).random(Purpose::Chance);
        let mut pairs: Vec<RatedPair> = (0..200)
            .map(|start| {
                let one = random.below(5) as usize;
                let other = (one + 1 + random.below(4) as usize) % 5;
                let half_points = random.below(5) as u8;
                RatedPair { players: [one, other], start, half_points, scores: SCORES }
            })
            .collect();
        let estimates = LadderRatings::rate(Scoring::Result, 5, &pairs).estimates();
        pairs.reverse();
        for pair in pairs.iter_mut().step_by(2) {
            pair.players.reverse();
            pair.half_points = 4 - pair.half_points;
        }
        assert_eq!(LadderRatings::rate(Scoring::Result, 5, &pairs).estimates(), estimates);
    }

    /// Returns pairs with these players' chances to win a round against the first one.
    fn games(strengths: &[f64], pairs: u64, seed: u64) -> Vec<RatedPair> {
        let mut random = Seed(seed).random(Purpose::Chance);
        let mut all = Vec::new();
        for start in 0..pairs {
            for one in 0..strengths.len() {
                for other in 0..one {
                    let chance = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
                    let mut round = || 2 * u8::from(f64::from(random.below(10_000)) < chance * 1e4);
                    let half_points = round() + round();
                    all.push(RatedPair {
                        players: [one, other],
                        start,
                        half_points,
                        scores: SCORES,
                    });
                }
            }
        }
        all
    }

    #[test]
    fn a_bot_that_always_fails_moves_no_other_rating() {
        let honest = games(&[0.0, 0.5, -0.5, 1.0], 40, 7);
        let before = LadderRatings::rate(Scoring::Result, 4, &honest).estimates();
        let crashing = (0..40).flat_map(|start| {
            (0..4).map(move |other| RatedPair {
                players: [4, other],
                start,
                half_points: 0,
                scores: SCORES,
            })
        });
        let all: Vec<RatedPair> = honest.iter().copied().chain(crashing).collect();
        let after = LadderRatings::rate(Scoring::Result, 5, &all).estimates();
        for (one, other) in before.iter().zip(&after) {
            assert!((one.value - other.value).abs() < 2.0, "{one:?} {other:?}");
            assert!((one.low - other.low).abs() < 6.0, "{one:?} {other:?}");
        }
        assert!(after[4].value < after[2].value - 300.0);
    }
}
