//! Intervals of ratings: players that share luck on a seed.

use std::collections::BTreeMap;

use judge_statistics::{RatedMeeting, Ratings};

use super::draw::Draw;
use super::{CoverageRow, share};

/// Most seeds of the tournament for the true value, and the number for each run.
const TRUTH: u64 = 50_000;
const TRUTH_OF_A_RUN: u64 = 20;

/// A field of players.
struct Field {
    name: &'static str,
    /// In natural logarithms.
    strengths: &'static [f64],
    /// Groups of players with common luck, which play nearly alike.
    like: &'static [usize],
    pairs: u64,
    /// Strength difference below which a round is drawn.
    drawn: f64,
}

const FIELDS: [Field; 11] = [
    Field {
        name: "4 close players, 50 pairs",
        strengths: &[0.0, 0.2, 0.3, 0.5],
        like: &[0, 1, 2, 3],
        pairs: 50,
        drawn: 0.0,
    },
    Field {
        name: "4 close players, 10 pairs",
        strengths: &[0.0, 0.2, 0.3, 0.5],
        like: &[0, 1, 2, 3],
        pairs: 10,
        drawn: 0.0,
    },
    Field {
        name: "2 players, one-sided, 50 pairs",
        strengths: &[0.0, 3.0],
        like: &[0, 1],
        pairs: 50,
        drawn: 0.0,
    },
    Field {
        name: "2 players, very one-sided, 50 pairs",
        strengths: &[0.0, 5.0],
        like: &[0, 1],
        pairs: 50,
        drawn: 0.0,
    },
    Field {
        name: "3 players, one-sided, 50 pairs",
        strengths: &[0.0, 2.0, 4.0],
        like: &[0, 1, 2],
        pairs: 50,
        drawn: 0.0,
    },
    Field {
        name: "3 players, one-sided, 500 pairs",
        strengths: &[0.0, 2.0, 4.0],
        like: &[0, 1, 2],
        pairs: 500,
        drawn: 0.0,
    },
    Field {
        name: "the same with two near-twins, 50 pairs",
        strengths: &[0.0, 2.0, 4.0, 4.05, 4.1],
        like: &[0, 1, 2, 2, 2],
        pairs: 50,
        drawn: 0.0,
    },
    Field {
        name: "the same with two near-twins, 10 pairs",
        strengths: &[0.0, 2.0, 4.0, 4.05, 4.1],
        like: &[0, 1, 2, 2, 2],
        pairs: 10,
        drawn: 0.0,
    },
    Field {
        name: "4 players, many draws, 50 pairs",
        strengths: &[0.0, 0.3, 0.6, 0.9],
        like: &[0, 1, 2, 3],
        pairs: 50,
        drawn: 0.7,
    },
    Field {
        name: "8 players, 5 pairs",
        strengths: &[0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1],
        like: &[0, 1, 2, 3, 4, 5, 6, 7],
        pairs: 5,
        drawn: 0.2,
    },
    Field {
        name: "8 players, four near-twins, 20 pairs",
        strengths: &[0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1],
        like: &[0, 1, 2, 2, 4, 4, 6, 6],
        pairs: 20,
        drawn: 0.2,
    },
];

/// Rounds of two players on a seed, the first in seat 1 and in seat 2: half points.
type SeatRounds = ([usize; 2], u64, [u8; 2]);

impl Field {
    /// A round robin on the same seeds.
    fn play(&self, run: u64, pairs: u64) -> Vec<SeatRounds> {
        let (mut draw, mut rounds) = (Draw::new(run), Vec::new());
        let players = self.strengths.len();
        for seed in 0..pairs {
            let own: Vec<[f64; 2]> =
                (0..players).map(|_| [0.6 * draw.noise(), 0.6 * draw.noise()]).collect();
            for one in 0..players {
                for other in one + 1..players {
                    let round = |seat: usize, noise: f64| {
                        let [mine, theirs] = [self.like[one], self.like[other]];
                        let above = self.strengths[one] - self.strengths[other] + own[mine][seat]
                            - own[theirs][1 - seat]
                            + 0.5 * noise;
                        if above.abs() < self.drawn { 1 } else { 2 * u8::from(above > 0.0) }
                    };
                    let points = [round(0, draw.noise()), round(1, draw.noise())];
                    rounds.push(([one, other], seed, points));
                }
            }
        }
        rounds
    }

    fn fit(&self, run: u64, pairs: u64) -> Ratings {
        let mut meetings: BTreeMap<[usize; 2], RatedMeeting> = BTreeMap::new();
        for (players, seed, [one, two]) in self.play(run, pairs) {
            let meeting = meetings.entry(players).or_default();
            meeting.players = players;
            meeting.pairs.push((seed, one + two));
        }
        Ratings::fit(self.strengths.len(), &meetings.into_values().collect::<Vec<_>>())
    }

    /// Smallest coverage among the intervals of all players.
    fn covered(&self, runs: u64) -> f64 {
        let truth = self.fit(u64::MAX, (TRUTH_OF_A_RUN * runs).min(TRUTH));
        let worst = (1..self.strengths.len()).map(|player| {
            let truth = truth.value(player);
            share(runs, |run| {
                let found = self.fit(run, self.pairs).above(player, 0);
                (found.low..=found.high).contains(&truth)
            })
        });
        worst.fold(100.0, f64::min)
    }
}

pub(super) fn rows(runs: u64) -> Vec<CoverageRow> {
    let row = |what, field: &Field, measured, sound| CoverageRow {
        what,
        shape: field.name.to_owned(),
        measured,
        sound,
    };
    let fitted = FIELDS
        .iter()
        .map(|field| row("rating (Bradley–Terry)", field, field.covered(runs), 88.5..=100.0));
    fitted.collect()
}
