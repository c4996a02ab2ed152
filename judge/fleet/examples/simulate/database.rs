//! A database: a few processors, and a queue of statements in the order of arrival.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::events::{MINUTE, Time};

/// The purpose of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Batches: written, found, leased, reported, read and dropped.
    Batches,
    /// Workers that were woken by a hint and ask in vain.
    Woken,
    /// Hints on their way to listeners.
    Hints,
    /// Workers that ask in vain from time to time.
    Polls,
    /// Leases that are renewed.
    Renewals,
    /// Signs of life.
    Signs,
}

/// All of them, in the order of a table.
pub(crate) const CAUSES: [Cause; 6] =
    [Cause::Batches, Cause::Woken, Cause::Hints, Cause::Polls, Cause::Renewals, Cause::Signs];

impl Cause {
    /// Heading of a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cause::Batches => "batches",
            Cause::Woken => "woken in vain",
            Cause::Hints => "hints delivered",
            Cause::Polls => "polls",
            Cause::Renewals => "leases renewed",
            Cause::Signs => "heartbeats",
        }
    }
}

/// A database at work.
#[derive(Debug)]
pub(crate) struct Database {
    /// Time at which each processor becomes free.
    free: BinaryHeap<Reverse<Time>>,
    processors: usize,
    from: Time,
    /// Work of each minute, by cause.
    minutes: Vec<[Time; CAUSES.len()]>,
}

impl Database {
    pub(crate) fn new(processors: usize, from: Time) -> Database {
        let free = (0..processors.max(1)).map(|_| Reverse(from)).collect();
        Database { free, processors: processors.max(1), from, minutes: Vec::new() }
    }

    /// Executes a statement, and returns the time when it is done. Calls must be in the order of
    /// `now`.
    pub(crate) fn serve(&mut self, now: Time, cost: Time, cause: Cause) -> Time {
        let free = self.free.pop().map_or(now, |Reverse(free)| free);
        let begun = free.max(now);
        self.free.push(Reverse(begun + cost));
        self.account(begun, cost, cause);
        begun + cost
    }

    /// Executes many small statements on all processors, and returns the time when they are done.
    pub(crate) fn serve_many(&mut self, now: Time, cost: Time, cause: Cause) -> Time {
        let processors = Time::try_from(self.processors).unwrap_or(Time::MAX);
        let mut done = now;
        for _ in 0..self.processors {
            done = done.max(self.serve(now, cost / processors, cause));
        }
        done
    }

    /// The waiting time of a statement that arrives now.
    pub(crate) fn delay(&self, now: Time) -> Time {
        self.free.peek().map_or(0, |Reverse(free)| free.saturating_sub(now))
    }

    fn account(&mut self, begun: Time, cost: Time, cause: Cause) {
        let minute = usize::try_from(begun.saturating_sub(self.from) / MINUTE).unwrap_or(0);
        if self.minutes.len() <= minute {
            self.minutes.resize(minute + 1, [0; CAUSES.len()]);
        }
        self.minutes[minute][cause as usize] += cost;
    }

    /// Share of its time in which it works.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub(crate) fn mean(&self) -> f64 {
        let work: Time = self.minutes.iter().flatten().sum();
        let time = self.minutes.len() as f64 * MINUTE as f64 * self.processors as f64;
        if time > 0.0 { work as f64 / time } else { 0.0 }
    }

    /// Its busiest minute, and the share of that minute in which it works.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub(crate) fn busiest(&self) -> (usize, f64) {
        let work = |minute: &[Time; CAUSES.len()]| minute.iter().sum::<Time>();
        let minutes = self.minutes.iter().map(work).enumerate();
        let (minute, work) = minutes.max_by_key(|(_, work)| *work).unwrap_or((0, 0));
        (minute, work as f64 / MINUTE as f64 / self.processors as f64)
    }

    /// Processors that a cause kept busy in a minute.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub(crate) fn demand(&self, minute: usize, cause: Cause) -> f64 {
        let work = self.minutes.get(minute).map_or(0, |causes| causes[cause as usize]);
        work as f64 / MINUTE as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_wait_for_a_free_processor() {
        let mut database = Database::new(2, 0);
        let done = [(0, 10), (0, 10), (1, 10), (50, 10)]
            .map(|(now, cost)| database.serve(now, cost, Cause::Batches));
        assert_eq!(done, [10, 10, 20, 60]);
        assert_eq!((database.delay(0), database.delay(20)), (20, 0));
    }

    #[test]
    fn many_statements_keep_all_processors_busy() {
        let mut database = Database::new(4, 0);
        assert_eq!(database.serve_many(0, 400, Cause::Polls), 100);
        assert_eq!(database.delay(0), 100);
    }

    #[test]
    fn work_counts_in_its_minute_and_for_its_cause() {
        let mut database = Database::new(2, 0);
        database.serve(0, MINUTE, Cause::Batches);
        database.serve(MINUTE, MINUTE / 2, Cause::Polls);
        assert_eq!(database.busiest(), (0, 0.5));
        assert!((database.mean() - 0.375).abs() < 1e-9);
        assert!((database.demand(1, Cause::Polls) - 0.5).abs() < 1e-9);
        assert!(database.demand(1, Cause::Batches).abs() < 1e-9);
    }
}
