//! Intervals of seats, openings and chances to pass.

use judge_core::Seed;
use judge_statistics::{Demand, Scores, Sum, share_among};

use super::draw::Draw;
use super::{CoverageRow, share};

pub(super) fn rows(runs: u64) -> Vec<CoverageRow> {
    [seats(runs), openings(runs), passing(runs)].concat()
}

/// Share of seat 1 over starts that favor one side.
fn seats(runs: u64) -> Vec<CoverageRow> {
    let row = |starts: u64| CoverageRow {
        what: "share of seat 1",
        shape: format!("{starts} starts of 12 rounds"),
        measured: share(runs, |run| {
            let (mut draw, mut sum) = (Draw::new(run), Sum::default());
            for _ in 0..starts {
                // Evenly between 0.3 and 0.8.
                let favour = 0.3 + 0.5 * draw.part();
                let won = (0..12).filter(|_| draw.part() < favour).count();
                sum.add((won as f64 / 12.0 * 1e6) as i64);
            }
            let estimate = sum.mean(1e6);
            (estimate.low..=estimate.high).contains(&0.55)
        }),
        sound: 89.5..=99.5,
    };
    [5, 20, 200].map(row).to_vec()
}

/// All openings of a tournament at once.
fn openings(runs: u64) -> Vec<CoverageRow> {
    let row = |(openings, rounds): (usize, u64)| CoverageRow {
        what: "seat 1 in every opening at once",
        shape: format!("{openings} openings of {rounds} rounds"),
        measured: share(runs, |run| {
            let mut draw = Draw::new(run);
            (0..openings).all(|_| {
                let favour = 0.2 + 0.6 * draw.part();
                let won = (0..rounds).filter(|_| draw.part() < favour).count();
                let found = share_among(won as f64 / rounds as f64, rounds, openings);
                (found.low..=found.high).contains(&favour)
            })
        }),
        sound: 89.0..=100.0,
    };
    [(1, 40), (9, 40), (40, 12)].map(row).to_vec()
}

/// Chances that eight rounds reach a threshold, estimated from some rounds.
fn passing(runs: u64) -> Vec<CoverageRow> {
    let rounds = [-20_i64, -20, -20, 0, 0, 0, 0, 15, 15, 90];
    let exact = |threshold: i64| {
        // Distribution of the sum of eight rounds, by adding them one after the other.
        let mut sums = std::collections::BTreeMap::from([(0_i64, 1.0)]);
        for _ in 0..8 {
            let mut next = std::collections::BTreeMap::new();
            for (sum, share) in &sums {
                for round in rounds {
                    *next.entry(sum + round).or_insert(0.0) += share / 10.0;
                }
            }
            sums = next;
        }
        sums.range(threshold..).map(|(_, share)| share).sum::<f64>()
    };
    let runs = runs.min(1000);
    let row = |(seen, threshold): (u64, i64)| {
        let exact = exact(threshold);
        CoverageRow {
            what: "chance to pass",
            shape: format!("{:.1} %, told from {seen} rounds", 100.0 * exact),
            measured: share(runs, |run| {
                let (mut draw, mut scores) = (Draw::new(run), Scores::default());
                (0..seen).for_each(|_| scores.add(Some(rounds[draw.place(&[1.0; 10])]), 10));
                let demand = Demand { rounds: 8, threshold, fuel: u64::MAX };
                let chance = scores.chance(demand, Seed(run)).expect("rounds");
                (chance.low..=chance.high).contains(&exact)
            }),
            sound: 88.0..=100.0,
        }
    };
    [(400, -60), (400, 60), (400, 120), (400, 300), (50, 60), (50, 120)].map(row).to_vec()
}
