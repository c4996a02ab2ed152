//! The progress bar of a run, on standard error when that is a terminal.

use std::time::Instant;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use judge_core::{ProgressResult, RoundPlace, Unit, printable};
use judge_statistics::{Strength, pair_score};

use super::screen;

/// Number of finished units before the remaining time is estimated.
const TOO_FEW: u64 = 4;

/// A bar that is drawn only on a terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    unit: Unit,
    total: Option<u64>,
    /// The time of the first event, and the number of units that were already done.
    begin: Option<(Instant, u64)>,
}

impl Bar {
    /// Creates a bar over this many units.
    pub(super) fn new(unit: Unit, total: Option<u64>) -> Bar {
        let bar = screen::progress_bar(total);
        let of = if total.is_some() { "/{len}" } else { "" };
        let width = if unit == Unit::Rounds { 30 } else { 20 };
        let template = format!("{{bar:{width}}} {{pos}}{of} {}  {{msg}}", unit.name());
        let style = ProgressStyle::with_template(&template);
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        Bar { bar, unit, total, begin: None }
    }

    pub(super) fn inner(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows a bar that was removed for a table again.
    fn show_again(&self) {
        if self.bar.is_finished() {
            let done = self.bar.position();
            self.bar.reset();
            self.bar.set_position(done);
        }
    }

    /// Counts a finished round. Only a bar that counts rounds moves.
    pub(super) fn round(&self, round: &RoundPlace) {
        if self.unit != Unit::Rounds {
            return;
        }
        self.show_again();
        self.bar.inc(1);
        if let Some(testcase) = &round.testcase {
            let text = printable(&format!("{}: {testcase}", round.submission), 80);
            self.bar.set_message(text + &self.left());
        }
    }

    /// The estimated remaining time, once enough rounds are done.
    fn left(&self) -> String {
        if self.total.is_none() || self.bar.position() < TOO_FEW || self.bar.is_hidden() {
            return String::new();
        }
        format!("  {} left", HumanDuration(self.bar.eta()))
    }

    pub(super) fn progress(&mut self, done: u64, standing: Option<&ProgressResult>) {
        if self.bar.is_hidden() {
            return;
        }
        let (begin, before) = *self.begin.get_or_insert((Instant::now(), done));
        let mut words = standing.map(words).unwrap_or_default();
        let left = self.total.map_or(0.0, |total| total.saturating_sub(done) as f64);
        let left = left.min(standing.map_or(f64::INFINITY, |standing| units_left(standing, done)));
        let since = done.saturating_sub(before);
        if since >= TOO_FEW && self.total.is_some() {
            let time = begin.elapsed().mul_f64(left / since as f64);
            words.push(format!("{} left", HumanDuration(time)));
        }
        self.show_again();
        self.bar.set_position(done);
        self.bar.set_message(words.join("  "));
    }

    /// Removes the bar until the next change.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Short texts on the state of a run.
fn words(standing: &ProgressResult) -> Vec<String> {
    match standing {
        ProgressResult::Training { states } => vec![format!("{states} states")],
        ProgressResult::Match { pairs, test } => {
            let strength = Strength::new(pairs);
            let score = judge_report::per_cent(pair_score(pairs).value, 1);
            let margin = (strength.elo.high - strength.elo.low) / 2.0;
            let mut words = vec![format!("{score} %")];
            // After a clean sweep the estimate is infinite.
            if margin.is_finite() {
                words.push(format!("Elo {:+.0} ± {margin:.0}", strength.elo.value));
            }
            if let Some(test) = test {
                let [low, high] = test.bounds;
                words.push(format!("LLR {:.2} ({low:.2} to {high:.2})", test.log_ratio));
            }
            words
        }
    }
}

/// Estimated pairs until a test is decided, if its ratio grows as before.
fn units_left(standing: &ProgressResult, done: u64) -> f64 {
    match standing {
        ProgressResult::Match { test: Some(test), .. } => {
            pairs_left(test.log_ratio, test.bounds, done)
        }
        _ => f64::INFINITY,
    }
}

fn pairs_left(ratio: f64, [low, high]: [f64; 2], done: u64) -> f64 {
    let ahead = if ratio > 0.0 { high } else { low };
    let left = (ahead / ratio - 1.0) * done as f64;
    // A ratio of 0 gives no estimate.
    if left.is_finite() { left.max(0.0) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use judge_core::{RoundPlace, Seed, Unit};

    use super::{Bar, pairs_left};

    #[test]
    fn rounds_advance_only_a_bar_of_rounds() {
        let [submission, opponent] = ["a", "b"].map(str::to_owned);
        let round = RoundPlace { submission, opponent, testcase: None, round: 1, seed: Seed(1) };
        for (unit, moved) in [(Unit::Rounds, 1), (Unit::Pairs, 0)] {
            let bar = Bar::new(unit, Some(10));
            bar.round(&round);
            assert_eq!(bar.inner().position(), moved, "{unit:?}");
        }
    }

    #[test]
    fn the_remaining_time_is_estimated_from_the_drift() {
        assert_eq!(pairs_left(1.0, [-3.0, 3.0], 10), 20.0);
        assert_eq!(pairs_left(-1.5, [-3.0, 3.0], 10), 10.0);
        assert_eq!(pairs_left(4.0, [-3.0, 3.0], 10), 0.0);
        assert_eq!(pairs_left(0.0, [-3.0, 3.0], 10), f64::INFINITY);
    }
}
