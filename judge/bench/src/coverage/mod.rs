//! Coverage of each interval that the judge prints, from thousands of simulated players of known
//! strength. `cargo run --release -p judge-bench --bin coverage` prints the tables of
//! `judge/bench/RESULTS.md`. Seeds are fixed, so every run prints the same figures.

mod chances;
mod draw;
mod pairs;
mod ratings;
mod sequential;

use std::fmt::Write as _;

/// A measured figure.
#[derive(Debug, Clone)]
pub struct CoverageRow {
    /// Name of the interval or promise.
    pub what: &'static str,
    /// Kind of matches or tournaments.
    pub shape: String,
    /// Share of intervals that contain the true value, or of tests that are wrong, in per cent.
    pub measured: f64,
    /// Acceptable range, in per cent, for a correct formula and few runs.
    pub sound: std::ops::RangeInclusive<f64>,
}

/// Measures everything, with `runs` runs for each figure.
pub fn measure(runs: u64) -> Vec<CoverageRow> {
    [pairs::rows(runs), ratings::rows(runs), chances::rows(runs), sequential::rows(runs)].concat()
}

/// The figures as Markdown.
pub fn markdown(rows: &[CoverageRow]) -> String {
    let mut text = "| figure | of | measured |\n|---|---|--:|\n".to_owned();
    for CoverageRow { what, shape, measured, .. } in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {what} | {shape} | {measured:.1} % |");
    }
    text
}

/// Share of runs in which `holds` is true, in per cent.
fn share(runs: u64, holds: impl Fn(u64) -> bool + Sync) -> f64 {
    use rayon::prelude::*;
    let held = (0..runs).into_par_iter().filter(|run| holds(*run)).count();
    100.0 * held as f64 / runs as f64
}

#[cfg(test)]
mod tests {
    use super::measure;

    /// With 200 runs, a share of 95 % is measured below 89 % five times in ten thousand.
    #[test]
    fn every_interval_has_its_coverage() {
        for row in measure(200) {
            assert!(row.sound.contains(&row.measured), "{row:?}");
        }
    }
}
