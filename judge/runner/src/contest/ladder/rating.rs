//! Ratings of a ladder in the Bradley–Terry model, fitted to all pairs, with the anchor at 0.

use std::collections::BTreeMap;

use judge_statistics::{Estimate, Knowledge, RatedMeeting, Ratings};

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
}

/// All ratings of a ladder after a number of pairs.
#[derive(Debug)]
pub struct LadderRatings {
    ratings: Ratings,
    /// Number of pairs of each player.
    pub(super) pairs: Vec<u64>,
    /// Number of pairs between each two players, keyed by their numbers in order.
    pub(super) met: BTreeMap<[usize; 2], u64>,
}

impl LadderRatings {
    /// Rates that many players. The order of the pairs is irrelevant.
    pub fn rate(players: usize, pairs: &[RatedPair]) -> LadderRatings {
        let mut meetings: BTreeMap<[usize; 2], Vec<(u64, u8)>> = BTreeMap::new();
        let mut counts = vec![0; players];
        for RatedPair { players, start, half_points } in pairs {
            players.iter().for_each(|player| counts[*player] += 1);
            let [one, other] = *players;
            let (key, points) = match one < other {
                true => ([one, other], *half_points),
                false => ([other, one], 4 - half_points.min(&4)),
            };
            meetings.entry(key).or_default().push((*start, points));
        }
        let met = meetings.iter().map(|(key, pairs)| (*key, pairs.len() as u64)).collect();
        // Sorted, so that the order of the pairs does not change the last digits.
        meetings.values_mut().for_each(|pairs| pairs.sort_unstable());
        let meetings = meetings.into_iter().map(|(players, pairs)| RatedMeeting { players, pairs });
        let ratings = Ratings::fit_held(players, &meetings.collect::<Vec<_>>());
        LadderRatings { ratings, pairs: counts, met }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.pairs.len()
    }

    /// Number of a player's pairs.
    pub fn pairs_of(&self, player: usize) -> u64 {
        self.pairs[player]
    }

    /// Distance of a player above the anchor.
    pub fn value(&self, player: usize) -> f64 {
        self.ratings.value(player)
    }

    /// Distance of each player above the anchor, with intervals.
    pub fn estimates(&self) -> Vec<Estimate> {
        match self.players() {
            players @ 0..=IN_FULL => {
                (0..players).map(|player| self.ratings.above(player, 0)).collect()
            }
            _ => self.ratings.all_above_first(),
        }
    }

    /// Distance of one player above another.
    pub fn above(&self, one: usize, other: usize) -> Estimate {
        self.ratings.above(one, other)
    }

    /// Returns the certainty of the ratings after these further pairs.
    pub(super) fn knowledge(&self, further: &[[usize; 2]]) -> Knowledge {
        self.ratings.knowledge(further)
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Seed};

    use super::*;

    #[test]
    fn the_order_of_pairs_and_of_their_sides_is_of_no_account() {
        let mut random = Seed(3).random(Purpose::Chance);
        let mut pairs: Vec<RatedPair> = (0..200)
            .map(|start| {
                let one = random.below(5) as usize;
                let other = (one + 1 + random.below(4) as usize) % 5;
                let half_points = random.below(5) as u8;
                RatedPair { players: [one, other], start, half_points }
            })
            .collect();
        let estimates = LadderRatings::rate(5, &pairs).estimates();
        pairs.reverse();
        for pair in pairs.iter_mut().step_by(2) {
            pair.players.reverse();
            pair.half_points = 4 - pair.half_points;
        }
        assert_eq!(LadderRatings::rate(5, &pairs).estimates(), estimates);
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
                    all.push(RatedPair { players: [one, other], start, half_points });
                }
            }
        }
        all
    }

    #[test]
    fn who_always_fails_moves_nobody_else() {
        let honest = games(&[0.0, 0.5, -0.5, 1.0], 40, 7);
        let before = LadderRatings::rate(4, &honest).estimates();
        let crashing = (0..40).flat_map(|start| {
            (0..4).map(move |other| RatedPair { players: [4, other], start, half_points: 0 })
        });
        let all: Vec<RatedPair> = honest.iter().copied().chain(crashing).collect();
        let after = LadderRatings::rate(5, &all).estimates();
        for (one, other) in before.iter().zip(&after) {
            assert!((one.value - other.value).abs() < 2.0, "{one:?} {other:?}");
            assert!((one.low - other.low).abs() < 6.0, "{one:?} {other:?}");
        }
        assert!(after[4].value < after[2].value - 300.0);
    }
}
