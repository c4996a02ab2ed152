//! Error rates of a sequential test, in both models.

use judge_statistics::{Decision, Sprt, elo};

use super::draw::Draw;
use super::{CoverageRow, share};

/// Kinds of pairs among equals.
const KINDS: [(&str, [f64; 5]); 3] = [
    ("share their luck", [0.25, 0.05, 0.4, 0.05, 0.25]),
    ("nearly all split", [0.02, 0.0, 0.96, 0.0, 0.02]),
    ("many draws", [0.05, 0.25, 0.4, 0.25, 0.05]),
];

pub(super) fn rows(runs: u64) -> Vec<CoverageRow> {
    // A test takes hundreds of pairs.
    let runs = (runs / 2).min(1000);
    let mut rows = Vec::new();
    for (kind, shares) in KINDS {
        // Hypotheses that need some hundred pairs of each kind.
        let moved = if shares[0] < 0.05 { 0.01 } else { 0.04 };
        for (model, what) in [("", "SPRT in Elo"), ("n", "SPRT in normalized Elo")] {
            let far = if model.is_empty() { elo(0.5 + moved) } else { ratio(&shares, moved) };
            let text = format!("{model}elo0=0,{model}elo1={far}");
            let sprt: Sprt = text.parse().expect("a test");
            for (true_shift, right) in [(0.0, Decision::H0), (moved, Decision::H1)] {
                let shares = shifted(&shares, true_shift);
                rows.push(CoverageRow {
                    what,
                    shape: format!("{kind}, {right} is right"),
                    measured: share(runs, |run| decided(&sprt, &shares, run) != Some(right)),
                    sound: 0.0..=10.0,
                });
            }
        }
    }
    rows
}

/// The shares after some lost pairs are won instead, for a point each.
fn shifted(shares: &[f64; 5], moved: f64) -> [f64; 5] {
    let mut shares = *shares;
    shares[0] -= moved;
    shares[4] += moved;
    shares
}

/// Normalized Elo of the shifted shares.
fn ratio(shares: &[f64; 5], moved: f64) -> f64 {
    let shifted = shifted(shares, moved);
    let square = |(share, at): (&f64, i32)| share * (f64::from(at) / 4.0 - 0.5 - moved).powi(2);
    let variance: f64 = shifted.iter().zip(0..).map(square).sum();
    800.0 / std::f64::consts::LN_10 * moved / (2.0 * variance).sqrt()
}

fn decided(sprt: &Sprt, shares: &[f64; 5], run: u64) -> Option<Decision> {
    let (mut draw, mut counts) = (Draw::new(run), [0; 5]);
    (0..20_000).find_map(|_| {
        counts[draw.place(shares)] += 1;
        sprt.decide(&counts)
    })
}
