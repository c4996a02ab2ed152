//! Events in the order of their time, and randomness.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand_core::Rng as _;
use rand_pcg::Lcg64Xsh32;

/// Microseconds since the beginning of the day.
pub(crate) type Time = u64;

pub(crate) const MS: Time = 1_000;
pub(crate) const SECOND: Time = 1_000 * MS;
pub(crate) const MINUTE: Time = 60 * SECOND;
pub(crate) const HOUR: Time = 60 * MINUTE;

/// Planned events. Of events at the same time, the one planned first comes first.
#[derive(Debug)]
pub(crate) struct Events<E> {
    heap: BinaryHeap<Reverse<(Time, u64, E)>>,
    planned: u64,
}

impl<E: Ord> Events<E> {
    pub(crate) fn new() -> Events<E> {
        Events { heap: BinaryHeap::new(), planned: 0 }
    }

    /// Plans an event.
    pub(crate) fn at(&mut self, time: Time, event: E) {
        self.heap.push(Reverse((time, self.planned, event)));
        self.planned += 1;
    }

    /// The next event.
    pub(crate) fn next(&mut self) -> Option<(Time, E)> {
        self.heap.pop().map(|Reverse((time, _, event))| (time, event))
    }
}

/// Random numbers from a seed.
#[derive(Debug)]
pub(crate) struct Luck(Lcg64Xsh32);

impl Luck {
    pub(crate) fn new(seed: u64) -> Luck {
        Luck(Lcg64Xsh32::new(seed, 18))
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        u64::try_from((u128::from(self.0.next_u64()) * u128::from(end)) >> 64).unwrap_or(0)
    }

    /// A number from 0 to 1, without 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn part(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Time until the next of independent events that happen `a_second` times per second.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
    pub(crate) fn until_next(&mut self, a_second: f64) -> Time {
        (-(1.0 - self.part()).ln() / a_second * 1e6) as Time
    }

    /// A random time between three quarters and five quarters of `time`.
    pub(crate) fn scattered(&mut self, time: Time) -> Time {
        time * 3 / 4 + self.below(time / 2)
    }
}

/// A percentile of sorted times.
pub(crate) fn percentile(sorted: &[Time], per_cent: usize) -> Time {
    let place = (sorted.len() * per_cent).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_events_come_in_order() {
        let mut events = Events::new();
        for (time, event) in [(2, 'c'), (1, 'b'), (1, 'a'), (0, 'z')] {
            events.at(time, event);
        }
        let order: Vec<char> =
            std::iter::from_fn(|| events.next()).map(|(_, event)| event).collect();
        assert_eq!(order, ['z', 'b', 'a', 'c']);
    }

    #[test]
    fn percentiles_are_times_that_occurred() {
        let times: Vec<Time> = (1..=200).collect();
        let some = [1, 50, 99, 100].map(|per_cent| percentile(&times, per_cent));
        assert_eq!(some, [2, 100, 198, 200]);
        assert_eq!((percentile(&[7], 50), percentile(&[], 50)), (7, 0));
    }

    #[test]
    fn random_numbers_are_uniform_and_reproducible() {
        let (mut one, mut other) = (Luck::new(1), Luck::new(1));
        let drawn: Vec<u64> = (0..10_000).map(|_| one.below(10)).collect();
        assert!((0..10_000).all(|place| drawn[place] == other.below(10)));
        for number in 0..10 {
            let often = drawn.iter().filter(|drawn| **drawn == number).count();
            assert!((850..1150).contains(&often), "{number}: {often}");
        }
        assert_eq!(one.below(0), 0);
    }

    #[test]
    fn independent_events_have_their_rate() {
        let mut luck = Luck::new(2);
        let sum: Time = (0..10_000).map(|_| luck.until_next(4.0)).sum();
        assert!((2_400 * SECOND..2_600 * SECOND).contains(&sum), "{sum}");
    }
}
