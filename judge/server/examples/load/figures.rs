//! Figures: durations, and the memory of a process.

use std::fmt;
use std::time::Duration;

/// Durations of requests.
#[derive(Debug, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, more: Vec<Duration>) {
        self.0.extend(more);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = |share: f64| {
            let place = (sorted.len() as f64 * share) as usize;
            let time = sorted.get(place.min(sorted.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        let [middle, high, most] = [0.5, 0.99, 1.0].map(at);
        write!(f, "p50 {middle:.1} ms, p99 {high:.1} ms, longest {most:.1} ms ({})", sorted.len())
    }
}

/// Peak memory of a process, as the system reports it.
pub(crate) fn memory(process: u32) -> String {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "not told here".to_owned(), |line| line.trim().to_owned())
}
