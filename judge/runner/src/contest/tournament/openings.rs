//! The effects of seats and openings on a tournament's results. All meetings have the same seeds,
//! so both players of every meeting play each opening from both seats.

use std::collections::{BTreeMap, BTreeSet};

use judge_arena::Pairing;
use judge_core::Seed;
use judge_statistics::{Estimate, Sum, share_among};
use serde::Serialize;

use super::schedule::Meeting;

/// Up to this number, all openings are shown; of more, only those that favour a seat beyond chance.
pub(super) const FEW: usize = 12;

/// Maximum number of openings to show because they favour a seat.
const SHOWN: usize = 10;

/// Fixed-point factor for adding shares.
const PARTS: i64 = 1_000_000;

/// The effects of seats and openings on the results.
#[derive(Debug, Serialize)]
pub struct Openings {
    /// Number of seeds that were played.
    pub seeds: usize,
    /// Number of pairs that count.
    pub pairs: u64,
    /// Number of seeds that start differently, including later luck.
    pub starts: usize,
    /// Share of the points won in seat 1, over the starts. The rounds of one start share their
    /// luck.
    pub seat_one: Option<Estimate>,
    /// Number of pairs in which the same player won both rounds.
    pub same_player: u64,
    /// Number of pairs in which the same seat won both rounds.
    pub same_seat: u64,
    /// Number of different openings, which equals the number of starts.
    pub distinct: usize,
    /// Number of them that favour a seat beyond chance.
    pub one_sided: usize,
    /// All openings if they are few; otherwise the most one-sided of those that favour a seat
    /// beyond chance.
    pub shown: Vec<Opening>,
}

/// The rounds with one opening.
#[derive(Debug, Clone, Serialize)]
pub struct Opening {
    /// The first seed with this opening.
    pub seed: Seed,
    /// Number of seeds with it.
    pub seeds: u64,
    /// Number of rounds that count.
    pub rounds: u64,
    /// Share of the points won in seat 1. With 95 % probability, all openings' intervals contain
    /// the true value.
    pub seat_one: Estimate,
}

/// Points in rounds, from the side of seat 1.
#[derive(Debug, Clone, Copy, Default)]
struct OpeningCount {
    half_points: u64,
    rounds: u64,
}

impl OpeningCount {
    fn add(&mut self, other: OpeningCount) {
        self.half_points += other.half_points;
        self.rounds += other.rounds;
    }

    fn share(self) -> f64 {
        self.half_points as f64 / (2 * self.rounds).max(1) as f64
    }
}

impl Openings {
    pub(super) fn new(pairing: &Pairing, meetings: &[Meeting]) -> Openings {
        let (mut pairs, mut same_player, mut same_seat) = (0, 0, 0);
        let mut groups: BTreeMap<u64, Group> = BTreeMap::new();
        for meeting in meetings {
            for ((number, points), (kind, _)) in meeting.points().zip(meeting.counted()) {
                groups.entry(kind.start).or_default().add(number, kind.course, points);
                pairs += 1;
                same_player += u64::from(matches!(points, [2, 2] | [0, 0]));
                same_seat += u64::from(matches!(points, [2, 0] | [0, 2]));
            }
        }
        let seat_one = over_starts(groups.values().map(|group| group.count));
        let (seeds, starts) =
            (groups.values().map(|group| group.numbers.len()).sum(), groups.len());
        let (one_sided, shown) = worth_showing(openings(pairing, groups.into_values().collect()));
        Openings {
            seeds,
            starts,
            pairs,
            seat_one,
            same_player,
            same_seat,
            distinct: starts,
            one_sided,
            shown,
        }
    }
}

/// The share of seat 1, with its spread over the starts.
fn over_starts(starts: impl ExactSizeIterator<Item = OpeningCount>) -> Option<Estimate> {
    let any = starts.len() > 0;
    let mut sum = Sum::default();
    for count in starts {
        sum.add((count.share() * PARTS as f64).round() as i64);
    }
    let Estimate { value, low, high } = sum.mean(PARTS as f64);
    let estimate = Estimate { value, low: low.max(0.0), high: high.min(1.0) };
    any.then_some(estimate)
}

/// The rounds of an opening: all pairs with the same start and the same later luck.
#[derive(Default)]
struct Group {
    /// The numbers of the pairs with its seeds.
    numbers: BTreeSet<u64>,
    count: OpeningCount,
    /// The different courses of its pairs. An exact repetition adds no evidence.
    courses: BTreeSet<u64>,
}

impl Group {
    /// Adds the pair with that number, with the first player's half points in seat 1 and in seat 2.
    fn add(&mut self, number: u64, course: u64, [one, two]: [u8; 2]) {
        let half_points = u64::from(one) + 2 - u64::from(two);
        self.numbers.insert(number);
        self.count.add(OpeningCount { half_points, rounds: 2 });
        self.courses.insert(course);
    }
}

/// The openings, ordered by their first seeds.
fn openings(pairing: &Pairing, mut groups: Vec<Group>) -> Vec<Opening> {
    groups.sort_by_key(|group| group.numbers.first().copied());
    let among = groups.len();
    let opening = |Group { numbers, count, courses }: Group| Opening {
        seed: pairing.seed(numbers.first().copied().unwrap_or_default()),
        seeds: numbers.len() as u64,
        rounds: count.rounds,
        seat_one: share_among(count.share(), 2 * courses.len() as u64, among),
    };
    groups.into_iter().map(opening).collect()
}

/// Counts the openings that favour a seat beyond chance, and selects those to show.
fn worth_showing(mut openings: Vec<Opening>) -> (usize, Vec<Opening>) {
    let favours = |opening: &Opening| {
        let Estimate { low, high, .. } = opening.seat_one;
        low > 0.5 || high < 0.5
    };
    let one_sided = openings.iter().filter(|opening| favours(opening)).count();
    if openings.len() > FEW {
        openings.retain(favours);
        let from_even = |opening: &Opening| (opening.seat_one.value - 0.5).abs();
        // The sort is stable, so equal ones stay in the order of their seeds.
        openings.sort_by(|one, other| from_even(other).total_cmp(&from_even(one)));
        openings.truncate(SHOWN);
    }
    (one_sided, openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(seed: u64, half_points: u64, rounds: u64, among: usize) -> Opening {
        let seat_one = share_among(OpeningCount { half_points, rounds }.share(), rounds, among);
        Opening { seed: Seed(seed), seeds: 1, rounds, seat_one }
    }

    #[test]
    fn all_of_few_openings_are_shown() {
        let openings = vec![opening(1, 20, 20, 2), opening(2, 40, 20, 2)];
        let (one_sided, shown) = worth_showing(openings);
        assert_eq!((one_sided, shown.len()), (1, 2));
    }

    #[test]
    fn only_openings_with_a_significant_result_are_shown() {
        // In forty openings with four rounds, one seat wins all rounds of some by chance.
        let short = |seed| opening(seed, if seed % 8 == 0 { 8 } else { 4 }, 4, 40);
        assert_eq!(worth_showing((0..40).map(short).collect()).1.len(), 0);
        // All of ninety points cannot be chance, for either seat, but a little more than half can.
        let half_points = |seed| match seed {
            17 => 0,
            31 => 176,
            _ => 94,
        };
        let openings = (0..40).map(|seed| opening(seed, half_points(seed), 90, 40)).collect();
        let (one_sided, shown) = worth_showing(openings);
        let seeds: Vec<u64> = shown.iter().map(|opening| opening.seed.0).collect();
        assert_eq!((one_sided, seeds), (2, vec![17, 31]), "the most one-sided first");
    }

    #[test]
    fn the_interval_of_a_seats_share_depends_on_the_seeds() {
        let count = |half_points| OpeningCount { half_points, rounds: 10 };
        let estimate = over_starts((0..50).map(|_| count(12))).expect("rounds");
        assert!((estimate.value - 0.6).abs() < 1e-6);
        assert_eq!((estimate.low, estimate.high), (0.0, 1.0), "no spread was seen");
        let apart = (0..50).map(|seed| count(if seed % 5 < 3 { 20 } else { 0 }));
        let estimate = over_starts(apart).expect("rounds");
        assert!((estimate.value - 0.6).abs() < 1e-6);
        assert!((estimate.high - 0.6 - 0.1406).abs() < 0.001, "{estimate:?}");
        assert!(over_starts(std::iter::empty::<OpeningCount>()).is_none());
    }
}
