//! Intervals of a match of two players.

use judge_statistics::{Estimate, Evidence, Strength, elo, pair_score};

use super::draw::Draw;
use super::{CoverageRow, share};

/// Kinds of matches: name, frequencies of 0 to 4 half points per pair, and number of pairs.
const SHAPES: [(&str, [f64; 5], u64); 12] = [
    ("equals, 100 pairs", [25.0, 5.0, 40.0, 5.0, 25.0], 100),
    ("equals, 20 pairs", [25.0, 5.0, 40.0, 5.0, 25.0], 20),
    ("equals, 10 pairs", [25.0, 5.0, 40.0, 5.0, 25.0], 10),
    ("many draws, 50 pairs", [5.0, 25.0, 40.0, 25.0, 5.0], 50),
    ("nearly all split, 50 pairs", [2.0, 0.0, 96.0, 0.0, 3.0], 50),
    ("nearly all split, 1000 pairs", [2.0, 0.0, 96.0, 0.0, 3.0], 1000),
    ("uneven, 20 pairs", [2.0, 2.0, 20.0, 10.0, 66.0], 20),
    ("uneven, 200 pairs", [2.0, 2.0, 20.0, 10.0, 66.0], 200),
    ("[19, 1, 311, 16, 653]", [19.0, 1.0, 311.0, 16.0, 653.0], 1000),
    ("[1, 1, 5, 3, 90]", [1.0, 1.0, 5.0, 3.0, 90.0], 100),
    ("one-sided, 100 pairs", [0.0, 0.0, 2.0, 0.0, 98.0], 100),
    ("one-sided, 1000 pairs", [0.0, 0.0, 2.0, 0.0, 98.0], 1000),
];

pub(super) fn rows(runs: u64) -> Vec<CoverageRow> {
    let score = |weights: &[f64; 5]| {
        let sum: f64 = weights.iter().zip(0..).map(|(weight, at)| weight * f64::from(at)).sum();
        sum / weights.iter().sum::<f64>() / 4.0
    };
    let shapes = SHAPES.iter().flat_map(|(name, weights, pairs)| {
        let counts = |run: u64| Draw::new(run).counts(weights, *pairs);
        let truth = score(weights);
        let own = deviations(weights);
        let row = |what, measured| CoverageRow {
            what,
            shape: (*name).to_owned(),
            measured,
            sound: 89.5..=100.0,
        };
        [
            row("score", share(runs, |run| holds(&pair_score(&counts(run)), truth))),
            row("Elo", share(runs, |run| holds(&Strength::new(&counts(run)).elo, elo(truth)))),
            row(
                "normalized Elo",
                share(runs, |run| {
                    // Without a spread nothing is printed.
                    let normalized = Strength::new(&counts(run)).normalized_elo;
                    normalized.is_none_or(|estimate| holds(&estimate, own))
                }),
            ),
        ]
    });
    let mut rows: Vec<CoverageRow> = shapes.collect();
    rows.sort_by_key(|row| row.what);
    rows.extend(superior(runs));
    rows.extend(differences(runs));
    rows.extend(repeated(runs));
    rows
}

fn holds(estimate: &Estimate, truth: f64) -> bool {
    (estimate.low..=estimate.high).contains(&truth)
}

/// Normalized Elo of the weights.
fn deviations(weights: &[f64; 5]) -> f64 {
    let mean = |figure: &dyn Fn(f64) -> f64| -> f64 {
        let sum = weights.iter().zip(0..).map(|(weight, at)| weight * figure(f64::from(at) / 4.0));
        sum.sum::<f64>() / weights.iter().sum::<f64>()
    };
    let centre = mean(&|score| score);
    let variance = mean(&|score| (score - centre).powi(2));
    800.0 / std::f64::consts::LN_10 * (centre - 0.5) / (2.0 * variance).sqrt()
}

/// Equal players are called stronger with 95 % confidence in at most 5 % of the runs.
fn superior(runs: u64) -> impl Iterator<Item = CoverageRow> {
    SHAPES.iter().take(4).map(move |(name, weights, pairs)| CoverageRow {
        what: "likelihood over 95 % among equals",
        shape: (*name).to_owned(),
        measured: share(runs, |run| {
            Strength::new(&Draw::new(run).counts(weights, *pairs)).superiority > 0.95
        }),
        sound: 0.0..=9.5,
    })
}

/// Scores of two rounds that share luck: evenly spread or, as in Mahjong, mostly small with a few
/// large wins. There are as many starts as pairs.
fn differences(runs: u64) -> impl Iterator<Item = CoverageRow> {
    const SKEWED: [(f64, f64); 5] =
        [(-20.0, 30.0), (0.0, 40.0), (15.0, 20.0), (60.0, 7.0), (90.0, 3.0)];
    let skewed = |draw: &mut Draw| SKEWED[draw.place(&SKEWED.map(|(_, weight)| weight))].0;
    let mean: f64 = SKEWED.iter().map(|(score, weight)| score * weight / 100.0).sum();
    [(5, false), (20, false), (200, false), (10, true), (50, true), (500, true)].into_iter().map(
        move |(pairs, is_skewed)| CoverageRow {
            what: "score difference",
            shape: format!("{}, {pairs} pairs", if is_skewed { "skewed" } else { "even" }),
            measured: share(runs, |run| {
                let mut draw = Draw::new(run);
                let mut evidence = Evidence::default();
                for pair in 0..pairs {
                    let sum = if is_skewed {
                        skewed(&mut draw) + skewed(&mut draw)
                    } else {
                        let luck = 10.0 * draw.noise();
                        6.0 + (2.0 * luck + 5.0 * draw.noise()).round()
                    };
                    evidence.add(pair, pair, 2, sum as i64);
                }
                holds(&evidence.difference(), if is_skewed { mean } else { 3.0 })
            }),
            sound: 84.0..=99.5,
        },
    )
}

/// A few repeated starts, each with its own balance, between players who always play them alike, or
/// who play randomly.
fn repeated(runs: u64) -> impl Iterator<Item = CoverageRow> {
    [(9, 200, 1.0), (9, 200, 0.3), (30, 200, 1.0)].into_iter().map(move |(starts, pairs, fixed)| {
        CoverageRow {
            what: "score, starts repeated",
            shape: format!(
                "{starts} starts, {pairs} pairs, {}",
                if fixed < 1.0 { "players who draw lots" } else { "no lots" }
            ),
            measured: share(runs, |run| {
                let mut draw = Draw::new(run);
                let weights = [20.0, 10.0, 30.0, 10.0, 30.0];
                let own: Vec<usize> = (0..starts).map(|_| draw.place(&weights)).collect();
                let mut evidence = Evidence::default();
                for pair in 0..pairs {
                    let start = draw.place(&vec![1.0; starts]);
                    let as_always = draw.part() < fixed;
                    let half = if as_always { own[start] } else { draw.place(&weights) };
                    evidence.add(start as u64, pair, half, 0);
                }
                holds(&evidence.score(), 0.55)
            }),
            sound: 88.0..=100.0,
        }
    })
}
