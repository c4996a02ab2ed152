//! Metrics for Prometheus.

use std::sync::atomic::AtomicU64;

use judge_fleet::{MachineStatus, Status};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Counters, without personal data.
#[derive(Debug, Default)]
pub(crate) struct Instruments {
    registry: Registry,
    /// Answered requests.
    pub(crate) requests: Counter<u64, AtomicU64>,
    /// Answers that report a failure of the server.
    pub(crate) failures: Counter<u64, AtomicU64>,
    /// Accepted submissions.
    pub(crate) submissions: Counter<u64, AtomicU64>,
    /// Gradings that ended with a result.
    pub(crate) gradings: Counter<u64, AtomicU64>,
    /// Gradings that the judge failed in.
    pub(crate) broken: Counter<u64, AtomicU64>,
    /// Played pairs of ladders.
    pub(crate) pairs: Counter<u64, AtomicU64>,
    /// Gradings under way.
    pub(crate) playing: Gauge,
    /// Waiting submissions.
    pub(crate) waiting: Gauge,
    /// 1 if the figures were read from the database, 0 if they are older because it did not answer.
    pub(crate) database_up: Gauge,
    /// Batches of rounds that wait for a machine.
    pub(crate) fleet_waiting: Gauge,
    /// Waiting time of the oldest batch, in seconds.
    pub(crate) fleet_oldest: Gauge,
    /// Machines that play.
    pub(crate) fleet_machines: Gauge,
    /// Machines that are not trusted any more.
    pub(crate) fleet_distrusted: Gauge,
}

impl Instruments {
    /// All figures at zero.
    pub(crate) fn new() -> Instruments {
        let mut new = Instruments::default();
        let registry = &mut new.registry;
        registry.register("judge_requests", "Requests that were answered", new.requests.clone());
        registry.register("judge_failures", "Requests that failed", new.failures.clone());
        registry.register("judge_submissions", "Submissions accepted", new.submissions.clone());
        registry.register("judge_gradings", "Gradings with a result", new.gradings.clone());
        registry.register("judge_broken", "Gradings that the judge failed in", new.broken.clone());
        registry.register("judge_ladder_pairs", "Pairs of ladders played", new.pairs.clone());
        registry.register("judge_playing", "Gradings under way", new.playing.clone());
        registry.register("judge_waiting", "Waiting submissions", new.waiting.clone());
        let gauges = [
            ("judge_database_up", "1 if the database answers", &new.database_up),
            (
                "judge_fleet_waiting",
                "Batches of rounds that no machine has taken",
                &new.fleet_waiting,
            ),
            ("judge_fleet_oldest_seconds", "Age of the oldest of them", &new.fleet_oldest),
            ("judge_fleet_machines", "Machines that play", &new.fleet_machines),
            ("judge_fleet_distrusted", "Machines not trusted any more", &new.fleet_distrusted),
        ];
        for (name, help, gauge) in gauges {
            registry.register(name, help, gauge.clone());
        }
        new
    }

    /// Records the state of the other machines.
    #[allow(clippy::cast_possible_truncation, reason = "a waiting time in seconds fits")]
    pub(crate) fn note_fleet(&self, status: &Status) {
        self.fleet_waiting.set(status.waiting);
        self.fleet_oldest.set(status.oldest_seconds as i64);
        let count = |which: &dyn Fn(&MachineStatus) -> bool| {
            let machines = status.machines.iter().filter(|machine| which(machine));
            i64::try_from(machines.count()).unwrap_or(i64::MAX)
        };
        self.fleet_machines.set(count(&MachineStatus::plays));
        self.fleet_distrusted.set(count(&|machine| machine.distrusted.is_some()));
    }

    /// The figures in Prometheus' text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_is_in_the_metrics() {
        let instruments = Instruments::new();
        instruments.submissions.inc();
        instruments.waiting.set(3);
        let text = instruments.text();
        assert!(text.contains("judge_submissions_total 1\n"), "{text}");
        assert!(text.contains("judge_waiting 3\n"), "{text}");
    }
}
