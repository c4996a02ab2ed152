//! The line that shows how a match stands, on standard error when that is a terminal.

use std::time::Instant;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use judge_arena::Tally;
use judge_arena::statistics::{Sprt, Strength, pair_score};

/// Pairs before which no time left is guessed.
const TOO_FEW: u64 = 4;

/// A bar with the score so far.
pub(super) struct Progress<'a> {
    bar: ProgressBar,
    sprt: Option<&'a Sprt>,
    /// Most pairs that are played.
    pairs: u64,
    begin: Instant,
}

impl<'a> Progress<'a> {
    /// A bar that draws itself on a terminal and stays silent elsewhere.
    pub(super) fn new(pairs: u64, sprt: Option<&'a Sprt>) -> Progress<'a> {
        let bar = ProgressBar::new(pairs);
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} pairs  {msg}");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        Progress { bar, sprt, pairs, begin: Instant::now() }
    }

    /// Shows how it stands after so many pairs.
    pub(super) fn show(&mut self, done: u64, tally: &Tally) {
        if self.bar.is_hidden() {
            return;
        }
        let counts = tally.evidence.firsts();
        // As far as nothing is repeated: what is takes longer to rate than a pair to play.
        let strength = Strength::new(&counts);
        let score = judge_report::per_cent(pair_score(&counts).value, 1);
        let margin = (strength.elo.high - strength.elo.low) / 2.0;
        let mut line = vec![format!("{score} %  Elo {:+.0} ± {margin:.0}", strength.elo.value)];
        let mut left = self.pairs.saturating_sub(done) as f64;
        if let Some(sprt) = self.sprt {
            let (ratio, [low, high]) = (sprt.log_ratio(&counts), sprt.bounds());
            line.push(format!("LLR {ratio:.2} ({low:.2} to {high:.2})"));
            left = left.min(pairs_left(ratio, [low, high], done));
        }
        if done >= TOO_FEW {
            let time = self.begin.elapsed().mul_f64(left / done as f64);
            line.push(format!("{} left", HumanDuration(time)));
        }
        self.bar.set_position(done);
        self.bar.set_message(line.join("  "));
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Pairs until a bound is reached if the ratio goes on as it went so far.
fn pairs_left(ratio: f64, [low, high]: [f64; 2], done: u64) -> f64 {
    let ahead = if ratio > 0.0 { high } else { low };
    let left = (ahead / ratio - 1.0) * done as f64;
    // No drift, no guess.
    if left.is_finite() { left.max(0.0) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::pairs_left;

    #[test]
    fn the_rest_is_guessed_by_the_drift_so_far() {
        assert_eq!(pairs_left(1.0, [-3.0, 3.0], 10), 20.0);
        assert_eq!(pairs_left(-1.5, [-3.0, 3.0], 10), 10.0);
        assert_eq!(pairs_left(4.0, [-3.0, 3.0], 10), 0.0);
        assert_eq!(pairs_left(0.0, [-3.0, 3.0], 10), f64::INFINITY);
    }
}
