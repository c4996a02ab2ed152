//! Figures for Prometheus.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// What is counted. Nothing here tells of a person.
#[derive(Debug, Default)]
pub(crate) struct Instruments {
    registry: Registry,
    /// Requests that were answered.
    pub(crate) requests: Counter<u64, AtomicU64>,
    /// Answers that were the server's failure.
    pub(crate) failures: Counter<u64, AtomicU64>,
    /// Submissions that were accepted.
    pub(crate) submissions: Counter<u64, AtomicU64>,
    /// Gradings that ended with a result.
    pub(crate) gradings: Counter<u64, AtomicU64>,
    /// Gradings that the judge failed in.
    pub(crate) broken: Counter<u64, AtomicU64>,
    /// Pairs of ladders that were played.
    pub(crate) pairs: Counter<u64, AtomicU64>,
    /// Gradings under way.
    pub(crate) playing: Gauge,
    /// Submissions that wait.
    pub(crate) waiting: Gauge,
}

impl Instruments {
    /// All figures at zero.
    pub(crate) fn new() -> Instruments {
        let mut new = Instruments::default();
        let registry = &mut new.registry;
        registry.register("judge_requests", "Requests that were answered", new.requests.clone());
        registry.register("judge_failures", "Requests the server failed in", new.failures.clone());
        registry.register("judge_submissions", "Submissions accepted", new.submissions.clone());
        registry.register("judge_gradings", "Gradings with a result", new.gradings.clone());
        registry.register("judge_broken", "Gradings that the judge failed in", new.broken.clone());
        registry.register("judge_ladder_pairs", "Pairs of ladders played", new.pairs.clone());
        registry.register("judge_playing", "Gradings under way", new.playing.clone());
        registry.register("judge_waiting", "Submissions that wait", new.waiting.clone());
        new
    }

    /// The figures in Prometheus' text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_shown() {
        let instruments = Instruments::new();
        instruments.submissions.inc();
        instruments.waiting.set(3);
        let text = instruments.text();
        assert!(text.contains("judge_submissions_total 1\n"), "{text}");
        assert!(text.contains("judge_waiting 3\n"), "{text}");
    }
}
