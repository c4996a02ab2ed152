//! How a training goes, on standard error: a bar on a terminal, elsewhere a line for each save.

use std::time::Instant;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use judge_games::Header;

use crate::contest::tell;

/// Shows games, states, speed and the time left.
pub(super) struct Progress {
    bar: ProgressBar,
    begin: Instant,
    /// Games before this run.
    before: u64,
    /// Games in the end.
    games: u64,
}

impl Progress {
    /// The progress from so many games to so many.
    pub(super) fn new(before: u64, games: u64) -> Progress {
        let bar = ProgressBar::new(games);
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} games  {msg}");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        Progress { bar, begin: Instant::now(), before, games }
    }

    /// Shows how it stands.
    pub(super) fn show(&self, header: &Header) {
        if !self.bar.is_hidden() {
            self.bar.set_position(header.games);
            self.bar.set_message(self.figures(header));
        }
    }

    /// Says that the table was saved, where there is no bar.
    pub(super) fn saved(&self, header: &Header) {
        if self.bar.is_hidden() {
            let (games, all) = (header.games, self.games);
            tell(&format!("saved: {games} of {all} games, {}", self.figures(header)));
        }
    }

    /// Says something beside the bar.
    pub(super) fn say(&self, line: &str) {
        self.bar.suspend(|| tell(line));
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn figures(&self, header: &Header) -> String {
        let played = header.games.saturating_sub(self.before).max(1);
        let spent = self.begin.elapsed();
        let left = self.games.saturating_sub(header.games);
        let left = HumanDuration(spent.mul_f64(left as f64 / played as f64));
        let speed = played as f64 / spent.as_secs_f64().max(0.001);
        format!("{} states, {speed:.0} games/s, {left} left", header.states)
    }
}
